import { existsSync, rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { changeEntry } from '../../src/features/entries/write-entries.ts'
import { applyCompaction } from '../../src/features/upkeep/apply-compaction.ts'
import { restoreBatch, restoreEntry } from '../../src/features/upkeep/restore.ts'
import { scheduleUpkeep } from '../../src/features/upkeep/scheduled-upkeep.ts'
import { compact, compactWhenDue, isUpkeepDue, planUpkeepNow } from '../../src/features/upkeep/upkeep.ts'
import {
  captured,
  closeSession,
  DAY_MS,
  furnishAged,
  furnishHistory,
  NOW_MS,
  openAt,
  treeOf,
  VAULT_ONLY,
} from '../support/aged-vault.ts'
import { readIn, scratchProject, writeIn } from '../support/scratch-project.ts'

const contents = async (root: string, ms = NOW_MS) => {
  const engine = openAt(root, ms)
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 100, offset: 0 })
  await engine.close()
  return entries.map(({ status, content }) => `${status}: ${content}`)
}

describe('compact', () => {
  it('archives what expired, confirms nothing, and leaves what people wrote', async () => {
    const root = scratchProject()
    const ids = await furnishAged(root, [
      captured('The importer retries twice.', 60),
      captured('Asked for once.', 10),
      captured('Pinned and old.', 300, { status: 'pinned' }),
      { content: 'Written by a person long ago.', ageDays: 400 },
    ])
    const asked = openAt(root, NOW_MS - 5 * DAY_MS)
    await asked.store.recordAccess([ids[3] ?? ''])
    await asked.close()

    const engine = openAt(root)
    const { result } = await compact(engine)
    expect(result).toMatchObject({ entriesExpired: 1, entriesConfirmed: 0, batches: [expect.any(String)] })
    await engine.close()
    expect(await contents(root)).toEqual([
      'candidate: Asked for once.',
      'pinned: Pinned and old.',
      'confirmed: Written by a person long ago.',
    ])
  })

  it('is taken back by undo, entry and place', async () => {
    const root = scratchProject()
    await furnishAged(root, [captured('The importer retries twice.', 60), captured('Fresh.', 1)])
    const before = treeOf(root, VAULT_ONLY)
    const engine = openAt(root)
    await compact(engine)
    expect(treeOf(root, VAULT_ONLY)).not.toEqual(before)
    await undoOperation.run(engine, {}, {})
    await engine.close()
    expect(treeOf(root, VAULT_ONLY)).toEqual(before)
  })

  it('that a person took back archives no others in place of what came back', async () => {
    const root = scratchProject({ '.memory/config.json': '{"upkeep": {"maxEntries": 4, "keepEntries": 2}}' })
    await furnishAged(
      root,
      [1, 2, 3, 4, 5, 6].map(n => captured(`Fact number ${n}.`, 2, { importance: 0.4 + n / 20 })),
    )
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ entriesEvicted: 4 })
    await undoOperation.run(engine, {}, {})
    expect((await compact(engine)).result).toMatchObject({ entriesEvicted: 0, batches: [] })
    expect(await contents(root)).toHaveLength(6)
    await engine.close()
  })

  it('leaves alone what changed, was accessed or was confirmed since it was planned', async () => {
    const root = scratchProject()
    const ids = await furnishAged(root, [
      captured('One.', 60),
      captured('Two.', 60),
      captured('Three.', 60),
      captured('Four.', 60),
    ])
    const engine = openAt(root)
    const { plan } = await planUpkeepNow(engine)
    expect(plan.expire).toHaveLength(4)
    await changeEntry(engine, ids[0] ?? '', 'update', entry => ({ ...entry, content: 'One, changed.' }))
    await engine.store.recordAccess([ids[1] ?? ''])
    await engine.store.write(engine.actor, async view => {
      const before = await view.readDocument('curation.json')
      const after = { ...before, confirmations: { [ids[2] ?? '']: { at: '2026-11-15', by: 'me' } } }
      return { action: 'confirm', changes: [{ type: 'document', name: 'curation.json', before, after }] }
    })
    const done = await applyCompaction(engine, plan)
    await engine.close()
    expect(done).toMatchObject({ entriesExpired: 1 })
    expect((await contents(root)).sort()).toEqual([
      'candidate: One, changed.',
      'candidate: Three.',
      'candidate: Two.',
    ])
  })

  it('counts from when an entry came here, not from its date: an imported or cloned vault is not emptied', async () => {
    const root = scratchProject()
    await furnishAged(root, [captured('Very old.', 700)])
    rmSync(path.join(root, '.memory/.vault'), { recursive: true })
    const engine = openAt(root)
    const { result } = await compact(engine)
    await engine.close()
    expect(result).toMatchObject({ entriesExpired: 0, entriesFaded: 0 })
    const later = openAt(root, NOW_MS + 30 * DAY_MS)
    expect((await compact(later)).result).toMatchObject({ entriesExpired: 1 })
    await later.close()
  })

  it('clears history away, with everything in the archive but what a conversation still holds', async () => {
    const root = scratchProject({
      '.memory/config.json': '{"retention": {"checkpoints": {"keepRecent": 1}}}',
    })
    await furnishHistory(root)
    const whole = readIn(root, '.memory/conversations/dev/long.json')
    const engine = openAt(root)
    const { result } = await compact(engine)
    expect(result).toMatchObject({
      checkpointsCleaned: 3,
      conversationsTrimmed: 1,
      sessionsArchived: 1,
      eventsPruned: 2,
      snapshotsArchived: 2,
      legacyFilesCleaned: 1,
    })
    const batch = await engine.archive.read(result?.batches[0] ?? '')
    expect([...(batch?.files ?? [])].sort()).toEqual([
      '.vault/checkpoints/dev/lost.json',
      '.vault/checkpoints/dev/torn.json',
      'conversations/dev/long.json',
      'conversations/dev/old.json',
      'dev.md.bak',
      'history/checkpoints/aged.json',
      'history/checkpoints/older.json',
      'sessions/old.memory.json',
    ])
    const trimmed = await engine.sessions.read({ session: 'long', agent: 'dev' })
    expect(trimmed).toMatchObject({ state: 'closed', trimmed: 5 })
    expect(trimmed?.messages.map(({ text }) => text).at(0)).toBe('Message 5 of long.')

    const restored = await restoreBatch(engine, result?.batches[0] ?? '')
    expect(restored).toMatchObject({ events: 2, conflicts: [] })
    expect(restored.files).toHaveLength(8)
    expect(readIn(root, '.memory/conversations/dev/long.json')).toBe(whole)
    const events: string[] = []
    for await (const { id } of engine.events.read()) events.push(id)
    expect(events).toEqual(['event-400', 'event-380', 'event-10'])

    // A person brought it back: it stays.
    const again = (await compact(engine)).result
    await engine.close()
    expect(again).toMatchObject({
      conversationsTrimmed: 0,
      sessionsArchived: 0,
      eventsPruned: 0,
      batches: [],
    })
  })

  it('does not trim a conversation that was not distilled to its end', async () => {
    const root = scratchProject()
    await closeSession(root, { session: 'long', atMs: NOW_MS - DAY_MS, messages: 25 })
    const engine = openAt(root)
    const memory = await engine.sessions.findMemory('long')
    if (memory === undefined) throw new Error('it was saved')
    await engine.sessions.saveMemory({ ...memory, distilled: { dev: 24 } })
    expect((await compact(engine)).result).toMatchObject({ conversationsTrimmed: 0, batches: [] })
    await engine.close()
  })

  it('rolls a file over that git does not see, and counts what moved', async () => {
    const root = scratchProject({
      '.memory/config.json': '{"vault": {"maxEntriesPerFile": 5, "keepEntries": 3}}',
    })
    const text = Array.from(
      { length: 8 },
      (_, n) => `<!-- id:${1000 + n} -->\n## 2026-02-0${n + 1}T10:00\n\nFact ${n}.\n\n---\n`,
    ).join('\n')
    writeIn(root, '.memory/private/decisions.md', text)
    writeIn(root, '.memory/dev/decisions.md', text.replaceAll('id:1', 'id:2').replaceAll('Fact', 'Rule'))
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ vaultEntriesMerged: 5 })
    expect((await compact(engine)).result).toMatchObject({ vaultEntriesMerged: 0 })
    expect(await engine.store.check()).toEqual([])
    await engine.close()
    expect(readIn(root, '.memory/dev/decisions.md')).not.toContain('Compacted')
    expect(readIn(root, '.memory/private/decisions.md')).toContain('Compacted 5 older entries:')
    expect(readIn(root, '.memory/private/decisions/2026-02.md')).toContain('Fact 0.')
  })

  it('deletes batches for good only where an expiry is set', async () => {
    const root = scratchProject()
    await furnishAged(root, [captured('Old.', 60)])
    const engine = openAt(root)
    const { result } = await compact(engine)
    await engine.close()
    const later = openAt(root, NOW_MS + 1000 * DAY_MS)
    expect((await compact(later)).result).toMatchObject({ batchesExpired: 0 })
    await later.close()
    writeIn(root, '.memory/config.json', '{"retention": {"archive": {"expireAfterDays": 90}}}')
    const expiring = openAt(root, NOW_MS + 1000 * DAY_MS)
    expect((await compact(expiring)).result).toMatchObject({ batchesExpired: 1 })
    await expiring.close()
    expect(existsSync(path.join(root, '.memory/archive', result?.batches[0] ?? ''))).toBe(false)
  })

  it('with every limit at 0 touches nothing but what expired', async () => {
    const root = scratchProject({
      '.memory/config.json': JSON.stringify({
        upkeep: { maxEntries: 0, conversationMessages: 0 },
        retention: { history: { maxAgeDays: 0 }, checkpoints: { maxAgeDays: 0 } },
      }),
    })
    await furnishHistory(root)
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({
      conversationsTrimmed: 0,
      sessionsArchived: 0,
      eventsPruned: 0,
      snapshotsArchived: 0,
    })
    await engine.close()
  })
})

describe('restore', () => {
  const evicted = async () => {
    const root = scratchProject()
    const ids = await furnishAged(root, [
      captured('The importer retries twice.', 60),
      captured('Old too.', 50),
    ])
    const engine = openAt(root)
    const { result } = await compact(engine)
    return { root, engine, ids, batch: result?.batches[0] ?? '' }
  }

  it('brings back one entry, which upkeep then leaves alone, and undo takes it away again', async () => {
    const { root, engine, ids } = await evicted()
    const restored = await restoreEntry(engine, ids[0] ?? '')
    expect(restored.entries.map(({ content }) => content)).toEqual(['The importer retries twice.'])
    expect((await compact(engine)).result).toMatchObject({ entriesExpired: 0 })
    expect(await engine.store.readDocument('curation.json')).toMatchObject({
      confirmations: { [ids[0] ?? '']: { at: '2026-11-15T12:00:00.000Z', by: 'test' } },
    })
    await undoOperation.run(engine, {}, {})
    await engine.close()
    expect(await contents(root)).toEqual([])
  })

  it('names what stands in the way and brings back the rest', async () => {
    const { root, engine, ids, batch } = await evicted()
    const { remember } = await import('../../src/features/entries/write-entries.ts')
    const [twin] = await remember(engine, [{ content: 'Old too.' }])
    const restored = await restoreBatch(engine, batch)
    expect(restored.entries.map(({ id }) => id)).toEqual([ids[0]])
    expect(restored.conflicts).toEqual([
      { what: ids[1], message: `The same text exists as ${twin?.entry.id}.` },
    ])
    await expect(restoreEntry(engine, ids[1] ?? '')).rejects.toMatchObject({ code: 'restore_conflict' })
    await engine.close()
    expect(await contents(root)).toHaveLength(2)
  })

  it('keeps how often an entry was asked for, when the index was lost meanwhile', async () => {
    const root = scratchProject()
    const ids = await furnishAged(root, [captured('Asked for twice.', 200)])
    const asking = openAt(root, NOW_MS - 190 * DAY_MS)
    await asking.store.recordAccess([ids[0] ?? ''])
    await asking.store.recordAccess([ids[0] ?? ''])
    await asking.close()
    const engine = openAt(root)
    const { result } = await compact(engine)
    expect(result).toMatchObject({ entriesExpired: 1 })
    await engine.store.rebuildIndex()
    await restoreBatch(engine, result?.batches[0] ?? '')
    expect(await engine.upkeepIndex.captured()).toMatchObject([{ id: ids[0], accessCount: 2 }])
    await engine.close()
  })

  it('says when there is no such batch or entry', async () => {
    const engine = openAt(scratchProject())
    await expect(restoreBatch(engine, 'evict-1')).rejects.toMatchObject({ code: 'batch_not_found' })
    await expect(restoreBatch(engine, 'evict-../../etc')).rejects.toMatchObject({ code: 'batch_not_found' })
    await expect(restoreEntry(engine, '17')).rejects.toMatchObject({ code: 'entry_not_found' })
    await engine.close()
  })
})

describe('upkeep by itself', () => {
  /** The private vault is ignored by git. */
  const UNTRACKED = { agent: 'private' }

  it('leaves what is in a file that git sees to a person', async () => {
    const file = '.memory/dev/lessons.md'
    const old = `<!-- id:1767261600000-k3f9 kind:discovery status:candidate origin:machine -->
## 2026-01-01T10:00

Of 0.1.0.

---
`
    const root = scratchProject({ [file]: old })
    await furnishAged(root, [captured('Old.', 60, UNTRACKED)])
    const engine = openAt(root)
    expect(await compactWhenDue(engine)).toMatchObject({ entriesExpired: 1 })
    expect(readIn(root, file)).toBe(old)
    expect((await compact(engine)).result).toMatchObject({ entriesExpired: 1 })
    await engine.close()
    expect(await contents(root)).toEqual([])
  })

  it('is due a day after the last, after 50 accesses, and never when it is switched off', async () => {
    const root = scratchProject()
    const ids = await furnishAged(root, [captured('Fresh.', 0)])
    const engine = openAt(root)
    expect(await isUpkeepDue(engine)).toBe(false)
    await engine.store.recordAccess(Array.from({ length: 49 }, () => ids[0] ?? ''))
    expect(await isUpkeepDue(engine)).toBe(false)
    await engine.store.recordAccess([ids[0] ?? ''])
    expect(await isUpkeepDue(engine)).toBe(true)
    expect(await compactWhenDue(engine)).toBeDefined()
    expect(await isUpkeepDue(engine)).toBe(false)
    await engine.close()
    const tomorrow = openAt(root, NOW_MS + DAY_MS)
    expect(await isUpkeepDue(tomorrow)).toBe(true)
    writeIn(root, '.memory/config.json', '{"upkeep": {"auto": false}}')
    expect(await isUpkeepDue(tomorrow)).toBe(false)
    await tomorrow.close()
  })

  it('is done by one of two processes', async () => {
    const root = scratchProject()
    await furnishAged(root, [captured('Old.', 60, UNTRACKED)])
    const [one, other] = [openAt(root), openAt(root)]
    const results = await Promise.all([compactWhenDue(one), compactWhenDue(other)])
    await one.close()
    await other.close()
    expect(results.filter(result => result !== undefined)).toHaveLength(1)
    const log = JSON.parse(readIn(root, '.memory/.vault/compact-log.json'))
    expect(log).toMatchObject({ lastCompaction: { entriesExpired: 1 }, earlier: [] })
    expect(log).not.toHaveProperty('running')
  })

  it('goes on next time with what it had no time for', async () => {
    const root = scratchProject()
    await furnishAged(root, [
      captured('One.', 60, UNTRACKED),
      captured('Two.', 60, UNTRACKED),
      captured('Three.', 60, UNTRACKED),
    ])
    const engine = openAt(root)
    expect(await compactWhenDue(engine, { mostEntries: 2 })).toMatchObject({
      entriesExpired: 2,
      isPartial: true,
    })
    expect(await isUpkeepDue(engine)).toBe(true)
    expect(await compactWhenDue(engine, { mostEntries: 2 })).toMatchObject({
      entriesExpired: 1,
      isPartial: false,
    })
    expect(await compactWhenDue(engine)).toBeUndefined()
    await engine.close()
  })

  it('runs soon after opening and at its interval, while nobody waits for it', async () => {
    const root = scratchProject()
    await furnishAged(root, [captured('Old.', 60, UNTRACKED)])
    const engine = openAt(root)
    const upkeep = scheduleUpkeep(engine, 20, { pauseMs: 5 })
    await expect
      .poll(() => engine.memoryFiles.readLog(), { timeout: 5_000 })
      .toMatchObject({
        lastCompaction: { entriesExpired: 1 },
      })
    await upkeep.stop()
    await engine.close()
  })

  it('takes a turn of others only when it is due, and a fault in it is told and ends no process', async () => {
    const root = scratchProject()
    await furnishAged(root, [captured('Old.', 60, UNTRACKED)])
    const opened = openAt(root)
    let turns = 0
    const turn = async () => {
      turns++
    }
    const tidying = scheduleUpkeep(opened, 5, { pauseMs: 1, turn })
    await expect.poll(() => opened.memoryFiles.readLog(), { timeout: 5_000 }).toHaveProperty('lastCompaction')
    await opened.clock.sleep(50)
    await tidying.stop()
    expect(turns).toBe(1)

    const broken = { ...opened, config: () => Promise.reject(new Error('not to be foreseen')) }
    const upkeep = scheduleUpkeep(broken, 0, { pauseMs: 1 })
    const told: string[] = []
    for (let waited = 0; told.length === 0 && waited < 100; waited++) {
      await opened.clock.sleep(20)
      told.push(...opened.semantics.takeDegraded().map(({ code }) => code))
    }
    await upkeep.stop()
    expect(told).toEqual(['upkeep_failed'])
    await opened.close()
  })

  it('leaves its failure where status shows it', async () => {
    const root = scratchProject()
    await furnishAged(root, [captured('Old.', 60, UNTRACKED)])
    const broken = openAt(root)
    const engine = {
      ...broken,
      archive: {
        ...broken.archive,
        list: () => broken.archive.list(),
        write: async () => {
          throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
        },
      },
    }
    expect(await compactWhenDue(engine)).toBeUndefined()
    expect(await broken.memoryFiles.readLog()).toMatchObject({ failure: { code: 'disk_full' } })
    expect(await contents(root)).toEqual(['candidate: Old.'])
    expect(await compactWhenDue(broken)).toMatchObject({ entriesExpired: 1 })
    expect(await broken.memoryFiles.readLog()).not.toHaveProperty('failure')
    await broken.close()
  })
})

import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { migrateOperation } from '../../src/addons/import/verbs/migrate.ts'
import { closeSession as closeWith } from '../../src/features/learning/closing.ts'
import {
  appendMessages,
  checkpointSession,
  recoverSession,
  startSession,
} from '../../src/features/sessions/sessions.ts'
import { recall } from '../../src/features/state/recall.ts'
import { applyCompaction } from '../../src/features/upkeep/apply-compaction.ts'
import { restoreBatch } from '../../src/features/upkeep/restore.ts'
import { compact, compactWhenDue, planUpkeepNow } from '../../src/features/upkeep/upkeep.ts'
import { CairnError } from '../../src/kernel/model/errors.ts'
import type { SessionKey } from '../../src/kernel/model/session.ts'
import { type Disk, nodeDisk } from '../../src/kernel/system/disk.ts'
import { captured, closeSession, DAY_MS, furnishAged, NOW_MS, openAt } from '../support/aged-vault.ts'
import { readIn, scratchProject, writeIn } from '../support/scratch-project.ts'

const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
const GHOST = '\n{"state":"ending","at":"2026-11-14T12:00:00.000Z"}\n'
const inFolder = (root: string, folder: string) => readdirSync(path.join(root, '.memory', folder)).sort()

describe('a session', () => {
  it('that was taken up again after it was planned stays whole', async () => {
    const root = scratchProject()
    await closeSession(root, { session: 'old', atMs: NOW_MS - 200 * DAY_MS, messages: 3 })
    const engine = openAt(root)
    const { plan } = await planUpkeepNow(engine)
    expect(plan.sessions.map(({ session }) => session)).toEqual(['old'])
    const key = { session: 'old', agent: 'dev' }
    await startSession(engine, key)
    await appendMessages(engine, key, [{ role: 'user', text: 'Back again: what about the retries?' }])
    expect(await applyCompaction(engine, plan)).toMatchObject({ sessionsArchived: 0 })
    const conversation = await engine.sessions.read(key)
    expect(conversation).toMatchObject({ state: 'open' })
    expect(conversation?.messages).toHaveLength(4)
    expect(await engine.sessions.findMemory('old')).toBeDefined()
    await engine.close()
  })

  it('that another agent joined after it was planned stays whole', async () => {
    const root = scratchProject()
    await closeSession(root, { session: 'old', atMs: NOW_MS - 200 * DAY_MS, messages: 3 })
    const engine = openAt(root)
    const { plan } = await planUpkeepNow(engine)
    await startSession(engine, { session: 'old', agent: 'ops' })
    expect(await applyCompaction(engine, plan)).toMatchObject({ sessionsArchived: 0 })
    expect(inFolder(root, 'conversations/dev')).toEqual(['old.json'])
    await engine.close()
  })

  it('is closed when a dying process left nothing but its mark, and goes to the archive with it', async () => {
    const root = scratchProject()
    await closeSession(root, { session: 'old', atMs: NOW_MS - 200 * DAY_MS, messages: 3 })
    await closeSession(root, { session: 'new', atMs: NOW_MS - DAY_MS, messages: 3 })
    for (const name of ['old', 'new']) writeIn(root, `.memory/conversations/dev/${name}.jsonl`, GHOST)
    const engine = openAt(root)
    const { sessions } = await engine.sessions.list({ limit: 5, state: 'closed' })
    expect(sessions.map(({ session, state }) => `${session} ${state}`).sort()).toEqual([
      'new closed',
      'old closed',
    ])
    expect(await engine.sessions.unclosed()).toEqual([])
    expect((await engine.sessions.list({ limit: 5, state: 'ending' })).total).toBe(0)
    expect((await compact(engine)).result).toMatchObject({ sessionsArchived: 1 })
    expect(inFolder(root, 'conversations/dev')).toEqual(['new.json', 'new.jsonl'])
    // The next one who closes it clears the mark away.
    expect(await closeWith(engine, 'new')).toMatchObject({ wasClosed: true })
    const conversation = await engine.sessions.read({ session: 'new', agent: 'dev' })
    expect(conversation?.messages).toHaveLength(3)
    await engine.sessions.settle(
      { session: 'new', agent: 'dev' },
      { messages: conversation?.messages ?? [], trimmed: 0, expected: 3 },
    )
    expect(inFolder(root, 'conversations/dev')).toEqual(['new.json'])
    await engine.close()
  })

  it('with a name of its own has its spent checkpoint removed, not archived', async () => {
    const root = scratchProject()
    const key: SessionKey = { session: 'Feature/Über 1', agent: 'dev' }
    const then = openAt(root, NOW_MS - 30 * DAY_MS)
    await startSession(then, key)
    await appendMessages(then, key, [{ role: 'user', text: 'What about the retries?' }])
    await checkpointSession(then, key)
    await closeWith(then, key.session)
    await then.close()
    const engine = openAt(root)
    const { plan } = await planUpkeepNow(engine)
    expect(plan.spentCheckpoints).toHaveLength(1)
    expect(plan.checkpoints).toEqual([])
    await engine.close()
  })

  it('never shows shortened, whatever step of its closing is the last', async () => {
    const damaged = () => {
      const root = scratchProject()
      const folder = path.join(root, '.memory/conversations/dev')
      const messages = Array.from({ length: 4 }, (_, n) => ({ role: 'user', text: `Message ${n}.` }))
      const document = { version: 1, agentId: 'dev', sessionId: 's1', messages: [...messages, { role: 7 }] }
      writeIn(root, '.memory/conversations/dev/s1.json', JSON.stringify(document))
      return { root, folder }
    }
    for (let step = 1; step < 60; step++) {
      const { root } = damaged()
      const dying = openAt(root, NOW_MS, { disk: failingAt(step) })
      const key = { session: 's1', agent: 'dev' }
      const settled = await dying.sessions
        .settle(key, {
          messages: (await dying.sessions.read(key).catch(() => undefined))?.messages ?? [],
          trimmed: 0,
          expected: 4,
        })
        .then(
          () => true,
          () => false,
        )
      await dying.close()
      const engine = openAt(root)
      expect((await engine.sessions.read(key))?.messages, `step ${step}`).toHaveLength(4)
      await engine.close()
      if (settled) return expect(step).toBeGreaterThan(3)
    }
    throw new Error('it never settled')
  })
})

/** A disk on which the nth change fails, and all after it: the process is dead. */
function failingAt(nth: number): Disk {
  let changes = 0
  const changing = new Set(['writeFile', 'rename', 'remove', 'append', 'truncate', 'syncFolder'])
  return new Proxy(nodeDisk, {
    get(disk, name, receiver) {
      const method = Reflect.get(disk, name, receiver) as unknown
      if (typeof method !== 'function' || !changing.has(String(name))) return method
      return (...given: unknown[]) => {
        if (++changes >= nth) throw Object.assign(new Error('EIO: it died'), { code: 'EIO' })
        return Reflect.apply(method, disk, given) as unknown
      }
    },
  })
}

describe('a flat file', () => {
  const FLAT = '# Dev\n\n## Decisions\n\nWe use pnpm and never npm.\n'
  const kept = async (engine: ReturnType<typeof openAt>) =>
    (await engine.store.listEntries({ filter: { agent: 'dev' }, limit: 10, offset: 0 })).entries

  it('that was never migrated is no leftover, whatever vault stands beside it, and migrates into it', async () => {
    const root = scratchProject({ '.memory/dev.md': FLAT })
    await furnishAged(root, [{ content: 'A handoff made the vault.', agent: 'dev', ageDays: 1 }])
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ legacyFilesCleaned: 0 })
    expect(readIn(root, '.memory/dev.md')).toBe(FLAT)
    expect(await migrateOperation.run(engine, {}, {})).toMatchObject({ migrated: ['dev.md'], skipped: [] })
    expect((await kept(engine)).map(({ content }) => content)).toContain('We use pnpm and never npm.')
    expect(await kept(engine)).toHaveLength(2)

    // Somebody brings the old file back: it says what the backup says, and goes to the archive with it.
    writeIn(root, '.memory/dev.md', FLAT)
    expect(await migrateOperation.run(engine, {}, {})).toMatchObject({
      files: [{ reason: 'it was migrated: dev.md.bak is the same' }],
    })
    expect((await compact(engine)).result).toMatchObject({ legacyFilesCleaned: 2 })
    expect(existsSync(path.join(root, '.memory/dev.md'))).toBe(false)
    await engine.close()
  })

  it('that differs from its backup stays', async () => {
    const root = scratchProject({ '.memory/dev.md': FLAT })
    const engine = openAt(root)
    await migrateOperation.run(engine, {}, {})
    writeIn(root, '.memory/dev.md', `${FLAT}more\n`)
    expect((await compact(engine)).result).toMatchObject({ legacyFilesCleaned: 1 })
    expect(existsSync(path.join(root, '.memory/dev.md'))).toBe(true)
    expect(await migrateOperation.run(engine, {}, {})).toMatchObject({ migrated: ['dev.md'] })
    await engine.close()
  })

  it('whose content is in no vault stays, also beside an identical backup, and can be migrated', async () => {
    const root = scratchProject({ '.memory/dev.md': FLAT, '.memory/dev.md.bak': FLAT })
    await furnishAged(root, [{ content: 'A handoff made the vault.', agent: 'dev', ageDays: 1 }])
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ legacyFilesCleaned: 0, batches: [] })
    expect(readIn(root, '.memory/dev.md')).toBe(FLAT)
    expect(await migrateOperation.run(engine, {}, {})).toMatchObject({ migrated: ['dev.md'] })
    expect((await kept(engine)).map(({ content }) => content)).toContain('We use pnpm and never npm.')
    // From now on the backup is a leftover.
    expect((await compact(engine)).result).toMatchObject({ legacyFilesCleaned: 1 })
    await engine.close()
  })

  it('whose backup says something else that no entry has is left, and both are named', async () => {
    const root = scratchProject({ '.memory/dev.md': `${FLAT}more\n`, '.memory/dev.md.bak': FLAT })
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ legacyFilesCleaned: 0 })
    const { files } = await migrateOperation.run(engine, {}, {})
    expect(files[0]?.reason).toBe(
      'there is a dev.md.bak already; rename one of the two, as no entry has what the backup says',
    )
    await engine.close()
  })

  it('that cannot be removed stops nothing, and is archived once', async () => {
    const root = scratchProject({ '.memory/dev.md': FLAT })
    const engine = openAt(root, NOW_MS, { disk: disk() })
    await migrateOperation.run(engine, {}, {})
    const first = await compact(engine)
    expect(first.problems).toMatchObject([{ code: 'vault_read_only', path: 'dev.md.bak' }])
    expect(first.result).toMatchObject({ legacyFilesCleaned: 0, batches: [expect.any(String)] })
    const second = await compact(engine)
    expect([second.problems.length, second.result?.batches]).toEqual([1, []])
    expect((await engine.memoryFiles.readLog()).lastCompaction?.timestamp).toBe(second.result?.timestamp)
    await engine.close()

    /** As `chattr +i` does. */
    function disk(): typeof nodeDisk {
      return {
        ...nodeDisk,
        remove(file) {
          if (file.endsWith('.bak')) throw Object.assign(new Error('no'), { code: 'EPERM' })
          nodeDisk.remove(file)
        },
      }
    }
  })

  it('whose migration was killed before its rename is finished by the next', async () => {
    const root = scratchProject({ '.memory/dev.md': FLAT })
    const engine = openAt(root)
    await migrateOperation.run(engine, {}, {})
    const before = await kept(engine)
    rmSync(path.join(root, '.memory/dev.md.bak'))
    writeIn(root, '.memory/dev.md', FLAT)
    expect(await migrateOperation.run(engine, {}, {})).toMatchObject({ migrated: ['dev.md'] })
    expect((await kept(engine)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(readIn(root, '.memory/dev.md.bak')).toBe(FLAT)
    await engine.close()
  })
})

describe('by age', () => {
  it('checkpoints go after as many days as they are recovered', async () => {
    const root = scratchProject({ '.memory/config.json': '{"session":{"checkpointDays":30}}' })
    const key = { session: 's1', agent: 'dev' }
    const then = openAt(root, NOW_MS - 10 * DAY_MS)
    await startSession(then, key)
    await appendMessages(then, key, [{ role: 'user', text: 'What about the retries?' }])
    await checkpointSession(then, key)
    await then.close()
    const engine = openAt(root)
    expect((await planUpkeepNow(engine)).plan).toMatchObject({ checkpoints: [], spentCheckpoints: [] })
    expect((await recoverSession(engine, 'dev')).checkpoint).toBeDefined()
    await engine.close()
    const later = openAt(root, NOW_MS + 21 * DAY_MS)
    expect((await planUpkeepNow(later)).plan.spentCheckpoints).toHaveLength(1)
    await later.close()
  })

  it('old events go wherever they stand', async () => {
    const root = scratchProject()
    const engine = openAt(root)
    const signals = {
      decisions: [],
      gotchas: [],
      nextStepHints: [],
      keyPaths: [],
      validationObservations: [],
    }
    await engine.events.append(
      [10, 400].map(ageDays => ({
        id: `event-${ageDays}`,
        kind: 'tool_run',
        sourceId: 's',
        createdAt: new Date(NOW_MS - ageDays * DAY_MS).toISOString(),
        contentHash: `hash-${ageDays}`,
        summary: 'npm test',
        signals,
        sourceRef: 'x',
      })),
    )
    // Nothing was made of them yet: they stay, however old they are.
    expect((await compact(engine)).result).toMatchObject({ eventsPruned: 0 })
    await recall(engine)
    expect((await compact(engine)).result).toMatchObject({ eventsPruned: 1 })
    expect((await engine.events.newest(5)).events.map(({ id }) => id)).toEqual(['event-10'])
    await engine.close()
  })
})

describe('secrets', () => {
  it('in an archive that somebody edited do not come back, and what is clean is as it was', async () => {
    const root = scratchProject()
    await furnishAged(root, [
      captured('The importer retries twice.', 60, {
        tags: ['importer'],
        files: ['src/importer.ts'],
        session: 's-1',
      }),
      captured('Old too.', 60, { tags: ['x'] }),
    ])
    const vault = readIn(root, '.memory/local/shared/lessons.md')
    const engine = openAt(root)
    const batch = (await compact(engine)).result?.batches[0] ?? ''
    await restoreBatch(engine, batch)
    expect(readIn(root, '.memory/local/shared/lessons.md')).toBe(vault)
    await engine.close()

    const other = scratchProject()
    await furnishAged(other, [captured('The importer retries twice.', 60), captured('Old too.', 60)])
    const edited = openAt(other)
    const id = (await compact(edited)).result?.batches[0] ?? ''
    const file = path.join(other, '.memory/archive', id, 'entries.jsonl')
    const [one, two] = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { entry: Record<string, unknown>; place?: unknown })
    if (one === undefined || two === undefined) throw new Error('two entries left')
    delete one.place
    Object.assign(one.entry, { tags: [TOKEN, 'fine'], files: [`src/${TOKEN}`], session: TOKEN })
    Object.assign(two.entry, { kind: TOKEN.toLowerCase() })
    writeFileSync(file, `${[one, two].map(item => JSON.stringify(item)).join('\n')}\n`)
    const restored = await restoreBatch(edited, id)
    expect(restored.entries).toMatchObject([
      {
        tags: ['[redacted:github_token]', 'fine'],
        files: ['src/[redacted:github_token]'],
        session: '[redacted:github_token]',
      },
    ])
    expect(restored.conflicts).toMatchObject([
      { message: expect.stringContaining('its kind looks like a secret') },
    ])
    expect(readIn(other, '.memory/history/audit.jsonl')).not.toContain(TOKEN)
    await edited.close()
  })

  it('or not: a line of the archive that is no entry is a problem, never a TypeError', async () => {
    const root = scratchProject()
    await furnishAged(root, [captured('The importer retries twice.', 60)])
    const engine = openAt(root)
    const batch = (await compact(engine)).result?.batches[0] ?? ''
    const file = path.join(root, '.memory/archive', batch, 'entries.jsonl')
    appendFileSync(
      file,
      `${JSON.stringify({ entry: { id: '1', agent: 'dev', content: 'x', tags: null, files: 3 } })}\n`,
    )
    const restored = await restoreBatch(engine, batch)
    expect(restored.entries).toHaveLength(1)
    expect(restored.problems).toHaveLength(1)
    await engine.close()
  })

  it('in the message of a failure do not reach the log', async () => {
    const root = scratchProject()
    await furnishAged(root, [captured('Old.', 60)])
    const whole = openAt(root)
    const engine = {
      ...whole,
      archive: {
        ...whole.archive,
        list: async () => {
          throw new CairnError({ code: 'document_damaged', message: `It says ${TOKEN}.`, hint: '' })
        },
      },
    }
    expect(await compactWhenDue(engine)).toBeUndefined()
    expect(readIn(root, '.memory/.vault/compact-log.json')).toContain('[redacted:github_token]')
    expect(readIn(root, '.memory/.vault/compact-log.json')).not.toContain(TOKEN)
    await whole.close()
  })
})

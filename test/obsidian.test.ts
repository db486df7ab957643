import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { linkObsidian, obsidianStatus, unlinkObsidian } from '../src/addons/obsidian/link-vault.ts'
import { resolveObsidian } from '../src/addons/obsidian/resolve-conflict.ts'
import { syncObsidian } from '../src/addons/obsidian/sync-notes.ts'
import { watchObsidian } from '../src/addons/obsidian/watch-notes.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { changeEntry } from '../src/features/entries/write-entries.ts'
import type { Entry } from '../src/kernel/model/entry.ts'
import { nodeDisk } from '../src/kernel/system/disk.ts'
import { type VaultWorld, vaultWorld } from './support/vault-world.ts'

const edit = (world: VaultWorld, id: string, change: (entry: Entry) => Entry | null) =>
  changeEntry(world.engine, id, 'update', change)
/** In the text, and not in the alias. */
const reword = (world: VaultWorld, note: string, words: string) =>
  world.write(note, world.read(note).replace('\nSessions live in Redis.', `\nSessions live ${words}`))
const contentOf = async (world: VaultWorld, id: string) => (await world.engine.store.findEntry(id))?.content

async function synced(
  content = 'Sessions live in Redis.',
): Promise<{ world: VaultWorld; entry: Entry; note: string }> {
  const world = await vaultWorld()
  const entry = await world.keep({ content, agent: 'dev', kind: 'decision', tags: ['state'] })
  await syncObsidian(world.engine)
  return { world, entry, note: world.note(entry.id.slice(-4)) }
}

describe('a sync', () => {
  it('carries an edit of the note to the entry, and an edit of the entry to the note', async () => {
    const { world, entry, note } = await synced()
    reword(world, note, 'in Postgres. #db')
    expect((await syncObsidian(world.engine)).totals).toMatchObject({ update_entry: 1, update_note: 0 })
    expect(await world.engine.store.findEntry(entry.id)).toMatchObject({
      content: 'Sessions live in Postgres. #db',
      tags: ['state', 'db'],
    })
    await edit(world, entry.id, now => ({ ...now, content: 'Sessions live in files.', status: 'pinned' }))
    await syncObsidian(world.engine)
    expect(world.read(note)).toContain('\nstatus: pinned\n')
    expect(world.read(note)).toMatch(/---\nSessions live in files\.\n$/)
    expect((await syncObsidian(world.engine)).went).toEqual([])
  })

  it('joins edits of different facts, and loses neither', async () => {
    const { world, entry, note } = await synced()
    reword(world, note, 'in Postgres.')
    await edit(world, entry.id, now => ({ ...now, importance: 0.9 }))
    await syncObsidian(world.engine)
    expect(await world.engine.store.findEntry(entry.id)).toMatchObject({
      content: 'Sessions live in Postgres.',
      importance: 0.9,
    })
    expect(world.read(note)).toContain('importance: 0.9')
    expect((await obsidianStatus(world.engine)).conflicts).toEqual([])
  })

  it('takes a person’s own note in, writes its id into it, and keeps the rest of it as it was', async () => {
    const { world } = await synced()
    world.write('dev/lessons/Mine.md', '---\nowner: ana # mine\n---\nDeploys wait for smoke tests. #deploy\n')
    await syncObsidian(world.engine)
    const { entries } = await world.engine.store.listEntries({
      filter: { tags: ['deploy'] },
      limit: 5,
      offset: 0,
    })
    expect(entries).toMatchObject([
      {
        agent: 'dev',
        category: 'lessons',
        kind: 'lesson',
        origin: 'person',
        content: 'Deploys wait for smoke tests. #deploy',
      },
    ])
    expect(world.read('dev/lessons/Mine.md')).toBe(
      `---\nowner: ana # mine\ncairn: "${entries[0]?.id}"\n---\nDeploys wait for smoke tests. #deploy\n`,
    )
  })

  it('knows a note that was renamed and moved, and one whose name changed in case alone', async () => {
    const { world, entry, note } = await synced()
    world.write(
      'Elsewhere/RENAMED.md',
      world.read(note).replace('\nSessions live in Redis.', '\nSessions live in Postgres.'),
    )
    world.remove(note)
    expect((await syncObsidian(world.engine)).totals).toMatchObject({
      update_entry: 1,
      remove_entry: 0,
      create_note: 0,
    })
    expect(await contentOf(world, entry.id)).toBe('Sessions live in Postgres.')
    renameSync(
      path.join(world.folder, 'Elsewhere/RENAMED.md'),
      path.join(world.folder, 'Elsewhere/Renamed.md'),
    )
    expect((await syncObsidian(world.engine)).went).toEqual([])
  })

  it('leads links of entries to notes and back, and leaves links to other notes alone', async () => {
    const { world, entry, note } = await synced()
    const linking = await world.keep(`See [[${entry.id}]], [[${entry.id}|it]] and [[My plans]].`)
    await syncObsidian(world.engine)
    const stem = path.basename(note, '.md')
    const other = world.note(linking.id.slice(-4))
    expect(world.read(other)).toContain(`---\nSee [[${stem}]], [[${stem}|it]] and [[My plans]].\n`)
    world.write(other, world.read(other).replace('[[My plans', '[[Your plans'))
    await syncObsidian(world.engine)
    expect(await contentOf(world, linking.id)).toBe(
      `See [[${entry.id}]], [[${entry.id}|it]] and [[Your plans]].`,
    )
  })

  it('forgets the entry of a deleted note, which undo brings back with a note', async () => {
    const { world, entry, note } = await synced()
    world.remove(note)
    const { record } = await syncObsidian(world.engine)
    expect(await contentOf(world, entry.id)).toBe(undefined)
    await undoOperation.run(world.engine, { record: record ?? '' }, {})
    await syncObsidian(world.engine)
    expect(world.read(world.note(entry.id.slice(-4)))).toContain('Sessions live in Redis.')
  })

  it('is one batch for undo, whatever it took from the notes', async () => {
    const { world, entry, note } = await synced()
    reword(world, note, 'in Postgres.')
    world.write('New.md', 'A new one.\n')
    const { record } = await syncObsidian(world.engine)
    await undoOperation.run(world.engine, { record: record ?? '' }, {})
    expect(await contentOf(world, entry.id)).toBe('Sessions live in Redis.')
    expect((await world.engine.store.counts()).total).toBe(2)
    await syncObsidian(world.engine)
    expect(world.read(note)).toContain('in Redis.')
    expect(world.trash()).toEqual(['New.md'])
  })

  it('moves the note of a forgotten entry to the trash of the vault', async () => {
    const { world, entry, note } = await synced()
    await edit(world, entry.id, () => null)
    await syncObsidian(world.engine)
    expect(world.notes()).not.toContain(note)
    expect(world.trash()).toEqual([path.basename(note)])
  })

  it('lets an edit win over a deletion on the other side', async () => {
    const { world, entry, note } = await synced()
    await edit(world, entry.id, () => null)
    reword(world, note, 'in Postgres.')
    await syncObsidian(world.engine)
    expect(await contentOf(world, entry.id)).toBe('Sessions live in Postgres.')
    world.remove(note)
    await edit(world, entry.id, now => ({ ...now, content: 'Sessions live in files.' }))
    await syncObsidian(world.engine)
    expect(world.read(world.note(entry.id.slice(-4)))).toContain('in files.')
  })

  it('takes line ends, a byte order mark and blank lines for no change', async () => {
    const { world, note } = await synced()
    world.write(note, `\ufeff${world.read(note).replace(/\n/g, '\r\n')}\r\n\r\n`)
    expect((await syncObsidian(world.engine)).went).toEqual([])
  })

  it('leaves what it cannot read, copies, links and the notes of others as they are', async () => {
    const { world, entry, note } = await synced()
    const outside = path.join(world.vault, 'Diary.md')
    writeFileSync(outside, 'Dear diary.\n')
    symlinkSync(outside, path.join(world.folder, 'Linked.md'))
    const broken = world.read(note).replace('kind: decision', 'kind: [decision')
    world.write(note, broken)
    world.write('Copy.md', world.read(world.note('first')))
    const { problems, totals } = await syncObsidian(world.engine)
    expect(problems.map(({ code, path: at }) => [code, at])).toEqual(
      [
        ['note_copied', 'Copy.md'],
        ['link_left', 'Linked.md'],
        ['properties_broken', note],
      ].sort((a, b) => (order(a[0]) < order(b[0]) ? -1 : 1)),
    )
    expect(totals).toMatchObject({ remove_entry: 0, add_entry: 0, create_note: 0, update_note: 0 })
    expect(world.read(note)).toBe(broken)
    expect(readFileSync(outside, 'utf8')).toBe('Dear diary.\n')
    expect(await contentOf(world, entry.id)).toBe('Sessions live in Redis.')
  })

  it('keeps a secret of a note out of the memory, and the note as it is', async () => {
    const { world, entry, note } = await synced()
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const mine = world
      .read(note)
      .replace('\nSessions live in Redis.', `\nSessions live in Redis. Token ${secret}.`)
    world.write(note, mine)
    expect((await syncObsidian(world.engine)).redacted).toBe(1)
    expect(await contentOf(world, entry.id)).not.toContain(secret)
    expect(world.read(note)).toBe(mine)
    expect((await syncObsidian(world.engine)).went).toEqual([])
    await edit(world, entry.id, now => ({ ...now, content: 'Sessions live in files.' }))
    await syncObsidian(world.engine)
    expect(world.read(note)).toContain('in files.')
    expect(readFileSync(path.join(world.vault, '.trash', world.trash()[0] ?? ''), 'utf8')).toBe(mine)
  })

  it('keeps no secret of a note, in whatever field it is', async () => {
    const { world, note } = await synced()
    const key = `${'AKIA'}Q7ZLM2X9RTW4KPB8`
    world.write(
      note,
      world.read(note).replace(/^tags:.*$(?:\n {2}- .*$)*/m, `tags:\n  - ${key}\nfiles:\n  - src/${key}.ts`),
    )
    world.write(`dev/lessons/${key}.md`, 'A note with a key for a name.\n')
    world.write(
      'dev/lessons/Tagged.md',
      `---\ntags: [${key}]\nsession: ${key}\nkind: ${key}\n---\nA note with tags. #${key}\n`,
    )
    for (let n = 0; n < 2; n++) await syncObsidian(world.engine)
    await world.engine.close()
    const kept = ['shop', 'home'].flatMap(folder =>
      readdirSync(path.join(world.project, '..', folder), { recursive: true, withFileTypes: true })
        // Where a note is, is its name in the person's own vault.
        .filter(item => item.isFile() && item.name !== 'base.json')
        .map(item => path.join(item.parentPath, item.name))
        .filter(file => `${file}\n${readFileSync(file, 'latin1')}`.toLowerCase().includes(key.toLowerCase())),
    )
    expect(kept).toEqual([])
  })

  it('syncs the private vault and other agents only when told to', async () => {
    const world = await vaultWorld()
    await world.keep({ content: 'Between us.', agent: 'private' })
    await syncObsidian(world.engine)
    expect(world.notes()).toHaveLength(1)
    await linkObsidian(world.engine, { vault: world.vault, includePrivate: true, agents: ['private'] })
    await syncObsidian(world.engine)
    expect(world.notes().map(name => name.split('/')[0])).toEqual(['dev', 'private'])
  })

  it('says what it would do, and does nothing, in a dry run', async () => {
    const world = await vaultWorld()
    const { totals, record } = await syncObsidian(world.engine, { dryRun: true })
    expect([totals.create_note, record, world.notes()]).toEqual([1, null, []])
  })

  it('waits for another sync, and both end with the same notes', async () => {
    const world = await vaultWorld()
    const other = world.open()
    await Promise.all([syncObsidian(world.engine), syncObsidian(other)])
    expect(world.notes()).toHaveLength(1)
    expect((await syncObsidian(world.engine)).went).toEqual([])
  })
})

/** As planned: trouble with files and properties first, then copies. */
function order(code: string | undefined): number {
  return ['link_left', 'properties_broken', 'note_copied'].indexOf(code ?? '')
}

describe('what was changed on both sides', () => {
  async function conflicted() {
    const { world, entry, note } = await synced()
    reword(world, note, 'in Postgres.')
    await edit(world, entry.id, now => ({ ...now, content: 'Sessions live in files.' }))
    const { conflicts, totals } = await syncObsidian(world.engine)
    return { world, entry, note, conflicts, totals, copy: conflicts[0]?.path ?? '' }
  }

  it('is kept as both: the entry in the note, the other beside it, and again nothing is done', async () => {
    const { world, entry, note, conflicts, copy } = await conflicted()
    expect(conflicts).toEqual([{ id: entry.id, path: copy }])
    expect(copy).toMatch(/ \(conflict \d{4}-\d\d-\d\d\)\.md$/)
    expect(world.read(note)).toContain('in files.')
    expect(world.read(copy)).toContain('in Postgres.')
    expect(world.read(copy)).toContain(`cairn-conflict: "${entry.id}"`)
    expect((await syncObsidian(world.engine)).went).toEqual([])
    expect((await world.engine.store.counts()).total).toBe(2)
    expect((await obsidianStatus(world.engine)).conflicts).toEqual(conflicts)
  })

  it('is settled for the note, for the entry, or by deleting the other version', async () => {
    const first = await conflicted()
    await resolveObsidian(first.world.engine, first.entry.id, 'note')
    expect(await contentOf(first.world, first.entry.id)).toBe('Sessions live in Postgres.')
    expect(first.world.read(first.note)).toContain('in Postgres.')
    expect(first.world.trash()).toEqual([path.basename(first.copy)])

    const second = await conflicted()
    await resolveObsidian(second.world.engine, second.entry.id, 'entry')
    expect(second.world.read(second.note)).toContain('in files.')
    expect((await obsidianStatus(second.world.engine)).conflicts).toEqual([])
    await expect(resolveObsidian(second.world.engine, second.entry.id, 'entry')).rejects.toMatchObject({
      code: 'conflict_not_found',
    })

    const third = await conflicted()
    third.world.remove(third.copy)
    expect((await syncObsidian(third.world.engine)).conflicts).toEqual([])
    expect(await contentOf(third.world, third.entry.id)).toBe('Sessions live in files.')
  })

  it('is everything that differs, when nobody knows how it was; what is equal stays equal', async () => {
    const { world, entry, note } = await synced()
    reword(world, note, 'in Postgres.')
    rmSync(path.join(world.project, '.memory/.vault'), { recursive: true })
    const { totals, conflicts } = await syncObsidian(world.open())
    expect([totals.keep_both, totals.create_note, totals.remove_entry]).toEqual([1, 0, 0])
    expect(conflicts.map(({ id }) => id)).toEqual([entry.id])
  })
})

describe('a sync is refused', () => {
  it('when the vault is gone, or is not the vault any more', async () => {
    const { world } = await synced()
    rmSync(path.join(world.vault, '.obsidian'), { recursive: true })
    await expect(syncObsidian(world.engine)).rejects.toMatchObject({ code: 'obsidian_vault_missing' })
    renameSync(world.vault, `${world.vault}-away`)
    await expect(syncObsidian(world.engine)).rejects.toMatchObject({ code: 'obsidian_vault_missing' })
    expect((await world.engine.store.counts()).total).toBe(2)
  })

  it('when many notes, or all, are gone at once, until a person says that it was meant', async () => {
    const world = await vaultWorld()
    for (let n = 0; n < 30; n++) await world.keep({ content: `Rule number ${n}.`, agent: 'dev' })
    await syncObsidian(world.engine)
    for (const note of world.notes().slice(0, 12)) world.remove(note)
    await expect(syncObsidian(world.engine)).rejects.toMatchObject({
      code: 'obsidian_deletions_held',
      details: { side: 'notes', gone: 12, of: 31 },
    })
    expect((await obsidianStatus(world.engine)).held).toEqual({ side: 'notes', gone: 12, of: 31 })
    rmSync(world.folder, { recursive: true })
    await expect(syncObsidian(world.engine)).rejects.toMatchObject({ code: 'obsidian_deletions_held' })
    expect((await world.engine.store.counts()).total).toBe(31)
    await syncObsidian(world.engine, { allowDeletions: true })
    expect((await world.engine.store.counts()).total).toBe(0)
  })

  it('when many entries are gone at once: the notes stay', async () => {
    const world = await vaultWorld()
    for (let n = 0; n < 30; n++) await world.keep({ content: `Rule number ${n}.`, agent: 'dev' })
    await syncObsidian(world.engine)
    rmSync(path.join(world.project, '.memory/dev'), { recursive: true })
    await expect(syncObsidian(world.engine)).rejects.toMatchObject({ details: { side: 'entries' } })
    expect(world.notes()).toHaveLength(31)
  })

  it('for a memory that nobody trusted, and without a link', async () => {
    const world = await vaultWorld({ isLinked: false })
    await expect(syncObsidian(world.engine)).rejects.toMatchObject({ code: 'obsidian_not_linked' })
    await linkObsidian(world.engine, { vault: world.vault })
    const known = await world.engine.projects.read()
    await world.engine.projects.untrust((known === 'damaged' ? [] : known.projects)[0]?.id ?? '')
    await expect(syncObsidian(world.engine)).rejects.toMatchObject({ code: 'not_trusted' })
    await expect(linkObsidian(world.engine, { vault: world.vault })).rejects.toMatchObject({
      code: 'not_trusted',
    })
    expect(world.notes()).toEqual([])
  })

  it('through a link that somebody put in the way', async () => {
    const { world } = await synced()
    const aside = path.join(world.vault, '..', 'aside')
    renameSync(world.folder, aside)
    symlinkSync(aside, world.folder)
    await expect(syncObsidian(world.engine)).rejects.toMatchObject({ code: 'memory_outside_project' })
  })
})

describe('the place of the notes', () => {
  it('is no folder that holds the memory, leads out of the vault, or contains the notes of another project', async () => {
    const world = await vaultWorld()
    const link = (folder: string, vault = world.vault) => linkObsidian(world.engine, { vault, folder })
    for (const folder of ['../out', '.obsidian/x', 'a:b', 'x/../..', ''])
      await expect(link(folder), folder).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(link('.memory', world.project)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(link('x', `${world.vault}-none`)).rejects.toMatchObject({ code: 'file_not_found' })
    const second = path.join(world.project, '..', 'other')
    mkdirSync(second)
    const other = world.open({ root: second })
    await other.store.write({ host: 'test' }, async () => null)
    mkdirSync(path.join(second, '.memory'), { recursive: true })
    await other.projects.register(second, { by: 'trust' })
    await expect(linkObsidian(other, { vault: world.vault, folder: 'Cairn/shop/dev' })).rejects.toMatchObject(
      {
        message: expect.stringContaining('contains the notes of'),
      },
    )
  })

  it('is left by unlinking; notes that are ours alone can go to the trash, and the others are named', async () => {
    const { world, note } = await synced()
    world.write('Mine.md', 'My own note.\n')
    world.write(note, world.read(note).replace('---\nSessions', 'seen: yes\n---\nSessions'))
    await syncObsidian(world.engine)
    const { removed, stay } = await unlinkObsidian(world.engine, { removeNotes: true })
    expect([removed.length, stay.map(({ path: at }) => at)]).toEqual([1, ['Mine.md', note]])
    expect(world.notes()).toEqual(['Mine.md', note])
    expect((await obsidianStatus(world.engine)).link).toBe(null)
    expect((await world.engine.store.counts()).total).toBe(3)
  })
})

describe('while somebody writes', () => {
  it('a note that is saved at that moment is not replaced, and its text is not lost', async () => {
    const { world, entry, note } = await synced()
    await edit(world, entry.id, now => ({ ...now, content: 'Sessions live in files.' }))
    let isSaved = false
    const disk = {
      ...nodeDisk,
      writeFile(file: string, bytes: Uint8Array, rightsOf?: string) {
        nodeDisk.writeFile(file, bytes, rightsOf)
        if (isSaved || !file.includes(world.folder)) return
        isSaved = true
        reword(world, note, 'in Postgres.')
      },
    }
    const { conflicts } = await syncObsidian(world.open({ disk }))
    expect(isSaved).toBe(true)
    expect(world.read(conflicts[0]?.path ?? '')).toContain('in Postgres.')
    expect(world.read(note)).toContain('in files.')
  })

  it('a watch carries over both ways until it is stopped', { timeout: 30_000 }, async () => {
    const { world, entry, note } = await synced()
    const seen: number[] = []
    const watch = watchObsidian(world.engine, { everyMs: 50, onSync: ({ went }) => seen.push(went.length) })
    await until(async () => (await world.engine.obsidian.link()) !== undefined)
    reword(world, note, 'in Postgres.')
    await until(async () => (await contentOf(world, entry.id)) === 'Sessions live in Postgres.')
    await edit(world, entry.id, now => ({ ...now, content: 'Sessions live in files.' }))
    await until(async () => world.read(note).includes('in files.'))
    await watch.stop()
    expect(seen.length).toBeGreaterThan(0)
  })
})

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 50))
}

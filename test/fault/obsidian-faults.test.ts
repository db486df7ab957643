import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { syncObsidian } from '../../src/addons/obsidian/sync-notes.ts'
import { changeEntry } from '../../src/features/entries/write-entries.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { type VaultWorld, vaultWorld } from '../support/vault-world.ts'

const TOKEN = `${'ghp'}_x7Kq2mN9pL4vR8sT1wY6zB3cD5fG0hJaBcDe`

/** Nobody types here, so nobody is waited for. */
const clock = { ...systemClock, sleep: async () => undefined }

/** One entry whose note was edited, one that was edited itself, one on both sides, one forgotten, one new; one deleted note, one new note. */
async function busyWorld(): Promise<{ world: VaultWorld; saved: string }> {
  const world = await vaultWorld()
  const entries = []
  for (const name of ['mine', 'yours', 'both', 'gone', 'deleted'])
    entries.push(await world.keep({ content: `The rule of ${name}.`, agent: 'dev' }))
  await syncObsidian(world.engine)
  const reword = (name: string) => {
    const note = world.note(`rule of ${name}`)
    world.write(note, world.read(note).replace(`\nThe rule of ${name}.`, `\nIn the note: ${name}.`))
  }
  reword('mine')
  reword('both')
  world.remove(world.note('rule of deleted'))
  world.write('New.md', 'In the note: new.\n')
  world.write('Key.md', `In the note: the key ${TOKEN}.\n`)
  const [, yours, both, gone] = entries
  for (const [entry, after] of [
    [yours, 'In the entry: yours.'],
    [both, 'In the entry: both.'],
  ] as const)
    await changeEntry(world.engine, entry?.id ?? '', 'update', now => ({ ...now, content: after }))
  await changeEntry(world.engine, gone?.id ?? '', 'remove', () => null)
  await world.keep({ content: 'In the entry: fresh.', agent: 'dev' })
  await world.engine.close()
  const saved = path.join(world.project, '..', 'saved')
  cpSync(world.project, path.join(saved, 'shop'), { recursive: true, preserveTimestamps: true })
  cpSync(world.vault, path.join(saved, 'notes'), { recursive: true, preserveTimestamps: true })
  return { world, saved }
}

function again({ world, saved }: { world: VaultWorld; saved: string }): void {
  for (const [from, to] of [
    ['shop', world.project],
    ['notes', world.vault],
  ] as const) {
    rmSync(to, { recursive: true })
    cpSync(path.join(saved, from), to, { recursive: true, preserveTimestamps: true })
  }
}

function textsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(item => item.isFile() && /\.(?:md|jsonl)$/.test(item.name))
    .map(item => readFileSync(path.join(item.parentPath, item.name), 'utf8'))
}

const WRITTEN = [
  'In the note: mine.',
  'In the note: both.',
  'In the note: new.',
  'In the entry: yours.',
  'In the entry: both.',
  'In the entry: fresh.',
  'The rule of gone.',
  'The rule of deleted.',
]

/** What a person may forget while a sync is broken off: the sync took it from a note, or was about to bring it to one. */
const FORGETTABLE = [
  'In the note: mine.',
  'In the note: new.',
  'In the note: the key [redacted:github_token].',
  'In the entry: yours.',
  'In the entry: both.',
  'In the entry: fresh.',
  'The first decision.',
]

it('an entry that is forgotten after a sync was broken off stays forgotten, whatever step it was', {
  timeout: 240_000,
}, async () => {
  const busy = await busyWorld()
  const { world } = busy
  const counting = failingDisk(Number.POSITIVE_INFINITY, { forGood: true })
  const whole = world.open({ disk: counting.disk, clock })
  await syncObsidian(whole)
  await whole.close()
  const steps = counting.steps()
  let forgotten = 0
  for (let failAt = 2; failAt <= steps; failAt += 2) {
    again(busy)
    const failing = world.open({ disk: failingDisk(failAt, { forGood: true }).disk, clock })
    await syncObsidian(failing).catch(() => undefined)
    await failing.close()
    const next = world.open({ clock })
    const { entries } = await next.store.listEntries({ filter: {}, limit: 100, offset: 0 })
    const gone = entries.filter(({ content }) => FORGETTABLE.includes(content.trim()))
    for (const { id } of gone) await changeEntry(next, id, 'remove', () => null)
    forgotten += gone.length
    await syncObsidian(next, { allowDeletions: true })
    await syncObsidian(next, { allowDeletions: true })
    const after = (await next.store.listEntries({ filter: {}, limit: 100, offset: 0 })).entries
    const back = after.map(({ content }) => content.trim())
    for (const { content } of gone) expect(back, `step ${failAt}`).not.toContain(content.trim())
    const notes = world.notes().map(world.read)
    for (const { content } of gone)
      expect(
        notes.filter(note => note.includes(`\n${content.trim()}`)),
        `step ${failAt}`,
      ).toEqual([])
    await next.close()
  }
  expect(forgotten).toBeGreaterThan(steps)
})

describe.each([
  ['once', false],
  ['and every step after it, as when the process dies', true],
])('when a disk step of a sync fails %s', (_name, forGood) => {
  it('nothing that was written is lost, and the next sync ends as the first would have', {
    timeout: 120_000,
  }, async () => {
    const busy = await busyWorld()
    const { world } = busy
    const counting = failingDisk(Number.POSITIVE_INFINITY, { forGood })
    const whole = world.open({ disk: counting.disk, clock })
    await syncObsidian(whole)
    await whole.close()
    const names = () => world.notes().map(name => name.replace(/ \w{4}\.md$/, '.md'))
    const expected = names()
    expect(expected).toHaveLength(8)
    const steps = counting.steps()
    expect(steps).toBeGreaterThan(20)
    // Every step near the beginning, and then each fourth: a step costs a whole project.
    for (let failAt = 1; failAt <= steps; failAt += failAt < 8 ? 1 : 4) {
      again(busy)
      const failing = world.open({ disk: failingDisk(failAt, { forGood }).disk, clock })
      await syncObsidian(failing).catch(() => undefined)
      await failing.close()
      const next = world.open({ clock })
      await syncObsidian(next)
      expect((await syncObsidian(next)).went, `step ${failAt}`).toEqual([])
      await next.close()
      const texts = [...textsBelow(world.project), ...textsBelow(world.vault)].join('\n')
      for (const text of WRITTEN) expect(texts.includes(text), `step ${failAt}: ${text}`).toBe(true)
      expect(names(), `step ${failAt}`).toEqual(expected)
      const left = readdirSync(world.folder, { recursive: true, encoding: 'utf8' })
      expect(
        left.filter(name => name.endsWith('.cairn-tmp')),
        `step ${failAt}`,
      ).toEqual([])
    }
  })
})

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Entry, type Memory, openMemory } from '../src/api.ts'
import { mergeFile } from '../src/features/git-merge/decide/merge-file.ts'
import { applyProposals } from '../src/features/review/apply-proposals.ts'
import { openAt } from './support/aged-vault.ts'
import { scratchProject } from './support/scratch-project.ts'
import { fileSaying, headFile } from './support/vault-files.ts'

/** Small files, so that a few entries are already too many for one. */
const CONFIG = JSON.stringify({ version: 1, vault: { keepEntries: 2 }, review: { maxEntriesPerFile: 4 } })
/** Files of format 1, which several entries share: both sides may change one of them. */
const HEADS = {
  'base/.memory/dev/decisions.md': headFile(
    Array.from({ length: 6 }, (_, n) => ({
      content: `Decision ${n} of zanzibar${n}.`,
      date: `2026-01-1${n}T10:00`,
    })),
  ),
  'base/.memory/shared/lessons/2026-02.md': headFile(
    Array.from({ length: 3 }, (_, n) => ({
      content: `Lesson ${n} of timbuktu${n}.`,
      date: `2026-02-1${n}T10:00`,
    })),
  ),
}
const START_MS = Date.UTC(2026, 2, 16, 16, 51)
const AGENTS = ['dev', 'shared'] as const
const KINDS = ['decision', 'lesson'] as const

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      agent: fc.constantFrom(...AGENTS),
      kind: fc.constantFrom(...KINDS),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), at: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('forget' as const), at: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      at: fc.nat(30),
      to: fc.constantFrom(...AGENTS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin' as const), at: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('split' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Walks a history in a project, a step every other second, so that no two sides change anything at the same moment. */
async function walk(
  root: string,
  steps: readonly Step[],
  { side, fromMs }: { side: string; fromMs: number },
): Promise<Entry[]> {
  let nowMs = fromMs
  const memory = await openMemory({ root, vectors: 'never', upkeep: 'never', now: () => nowMs })
  try {
    let n = 0
    for (const one of steps) {
      nowMs += 2_000
      if (one.do === 'add') {
        await memory.remember({
          content: `Note ${side}${n++} is about zanzibar${side}${n}.`,
          kind: one.kind,
          agent: one.agent,
        })
        continue
      }
      if (one.do === 'split') {
        const engine = openAt(root, nowMs)
        await applyProposals(engine, { allOf: 'split' })
        await engine.close()
        continue
      }
      const { entries } = await memory.list({ limit: 1000 })
      const target = entries[one.at % Math.max(entries.length, 1)]
      if (target === undefined) continue
      if (one.do === 'edit')
        await memory.update(target.id, { content: `${target.content} Edited by ${side}${n++}.` })
      else if (one.do === 'forget') await memory.forget(target.id)
      else if (one.do === 'move') await memory.update(target.id, { agent: one.to })
      else await memory.pin(target.id)
    }
    return (await memory.list({ limit: 1000 })).entries
  } finally {
    await memory.close()
  }
}

/** As git merges a tree: the driver sees only files that both sides changed, one at a time. */
function mergeTrees(base: string, ours: string, theirs: string): string[] {
  const conflicts: string[] = []
  const names = new Set([base, ours, theirs].flatMap(filesIn))
  for (const name of names) {
    const [b, o, t] = [base, ours, theirs].map(root => {
      const file = path.join(root, name)
      return existsSync(file) ? readFileSync(file) : undefined
    })
    if (same(b, t) || same(o, t)) continue
    if (same(b, o) || o === undefined) write(ours, name, t)
    else if (t !== undefined) {
      const merged = mergeFile(name, {
        base: b ?? new Uint8Array(),
        ours: o,
        theirs: t,
        markers: { size: 7, ours: 'ours', theirs: 'theirs' },
      })
      if (merged === undefined) throw new Error(`${name} is no file of ours`)
      write(ours, name, merged.bytes)
      conflicts.push(...merged.conflicts)
    }
  }
  return conflicts
}

function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.from(a).equals(b)
}

function write(root: string, name: string, bytes: Uint8Array | undefined): void {
  const file = path.join(root, name)
  if (bytes === undefined) {
    rmSync(file)
    return
  }
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, bytes)
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map(name => name.split(path.sep).join('/'))
    .filter(name => /^\.memory\/(?:(?:dev|shared)\/.*\.md|curation\.json)$/.test(name))
}

async function reading<T>(root: string, read: (memory: Memory) => Promise<T>): Promise<T> {
  const memory = await openMemory({
    root,
    vectors: 'never',
    upkeep: 'never',
    now: () => START_MS + 10_000_000,
  })
  try {
    return await read(memory)
  } finally {
    await memory.close()
  }
}

describe('two histories of a memory, merged', () => {
  it('have every entry once, whatever was added, changed, removed, moved and split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 10 }),
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.array(step, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        fc.constantFrom({}, HEADS),
        async (before, ourSteps, theirSteps, withIndex, withHead) => {
          const root = scratchProject({ 'base/.memory/config.json': CONFIG, ...withHead })
          const [base = '', ours = '', theirs = ''] = ['base', 'ours', 'theirs'].map(name =>
            path.join(root, name),
          )
          const was = await walk(base, before, { side: 'base', fromMs: START_MS })
          for (const copy of [ours, theirs]) cpSync(base, copy, { recursive: true })
          const our = await walk(ours, ourSteps, { side: 'ours', fromMs: START_MS + 100_000 })
          const their = await walk(theirs, theirSteps, { side: 'theirs', fromMs: START_MS + 101_000 })
          // Both ways round: whoever merges, the same entries come of it.
          const [mirrored, mirror] = ['mirrored', 'mirror'].map(name => path.join(root, name)) as [
            string,
            string,
          ]
          cpSync(theirs, mirrored, { recursive: true })
          cpSync(ours, mirror, { recursive: true })
          const conflicts = mergeTrees(base, ours, theirs)
          expect(mergeTrees(base, mirrored, mirror).sort()).toEqual(conflicts.toSorted())
          if (!withIndex) rmSync(path.join(ours, '.memory/.vault'), { recursive: true })

          for (const merged of [ours, mirrored]) {
            const found = (await reading(merged, memory => memory.list({ limit: 1000 }))).entries
            check({ was, our, their, conflicts, found })
            // A second look finds nothing more to settle.
            expect((await reading(merged, memory => memory.list({ limit: 1000 }))).entries).toEqual(found)
          }
          rmSync(root, { recursive: true })
        },
      ),
      { numRuns: 60 },
    )
  }, 300_000)

  it('that share their journal do nothing of it again: what others did is in the files', async () => {
    const root = scratchProject({ 'base/.memory/config.json': CONFIG })
    const [base = '', ours = '', theirs = ''] = ['base', 'ours', 'theirs'].map(name => path.join(root, name))
    const add = { do: 'add', agent: 'dev', kind: 'decision' } as const
    await walk(base, [add], { side: 'base', fromMs: START_MS })
    for (const copy of [ours, theirs]) cpSync(base, copy, { recursive: true })
    await walk(ours, [add], { side: 'ours', fromMs: START_MS + 100_000 })
    await walk(theirs, [add, add], { side: 'theirs', fromMs: START_MS + 101_000 })
    mergeTrees(base, ours, theirs)
    const log = '.memory/history/audit.jsonl'
    const [b, o, t] = [base, ours, theirs].map(one => readFileSync(path.join(one, log))) as [
      Buffer,
      Buffer,
      Buffer,
    ]
    const markers = { size: 7, ours: 'ours', theirs: 'theirs' }
    const merged = mergeFile(log, { base: b, ours: o, theirs: t, markers })
    write(ours, log, merged?.bytes)
    // Whoever merged has thrown an entry of theirs out by hand.
    rmSync(path.join(ours, fileSaying(ours, 'Note theirs0')))
    const { entries } = await reading(ours, memory => memory.list({ limit: 100 }))
    expect(entries.map(({ content }) => content.split(' ')[1])).toEqual(['theirs1', 'ours0', 'base0'])
    const ids = readFileSync(path.join(ours, log), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('of which one gave an entry a file of its own and the other changed it have the changed one', async () => {
    const notes = ['Oldest', 'Older', 'Old', 'New', 'Newest'].map((word, n) => ({
      content: `${word} note.`,
      date: `2026-03-0${n + 1}T10:00`,
    }))
    const root = scratchProject({
      'base/.memory/config.json': CONFIG,
      'base/.memory/dev/decisions.md': headFile(notes),
    })
    const [base = '', ours = '', theirs = ''] = ['base', 'ours', 'theirs'].map(name => path.join(root, name))
    const was = await walk(base, [], { side: 'base', fromMs: START_MS })
    for (const copy of [ours, theirs]) cpSync(base, copy, { recursive: true })
    const engine = openAt(ours, START_MS + 100_000)
    await applyProposals(engine, { allOf: 'split' })
    await engine.close()
    expect(fileSaying(ours, 'Oldest note.')).toMatch(/^\.memory\/dev\/decisions\/2026-03-01-oldest-note-/)
    await walk(theirs, [{ do: 'edit', at: 4 }], { side: 'theirs', fromMs: START_MS + 200_001 })
    expect(mergeTrees(base, ours, theirs)).toEqual([])
    await reading(ours, async memory => {
      const { entries } = await memory.list({ limit: 100 })
      expect(entries).toHaveLength(5)
      expect(entries.at(-1)).toMatchObject({
        id: was[4]?.id,
        content: `${was[4]?.content} Edited by theirs0.`,
      })
    })
  })
})

function check({
  was,
  our,
  their,
  conflicts,
  found,
}: Record<'was' | 'our' | 'their' | 'found', Entry[]> & { conflicts: string[] }): void {
  const byId = (entries: readonly Entry[]) => new Map(entries.map(entry => [entry.id, entry]))
  const [inBase, inOurs, inTheirs, inFound] = [was, our, their, found].map(byId) as [
    Map<string, Entry>,
    Map<string, Entry>,
    Map<string, Entry>,
    Map<string, Entry>,
  ]
  const rootOf = (id: string) => id.replace(/~2$/, '')
  // Nothing is made up, and nothing stands twice but for the two sides of a conflict.
  for (const { id } of found) {
    expect(inOurs.has(rootOf(id)) || inTheirs.has(rootOf(id)), id).toBe(true)
    if (rootOf(id) !== id) expect(conflicts).toContain(rootOf(id))
  }
  expect(inFound.size).toBe(found.length)
  for (const id of new Set([...inOurs.keys(), ...inTheirs.keys()])) {
    const [b, o, t, f] = [inBase.get(id), inOurs.get(id), inTheirs.get(id), inFound.get(id)]
    const isRemoved = b !== undefined && (o === undefined || t === undefined)
    if (isRemoved) {
      const left = (o ?? t) as Entry
      // What was changed stays. What was only left alone goes, unless it went to another file meanwhile.
      if (left.content !== b.content) expect(f?.content, id).toBe(left.content)
      continue
    }
    expect(f, `${id} is lost`).toBeDefined()
    if (conflicts.includes(id)) {
      expect([f?.content, inFound.get(`${id}~2`)?.content].sort()).toEqual([o?.content, t?.content].sort())
      continue
    }
    const said = [o?.content, t?.content].filter(text => text !== undefined)
    expect(said, id).toContain(f?.content)
    const changed = said.filter(text => text !== b?.content)
    const wasMoved = o !== undefined && t !== undefined && (o.agent !== t.agent || o.category !== t.category)
    if (changed.length > 0 && !wasMoved) expect(changed, id).toContain(f?.content)
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../../kernel/model/entry.ts'
import { parseBase, renderBase, type SyncBase } from './agreement.ts'
import { afterEntry, afterNote, carriedOver, isEntryStep, type NoteStep } from './agreement-after.ts'
import { plainContent } from './note-facts.ts'
import { readNote } from './note-text.ts'
import { planSync, type SyncPlan, type SyncStep } from './plan-sync.ts'

/** Both sides as values, with everything that was ever let go of. */
interface Sides {
  entries: Map<string, Entry>
  notes: Map<string, string>
  base: SyncBase
  /** The journal and the trash of the vault. */
  readonly letGo: string[]
  ids: number
}

const hash = (text: string): string => {
  let a = 7
  let b = 13
  for (const character of text) {
    a = (Math.imul(a, 31) + (character.codePointAt(0) ?? 0)) | 0
    b = (Math.imul(b, 37) ^ (character.codePointAt(0) ?? 0)) | 0
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}

function newSides(): Sides {
  return { entries: new Map(), notes: new Map(), base: new Map(), letGo: [], ids: 0 }
}

function newId(sides: Sides): string {
  return `${1_773_679_871_000 + sides.ids++}-k${String(sides.ids).padStart(3, '0')}`
}

function plan(sides: Sides): SyncPlan {
  return planSync({
    entries: [...sides.entries.values()],
    isElsewhere: () => false,
    notes: [...sides.notes]
      .map(([path, text]) => ({ path, text }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    base: sides.base,
    folder: 'Cairn/shop',
    today: '2026-03-16',
    allowDeletions: true,
    hash,
  })
}

function entryOf(id: string, content: string, more: Partial<Entry> = {}): Entry {
  return {
    id,
    agent: 'dev',
    category: 'decisions',
    kind: 'decision',
    status: 'confirmed',
    origin: 'person',
    date: '2026-03-16T16:51',
    content,
    tags: [],
    files: [],
    importance: 0.5,
    ...more,
  }
}

function takeStep(sides: Sides, step: SyncStep): Entry | null {
  const { entries, notes, letGo } = sides
  switch (step.does) {
    case 'remove_entry':
      letGo.push(step.entry.content)
      entries.delete(step.entry.id)
      return null
    case 'update_entry': {
      letGo.push(step.entry.content)
      const after = { ...step.entry, ...step.facts }
      entries.set(after.id, after)
      return after
    }
    case 'add_entry':
    case 'revive_entry': {
      const id = step.does === 'revive_entry' ? step.id : newId(sides)
      const { tags = [], kind = 'lesson', category = 'lessons' } = step.input
      const after = entryOf(id, step.input.content, { tags, kind, category })
      entries.set(id, after)
      return after
    }
    case 'trash_note':
      letGo.push(step.seen)
      notes.delete(step.path)
      return null
    case 'keep_both':
      if (step.copy !== undefined) notes.set(step.copy.path, step.copy.text)
      notes.set(step.path, step.text)
      return null
    case 'update_note':
      if (step.keepsOld) letGo.push(step.seen)
      notes.set(step.path, step.text)
      return null
    case 'create_note':
      expect(notes.has(step.path)).toBe(false)
      notes.set(step.path, step.text)
      return null
  }
}

/** As src/addons/obsidian/sync-notes.ts walks a plan; `most`: it is killed after so many steps, before it could write down how far it was. */
function sync(sides: Sides, most = Number.POSITIVE_INFINITY): number {
  let taken = 0
  for (let round = 0; round < 6; round++) {
    const planned = plan(sides)
    const around = { names: planned.names, hash }
    const next = carriedOver(sides.base, planned)
    const toEntries = planned.steps.filter(isEntryStep)
    for (const step of toEntries.length > 0 ? toEntries : planned.steps) {
      if (taken++ >= most) return taken
      const entry = takeStep(sides, step)
      if (isEntryStep(step)) afterEntry(next, step, entry, around)
      else afterNote(next, step as NoteStep, around)
    }
    sides.base = parseBase(renderBase(next, 'place'), 'place')
    if (planned.steps.length === 0) return taken
  }
  return taken
}

const words = fc.constantFrom(
  'Sessions live in Redis.',
  'Deploys wait for smoke tests.',
  'Never edit `auth`; extend it. #auth',
  'Olá, não mude isto.',
  '- [ ] Rotate the key\n- [x] Tell Ana',
  '---\nlooks: like front matter\n---\nand goes on',
  '# A heading\n\n```\n[[code]]\n```',
  'See [[Sessions]] and [[1773679871000-k001]] there.',
  'CON',
  '..',
)
const number = fc.nat(20)
const act = fc.oneof(
  fc.record({ act: fc.constant('add entry' as const), text: words, n: number }),
  fc.record({ act: fc.constant('edit entry' as const), text: words, n: number }),
  fc.record({ act: fc.constant('tag entry' as const), text: words, n: number }),
  fc.record({ act: fc.constant('forget entry' as const), text: words, n: number }),
  fc.record({ act: fc.constant('add note' as const), text: words, n: number }),
  fc.record({ act: fc.constant('edit note' as const), text: words, n: number }),
  fc.record({ act: fc.constant('tag note' as const), text: words, n: number }),
  fc.record({ act: fc.constant('delete note' as const), text: words, n: number }),
  fc.record({ act: fc.constant('move note' as const), text: words, n: number }),
  fc.record({ act: fc.constant('copy note' as const), text: words, n: number }),
  fc.record({ act: fc.constant('windows note' as const), text: words, n: number }),
  fc.record({ act: fc.constant('lose base' as const), text: words, n: number }),
  fc.record({ act: fc.constant('sync' as const), text: words, n: number }),
  fc.record({ act: fc.constant('killed sync' as const), text: words, n: number }),
)
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

/** Everything that a person or an agent wrote is unlike everything else that was written. */
function perform(sides: Sides, { act: what, text, n }: Act, at: number, written: string[]): void {
  const { entries, notes, letGo } = sides
  const fresh = `${text}\nNote ${at}.`
  const ids = [...entries.keys()]
  const id = ids[n % Math.max(1, ids.length)]
  const paths = [...notes.keys()].filter(path => readNote(notes.get(path) ?? '').kind === 'read')
  const path = paths[n % Math.max(1, paths.length)]
  const entry = id === undefined ? undefined : entries.get(id)
  const note = path === undefined ? undefined : notes.get(path)
  if (what === 'add entry') {
    const added = newId(sides)
    entries.set(added, entryOf(added, fresh))
    written.push(fresh)
  } else if (what === 'edit entry' && entry !== undefined) {
    letGo.push(entry.content)
    entries.set(entry.id, { ...entry, content: fresh })
    written.push(fresh)
  } else if (what === 'tag entry' && entry !== undefined)
    entries.set(entry.id, { ...entry, tags: [`tag${n}`] })
  else if (what === 'forget entry' && entry !== undefined) {
    letGo.push(entry.content)
    entries.delete(entry.id)
  } else if (what === 'add note') {
    notes.set(`Mine ${at}.md`, n % 2 === 0 ? fresh : `---\nmine: yes # kept\n---\n${fresh}`)
    // What begins with a line of dashes is properties to Obsidian too.
    if (n % 2 === 1 || !text.startsWith('---')) written.push(fresh)
  } else if (what === 'edit note' && path !== undefined && note !== undefined) {
    const head = /^---\n[\s\S]*?\n---\n/.exec(note)?.[0] ?? ''
    if (head === '' && text.startsWith('---')) return
    letGo.push(note)
    notes.set(path, `${head}${fresh}\n`)
    written.push(fresh)
  } else if (what === 'tag note' && path !== undefined && note !== undefined)
    notes.set(path, note.replace(/^tags: .*$/m, `tags: [mine${n}]`))
  else if (what === 'delete note' && path !== undefined && note !== undefined) {
    letGo.push(note)
    notes.delete(path)
  } else if (what === 'move note' && path !== undefined && note !== undefined) {
    notes.delete(path)
    notes.set(`Moved/Moved ${at}.md`, note)
  } else if (what === 'copy note' && note !== undefined) notes.set(`Copy ${at}.md`, note)
  else if (what === 'windows note' && path !== undefined && note !== undefined)
    notes.set(path, note.replace(/\r?\n/g, '\r\n'))
  else if (what === 'lose base') sides.base = new Map()
  else if (what === 'sync') sync(sides)
  else if (what === 'killed sync') sync(sides, n % 5)
}

function play(acts: readonly Act[]): { sides: Sides; written: string[] } {
  const sides = newSides()
  const written: string[] = []
  acts.forEach((one, at) => {
    perform(sides, one, at, written)
  })
  return { sides, written }
}

const story = fc.array(act, { maxLength: 24 })

describe('planSync, whatever happened on either side', () => {
  it('leaves nothing to do when it is done again', () => {
    fc.assert(
      fc.property(story, acts => {
        const { sides } = play(acts)
        sync(sides)
        expect(plan(sides).steps).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('loses no text: it is in an entry, in a note, in the journal or in the trash', () => {
    fc.assert(
      fc.property(story, acts => {
        const { sides, written } = play(acts)
        sync(sides)
        const kept = [
          ...[...sides.entries.values()].map(({ content }) => content),
          ...sides.notes.values(),
          ...sides.letGo,
        ]
        const all = kept.map(text => plainContent(text))
        for (const text of written) {
          const mark = plainContent(text).split('\n').at(-1) ?? ''
          expect(
            all.some(one => one.includes(mark)),
            mark,
          ).toBe(true)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('makes an entry and its note say the same, but for notes that were changed on both sides', () => {
    fc.assert(
      fc.property(story, acts => {
        const { sides } = play(acts)
        sync(sides)
        const { settled, problems } = plan(sides)
        const left = new Set(problems.map(({ path }) => path))
        for (const [id, entry] of sides.entries) {
          const text = sides.notes.get(settled.get(id)?.path ?? '')
          const note = text === undefined ? undefined : readNote(text)
          if (note?.kind !== 'read') {
            expect(left.size, id).toBeGreaterThan(0)
            continue
          }
          expect(note.id).toBe(id)
          const link = /\[\[[^\]]*\]\]/g
          expect(plainContent(note.body).replace(link, '')).toBe(
            plainContent(entry.content).replace(link, ''),
          )
        }
      }),
      { numRuns: 150 },
    )
  })
})

import { parseAgentId, suggestAgentId } from '../../../kernel/model/agent-id.ts'
import { isCategory } from '../../../kernel/model/category.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import type { NewEntry } from '../../../kernel/model/new-entry.ts'
import type { BasePair, SyncBase } from './agreement.ts'
import {
  type ForgottenEntries,
  forgottenIdOf,
  hasOnlyForgottenText,
  NONE_FORGOTTEN,
} from './forgotten-entries.ts'
import {
  FACT_NAMES,
  type FactName,
  type Facts,
  factsOf,
  isSameFact,
  type Prints,
  plainContent,
  printsOf,
} from './note-facts.ts'
import {
  folderOf,
  foldName,
  type NoteNames,
  noteName,
  noteNames,
  stemOf,
  withEntryLinks,
} from './note-name.ts'
import { conflictText, factsOfNote, readNote, renderNote, rewriteNote, statesFact } from './note-text.ts'
import type { NoteFile } from './obsidian-vault.ts'
import { type PairedNotes, pairNotes, type SeenNote } from './pair-notes.ts'
import {
  elsewhere,
  emptyNote,
  invalidProperties,
  notWritable,
  type SyncProblem,
  unknownEntry,
} from './sync-problems.ts'

interface SyncInput {
  /** The entries to sync. */
  readonly entries: readonly Entry[]
  /** Whether the entry exists but is not synced: it belongs to another agent or is private. */
  readonly isElsewhere: (id: string) => boolean
  readonly notes: readonly NoteFile[]
  /** The last agreement. */
  readonly base: SyncBase
  /** Absent: not read yet. */
  readonly forgotten?: ForgottenEntries
  /** The synced folder as links name it. */
  readonly folder: string
  /** `2026-03-16`, for the name of a conflict. */
  readonly today: string
  readonly allowDeletions: boolean
  readonly hash: (text: string) => string
}

/** A note at the time a step was planned. */
type NoteText = Pick<SeenNote, 'path' | 'text'>

export type SyncStep =
  | { readonly does: 'add_entry'; readonly path: string; readonly input: NewEntry; readonly seen: NoteText }
  | {
      readonly does: 'update_entry'
      readonly path: string
      readonly entry: Entry
      /** The facts to write; the rest belongs to the note. */
      readonly facts: Facts
      readonly taken: readonly FactName[]
      readonly seen: NoteText
    }
  /** Forgotten in Cairn, changed in the note: the entry is restored. */
  | {
      readonly does: 'revive_entry'
      readonly path: string
      readonly id: string
      readonly input: NewEntry
      readonly seen: NoteText
    }
  | { readonly does: 'remove_entry'; readonly path: string; readonly entry: Entry }
  | { readonly does: 'create_note'; readonly path: string; readonly entry: Entry; readonly text: string }
  | {
      readonly does: 'update_note'
      readonly path: string
      readonly entry: Entry
      readonly text: string
      readonly seen: string
      /** The note contains something that the entry must not store, so its old text goes to the trash. */
      readonly keepsOld: boolean
    }
  | {
      readonly does: 'keep_both'
      readonly path: string
      readonly entry: Entry
      readonly text: string
      readonly seen: string
      /** Where to write the note's version; absent: it exists already. */
      readonly copy?: { readonly path: string; readonly text: string }
    }
  | { readonly does: 'trash_note'; readonly path: string; readonly id: string; readonly seen: string }

export interface SyncPlan {
  readonly steps: readonly SyncStep[]
  /** Pairs that agree. */
  readonly settled: SyncBase
  /** So many deletions at once are probably not intended, so nothing is done. */
  readonly held: { readonly side: 'notes' | 'entries'; readonly gone: number; readonly of: number } | null
  readonly conflicts: readonly { readonly id: string; readonly path: string }[]
  readonly problems: readonly SyncProblem[]
  /** Ids in notes without an entry. */
  readonly unknown: readonly string[]
  /** Includes the notes that will be created. */
  readonly names: NoteNames
}

/** More deletions than this number and this share are probably not intended. */
const MAX_GONE = 10
const MAX_GONE_SHARE = 0.2

/**
 * What makes both sides say the same, each step as data.
 *
 *   entry      note       last time    →
 *   same       same       any            settled
 *   changed    as it was  there          update_note
 *   as it was  changed    there          update_entry
 *   changed    changed    there          each fact from the side that changed it; the same fact on both: keep_both
 *   differ     differ     not there      keep_both
 *   there      gone       there          remove_entry, or create_note where the entry changed meanwhile
 *   there      -          not there      create_note
 *   gone       there      there          trash_note, or revive_entry where the note says what the entry never said
 *   -          no id      -              add_entry, or trash_note where a sync that was broken off took it in and its entry was forgotten
 */
export function planSync(input: SyncInput): SyncPlan {
  const { entries, base, hash, forgotten = NONE_FORGOTTEN } = input
  const paired = pairNotes(input.notes, input)
  const { noteById, blocked } = paired
  const isFresh = (entry: Entry): boolean => {
    if (noteById.has(entry.id) || blocked.has(entry.id)) return false
    const last = base.get(entry.id)
    return last === undefined || hasChanged(printsOf(factsOf(entry), hash), last.entry)
  }
  const fresh = placed(entries.filter(isFresh), input)
  // An interrupted sync created this note with links to notes that did not exist yet; it agrees with its entry.
  const names = namesWith(paired, fresh, input.folder)
  const freshIds = new Set(fresh.map(({ entry }) => entry.id))
  const problems = [...paired.problems]
  const steps: SyncStep[] = []
  const settled = new Map<string, BasePair>()
  const unknown: string[] = []
  const entryById = new Map(entries.map(entry => [entry.id, entry]))

  for (const entry of entries) {
    const seen = noteById.get(entry.id)
    const last = base.get(entry.id)
    if (blocked.has(entry.id) && seen === undefined) {
      if (last !== undefined) settled.set(entry.id, last)
    } else if (seen !== undefined) {
      const decided = decidePair(entry, seen, last, { ...input, paired, names })
      if (decided.kind === 'settled') settled.set(entry.id, decided.pair)
      else if (decided.kind === 'step') steps.push(decided.step)
      else {
        problems.push(decided.problem)
        if (last !== undefined) settled.set(entry.id, last)
      }
      if (seen.raw !== last?.raw && seen.note.invalid.length > 0)
        problems.push(invalidProperties(seen.path, seen.note.invalid))
    } else if (last !== undefined && !freshIds.has(entry.id))
      steps.push({ does: 'remove_entry', path: last.path, entry })
  }

  for (const [id, seen] of noteById) {
    if (entryById.has(id)) continue
    const last = base.get(id)
    if (input.isElsewhere(id)) problems.push(elsewhere(seen.path))
    else if (
      hasOnlyForgottenText(id, seen, { forgotten, names }) ||
      (last !== undefined && (seen.raw === last.raw || !noteChanged(seen, last, input, names)))
    )
      steps.push({ does: 'trash_note', path: seen.path, id, seen: seen.text })
    else if (last === undefined) {
      unknown.push(id)
      problems.push(unknownEntry(seen.path, id))
    } else steps.push({ does: 'revive_entry', path: seen.path, id, input: newEntry(seen, names), seen })
  }

  const lost = [...base].filter(([id]) => !entryById.has(id) && !input.isElsewhere(id))
  for (const seen of paired.free) {
    if (plainContent(seen.note.body) === '') continue
    const id = forgottenIdOf(seen, { lost, forgotten, names })
    if (id !== undefined) steps.push({ does: 'trash_note', path: seen.path, id, seen: seen.text })
    else steps.push({ does: 'add_entry', path: seen.path, input: newEntry(seen, names), seen })
  }

  for (const { entry, path } of fresh)
    steps.push({ does: 'create_note', path, entry, text: renderNote(entry, names) })
  return {
    steps,
    settled,
    held: input.allowDeletions ? null : heldBack(steps, input),
    conflicts: paired.conflicts.map(({ id, path }) => ({ id, path })),
    problems,
    unknown,
    names,
  }
}

/** The entry with the facts of another version of its note; undefined: they are the same. */
export function planKeepNote(
  entry: Entry,
  { path, text }: { readonly path: string; readonly text: string },
  { names }: Pick<SyncPlan, 'names'>,
): Extract<SyncStep, { does: 'update_entry' }> | undefined {
  const note = readNote(text)
  if (note.kind !== 'read') return undefined
  const ours = factsOf(entry)
  const theirs = factsOfNote(note, ours, names)
  const taken = FACT_NAMES.filter(name => !isSameFact(name, ours, theirs))
  if (taken.length === 0) return undefined
  const facts = { ...theirs, content: plainContent(theirs.content) }
  return { does: 'update_entry', path, entry, facts, taken, seen: { path, text } }
}

type Decided =
  | { readonly kind: 'settled'; readonly pair: BasePair }
  | { readonly kind: 'step'; readonly step: SyncStep }
  | { readonly kind: 'problem'; readonly problem: SyncProblem }

interface Around extends SyncInput {
  readonly paired: PairedNotes
  readonly names: NoteNames
}

function decidePair(entry: Entry, seen: SeenNote, last: BasePair | undefined, around: Around): Decided {
  const { hash, names } = around
  const { raw } = seen
  const ours = factsOf(entry)
  const ourPrints = printsOf(ours, hash)
  if (last !== undefined && raw === last.raw && seen.path === last.path && !hasChanged(ourPrints, last.entry))
    if (seen.id === entry.id) return { kind: 'settled', pair: last }
  const theirs = factsOfNote(seen.note, ours, names)
  // An entry may name a note the way notes are linked; that counts as the same link.
  const oursInNote = { ...ours, content: withEntryLinks(ours.content, names) }
  const differs = FACT_NAMES.filter(name => !isSameFact(name, oursInNote, theirs))
  const prints = { entry: ourPrints, note: printsOf(theirs, hash, { facts: ours, prints: ourPrints }) }
  const pair: BasePair = {
    path: seen.path,
    ...prints,
    raw,
    isOurs: last === undefined ? seen.text === renderNote(entry, names) : last.isOurs && last.raw === raw,
  }
  if (differs.length === 0) {
    if (seen.id === entry.id) return { kind: 'settled', pair }
    return rewritten(entry, seen, [], around)
  }
  if (last === undefined) return keepBoth(entry, seen, around)

  const isNoteChanged = (name: FactName) =>
    raw !== last.raw && statesFact(seen.note, name) && prints.note[name] !== last.note[name]
  const isEntryChanged = (name: FactName) => prints.entry[name] !== last.entry[name]
  const fromNote = differs.filter(isNoteChanged)
  if (fromNote.some(isEntryChanged)) return keepBoth(entry, seen, around)
  if (fromNote.length > 0) {
    if (fromNote.includes('content') && plainContent(theirs.content) === '')
      return { kind: 'problem', problem: emptyNote(seen.path) }
    const facts = { ...ours, ...Object.fromEntries(fromNote.map(name => [name, theirs[name]])) } as Facts
    const plain = {
      ...facts,
      content: fromNote.includes('content') ? plainContent(facts.content) : ours.content,
    }
    return {
      kind: 'step',
      step: { does: 'update_entry', path: seen.path, entry, facts: plain, taken: fromNote, seen },
    }
  }
  const toNote = differs.filter(isEntryChanged)
  if (toNote.length > 0 || seen.id !== entry.id) return rewritten(entry, seen, toNote, around, last)
  // They still differ as in the last round, because the note contains something that the entry must not store.
  const kept = (now: Prints, then: Prints): Prints => ({
    ...now,
    ...Object.fromEntries(differs.map(name => [name, then[name]])),
  })
  return {
    kind: 'settled',
    pair: { ...pair, entry: kept(prints.entry, last.entry), note: kept(prints.note, last.note) },
  }
}

function rewritten(
  entry: Entry,
  seen: SeenNote,
  set: readonly FactName[],
  { names }: Around,
  last?: BasePair,
): Decided {
  const result = rewriteNote(seen, entry, { names, set })
  if (result.kind === 'refused') return { kind: 'problem', problem: notWritable(seen.path, result.why) }
  const keepsOld = last !== undefined && set.includes('content') && last.note.content !== last.entry.content
  return {
    kind: 'step',
    step: { does: 'update_note', path: seen.path, entry, text: result.text, seen: seen.text, keepsOld },
  }
}

/** The entry's version stays in the note; the other version is written next to it first. */
function keepBoth(entry: Entry, seen: SeenNote, { paired, names, notes, today }: Around): Decided {
  const result = rewriteNote(seen, entry, { names, set: FACT_NAMES })
  if (result.kind === 'refused') return { kind: 'problem', problem: notWritable(seen.path, result.why) }
  const text = conflictText(seen.text, entry.id)
  const isThere = paired.conflicts.some(other => other.id === entry.id && other.text === text)
  const step: SyncStep = { does: 'keep_both', path: seen.path, entry, text: result.text, seen: seen.text }
  if (isThere) return { kind: 'step', step }
  const taken = new Set(notes.map(({ path }) => foldName(path)))
  const start = `${seen.path.replace(/\.md$/i, '')} (conflict ${today}`
  for (let n = 1; ; n++) {
    const path = `${start}${n === 1 ? '' : ` ${n}`}).md`
    if (!taken.has(foldName(path))) return { kind: 'step', step: { ...step, copy: { path, text } } }
  }
}

interface PlacedEntry {
  readonly entry: Entry
  readonly path: string
}

function placed(fresh: readonly Entry[], { notes }: SyncInput): PlacedEntry[] {
  const taken = new Set(notes.map(({ path }) => foldName(stemOf(path))))
  return fresh.map(entry => {
    const name = noteName(entry, other => taken.has(foldName(other)))
    taken.add(foldName(name))
    return { entry, path: `${entry.agent}/${entry.category}/${name}.md` }
  })
}

/** The names of new notes are chosen before the first one is written, so they can link to each other. */
function namesWith({ noteById }: PairedNotes, fresh: readonly PlacedEntry[], folder: string): NoteNames {
  const pairs = [...noteById].map(([id, { path }]) => ({ id, path }))
  return noteNames([...pairs, ...fresh.map(({ entry, path }) => ({ id: entry.id, path }))], folder)
}

/** A user's new note: its properties first, then what its folder implies. */
function newEntry({ path, note }: SeenNote, names: NoteNames): NewEntry {
  const [folder = '', ...above] = folderOf(path).split('/').reverse()
  const category = isCategory(folder) ? folder : undefined
  const agent = category === undefined ? undefined : agentIn(above[0])
  const { kind, importance, status, tags, files } = note.said
  return {
    content: plainContent(withEntryLinks(note.body, names)),
    agent: note.said.agent ?? agent,
    category: note.said.category ?? (kind === undefined ? category : undefined),
    kind,
    importance,
    status,
    tags,
    files,
    origin: 'person',
    ...(note.date !== undefined && isDate(note.date) && { date: note.date }),
  }
}

function agentIn(name: string | undefined): string | undefined {
  return name !== undefined && name !== '' && suggestAgentId(name) === name ? parseAgentId(name) : undefined
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?$/.test(text) && !Number.isNaN(Date.parse(text))
}

function hasChanged(now: Prints, before: Prints): boolean {
  return FACT_NAMES.some(name => now[name] !== before[name])
}

function noteChanged(seen: SeenNote, last: BasePair, { hash }: SyncInput, names: NoteNames): boolean {
  const nothing: Facts = {
    content: '',
    agent: '',
    category: 'lessons',
    kind: '',
    status: 'confirmed',
    importance: 0,
    tags: [],
    files: [],
  }
  const prints = printsOf(factsOfNote(seen.note, nothing, names), hash)
  return FACT_NAMES.some(name => statesFact(seen.note, name) && prints[name] !== last.note[name])
}

function heldBack(steps: readonly SyncStep[], { base, notes, entries }: SyncInput): SyncPlan['held'] {
  const count = (does: SyncStep['does']) => steps.filter(step => step.does === does).length
  const isMany = (gone: number) => gone > MAX_GONE && gone > base.size * MAX_GONE_SHARE
  const [notesGone, entriesGone] = [count('remove_entry'), count('trash_note')]
  // Also counts notes that would be created again because their entries changed: the disk may not be mounted.
  const unseen = entries.filter(({ id }) => base.has(id)).length
  if (notes.length === 0 && unseen > 0) return { side: 'notes', gone: unseen, of: base.size }
  if (notesGone > 0 && isMany(notesGone)) return { side: 'notes', gone: notesGone, of: base.size }
  if (entriesGone > 0 && ((entries.length === 0 && entriesGone > 1) || isMany(entriesGone)))
    return { side: 'entries', gone: entriesGone, of: base.size }
  return null
}

import type { Entry } from '../../../kernel/model/entry.ts'
import type { BasePair, SyncBase } from './agreement.ts'
import { factsOf, printsOf } from './note-facts.ts'
import type { NoteNames } from './note-name.ts'
import { factsOfNote, readNote } from './note-text.ts'
import type { SyncPlan, SyncStep } from './plan-sync.ts'

export type EntryStep = Extract<
  SyncStep,
  { does: 'add_entry' | 'update_entry' | 'revive_entry' | 'remove_entry' }
>
export type NoteStep = Exclude<SyncStep, EntryStep>

export function isEntryStep(step: SyncStep): step is EntryStep {
  return ['add_entry', 'update_entry', 'revive_entry', 'remove_entry'].includes(step.does)
}

/** The entry of a step; undefined: the step creates one. */
export function idOfStep(step: SyncStep): string | undefined {
  if ('entry' in step) return step.entry.id
  return 'id' in step ? step.id : undefined
}

/** The pairs that agree now, and for all others the last agreement, until their steps are done. */
export function carriedOver(base: SyncBase, { settled, steps }: SyncPlan): Map<string, BasePair> {
  const next = new Map(settled)
  for (const step of steps) {
    const id = idOfStep(step)
    const last = id === undefined ? undefined : base.get(id)
    if (id !== undefined && last !== undefined) next.set(id, last)
  }
  return next
}

interface Around {
  readonly names: NoteNames
  readonly hash: (text: string) => string
}

/** `entry`: the entry after the step; null: it was removed. The note is unchanged. */
export function afterEntry(
  next: Map<string, BasePair>,
  step: EntryStep,
  entry: Entry | null,
  around: Around,
): void {
  if (entry === null || step.does === 'remove_entry') {
    next.delete(idOfStep(step) ?? '')
    return
  }
  const pair = agreedPair(entry, step.seen, { ...around, isOurs: false })
  const last = step.does === 'update_entry' ? next.get(entry.id) : undefined
  if (step.does !== 'update_entry' || last === undefined) {
    next.set(entry.id, pair)
    return
  }
  // Facts that were not taken from the note and differ in the entry must still be written to the note.
  const taken = Object.fromEntries(step.taken.map(name => [name, pair.entry[name]]))
  next.set(entry.id, { ...pair, entry: { ...last.entry, ...taken } })
}

/** Updates the agreement after a step on a note. */
export function afterNote(next: Map<string, BasePair>, step: NoteStep, around: Around): void {
  if (step.does === 'trash_note') {
    next.delete(step.id)
    return
  }
  const last = next.get(step.entry.id)
  const isOurs = step.does === 'create_note' || (last?.isOurs === true && last.raw === around.hash(step.seen))
  next.set(step.entry.id, agreedPair(step.entry, step, { ...around, isOurs }))
}

function agreedPair(
  entry: Entry,
  { path, text }: { readonly path: string; readonly text: string },
  { names, hash, isOurs }: Around & { readonly isOurs: boolean },
): BasePair {
  const ours = factsOf(entry)
  const note = readNote(text)
  const theirs = note.kind === 'read' ? factsOfNote(note, ours, names) : ours
  const prints = printsOf(ours, hash)
  const theirPrints = printsOf(theirs, hash, { facts: ours, prints })
  return { path, entry: prints, note: theirPrints, raw: hash(text), isOurs }
}

import type { Entry } from '../../../kernel/model/entry.ts'
import type { BasePair } from './agreement.ts'
import { FACT_NAMES, factsOf, isSameFact, plainContent } from './note-facts.ts'
import { type NoteNames, withEntryLinks } from './note-links.ts'
import { foldName } from './note-name.ts'
import { factsOfNote } from './note-text.ts'
import type { SeenNote } from './pair-notes.ts'

/** Entries that are gone, as the journal knows them: a sync that was broken off may have left their notes behind. */
export interface ForgottenEntries {
  /** What each of them said since the last agreement, by id. */
  readonly versions: ReadonlyMap<string, readonly Entry[]>
  /** What syncs made of notes since the last agreement, and somebody forgot since. */
  readonly taken: readonly Entry[]
  /** Removes secrets, as it was done when the notes were taken in. */
  readonly clean: (text: string) => string
}

export const NONE_FORGOTTEN: ForgottenEntries = {
  versions: new Map(),
  taken: [],
  clean: text => text,
}

/** The note of a forgotten entry says only what the entry said: forgetting it was the last word. */
export function saysOnlyForgotten(
  id: string,
  { note }: SeenNote,
  { forgotten, names }: { readonly forgotten: ForgottenEntries; readonly names: NoteNames },
): boolean {
  return (forgotten.versions.get(id) ?? []).some(entry => {
    const ours = factsOf(entry)
    const said = factsOfNote(note, ours, names)
    const theirs = { ...said, content: forgotten.clean(said.content) }
    const inNote = { ...ours, content: withEntryLinks(ours.content, names) }
    return FACT_NAMES.every(name => isSameFact(name, inNote, theirs))
  })
}

/**
 * The forgotten entry that a note without an id was taken in as, before a sync that was broken off could write the id into it; undefined:
 * the note is new.
 */
export function forgottenIdOf(
  seen: SeenNote,
  {
    lost,
    forgotten,
    names,
  }: {
    /** Pairs of the last agreement whose entry is gone. */
    readonly lost: readonly (readonly [string, BasePair])[]
    readonly forgotten: ForgottenEntries
    readonly names: NoteNames
  },
): string | undefined {
  const place = foldName(seen.path)
  for (const [id, { path, raw }] of lost) if (raw === seen.raw && foldName(path) === place) return id
  if (forgotten.taken.length === 0) return undefined
  const text = plainContent(forgotten.clean(withEntryLinks(seen.note.body, names)))
  return forgotten.taken.find(({ content }) => plainContent(content) === text)?.id
}

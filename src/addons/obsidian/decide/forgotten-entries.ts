import type { Entry } from '../../../kernel/model/entry.ts'
import type { BasePair } from './agreement.ts'
import { FACT_NAMES, factsOf, isSameFact, plainContent } from './note-facts.ts'
import { foldName, type NoteNames, withEntryLinks } from './note-name.ts'
import { factsOfNote } from './note-text.ts'
import type { SeenNote } from './pair-notes.ts'

/** Removed entries according to the journal. An interrupted sync may have left their notes behind. */
export interface ForgottenEntries {
  /** The texts of each of them since the last agreement, by id. */
  readonly versions: ReadonlyMap<string, readonly Entry[]>
  /** Entries that syncs created from notes since the last agreement and that were forgotten since. */
  readonly taken: readonly Entry[]
  /** The redaction that was applied when the notes were read. */
  readonly clean: (text: string) => string
}

export const NONE_FORGOTTEN: ForgottenEntries = {
  versions: new Map(),
  taken: [],
  clean: text => text,
}

/** If the note says only what the forgotten entry said, the user has not changed it since, so it goes too. */
export function hasOnlyForgottenText(
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
 * The forgotten entry of a note without an id: the sync was interrupted before it wrote the id into the note. undefined: the note is new.
 */
export function forgottenIdOf(
  seen: SeenNote,
  {
    lost,
    forgotten,
    names,
  }: {
    /** Pairs of the last agreement whose entry was removed. */
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

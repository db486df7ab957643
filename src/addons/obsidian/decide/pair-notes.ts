import type { Entry } from '../../../kernel/model/entry.ts'
import type { SyncBase } from './agreement.ts'
import { factsOf, plainContent } from './note-facts.ts'
import { foldName } from './note-name.ts'
import { type Readable, readNote } from './note-text.ts'
import type { NoteFile } from './obsidian-vault.ts'
import { brokenNote, copiedNote, type SyncProblem } from './sync-problems.ts'

/** A readable note with its facts. */
export interface SeenNote {
  readonly path: string
  readonly text: string
  /** The hash of the text. */
  readonly raw: string
  /** The id in its property. */
  readonly id: string | undefined
  readonly note: Readable
}

export interface PairedNotes {
  readonly noteById: ReadonlyMap<string, SeenNote>
  /** Notes without an entry. */
  readonly free: readonly SeenNote[]
  /** Other versions of notes that were changed on both sides. */
  readonly conflicts: readonly { readonly id: string; readonly path: string; readonly text: string }[]
  /** Entries whose note exists but cannot be read; they are left alone. */
  readonly blocked: ReadonlySet<string>
  readonly problems: readonly SyncProblem[]
}

/**
 * Finds the note of each entry: by its property, wherever the note was moved and whatever its name is; by its place, if the property was
 * removed; by its text, if a sync was interrupted before it wrote the property.
 */
export function pairNotes(
  files: readonly NoteFile[],
  {
    entries,
    base,
    hash,
  }: {
    readonly entries: readonly Entry[]
    readonly base: SyncBase
    readonly hash: (text: string) => string
  },
): PairedNotes {
  const problems: SyncProblem[] = []
  const blocked = new Set<string>()
  const idByPath = new Map([...base].map(([id, { path }]) => [foldName(path), id]))
  const conflicts: { id: string; path: string; text: string }[] = []
  const byId = new Map<string, SeenNote[]>()
  const nameless: SeenNote[] = []

  for (const file of files) {
    const block = (id: string | undefined) => {
      const known = id ?? idByPath.get(foldName(file.path))
      if (known !== undefined) blocked.add(known)
    }
    if ('trouble' in file) {
      block(undefined)
      // It may be a folder whose content exists but cannot be read.
      const below = `${foldName(file.path)}/`
      for (const [path, id] of idByPath) if (path.startsWith(below)) blocked.add(id)
      problems.push({ ...file.trouble, path: file.path, hint: 'It is left as it is.' })
      continue
    }
    const raw = hash(file.text)
    const known = idByPath.get(foldName(file.path))
    // Unchanged since its property was read. Of ten thousand notes, only the changed ones are parsed as YAML.
    if (known !== undefined && base.get(known)?.raw === raw && namesId(file.text, known)) {
      byId.set(known, [...(byId.get(known) ?? []), unread(file, raw, known)])
      continue
    }
    const note = readNote(file.text)
    if (note.kind === 'broken') {
      block(note.id)
      problems.push(brokenNote(file.path, note.line, note.why))
      continue
    }
    const seen: SeenNote = { ...file, raw, id: note.id, note }
    if (note.conflictOf !== undefined) conflicts.push({ ...file, id: note.conflictOf })
    else if (note.id !== undefined) byId.set(note.id, [...(byId.get(note.id) ?? []), seen])
    else nameless.push(seen)
  }

  const entryById = new Map(entries.map(entry => [entry.id, entry]))
  const noteById = new Map<string, SeenNote>()
  for (const [id, notes] of byId) {
    const [first, ...others] = inOrder(notes, base.get(id)?.path, entryById.get(id))
    if (first !== undefined) noteById.set(id, first)
    for (const copy of others) problems.push(copiedNote(copy.path, first?.path ?? ''))
  }

  const free: SeenNote[] = []
  for (const seen of nameless) {
    const id = idByPath.get(foldName(seen.path))
    if (id === undefined || noteById.has(id) || !entryById.has(id)) free.push(seen)
    else noteById.set(id, seen)
  }
  const adopted = adopt(
    free,
    entries.filter(({ id }) => !noteById.has(id) && !base.has(id)),
  )
  for (const [id, seen] of adopted) noteById.set(id, seen)
  const taken = new Set(adopted.values())
  return {
    noteById,
    free: free.filter(seen => !taken.has(seen)),
    conflicts,
    blocked,
    problems,
  }
}

/** A note that was readable before and is unchanged. */
function unread(file: { readonly path: string; readonly text: string }, raw: string, id: string): SeenNote {
  let note: Readable | undefined
  return {
    ...file,
    raw,
    id,
    get note() {
      if (note === undefined) {
        const read = readNote(file.text)
        if (read.kind === 'broken') throw new Error(`${file.path} could be read before`)
        note = read
      }
      return note
    },
  }
}

const BEGINNING = 4_096

function namesId(text: string, id: string): boolean {
  const at = text.slice(0, BEGINNING).indexOf(`\ncairn: `)
  const value = at < 0 ? '' : (text.slice(at + 8, at + 300).split(/\r?\n/, 1)[0] ?? '')
  return value === id || value === `"${id}"` || value === `'${id}'`
}

/** First the note of the last agreement, then one with the entry's text, then the first by path. */
function inOrder(
  notes: readonly SeenNote[],
  path: string | undefined,
  entry: Entry | undefined,
): readonly SeenNote[] {
  const rank = (seen: SeenNote): number => {
    if (seen.path === path) return 0
    const isSame = entry !== undefined && plainContent(seen.note.body) === plainContent(entry.content)
    return isSame ? 1 : 2
  }
  return [...notes].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1))
}

/** Notes without a property whose text equals that of an entry without a note. */
function adopt(free: readonly SeenNote[], lonely: readonly Entry[]): Map<string, SeenNote> {
  const adopted = new Map<string, SeenNote>()
  if (free.length === 0 || lonely.length === 0) return adopted
  const idByText = new Map(lonely.map(entry => [plainContent(factsOf(entry).content), entry.id]))
  for (const seen of free) {
    const text = plainContent(seen.note.body)
    const id = idByText.get(text)
    if (id === undefined) continue
    adopted.set(id, seen)
    idByText.delete(text)
  }
  return adopted
}

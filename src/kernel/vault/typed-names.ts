import type { Entry } from '../model/entry.ts'
import { isTypedId, rootOfId } from '../model/entry-id.ts'
import type { LocatedEntry } from './entry-index.ts'
import type { EntrySegment, Segment } from './vault-segments.ts'

export { isTypedId } from '../model/entry-id.ts'

interface KnownNames {
  /** The entries of the file in the index. */
  known(): readonly LocatedEntry[]
  /** Whether an entry in another file has this id. */
  isTaken(id: string): boolean
  /** The date of an entry that the index does not have. */
  dateOf(id: string): string | undefined
}

/**
 * Gives typed entries the ids and dates that the index has for them. The text has neither: the same words in two files would be one
 * entry, and touching a file would change the dates of all entries typed in it.
 */
export function settleTyped<File extends { readonly segments: readonly Segment[] }>(
  file: File,
  names: KnownNames,
): File {
  if (!file.segments.some(isNameless)) return file
  const knownById = new Map(names.known().map(({ entry }) => [entry.id, entry]))
  const used = new Set(file.segments.flatMap(segment => (segment.type === 'entry' ? [segment.entry.id] : [])))
  const nameOf = nameFinder(names, knownById, used)
  const segments = file.segments.map(segment => {
    if (!isNameless(segment)) return segment
    const { entry } = segment
    const id = nameOf(entry)
    const date = segment.undated === undefined ? entry.date : (knownById.get(id)?.date ?? names.dateOf(id))
    return { ...segment, entry: { ...entry, id, date: date ?? entry.date } }
  })
  return { ...file, segments }
}

function isNameless(segment: Segment): segment is EntrySegment {
  return segment.type === 'entry' && segment.idMissing && isTypedId(segment.entry.id)
}

/** Finds the id of one typed entry after the other. Every lookup is one step: a file may have thousands of equal ones. */
function nameFinder(
  names: KnownNames,
  knownById: ReadonlyMap<string, Entry>,
  used: Set<string>,
): (entry: Entry) => string {
  let standingByText: Map<string, string[]> | undefined
  const copiesByRoot = new Map<string, number>()

  /** An entry of the index with the same content that no other text has. */
  const takeStanding = (root: string, content: string): string | undefined => {
    standingByText ??= idsByText(knownById)
    const ids = standingByText.get(`${root} ${content}`) ?? []
    let id = ids.pop()
    while (id !== undefined && used.has(id)) id = ids.pop()
    return id
  }
  const freeCopy = (root: string): string => {
    let copies = copiesByRoot.get(root) ?? 2
    while (used.has(`${root}~${copies}`) || names.isTaken(`${root}~${copies}`)) copies++
    copiesByRoot.set(root, copies)
    return `${root}~${copies}`
  }
  return ({ id, content }) => {
    if (knownById.has(id)) return id
    const root = rootOfId(id)
    const standing = takeStanding(root, content)
    if (standing === undefined && !names.isTaken(id)) return id
    const name = standing ?? freeCopy(root)
    used.add(name)
    return name
  }
}

/** The last of each list is used first. */
function idsByText(knownById: ReadonlyMap<string, Entry>): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { id, content } of [...knownById.values()].reverse()) {
    const text = `${rootOfId(id)} ${content}`
    const same = ids.get(text)
    if (same === undefined) ids.set(text, [id])
    else same.push(id)
  }
  return ids
}

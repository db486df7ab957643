import { findLinks } from '../../../kernel/text/links.ts'
import { foldName, stemOf } from './note-name.ts'

/** Which note is whose: how links of entries and links of notes find each other. */
export interface NoteNames {
  /** What a link to the note of this entry says; undefined: it has none, or none that a link can name. */
  linkTo(id: string): string | undefined
  /** The entry whose note a link names; undefined: it is no note of ours. */
  idOf(target: string): string | undefined
}

/** A name with one of these cannot stand in a link. */
const NOT_IN_LINKS = /[[\]|#^\n]/
/** As long as a link is looked for in a text (src/kernel/text/links.ts). */
const MAX_LINK_LENGTH = 300

/** `folder` is the synced one, from the vault: Obsidian writes a whole path where two notes have one name. */
export function noteNames(
  notes: readonly { readonly id: string; readonly path: string }[],
  folder: string,
): NoteNames {
  const idByPath = new Map<string, string>()
  const idsByStem = new Map<string, string[]>()
  const pathById = new Map<string, string>()
  for (const { id, path } of notes) {
    const whole = `${folder}/${path}`.replace(/\.md$/i, '')
    idByPath.set(foldName(whole), id)
    pathById.set(id, whole)
    const stem = foldName(stemOf(path))
    idsByStem.set(stem, [...(idsByStem.get(stem) ?? []), id])
  }
  const idOf = (target: string): string | undefined => {
    const name = foldName(target.trim().replace(/\.md$/i, ''))
    const byStem = idsByStem.get(name)
    return byStem?.length === 1 ? byStem[0] : idByPath.get(name)
  }
  return {
    idOf,
    linkTo(id) {
      const path = pathById.get(id)
      if (path === undefined || NOT_IN_LINKS.test(path)) return undefined
      return [stemOf(path), path].find(name => idOf(name) === id)
    },
  }
}

/** `see [[1773679871839-k3f9|there]]` → `see [[Sessions live in Redis k3f9|there]]` */
export function withNoteLinks(content: string, names: NoteNames): string {
  const translated = withTargets(content, target => names.linkTo(target))
  // A link that would not come back as it was stays an id.
  return withEntryLinks(translated, names) === withEntryLinks(content, names) ? translated : content
}

/** The way back. Links to notes that are not ours stay as they are. */
export function withEntryLinks(body: string, names: NoteNames): string {
  return withTargets(body, target => names.idOf(target))
}

function withTargets(text: string, targetOf: (target: string) => string | undefined): string {
  let result = ''
  let from = 0
  for (const { target, at, end } of findLinks(text)) {
    const other = targetOf(target)
    const inner = text.slice(at + 2, end - 2)
    if (other === undefined || inner.length - target.length + other.length >= MAX_LINK_LENGTH) continue
    const start = at + 2 + inner.indexOf(target)
    result += `${text.slice(from, start)}${other}`
    from = start + target.length
  }
  return result + text.slice(from)
}

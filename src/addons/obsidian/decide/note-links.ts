import { findLinks } from '../../../kernel/text/links.ts'
import { foldName, stemOf } from './note-name.ts'

/** Translates links between entries and their notes. */
export interface NoteNames {
  /** The link target for the note of this entry; undefined: there is no note, or no link can name it. */
  linkTo(id: string): string | undefined
  /** The entry of the note that a link names; undefined: it is not one of our notes. */
  idOf(target: string): string | undefined
}

/** A name with one of these cannot be a link target. */
const NOT_IN_LINKS = /[[\]|#^\n]/
/** The maximum length of a link in a text (src/kernel/text/links.ts). */
const MAX_LINK_LENGTH = 300

/** `folder` is the synced folder, relative to the vault: Obsidian writes the whole path if two notes have the same name. */
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
  // If the link cannot be translated back to the same id, it stays an id.
  return withEntryLinks(translated, names) === withEntryLinks(content, names) ? translated : content
}

/** The reverse of `withNoteLinks`. Links to other notes stay unchanged. */
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

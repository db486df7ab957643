import { findLinks, headlineOf } from '../../../kernel/text/links.ts'

/** Characters that some operating system, or a link of Obsidian, does not allow in a name; and invisible ones. */
const UNFIT = /[\\/:*?"<>|#^[\]\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]+/gu
const MAX_TITLE_LENGTH = 80
/** Most systems allow 255 bytes; suffixes of sync tools and conflicts need some of them. */
const MAX_BYTES = 180
const LINK = /\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g
const OWN_ID = /^\d+-([a-z0-9]{4})$/

/**
 * The name of a new note, without `.md`: what the entry begins with, and the end of its id.
 *
 *   Sessions live in Redis k3f9
 *
 * `isTaken` is asked without regard to case: two names that differ in it are one file on most systems. The whole id tells apart what the
 * short one does not.
 */
export function noteName(entry: NamedEntry, isTaken: (name: string) => boolean): string {
  const title = titleFor(entry.content)
  const short = `${title} ${shortId(entry.id)}`
  if (!isTaken(short)) return short
  const long = `${title} ${fitting(entry.id, MAX_TITLE_LENGTH) || 'entry'}`
  for (let n = 1; ; n++) {
    const name = n === 1 ? long : `${long} ${n}`
    if (!isTaken(name)) return name
  }
}

interface NamedEntry {
  readonly id: string
  readonly content: string
}

/** An alias for the note, so that it can be searched by its text. */
export function aliasOf(content: string): string {
  const line =
    content
      .trimStart()
      .slice(0, 4 * MAX_TITLE_LENGTH)
      .split('\n', 1)[0] ?? ''
  // The visible part of a link; people cannot read an id.
  const bare = line.replace(
    LINK,
    (_, target: string, text: string | undefined) => text ?? (OWN_ID.test(target) ? '' : target),
  )
  return headlineOf(bare).normalize('NFC')
}

function titleFor(content: string): string {
  return fitting(aliasOf(content), MAX_TITLE_LENGTH) || 'Note'
}

/** Readable, valid on every system, and within the maximum length. */
function fitting(text: string, most: number): string {
  const clean = text
    .normalize('NFC')
    .replace(UNFIT, ' ')
    .replace(/[\s.]+/g, blank => (blank.includes('.') && !/\s/.test(blank) ? blank : ' '))
    .trim()
    .replace(/^[. ]+|[. ]+$/g, '')
  const encoder = new TextEncoder()
  let kept = ''
  let bytes = 0
  for (const character of clean) {
    bytes += encoder.encode(character).length
    if (kept.length + character.length > most || bytes > MAX_BYTES) break
    kept += character
  }
  return kept.replace(/[. …]+$/, '')
}

function shortId(id: string): string {
  return OWN_ID.exec(id)?.[1] ?? (fitting(id, 80).slice(-8).trim() || 'entry')
}

/** Folds case like a file system that does not distinguish it. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** `a/b/Redis k3f9.md` → `Redis k3f9` */
export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

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

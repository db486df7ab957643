import { headlineOf } from '../../../kernel/text/links.ts'

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

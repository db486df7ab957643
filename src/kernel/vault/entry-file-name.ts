import { titleOf } from './entry-title.ts'

const MAX_SLUG = 48
const ID_SUFFIX = /-([0-9a-z]{4})$/
const NOT_FOR_NAMES = /[^a-z0-9]+/g

interface EntryNaming {
  readonly id: string
  /** As in its heading: `2026-11-18T08:27`. */
  readonly date: string
  readonly content: string
}

/**
 * The name of a new entry's file: its date, its title, and the end of its id, so that two branches never create the same one. It stays
 * when the entry is edited.
 */
export function entryFileName({ id, date, content }: EntryNaming): string {
  const suffix = ID_SUFFIX.exec(id)?.[1] ?? (plain(id).slice(-MAX_SLUG).replace(/^-/, '') || 'entry')
  const slug = plain(titleOf(content))
  const short = slug.length <= MAX_SLUG ? slug : slug.slice(0, MAX_SLUG + 1).replace(/-[^-]*$/, '')
  return `${[date.slice(0, 10), short.slice(0, MAX_SLUG), suffix].filter(Boolean).join('-')}.md`
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(NOT_FOR_NAMES, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 4 * MAX_SLUG)
}

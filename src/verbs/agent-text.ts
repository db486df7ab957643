import { neutralise, neutraliseName } from '../features/brief/decide/fence.ts'
import type { Entry } from '../kernel/model/entry.ts'
import type { Degradation } from '../kernel/model/search.ts'
import { unmergedNote, unmergedSideOf } from '../kernel/model/unmerged.ts'
import type { DocumentReference } from '../kernel/model/workspace.ts'

/** An answer takes room in a model's context: a longer one is cut, and says so. */
export const MAX_CHARACTERS = 16_000
export const MAX_ROWS = 100
const HEADLINE_CHARACTERS = 120

export interface Degraded {
  readonly degraded?: readonly Degradation[]
}

/** What could not be checked is part of the answer and is never cut. */
export function bounded(lines: readonly string[], { degraded = [] }: Degraded): string {
  const notes = degraded.map(
    ({ message }) => `note: ${neutralise(message).replaceAll('\n', ' ').slice(0, 300)}`,
  )
  const text = lines.join('\n')
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n… cut` : text
  return [cut, ...notes].join('\n')
}

/** A document of a workspace is named by its scope and path. */
export function labels(entry: Entry, document?: DocumentReference): string {
  if (document !== undefined) {
    const { kind, scope, status } = document
    const parts = [kind, neutraliseName(scope, 300), neutraliseName(entry.date.slice(0, 10)), status]
    return `[${neutraliseName(entry.id, 300)}] ${parts.filter(part => part !== undefined && part !== '').join(' · ')}${tagsOf(entry)}`
  }
  const side = unmergedSideOf(entry)
  const state = `${entry.status === 'confirmed' ? '' : ` · ${entry.status}`}${side === undefined ? '' : ` · ${unmergedNote(side)}`}`
  return `[${neutraliseName(entry.id)}] ${neutraliseName(entry.kind)} · ${neutraliseName(entry.agent)} · ${entry.date.slice(0, 10)}${state}${tagsOf(entry)}`
}

function tagsOf({ tags }: Entry): string {
  return tags.length === 0 ? '' : ` · ${neutraliseName(tags.map(tag => `#${tag}`).join(' '), 200)}`
}

export function headline(entry: Entry): string {
  return `[${neutraliseName(entry.id)}] ${neutraliseName(entry.content, HEADLINE_CHARACTERS)}`
}

const MAX_LIST_ITEMS = 50
const MAX_DEPTH = 6

/**
 * Any answer of a verb as an outline that a model reads; what says nothing is left out.
 *
 *   { undone: { id: 'r1', entries: [] }, record: null }   ->   undone:
 *                                                                id: r1
 */
export function outline(output: object): string {
  const { degraded, ...rest } = output as { readonly degraded?: readonly Degradation[] | undefined }
  const lines = fieldsOf(rest, 0)
  return bounded(lines.length === 0 ? ['Nothing.'] : lines, degraded === undefined ? {} : { degraded })
}

function fieldsOf(value: object, depth: number): string[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const lines = linesOf(field, depth + 1)
    const [only] = lines
    if (only === undefined) return []
    const label = `${blanks(depth)}${neutraliseName(name)}:`
    return isPlain(field) && lines.length === 1 ? [`${label} ${only.trimStart()}`] : [label, ...lines]
  })
}

function linesOf(value: unknown, depth: number): string[] {
  if (value === null || value === undefined || value === '' || value === false) return []
  if (isPlain(value)) {
    return neutralise(String(value))
      .split('\n')
      .map(line => `${blanks(depth)}${line}`)
  }
  if (depth > MAX_DEPTH) return [`${blanks(depth)}…`]
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_LIST_ITEMS).map(item => asItem(linesOf(item, depth + 1), depth))
    const more =
      value.length > MAX_LIST_ITEMS ? [`${blanks(depth)}… and ${value.length - MAX_LIST_ITEMS} more`] : []
    return [...items.flat(), ...more]
  }
  if (isEntry(value)) {
    return [`${blanks(depth)}${labels(value)}`, ...linesOf(value.content, depth)]
  }
  return fieldsOf(value as object, depth)
}

/** The first line with a dash, the others below it. */
function asItem(lines: readonly string[], depth: number): string[] {
  return lines.map((line, at) => (at === 0 ? `${blanks(depth)}- ${line.trimStart()}` : line))
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** A suggestion in review has no status and no tags: it is shown field by field, with its level and writer. */
function isEntry(value: unknown): value is Entry {
  const { id, kind, content, agent, status, tags } = value as Partial<Entry>
  return [id, kind, content, agent, status].every(field => typeof field === 'string') && Array.isArray(tags)
}

function blanks(depth: number): string {
  return '  '.repeat(depth)
}

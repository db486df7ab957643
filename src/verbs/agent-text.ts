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

/** What could not be looked at is part of the answer, and is never what is cut. */
export function bounded(lines: readonly string[], { degraded = [] }: Degraded): string {
  const notes = degraded.map(
    ({ message }) => `note: ${neutralise(message).replaceAll('\n', ' ').slice(0, 300)}`,
  )
  const text = lines.join('\n')
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n… cut` : text
  return [cut, ...notes].join('\n')
}

/** A document of a workspace is named by where it belongs. */
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

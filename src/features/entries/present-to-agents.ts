import type { Entry } from '../../kernel/model/entry.ts'
import type { Freshness } from '../../kernel/model/freshness.ts'
import type { Hit } from '../../kernel/model/search.ts'
import type { Marks } from '../../kernel/model/selection.ts'
import type { ColdHit } from '../../kernel/model/transcript.ts'
import type { DocumentReference } from '../../kernel/model/workspace.ts'
import { estimateTokens } from '../../kernel/text/token-estimate.ts'
import { bounded, type Degraded, headline, labels, MAX_ROWS } from '../../verbs/agent-text.ts'
import { neutralise, neutraliseName } from '../brief/decide/fence.ts'

/** Compact rows: an id to go on from, and what it costs to read the whole. */
export function foundEntries({
  hits,
  cold,
  ...rest
}: Degraded & {
  readonly hits: readonly (Hit & { readonly freshness?: Freshness })[]
  readonly cold?: readonly ColdHit[]
}): string {
  if (cold !== undefined) return foundPassages(cold, rest)
  const rows = hits.map(({ entry, document, snippet, marks, freshness }) =>
    [
      `${labels(entry, document)} · ${estimateTokens(entry.content)} tokens`,
      ...placeOf(document),
      neutralise(snippet),
      ...marksOf(marks),
      ...driftOf(freshness),
    ].join('\n'),
  )
  return bounded([rows.length === 0 ? 'Nothing found.' : rows.join('\n\n')], rest)
}

/** Transcripts are not memory: nothing in them was reviewed, and the output says so. */
function foundPassages(cold: readonly ColdHit[], rest: Degraded): string {
  const rows = cold.map(({ ref, role, at, snippet }) =>
    [
      `${neutraliseName(ref, 400)}  ${neutraliseName(role, 40)}${at === undefined ? '' : ` · ${at.slice(0, 10)}`}`,
      neutralise(snippet),
    ].join('\n'),
  )
  const head = 'From raw transcripts, not reviewed. `get` shows the messages around one.'
  return bounded(rows.length === 0 ? ['Nothing found.'] : [head, '', rows.join('\n\n')], rest)
}

export function oneEntry({
  entry,
  document,
  isCut,
  marks,
  freshness,
  ...rest
}: Degraded & {
  readonly entry: Entry
  readonly document?: DocumentReference
  readonly isCut?: boolean
  readonly marks?: Marks
  readonly freshness?: Freshness
}): string {
  const files = entry.files.length === 0 ? [] : [`files: ${neutraliseName(entry.files.join(', '), 500)}`]
  return bounded(
    [
      labels(entry, document),
      ...placeOf(document),
      ...(isCut === true ? ['! only its beginning; the file has the rest'] : []),
      ...files,
      ...marksOf(marks),
      ...driftOf(freshness),
      '',
      neutralise(entry.content),
    ],
    rest,
  )
}

export function savedEntries({
  stored,
  refused,
  similar,
  handoff,
  ...rest
}: Degraded & {
  readonly stored: readonly Entry[]
  readonly refused: readonly { readonly statement: string; readonly reason: string }[]
  readonly similar: readonly Entry[]
  readonly handoff: Entry | null
}): string {
  return bounded(
    [
      ...stored.map(entry => `Stored, unconfirmed: ${headline(entry)}`),
      ...refused.map(
        ({ statement, reason }) =>
          `Refused: ${neutraliseName(statement, 60)}. ${neutralise(reason).replaceAll('\n', ' ')}`,
      ),
      ...similar.map(entry => `Similar, supersede instead? ${headline(entry)}`),
      ...(handoff === null ? [] : ['Handoff stored.']),
    ],
    rest,
  )
}

export function forgotten({ entry, ...rest }: Degraded & { readonly entry: Entry }): string {
  return bounded([`Forgotten: ${headline(entry)}`, '`cairn undo` brings it back.'], rest)
}

export function pinnedEntry({
  entry,
  pinned,
  ...rest
}: Degraded & { readonly entry: Entry; readonly pinned: boolean }): string {
  return bounded([`${pinned ? 'Pinned' : 'Unpinned'}: ${headline(entry)}`], rest)
}

interface Task {
  readonly id: string
  readonly text: string
  readonly done: boolean
}

export function taskRows(
  output: Degraded & { readonly tasks?: readonly Task[]; readonly task?: Task; readonly entry?: Entry },
): string {
  const { tasks, task, entry, ...rest } = output
  if (entry !== undefined) return bounded([`Added: ${headline(entry)}`], rest)
  const rows = tasks ?? (task === undefined ? [] : [task])
  const lines = rows
    .slice(0, MAX_ROWS)
    .map(({ id, text, done }) => `- [${done ? 'x' : ' '}] [${neutraliseName(id)}] ${neutralise(text)}`)
  const more = rows.length > MAX_ROWS ? [`… and ${rows.length - MAX_ROWS} more`] : []
  return bounded(rows.length === 0 ? ['No open tasks.'] : [...lines, ...more], rest)
}

/** The file that an agent can open. */
function placeOf(document: DocumentReference | undefined): string[] {
  if (document === undefined) return []
  const { path, line } = document
  return [`file: ${neutraliseName(path, 300)}${line === undefined ? '' : `:${line}`}`]
}

function marksOf(marks: Marks | undefined): string[] {
  const { supersededBy, newerClaim, conflictsWith, besideMatch } = marks ?? {}
  return [
    ...(besideMatch === undefined ? [] : ['! next to a match in the same session']),
    ...(supersededBy === undefined ? [] : [`! superseded by [${neutraliseName(supersededBy)}]`]),
    ...(newerClaim === undefined ? [] : [`! newer claim: [${neutraliseName(newerClaim)}]`]),
    ...(conflictsWith === undefined
      ? []
      : [
          `! in conflict with [${neutraliseName(conflictsWith.id)}] ${neutraliseName(conflictsWith.content)}`,
        ]),
  ]
}

function driftOf(freshness: Freshness | undefined): string[] {
  if (freshness === undefined || freshness.state === 'fresh') return []
  return [`! ${freshness.state}: ${neutraliseName(freshness.files.map(({ file }) => file).join(', '), 200)}`]
}

export function briefText({ text, ...rest }: Degraded & { readonly text: string }): string {
  return bounded([text === '' ? 'Nothing relevant.' : text], rest)
}

export function feedbackText({
  entry,
  useful,
  wrong,
  ...rest
}: Degraded & { readonly entry: Entry; readonly useful: number; readonly wrong: number }): string {
  return bounded([`Noted, useful: ${useful}, wrong: ${wrong}. ${headline(entry)}`], rest)
}

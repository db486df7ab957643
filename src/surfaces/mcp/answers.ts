import { neutralise, neutraliseName } from '../../features/brief/decide/fence.ts'
import type { ColdHit } from '../../kernel/model/cold.ts'
import type { DocumentReference } from '../../kernel/model/document-reference.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Freshness } from '../../kernel/model/freshness.ts'
import type { Degradation, Hit } from '../../kernel/model/search.ts'
import type { Marks } from '../../kernel/model/selection.ts'
import { unmergedNote, unmergedSideOf } from '../../kernel/model/unmerged.ts'
import { estimateTokens } from '../../kernel/text/token-estimate.ts'

/** An answer takes room in a model's context: what is longer is cut, and says so. */
const MAX_CHARACTERS = 16_000
const MAX_ROWS = 100
const HEADLINE_CHARACTERS = 120

interface Degraded {
  readonly degraded?: readonly Degradation[]
}

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

/** What was said in a transcript is no memory: nobody judged it, and it says so. */
function foundPassages(cold: readonly ColdHit[], rest: Degraded): string {
  const rows = cold.map(({ ref, role, at, snippet }) =>
    [
      `${neutraliseName(ref, 400)}  ${neutraliseName(role, 40)}${at === undefined ? '' : ` · ${at.slice(0, 10)}`}`,
      neutralise(snippet),
    ].join('\n'),
  )
  const head = 'From raw transcripts; not judged. `get` shows what stands around one.'
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

export function toldText({ text, ...rest }: Degraded & { readonly text: string }): string {
  return bounded([text === '' ? 'Nothing to tell.' : text], rest)
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

/** The entry is a person's: nothing changed. */
export function waitsForUser(
  { entry, task }: { readonly entry?: Entry; readonly task?: { readonly text: string } },
  proposed: string,
): string {
  const what = entry === undefined ? neutralise(task?.text ?? '') : headline(entry)
  return `Nothing changed yet. The entry is the user's, so this waits for them in \`cairn review\` (${neutraliseName(proposed)}): ${what}`
}

export function pinnedEntry({
  entry,
  pinned,
  ...rest
}: Degraded & { readonly entry: Entry; readonly pinned: boolean }): string {
  return bounded([`${pinned ? 'Pinned' : 'Unpinned'}: ${headline(entry)}`], rest)
}

export function saidOfEntry({
  entry,
  useful,
  wrong,
  ...rest
}: Degraded & { readonly entry: Entry; readonly useful: number; readonly wrong: number }): string {
  return bounded([`Noted, useful: ${useful}, wrong: ${wrong}. ${headline(entry)}`], rest)
}

/** Before a text becomes YAML: a mark before one of its lines would stand at the beginning of a line of the YAML, and end it. */
export const READY_TELLING = { tell: neutralise, mostCharacters: MAX_CHARACTERS }

/** A text that is an answer already. */
export function readyText(
  text: string,
  memory: { readonly store: { takeDegraded(): readonly Degradation[] } },
): string {
  return bounded([text], { degraded: memory.store.takeDegraded() })
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

interface SkillView {
  readonly name: string
  readonly description: string
  readonly scope: string
  readonly path: string
}

export function skillRows(
  output: Degraded & {
    readonly skills?: readonly SkillView[]
    readonly skill?: SkillView
    readonly outcome?: string
    readonly problems?: readonly { readonly path: string; readonly message: string }[]
    readonly redacted?: readonly { readonly type: string }[]
  },
): string {
  const { skills = [], skill, outcome, problems = [], redacted = [], ...rest } = output
  if (skill !== undefined) {
    const removed = redacted.length === 0 ? [] : ['What looked like a secret was removed from it.']
    return bounded([`Skill ${outcome}: ${skillLine(skill)}`, ...removed], rest)
  }
  const lines = skills.slice(0, MAX_ROWS).map(skillLine)
  const wrong = problems
    .slice(0, MAX_ROWS)
    .map(({ path, message }) => `! ${neutraliseName(path)}: ${neutraliseName(message, 200)}`)
  return bounded(lines.length + wrong.length === 0 ? ['No skills yet.'] : [...lines, ...wrong], rest)
}

function skillLine({ name, description, scope, path }: SkillView): string {
  const where = scope === '' ? '' : ` (${neutraliseName(scope)})`
  return `${neutraliseName(name)}${where}: ${neutraliseName(description, 300)} [${neutraliseName(path, 200)}]`
}

export function entryRow(entry: Entry): string {
  return labels(entry)
}

/** A document of a workspace is called by where it belongs; it is nobody's entry. */
function labels(entry: Entry, document?: DocumentReference): string {
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

/** The file that an agent can open. */
function placeOf(document: DocumentReference | undefined): string[] {
  if (document === undefined) return []
  const { path, line } = document
  return [`file: ${neutraliseName(path, 300)}${line === undefined ? '' : `:${line}`}`]
}

function headline(entry: Entry): string {
  return `[${neutraliseName(entry.id)}] ${neutraliseName(entry.content, HEADLINE_CHARACTERS)}`
}

function marksOf(marks: Marks | undefined): string[] {
  const { supersededBy, newerClaim, conflictsWith, besideMatch } = marks ?? {}
  return [
    ...(besideMatch === undefined ? [] : ['! beside a match in the same session']),
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

/** What could not be looked at is part of the answer, and is never what is cut. */
export function bounded(lines: readonly string[], { degraded = [] }: Degraded): string {
  const notes = degraded.map(
    ({ message }) => `note: ${neutralise(message).replaceAll('\n', ' ').slice(0, 300)}`,
  )
  const text = lines.join('\n')
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n… cut` : text
  return [cut, ...notes].join('\n')
}

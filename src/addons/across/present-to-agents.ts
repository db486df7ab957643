import { neutralise, neutraliseName } from '../../features/brief/decide/fence.ts'
import type {
  EntityEverywhere,
  Everywhere,
  FoundIn,
  LookedAt,
  MetBefore,
  WhoMet,
} from '../../kernel/model/across.ts'
import { bounded } from '../../verbs/agent-text.ts'

/** Entries of other projects cannot be fetched by id, so their text is included; a long one is cut. */
const MAX_OF_ONE = 1_200
const MAX_PLACES = 3

const HEAD =
  'From your other projects too, each named. A fact of a project applies to that project; check it, and never copy confidential content between projects.'

export function foundEverywhere({ hits, ...rest }: Everywhere): string {
  const rows = hits.map(({ from, content }) => [...placesOf(from), cut(content)].join('\n'))
  return answerOf(rows, rest)
}

export function metBefore({ hits, query, ...rest }: WhoMet): string {
  const rows = hits.map((hit: MetBefore) =>
    [
      ...placesOf(hit.from),
      ...(hit.says === undefined ? [] : [`what helped: ${neutralise(hit.says)}`]),
      cut(hit.content),
    ].join('\n'),
  )
  return answerOf([`Looked for: ${neutraliseName(query, 400)}`, ...rows], rest, rows.length === 0)
}

export function entityRows({ entities, ...rest }: EntityEverywhere): string {
  const rows = entities.map(({ type, name, in: places, related, relations }) =>
    [
      `${type}:${neutraliseName(name, 200)}`,
      ...places.map(
        ({ project, entries, newest }) =>
          `- ${neutraliseName(project.name)}: ${entries} ${newest.map(({ headline }) => neutraliseName(headline, 120)).join(' | ')}`,
      ),
      ...relations.map(
        ({ from, relation, to }) => `- ${neutraliseName(from.name)} ${relation} ${neutraliseName(to.name)}`,
      ),
      ...(related.length === 0
        ? []
        : [`beside it: ${neutraliseName(related.map(each => each.name).join(', '), 400)}`]),
    ].join('\n'),
  )
  return answerOf(rows, rest)
}

function placesOf(from: readonly FoundIn[]): string[] {
  const lines = from
    .slice(0, MAX_PLACES)
    .map(({ project, entry, agent, kind, date, session, files, document, replacedBy }) =>
      [
        `${neutraliseName(project.name)}${project.isHere ? ' (this project)' : ''} [${neutraliseName(entry)}]`,
        neutraliseName(kind),
        neutraliseName(document?.scope ?? agent),
        date.slice(0, 10),
        ...(document === undefined ? [] : [neutraliseName(document.path, 200)]),
        ...(session === undefined ? [] : [`session ${neutraliseName(session)}`]),
        ...(files.length === 0 ? [] : [neutraliseName(files.join(', '), 200)]),
        ...(replacedBy === undefined ? [] : [`superseded by [${neutraliseName(replacedBy)}]`]),
      ].join(' · '),
    )
  return from.length <= MAX_PLACES ? lines : [...lines, `and in ${from.length - MAX_PLACES} more places`]
}

function cut(content: string): string {
  const text = neutralise(content)
  return text.length <= MAX_OF_ONE ? text : `${text.slice(0, MAX_OF_ONE)}… cut`
}

function answerOf(
  rows: readonly string[],
  { searched, degraded }: LookedAt,
  isEmpty = rows.length === 0,
): string {
  const end = `${searched} ${searched === 1 ? 'project' : 'projects'} searched.`
  const lines = isEmpty ? [...rows, `Nothing found; ${end}`] : [HEAD, '', rows.join('\n\n'), '', end]
  return bounded(lines, { degraded })
}

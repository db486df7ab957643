import { highlight } from '../../features/search/present-hits.ts'
import type { EntityAcross, FoundAcross, FoundIn, LookedAt, ProjectName } from '../../kernel/model/across.ts'
import type { EntityRef } from '../../kernel/model/graph.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { Presenters } from '../../verbs/presenter.ts'

const MAX_PLACES = 4
const MAX_RELATED = 8

/** Results of several projects: each line names its project. */
export const ACROSS_PRESENTERS = {
  everywhere(output, terminal): void {
    for (const hit of output.hits) terminal.out(foundText(hit, terminal))
    presentLookedAt(output, output.hits.length === 0, terminal)
  },
  met(output, terminal): void {
    terminal.out(terminal.dim(`Looked for: ${visible(output.query)}\n`))
    for (const hit of output.hits) {
      terminal.out(foundText(hit, terminal))
      if (hit.says !== undefined) terminal.out(`      ${terminal.good('→')} ${oneLine(hit.says)}\n`)
    }
    presentLookedAt(output, output.hits.length === 0, terminal)
  },
  entity(output, terminal): void {
    for (const entity of output.entities) terminal.out(entityText(entity, terminal))
    presentLookedAt(output, output.entities.length === 0, terminal)
  },
} satisfies Partial<Presenters>

function foundText({ score, text, matches, from }: FoundAcross, terminal: Terminal): string {
  const shown = from.slice(0, MAX_PLACES)
  const more =
    from.length > shown.length ? [`      ${terminal.dim(`and ${from.length - shown.length} more`)}\n`] : []
  const places = shown.map((place, at) => {
    const head = at === 0 ? `${terminal.bold(score.toFixed(2))}  ` : '      '
    return `${head}${placeText(place, terminal)}\n`
  })
  return [...places, ...more, `      ${highlight(text, matches, terminal)}\n`].join('')
}

function placeText(place: FoundIn, terminal: Terminal): string {
  const { project, entry, agent, kind, date, session, files, document, replacedBy } = place
  const facts = [
    visibleName(kind),
    visibleName(document?.scope ?? agent),
    // A document has no date.
    ...(date === '' ? [] : [date.slice(0, 10)]),
    ...(document === undefined ? [] : [visible(document.path)]),
    ...(session === undefined ? [] : [`session ${visibleName(session)}`]),
    ...(files.length === 0 ? [] : [oneLine(files.join(', ')).slice(0, 120)]),
  ]
  const replaced = replacedBy === undefined ? '' : terminal.bad(`  superseded by ${visibleName(replacedBy)}`)
  return `${projectText(project, terminal)} ${terminal.accent(visibleName(entry))}  ${terminal.dim(facts.join(' · '))}${replaced}`
}

function projectText({ name, isHere }: ProjectName, terminal: Terminal): string {
  return isHere
    ? `${terminal.bold(visibleName(name))} ${terminal.dim('(here)')}`
    : terminal.bold(visibleName(name))
}

function entityText(
  { type, name, entries, in: places, related, relations }: EntityAcross,
  terminal: Terminal,
): string {
  const lines = [
    `${terminal.accent(`${type}:${oneLine(name)}`)}  ${terminal.dim(`${counted(entries, 'entry', 'entries')} in ${counted(places.length, 'project', 'projects')}`)}`,
  ]
  for (const { project, entries: own, newest } of places) {
    lines.push(`      ${projectText(project, terminal)}  ${terminal.dim(counted(own, 'entry', 'entries'))}`)
    for (const { id, headline, date } of newest)
      lines.push(`        ${terminal.dim(`${date.slice(0, 10)} ${visibleName(id)}`)}  ${oneLine(headline)}`)
  }
  if (relations.length > 0)
    lines.push(
      `      states: ${relations
        .slice(0, MAX_RELATED)
        .map(({ from, relation, to }) => `${refText(from)} ${relation.replaceAll('_', ' ')} ${refText(to)}`)
        .join('; ')}`,
    )
  if (related.length > 0)
    lines.push(`      beside it: ${related.slice(0, MAX_RELATED).map(refText).join(', ')}`)
  return `${lines.join('\n')}\n`
}

function refText({ type, name }: EntityRef): string {
  return oneLine(`${type}:${name}`)
}

function presentLookedAt({ searched, closed }: LookedAt, isEmpty: boolean, terminal: Terminal): void {
  if (isEmpty) terminal.out('Nothing found.\n')
  const others = closed === 0 ? '' : `; ${closed} not open to others`
  terminal.out(terminal.dim(`${counted(searched, 'project', 'projects')} searched${others}.\n`))
}

function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`
}

function oneLine(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim())
}

import type { Entry } from '../../kernel/model/entry.ts'
import type { Freshness } from '../../kernel/model/freshness.ts'
import type { Hit, MatchSpan } from '../../kernel/model/search.ts'
import type { Marks } from '../../kernel/model/selection.ts'
import { unmergedNote, unmergedSideOf } from '../../kernel/model/unmerged.ts'
import type { DocumentReference } from '../../kernel/model/workspace.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import { freshnessNote } from '../freshness/present-freshness.ts'

/** `archived`: in which batch of the archive it is. */
type ShownHit = Hit & { readonly archived?: string }

/** Apart from the other screens, so that a search need not load those. */
export function presentHits({ hits }: { hits: readonly ShownHit[] }, terminal: Terminal): void {
  const lines = hits.map(
    ({ score, entry, document, snippet, matches, marks, freshness, archived }) =>
      `${terminal.bold(score.toFixed(2))}  ${archived === undefined ? '' : 'archived · '}${labels(entry, terminal, document)}\n      ${highlight(snippet, matches, terminal)}\n${marksText(
        marks,
      )
        .map(text => `      ${terminal.bad(text)}\n`)
        .join('')}${noteLine(freshness, terminal)}${placeLine(document, terminal)}`,
  )
  terminal.out(lines.length === 0 ? 'Nothing found.\n' : lines.join(''))
}

export function noteLine(freshness: Freshness | undefined, terminal: Terminal): string {
  const note = freshnessNote(freshness, terminal)
  return note === undefined ? '' : `      ${note}\n`
}

function placeLine(document: DocumentReference | undefined, terminal: Terminal): string {
  return document === undefined ? '' : `      ${terminal.dim(documentPlace(document))}\n`
}

export function labels(entry: Entry, terminal: Terminal, document?: DocumentReference): string {
  const pin = entry.status === 'pinned' ? 'pinned · ' : entry.status === 'candidate' ? 'candidate · ' : ''
  const tags = entry.tags.length === 0 ? '' : `  ${visible(entry.tags.map(tag => `#${tag}`).join(' '))}`
  const facts =
    document === undefined
      ? `${pin}${visibleName(entry.kind)} · ${entry.agent} · ${entry.date.slice(0, 10)}`
      : documentLabels(document, entry.date)
  const side = unmergedSideOf(entry)
  const unmerged = side === undefined ? '' : ` · ${terminal.bad(unmergedNote(side))}`
  return `${terminal.accent(visibleName(entry.id))}  ${facts}${unmerged}${tags === '' ? '' : terminal.dim(tags)}`
}

/** The notes on an entry, one line each. */
export function marksText({
  supersededBy,
  newerClaim,
  conflictsWith,
  besideMatch,
  changedFiles = [],
}: Marks = {}): string[] {
  return [
    ...(besideMatch === undefined ? [] : ['next to a match in the same session']),
    ...(supersededBy === undefined ? [] : [`superseded by ${visibleName(supersededBy)}`]),
    ...(newerClaim === undefined ? [] : [`newer claim: ${visibleName(newerClaim)}`]),
    ...(conflictsWith === undefined
      ? []
      : [
          `in conflict with ${visibleName(conflictsWith.id)}: ${visibleName(conflictsWith.content.slice(0, 80))}`,
        ]),
    ...(changedFiles.length === 0 ? [] : [`changed since: ${visibleName(changedFiles.join(', '))}`]),
  ]
}

export function highlight(snippet: string, matches: readonly MatchSpan[], terminal: Terminal): string {
  let shown = ''
  let at = 0
  for (const { start, end } of matches) {
    shown += visible(snippet.slice(at, start)) + terminal.bold(visible(snippet.slice(start, end)))
    at = end
  }
  return shown + visible(snippet.slice(at))
}

/** `plan · devtools/common · 2026-02-08 · in_progress` */
export function documentLabels({ kind, scope, status }: DocumentReference, date: string): string {
  return [kind, visibleName(scope), visibleName(date.slice(0, 10)), status]
    .filter(part => part !== undefined && part !== '')
    .join(' · ')
}

/** The file to open, and the line. */
export function documentPlace({ path, line }: DocumentReference): string {
  return visible(line === undefined ? path : `${path}:${line}`)
}

export function presentDocument(
  { entry, document, isCut }: { entry: Entry; document: DocumentReference; isCut: boolean },
  terminal: Terminal,
): void {
  terminal.out(
    `${terminal.accent(visibleName(entry.id))}  ${terminal.dim(documentLabels(document, entry.date))}\n`,
  )
  if (entry.tags.length > 0) terminal.out(`${visible(entry.tags.map(tag => `#${tag}`).join(' '))}\n`)
  terminal.out(`${documentPlace(document)}\n\n${visible(entry.content)}\n`)
  if (isCut)
    terminal.out(terminal.dim('\nOnly its beginning is searched and shown; the file has the rest.\n'))
}

export function documentsLine({
  count,
  waiting,
}: {
  readonly count: number
  readonly waiting: number
}): string {
  const without = waiting === 0 ? '' : `, ${waiting} waiting for their vectors`
  return `${count} ${count === 1 ? 'document' : 'documents'} of workspaces${without}\n`
}

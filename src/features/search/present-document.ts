import type { Entry } from '../../kernel/model/entry.ts'
import type { DocumentReference } from '../../kernel/model/workspace.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'

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

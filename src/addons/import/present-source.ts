import type { Problem } from '../../kernel/model/search.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import type { SourceView, SyncedView } from './verbs/source.ts'

const MAX_FAILURES = 5

export const SOURCE_PRESENTERS = {
  'source add': presentSourceAdded,
  'source list': presentSources,
  'source remove': presentSourceRemoved,
  'source sync': presentSynced,
  'source allow': presentSourceAllow,
  'import sync': presentHostsSynced,
} satisfies Partial<Presenters>

function presentSourceAdded({ source, isNew }: AnswerOf<'source add'>, terminal: Terminal): void {
  terminal.out(`${isNew ? 'Added' : 'Changed'}: ${sourceLine(source, terminal)}`)
  terminal.out(terminal.dim(`cairn source sync ${source.id} imports it.\n`))
}

function presentSources({ sources, problems }: AnswerOf<'source list'>, terminal: Terminal): void {
  if (sources.length === 0) terminal.out('No import sources. `cairn source add <path>` names one.\n')
  for (const source of sources) {
    terminal.out(sourceLine(source, terminal))
    terminal.out(`      ${stateOf(source, terminal)}\n`)
  }
  presentProblems(problems, terminal)
}

function sourceLine({ id, type, path, agent }: SourceView, terminal: Terminal): string {
  const facts = agent === undefined ? type : `${type} · ${agent}`
  return `${terminal.accent(visibleName(id))}  ${terminal.dim(visibleName(facts))}  ${visible(path)}\n`
}

function stateOf(source: SourceView, terminal: Terminal): string {
  if (!source.allowed)
    return `${terminal.bad('not allowed')}  it was not added on this machine: cairn source allow`
  if (source.lastSyncedAt === null || source.lastSyncStatus === null) return terminal.dim('never synced')
  const moment = source.lastSyncedAt.slice(0, 16).replace('T', ' ')
  const status = source.lastSyncStatus
  const shown = status === 'succeeded' ? terminal.good(status) : terminal.bad(status)
  const why = source.lastSyncError === null ? '' : `: ${visible(source.lastSyncError)}`
  return `${shown} ${terminal.dim(`${moment} UTC, ${source.lastImportedCount} added`)}${why}`
}

function presentSynced(output: AnswerOf<'source sync'>, terminal: Terminal): void {
  if (output.synced.length === 0) terminal.out('No import sources. `cairn source add <path>` names one.\n')
  for (const one of output.synced) {
    const { id, status, error, files, added, duplicates, failed } = one
    if (status === 'not_allowed' || status === 'failed') {
      terminal.out(
        `${terminal.accent(visibleName(id))}  ${terminal.bad(status.replace('_', ' '))}: ${visible(error ?? '')}\n`,
      )
      continue
    }
    const what = `${files.read} of ${files.seen} ${files.seen === 1 ? 'file' : 'files'} read, ${added} ${output.dryRun ? 'would be added' : 'added'}, ${duplicates} known already, ${failed} not taken`
    terminal.out(`${terminal.accent(visibleName(id))}  ${what}\n`)
    presentFailures(one, terminal)
  }
  presentProblems(output.problems, terminal)
}

function presentHostsSynced(output: AnswerOf<'import sync'>, terminal: Terminal): void {
  if (output.synced.length === 0)
    terminal.out('No agent on this machine keeps a transcript of a session in this project.\n')
  for (const one of output.synced) {
    const { id, status, error, files, added, duplicates, transcripts = { cold: 0, captured: 0 } } = one
    const name = terminal.accent(visibleName(id))
    if (status === 'failed') {
      terminal.out(`${name}  ${terminal.bad('failed')}: ${visible(error ?? '')}\n`)
      continue
    }
    const facts = [
      `${added} ${output.dryRun ? 'would be taken in' : 'taken in'}`,
      ...(duplicates > 0 ? [`${duplicates} known already`] : []),
      ...(transcripts.captured > 0 ? [`${transcripts.captured} captured by hooks`] : []),
      ...(transcripts.cold > 0 ? [`${transcripts.cold} cold`] : []),
    ]
    const seen = `${files.seen} ${files.seen === 1 ? 'transcript' : 'transcripts'}, ${files.read} read`
    terminal.out(`${name}  ${terminal.dim(`${seen}:`)} ${facts.join(', ')}\n`)
    presentFailures(one, terminal)
  }
  if (output.synced.some(({ transcripts }) => (transcripts?.cold ?? 0) > 0))
    terminal.out(
      terminal.dim(
        'Cold transcripts stay where they are: `cairn search --cold` searches them. --since or --most imports more.\n',
      ),
    )
  presentProblems(output.problems, terminal)
}

function presentFailures({ failures, error }: SyncedView, terminal: Terminal): void {
  for (const { file, line, message } of failures.slice(0, MAX_FAILURES))
    terminal.out(
      `      ${terminal.bad('Skipped')} ${visible(`${file}${line === undefined ? '' : `:${line}`}: ${message}`)}\n`,
    )
  if (failures.length > MAX_FAILURES)
    terminal.out(terminal.dim(`      ${failures.length - MAX_FAILURES} more; --json names them\n`))
  if (failures.length === 0 && error !== null)
    terminal.out(`      ${terminal.bad('Skipped')} ${visible(error)}\n`)
}

function presentSourceRemoved({ removed }: AnswerOf<'source remove'>, terminal: Terminal): void {
  terminal.out(`Removed: ${sourceLine(removed, terminal)}`)
  terminal.out(terminal.dim('What it gave stays in the memory.\n'))
}

function presentSourceAllow(output: AnswerOf<'source allow'>, terminal: Terminal): void {
  const { waiting, code, allowed } = output
  if (allowed.length > 0) terminal.out(`Allowed on this machine: ${visibleName(allowed.join(', '))}\n`)
  else if (waiting.length === 0) terminal.out('Every import source was added or allowed on this machine.\n')
  for (const source of waiting) terminal.out(sourceLine(source, terminal))
  if (code !== null)
    terminal.out(`These were not added on this machine. To have them read: cairn source allow ${code}\n`)
  presentProblems(output.problems, terminal)
}

function presentProblems(problems: readonly Problem[], terminal: Terminal): void {
  for (const { message, hint } of problems)
    terminal.out(`${terminal.bad('Problem')} ${visible(message)}\n      ${terminal.dim(visible(hint))}\n`)
}

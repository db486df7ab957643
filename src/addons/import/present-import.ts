import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

export const IMPORT_PRESENTERS = {
  import: presentImport,
  'import discover': presentDiscovered,
  migrate: presentMigrated,
} satisfies Partial<Presenters>

interface TroubleView {
  readonly file: string
  readonly line?: number
  readonly message: string
}

function presentImport(report: AnswerOf<'import'>, terminal: Terminal): void {
  const isLines = report.from === 'jsonl'
  terminal.out(
    `Read ${report.read} ${isLines ? 'lines' : `things (${report.from})`}: ${report.added} ${report.dryRun ? 'would be added' : 'added'}, ${report.duplicates} known already, ${report.failed} not taken`,
  )
  terminal.out(report.redacted === 0 ? '.' : `; ${report.redacted} secrets removed.`)
  terminal.out(report.dryRun ? ' Nothing was written.\n' : '\n')
  if (!isLines) {
    const width = Math.max(0, ...report.went.map(({ what }) => what.length))
    for (const { what, to, count } of report.went)
      terminal.out(
        `  ${String(count).padStart(6)} ${what.padEnd(width)}  ${terminal.dim('→')} ${visible(to)}\n`,
      )
  }
  for (const trouble of report.failures)
    terminal.out(`  ${placeOf(trouble, isLines)}: ${visible(trouble.message)}\n`)
  for (const trouble of report.remarks)
    terminal.out(terminal.dim(`  ${placeOf(trouble, isLines)}: ${visible(trouble.message)}\n`))
  const { waiting } = report.vectors
  if (waiting > 0)
    terminal.out(`${waiting} entries still wait for their vector; \`cairn embed\` makes them all.\n`)
}

const MAX_UNIT_LENGTH = 100

function presentDiscovered({ found }: AnswerOf<'import discover'>, terminal: Terminal): void {
  if (found.length === 0) {
    terminal.out(
      'Nothing was found here that Cairn knows how to import. `cairn import <file or folder>` takes any.\n',
    )
    return
  }
  const here = found.filter(({ outside }) => !outside)
  const there = found.filter(({ outside }) => outside)
  if (here.length > 0) terminal.out('In this project:\n')
  for (const { count, unit, command } of here)
    terminal.out(
      `  ${String(count).padStart(6)} ${visible(short(unit))}\n         ${terminal.accent(command)}\n`,
    )
  if (there.length > 0) terminal.out('Outside the project, stored by other tools:\n')
  for (const { count, unit, path, command } of there)
    terminal.out(
      `  ${(count === null ? '?' : String(count)).padStart(6)} ${unit} in ${visible(path)}\n         ${terminal.accent(command)}\n`,
    )
  if (there.some(({ count }) => count === null))
    terminal.out(terminal.dim('Nothing outside was opened: `cairn import discover --outside` counts it.\n'))
  terminal.out(terminal.dim('--dry-run shows what would be added; `cairn undo` takes an import back.\n'))
}

function short(text: string): string {
  return text.length <= MAX_UNIT_LENGTH ? text : `${text.slice(0, MAX_UNIT_LENGTH - 1)}…`
}

function placeOf({ file, line }: TroubleView, isLines: boolean): string {
  if (isLines) return `line ${line}`
  return visible(line === undefined ? file : `${file}:${line}`)
}

interface ListedEntry {
  readonly id: string
  readonly text: string
}

export function presentMigrated(
  { dryRun, files, trust, layout }: AnswerOf<'migrate'>,
  terminal: Terminal,
): void {
  const isNothing = [
    ...[files, trust.toAgent, trust.toSuggestion, trust.archived],
    ...[layout.toLocal, layout.toFiles, layout.copies],
  ].every(list => list.length === 0)
  if (isNothing) terminal.out('Nothing to migrate: this memory is up to date.\n')
  const showEntries = (entries: readonly ListedEntry[], line: string) => {
    if (entries.length === 0) return
    terminal.out(`${line}\n`)
    for (const { id, text } of entries.slice(0, MAX_SHOWN))
      terminal.out(`  ${terminal.dim(visible(id))}  ${visible(text)}\n`)
    if (entries.length > MAX_SHOWN)
      terminal.out(`  ${terminal.dim(`and ${entries.length - MAX_SHOWN} more: --json lists all`)}\n`)
  }
  const counted = ({ length }: readonly ListedEntry[], one = 'entry', many = 'entries') =>
    `${length} ${length === 1 ? one : many}`
  const moved = (what: string, to: string) =>
    dryRun ? `Would move ${what} to ${to}` : `${what} moved to ${to}`
  const became = dryRun ? 'would become' : 'became'
  showEntries(trust.toAgent, `${counted(trust.toAgent)} saved by agents ${became} candidates of the agent`)
  showEntries(
    trust.toSuggestion,
    `${counted(trust.toSuggestion)} confirmed by use alone ${became} suggestions, listed by \`cairn review\``,
  )
  showEntries(
    trust.archived,
    moved(
      counted(trust.archived, 'suggestion', 'suggestions'),
      'the archive, above the limit of 30 (`cairn restore` brings one back)',
    ),
  )
  showEntries(
    layout.toLocal,
    moved(
      counted(layout.toLocal, 'unconfirmed entry or handoff', 'unconfirmed entries and handoffs'),
      '.memory/local/ (ignored by git)',
    ),
  )
  showEntries(
    layout.toFiles,
    moved(
      counted(layout.toFiles),
      layout.toFiles.length === 1
        ? 'its own file'
        : 'files of their own, so that branches merge without conflicts',
    ),
  )
  const copies = `${counted(layout.copies, 'second copy', 'second copies')} of entries`
  showEntries(layout.copies, dryRun ? `Would remove ${copies}` : `${copies} removed`)
  if (trust.record !== null) terminal.out(`${terminal.dim('`cairn undo` reverts this.')}\n`)
  if (layout.git.length > 0) {
    terminal.out(
      dryRun ? 'After migrating, commit with:\n' : 'Git still tracks the old files. To commit the change:\n',
    )
    for (const command of layout.git) terminal.out(`  ${terminal.accent(command)}\n`)
  }
  for (const { file, agent, entries, reason } of files) {
    terminal.out(
      reason === undefined
        ? `${terminal.good(visible(file))} → ${agent}/  ${entries} ${entries === 1 ? 'entry' : 'entries'}\n`
        : `${visible(file)} left as it is: ${visible(reason)}\n`,
    )
  }
}

const MAX_SHOWN = 10

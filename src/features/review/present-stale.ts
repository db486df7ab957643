import { isLocalPath, pageFolderOf } from '../../kernel/model/vault-layout.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import type { StaleProposalView, StaleView } from './verbs/review-stale.ts'

const MAX_PROBLEMS = 5
/** Pages that a split would fill, by name. */
const MAX_PAGES = 4

export const STALE_PRESENTERS = {
  'review apply': presentApplied,
  'review dismiss': presentDismissed,
} satisfies Partial<Presenters>

export function presentStale(stale: StaleView, total: number, terminal: Terminal): void {
  const { proposals, totals, dismissed, problems } = stale
  const all = Object.values(totals).reduce((sum, count) => sum + count, 0)
  if (all === 0) terminal.out(`Nothing of ${counted(stale.entries, 'entry', 'entries')} looks stale.\n`)
  for (const proposal of proposals) presentProposal(proposal, terminal)
  if (all > 0) {
    const kinds = Object.entries(totals).flatMap(([kind, count]) =>
      count === 0 ? [] : [`${count} to ${kind}`],
    )
    const shown =
      total > proposals.length ? `${proposals.length} of ${total} shown (--limit, --offset, --kind)` : ''
    terminal.out(terminal.dim(`${[kinds.join(', '), shown].filter(part => part !== '').join('; ')}.\n`))
    terminal.out(terminal.dim('cairn review apply|dismiss <id>; --dry-run shows first.\n'))
  }
  if (dismissed > 0) terminal.out(terminal.dim(`${dismissed} dismissed before.\n`))
  for (const { path, line, message } of problems.slice(0, MAX_PROBLEMS)) {
    const at = `${path}${line === undefined ? '' : `:${line}`}`
    const told = message.startsWith(path) ? message : `${at}: ${message}`
    terminal.out(`${terminal.bad('Problem')} ${visible(told)}\n`)
  }
  if (problems.length > MAX_PROBLEMS)
    terminal.out(terminal.dim(`${problems.length - MAX_PROBLEMS} more: cairn doctor\n`))
}

function presentProposal(proposal: StaleProposalView, terminal: Terminal): void {
  const { id, kind, what, text, other, reasons } = proposal
  terminal.out(
    `${terminal.accent(id)}  ${kind.padEnd(7)}  ${visibleName(what)}  ${terminal.dim(visible(reasons.map(reasonText).join('; ')))}\n`,
  )
  if (text !== '') terminal.out(`      ${cut(visible(text), terminal)}\n`)
  if (other !== undefined)
    terminal.out(`      ${terminal.dim('now:')} ${cut(visible(other.text), terminal, 5)}\n`)
  terminal.out(`      ${terminal.dim(visible(`→ ${stepText(proposal)}`))}\n`)
}

function reasonText(reason: StaleProposalView['reasons'][number]): string {
  switch (reason.code) {
    case 'too_many_entries':
      return `${reason.entries} entries, more than ${reason.most}`
    case 'contradicted':
      return `against ${reason.by}`
    case 'superseded':
      return `superseded by ${reason.by}`
    case 'orphaned':
    case 'drifted':
      return reason.files.join(', ')
    case 'unused':
      return `never used in ${reason.days} days`
  }
}

function stepText({ does, byNameOnly }: StaleProposalView): string {
  switch (does.kind) {
    case 'split': {
      if (does.of === 'vault' && !isLocalPath(does.file))
        return `${counted(does.moves.length, 'gets a file of its own', 'get files of their own')} in ${pageFolderOf(does.file)}/; ${does.stays} stay`
      const pages = does.moves.slice(0, MAX_PAGES).map(({ to, count }) => `${count} to ${to}`)
      const more = does.moves.length - pages.length
      return `${[...pages, ...(more > 0 ? [`${more} more pages`] : [])].join(', ')}; ${does.stays} stay`
    }
    case 'settle':
      return `${does.holds} holds, this one is told no more`
    case 'archive':
      return byNameOnly ? 'to the archive, if you name it' : 'to the archive'
    case 'confirm':
      return 'say that it still holds; --archive puts it away instead'
  }
}

const MAX_LISTED = 20

function presentApplied(output: AnswerOf<'review apply'>, terminal: Terminal): void {
  const { applied, left, toBeNamed, batch, isDryRun } = output
  for (const { proposal } of applied.slice(0, MAX_LISTED)) {
    const done = isDryRun ? 'Would' : terminal.good('Done:')
    terminal.out(`${done} ${proposal.kind} ${visibleName(proposal.what)}\n`)
    if (proposal.text !== '') terminal.out(`      ${cut(visible(proposal.text), terminal)}\n`)
    if (proposal.kind === 'split' || proposal.kind === 'settle')
      terminal.out(`      ${terminal.dim(visible(`→ ${stepText(proposal)}`))}\n`)
  }
  if (applied.length > MAX_LISTED) terminal.out(terminal.dim(`… and ${applied.length - MAX_LISTED} more\n`))
  if (applied.length === 0 && left.length === 0) terminal.out('There is nothing to do.\n')
  for (const { proposal, why } of left)
    terminal.out(`${terminal.bad('Left')} ${visibleName(proposal.what)}: ${visible(why)}\n`)
  if (toBeNamed > 0)
    terminal.out(
      terminal.dim(
        `${toBeNamed} that a person wrote, pinned or confirmed stay; name them to archive them.\n`,
      ),
    )
  if (isDryRun || applied.length === 0) return
  const records = new Set(applied.map(({ record }) => record)).size
  const undo =
    records > 1
      ? '`cairn undo` takes back the last, `cairn log` names the others'
      : '`cairn undo` takes it back'
  const back = batch === null ? undo : `${undo}; \`cairn restore ${batch}\` brings back what was archived`
  terminal.out(terminal.dim(`${back}.\n`))
}

function presentDismissed({ dismissed }: AnswerOf<'review dismiss'>, terminal: Terminal): void {
  for (const { kind, what } of dismissed) terminal.out(`Dismissed: ${kind} ${visibleName(what)}\n`)
  terminal.out(terminal.dim('Not proposed again until it changes; `cairn undo` takes that back.\n'))
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

function cut(line: string, terminal: Terminal, taken = 0): string {
  const room = Math.max(20, terminal.width - 7 - taken)
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`
}

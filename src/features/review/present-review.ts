import { isLocalPath, pageFolderOf } from '../../kernel/model/vault-layout.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import type { StaleProposalView, StaleView } from './verbs/review-stale.ts'

interface ProposalView {
  readonly id: string
  readonly level: string
  readonly writer: string
  readonly content: string
  readonly kind: string
  readonly agent: string
  readonly date: string
  readonly signals: readonly string[]
  readonly speaker?: string
  readonly untrusted?: string
  readonly quarantine?: string
  readonly archived?: string
  readonly change?: ChangeView
  readonly replaces?: { readonly id: string; readonly content: string }
}

interface ChangeView {
  readonly action: string
  readonly by: string
  readonly fields?: {
    readonly content?: string
    readonly kind?: string
    readonly category?: string
    readonly tags?: readonly string[]
    readonly files?: readonly string[]
  }
  readonly saying?: string
}

const ARCHIVED: Readonly<Record<string, string>> = {
  content_too_short: 'archived: too short',
  importance_too_low: 'archived: low importance',
  session_cap: 'archived: its session had better ones',
  project_cap: 'archived: too many were waiting',
}

const UNTRUSTED: Readonly<Record<string, string>> = {
  web: 'a web page was read in this session',
  tool: 'output of an outside tool was read in this session',
  paste: 'a document was pasted in this session',
}
export const REVIEW_PRESENTERS = {
  review: (output, terminal) =>
    output.stale === undefined
      ? presentReview(output, terminal)
      : presentStale(output.stale, output.total, terminal),
  'review apply': presentApplied,
  'review dismiss': presentDismissed,
  'review accept': (output, terminal) => presentReviewed('accepted', output, terminal),
  'review edit': (output, terminal) => presentReviewed('accepted', output, terminal),
  'review reject': (output, terminal) => presentReviewed('rejected', output, terminal),
  'session close': presentClosed,
  'session pick-up': presentPickedUp,
  'session refine': presentRefined,
} satisfies Partial<Presenters>

function presentReview(
  {
    proposals,
    total,
    changes,
    candidates,
    archived,
  }: {
    proposals: readonly ProposalView[]
    total: number
    changes: number
    candidates: number
    archived: number
  },
  terminal: Terminal,
): void {
  const more = archived === 0 ? '' : `${archived} archived: cairn review --archived\n`
  if (total === 0) {
    terminal.out('The review is empty.\n')
    terminal.out(terminal.dim(more))
    return
  }
  let heading = ''
  for (const proposal of proposals) {
    const own = headingOf(proposal, { total, changes, candidates })
    if (own !== heading) terminal.out(`${own}\n`)
    heading = own
    const { change } = proposal
    const facts = [
      ...(change === undefined ? [] : [actionOf(change)]),
      visibleName(proposal.kind),
      change === undefined ? writerOf(proposal) : `requested by ${visibleName(change.by)}`,
      proposal.agent,
      proposal.date.slice(0, 10),
    ]
    terminal.out(`${terminal.accent(visibleName(proposal.id))}  ${terminal.dim(facts.join(' · '))}\n`)
    // In full, because a person cannot judge a part of it.
    const said = visible(proposal.content).replaceAll('\n', '\n      ')
    const why = whyOf(proposal)
    terminal.out(
      `      ${said}\n${changedLines(change)}${replacedLine(proposal)}${why === '' ? '' : `      ${terminal.dim(why)}\n`}`,
    )
  }
  if (total > proposals.length)
    terminal.out(terminal.dim(`${proposals.length} of ${total}; --limit and --offset show more.\n`))
  if (proposals.every(proposal => proposal.archived === undefined)) terminal.out(terminal.dim(more))
  terminal.out(terminal.dim('cairn review accept|reject|edit <id>\n'))
}

function headingOf(
  { level, archived }: ProposalView,
  { total, changes, candidates }: { total: number; changes: number; candidates: number },
): string {
  if (archived !== undefined) return `Archived suggestions (${total})`
  if (level === 'change')
    return `Changes (${changes}): agents propose to change your entries; nothing changes unless you accept`
  return level === 'candidate'
    ? `Candidates (${candidates}): injected, marked as unconfirmed`
    : `Suggestions (${total - changes - candidates}): never injected unless you accept them`
}

function actionOf({ action, saying }: ChangeView): string {
  return saying === undefined ? action : `${action}: ${saying}`
}

/** In full: the new text of the entry. */
function changedLines(change: ChangeView | undefined): string {
  const { content, ...rest } = change?.fields ?? {}
  const lines = [
    ...(content === undefined ? [] : [visible(content).replaceAll('\n', '\n        ')]),
    ...Object.entries(rest).map(
      ([name, value]) => `${name}: ${visible(typeof value === 'string' ? value : value.join(', '))}`,
    ),
  ]
  return lines.map(line => `      → ${line}\n`).join('')
}

/** In full: whoever accepts must see which entry stops being valid. */
function replacedLine({ replaces }: ProposalView): string {
  if (replaces === undefined) return ''
  const text = visible(replaces.content).replaceAll('\n', '\n        ')
  return `      → if accepted, it replaces ${visibleName(replaces.id)}:\n        ${text}\n`
}

function writerOf({ writer, speaker }: ProposalView): string {
  if (writer === 'rule') return speaker === 'user' ? 'your words, found by a rule' : 'found by a rule'
  return writer === 'import' ? 'imported' : `by ${writer}`
}

function whyOf({ signals, untrusted, quarantine, archived }: ProposalView): string {
  const parts = [
    ...(quarantine === undefined ? [] : [`looks like an instruction to an agent: ${quarantine}`]),
    ...(untrusted === undefined ? [] : [UNTRUSTED[untrusted] ?? untrusted]),
    ...(signals.length === 0 ? [] : [`evidence: ${signals.join(', ')}`]),
    ...(archived === undefined ? [] : [ARCHIVED[archived] ?? archived]),
  ]
  return visible(parts.join(' · '))
}

function presentReviewed(
  verb: 'accepted' | 'rejected',
  { reviewed }: { reviewed: readonly { id: string; entry: { id: string; content: string } | null }[] },
  terminal: Terminal,
): void {
  for (const { id, entry } of reviewed) {
    const what =
      entry === null ? visibleName(id) : `${visibleName(entry.id)}  ${oneLine(entry.content, terminal)}`
    terminal.out(`${verb === 'accepted' ? terminal.good('Accepted') : 'Rejected'}: ${what}\n`)
  }
  if (verb === 'rejected')
    terminal.out(terminal.dim('It will not be proposed again. `cairn undo` undoes it.\n'))
}

interface ClosedView {
  readonly session: string
  readonly messages: number
  readonly wasClosed: boolean
  readonly findings: readonly {
    readonly content: string
    readonly category: string
    readonly promotedToProjectMemory: boolean
    readonly promotedEntryId?: string
    readonly signals?: readonly string[]
    readonly rejectedBy?: string
    readonly archived?: string
  }[]
  readonly added: readonly string[]
  readonly strengthened: readonly string[]
  readonly handoffs: readonly string[]
  readonly problems: readonly { readonly path: string; readonly line?: number; readonly message: string }[]
}

function presentClosed(closed: AnswerOf<'session close'>, terminal: Terminal): void {
  const name = visibleName(closed.session)
  if (closed.wasClosed) {
    terminal.out(`Session ${name} is already closed and has no new messages.\n`)
    return
  }
  const waiting = closed.findings.filter(
    ({ promotedToProjectMemory, rejectedBy, archived }) =>
      !promotedToProjectMemory && rejectedBy === undefined && archived === undefined,
  )
  terminal.out(
    `Session ${name}, ${counted(closed.messages, 'message')}: ${counted(closed.added.length, 'entry', 'entries')} added, ${closed.strengthened.length} strengthened, ${waiting.length} for review${closed.handoffs.length > 0 ? ', handoff stored' : ''}.\n`,
  )
  for (const finding of closed.findings.filter(({ archived }) => archived === undefined)) {
    const mark = markOf(finding, closed, terminal)
    const why = (finding.signals ?? []).join(', ')
    terminal.out(
      `  ${mark} ${visibleName(finding.category)}: ${oneLine(finding.content, terminal)}${why === '' ? '' : terminal.dim(`  (${visible(why)})`)}\n`,
    )
  }
  for (const { path, line, message } of closed.problems)
    terminal.out(
      `${terminal.bad('Skipped')} ${visible(`${path}${line === undefined ? '' : `:${line}`}: ${message}`)}\n`,
    )
}

/** + new, ^ strengthened, = exists, ? waits for review. */
function markOf(
  { promotedEntryId, promotedToProjectMemory }: ClosedView['findings'][number],
  { added, strengthened }: ClosedView,
  terminal: Terminal,
): string {
  if (!promotedToProjectMemory || promotedEntryId === undefined) return terminal.dim('?')
  if (added.includes(promotedEntryId)) return terminal.good('+')
  return strengthened.includes(promotedEntryId) ? terminal.good('^') : terminal.dim('=')
}

function presentPickedUp({ closed, problems }: AnswerOf<'session pick-up'>, terminal: Terminal): void {
  if (closed.length + problems.length === 0) terminal.out('No open sessions to close.\n')
  for (const each of closed) presentClosed(each, terminal)
  for (const { message } of problems) terminal.out(`${terminal.bad('Not closed')} ${visible(message)}\n`)
}

function presentRefined({ refined }: AnswerOf<'session refine'>, terminal: Terminal): void {
  if (refined.length === 0) terminal.out('No sessions to refine.\n')
  for (const { session, isRefined, added, replaced, tokens } of refined)
    terminal.out(
      isRefined
        ? `Session ${visibleName(session)}: ${counted(added.length, 'entry', 'entries')} added, ${replaced.length} replaced, ${tokens} tokens.\n`
        : `Session ${visibleName(session)} was not changed.\n`,
    )
}

function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}

function oneLine(content: string, terminal: Terminal): string {
  const line = visible(content.slice(0, 2_000).replace(/\s+/g, ' ').trim())
  const room = Math.max(20, terminal.width - 12)
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`
}

const MAX_PROBLEMS = 5
/** How many pages of a split are listed. */
const MAX_PAGES = 4

function presentStale(stale: StaleView, total: number, terminal: Terminal): void {
  const { proposals, totals, dismissed, problems } = stale
  const all = Object.values(totals).reduce((sum, count) => sum + count, 0)
  if (all === 0) terminal.out(`No stale entries among ${counted(stale.entries, 'entry', 'entries')}.\n`)
  for (const proposal of proposals) presentProposal(proposal, terminal)
  if (all > 0) {
    const kinds = Object.entries(totals).flatMap(([kind, count]) =>
      count === 0 ? [] : [`${count} to ${kind}`],
    )
    const shown =
      total > proposals.length ? `${proposals.length} of ${total} shown (--limit, --offset, --kind)` : ''
    terminal.out(terminal.dim(`${[kinds.join(', '), shown].filter(part => part !== '').join('; ')}.\n`))
    terminal.out(terminal.dim('cairn review apply|dismiss <id>; --dry-run shows the effect first.\n'))
  }
  if (dismissed > 0) terminal.out(terminal.dim(`${dismissed} dismissed earlier.\n`))
  for (const { path, line, message } of problems.slice(0, MAX_PROBLEMS)) {
    const at = `${path}${line === undefined ? '' : `:${line}`}`
    const text = message.startsWith(path) ? message : `${at}: ${message}`
    terminal.out(`${terminal.bad('Problem')} ${visible(text)}\n`)
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
        return `${counted(does.moves.length, 'gets a separate file', 'get separate files')} in ${pageFolderOf(does.file)}/; ${does.stays} stay`
      const pages = does.moves.slice(0, MAX_PAGES).map(({ to, count }) => `${count} to ${to}`)
      const more = does.moves.length - pages.length
      return `${[...pages, ...(more > 0 ? [`${more} more pages`] : [])].join(', ')}; ${does.stays} stay`
    }
    case 'settle':
      return `${does.holds} stays valid, this one is no longer injected`
    case 'archive':
      return byNameOnly ? 'archive it, only by id' : 'archive it'
    case 'confirm':
      return 'confirm that it is still valid; --archive archives it instead'
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
  if (applied.length === 0 && left.length === 0) terminal.out('Nothing to do.\n')
  for (const { proposal, why } of left)
    terminal.out(`${terminal.bad('Left')} ${visibleName(proposal.what)}: ${visible(why)}\n`)
  if (toBeNamed > 0)
    terminal.out(
      terminal.dim(
        `${toBeNamed} written, pinned or confirmed by a person were skipped. Archive them by id.\n`,
      ),
    )
  if (isDryRun || applied.length === 0) return
  const records = new Set(applied.map(({ record }) => record)).size
  const undo =
    records > 1 ? '`cairn undo` undoes the last one, `cairn log` lists the others' : '`cairn undo` undoes it'
  const back = batch === null ? undo : `${undo}; \`cairn restore ${batch}\` restores the archived entries`
  terminal.out(terminal.dim(`${back}.\n`))
}

function presentDismissed({ dismissed }: AnswerOf<'review dismiss'>, terminal: Terminal): void {
  for (const { kind, what } of dismissed) terminal.out(`Dismissed: ${kind} ${visibleName(what)}\n`)
  terminal.out(terminal.dim('Not proposed again until it changes. `cairn undo` undoes this.\n'))
}

function cut(line: string, terminal: Terminal, taken = 0): string {
  const room = Math.max(20, terminal.width - 7 - taken)
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`
}

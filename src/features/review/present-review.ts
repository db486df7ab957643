import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import { presentStale } from './present-stale.ts'

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
    terminal.out('Nothing waits for review.\n')
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
      change === undefined ? writerOf(proposal) : `asked by ${visibleName(change.by)}`,
      proposal.agent,
      proposal.date.slice(0, 10),
    ]
    terminal.out(`${terminal.accent(visibleName(proposal.id))}  ${terminal.dim(facts.join(' · '))}\n`)
    // Whole: a person cannot judge a part.
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
    return `Changes (${changes}): agents ask to change entries of yours; nothing changes unless you accept`
  return level === 'candidate'
    ? `Candidates (${candidates}): injected, marked as unconfirmed`
    : `Suggestions (${total - changes - candidates}): never injected unless you accept them`
}

function actionOf({ action, saying }: ChangeView): string {
  return saying === undefined ? action : `${action}: ${saying}`
}

/** Whole too: what the entry would say. */
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

/** Whole too: whoever accepts it must see what no longer holds then. */
function replacedLine({ replaces }: ProposalView): string {
  if (replaces === undefined) return ''
  const text = visible(replaces.content).replaceAll('\n', '\n        ')
  return `      → accepted, it replaces ${visibleName(replaces.id)}:\n        ${text}\n`
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
    terminal.out(terminal.dim('It will not be proposed again; `cairn undo` undoes it.\n'))
}

export interface ClosedView {
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
    terminal.out(`Session ${name} was closed before, and nothing was said since.\n`)
    return
  }
  const waiting = closed.findings.filter(
    ({ promotedToProjectMemory, rejectedBy, archived }) =>
      !promotedToProjectMemory && rejectedBy === undefined && archived === undefined,
  )
  terminal.out(
    `Session ${name}, ${counted(closed.messages, 'message')}: ${counted(closed.added.length, 'entry', 'entries')} added, ${closed.strengthened.length} strengthened, ${waiting.length} for review${closed.handoffs.length > 0 ? ', handoff left' : ''}.\n`,
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

/** + new, ^ strengthened, = there already, ? waits for review. */
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
  if (closed.length + problems.length === 0) terminal.out('No session was left open.\n')
  for (const each of closed) presentClosed(each, terminal)
  for (const { message } of problems) terminal.out(`${terminal.bad('Not closed')} ${visible(message)}\n`)
}

function presentRefined({ refined }: AnswerOf<'session refine'>, terminal: Terminal): void {
  if (refined.length === 0) terminal.out('Nothing to go over.\n')
  for (const { session, isRefined, added, replaced, tokens } of refined)
    terminal.out(
      isRefined
        ? `Session ${visibleName(session)}: ${counted(added.length, 'entry', 'entries')} added, ${replaced.length} replaced, ${tokens} tokens.\n`
        : `Session ${visibleName(session)} stays as it is.\n`,
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

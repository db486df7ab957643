import type { StaleView } from '../../operations/review-stale.ts'
import { presentStale } from './present-stale.ts'
import type { Terminal } from './terminal.ts'
import { visible, visibleName } from './visible.ts'

interface ProposalView {
  readonly id: string
  readonly stage: string
  readonly content: string
  readonly kind: string
  readonly agent: string
  readonly date: string
  readonly signals: readonly string[]
  readonly missing?: string
  readonly speaker?: string
}

const MISSING: Readonly<Record<string, string>> = {
  too_few_points: 'too little speaks for it yet',
  content_too_short: 'too short',
  importance_too_low: 'matters too little',
}

type ReviewedView = Parameters<typeof presentReviewed>[1]

export const REVIEW_PRESENTERS: Readonly<Record<string, unknown>> = {
  review: (output: Parameters<typeof presentReview>[0] & { stale?: StaleView }, terminal: Terminal) =>
    output.stale === undefined
      ? presentReview(output, terminal)
      : presentStale(output.stale, output.total, terminal),
  'review accept': (output: ReviewedView, terminal: Terminal) =>
    presentReviewed('accepted', output, terminal),
  'review edit': (output: ReviewedView, terminal: Terminal) => presentReviewed('accepted', output, terminal),
  'review reject': (output: ReviewedView, terminal: Terminal) =>
    presentReviewed('rejected', output, terminal),
  'session close': presentClosed,
  'session pick-up': presentPickedUp,
  'session refine': presentRefined,
}

function presentReview(
  { proposals, total }: { proposals: readonly ProposalView[]; total: number },
  terminal: Terminal,
): void {
  if (total === 0) {
    terminal.out('Nothing waits for review.\n')
    return
  }
  for (const proposal of proposals) {
    const facts = [
      proposal.stage === 'entry' ? 'candidate' : 'waits',
      visibleName(proposal.kind),
      proposal.agent,
      proposal.date.slice(0, 10),
    ]
    terminal.out(`${terminal.accent(visibleName(proposal.id))}  ${terminal.dim(facts.join(' · '))}\n`)
    // Whole: one cannot judge what one cannot read.
    const said = visible(proposal.content).replaceAll('\n', '\n      ')
    terminal.out(`      ${said}\n      ${terminal.dim(whyOf(proposal))}\n`)
  }
  if (total > proposals.length)
    terminal.out(terminal.dim(`${proposals.length} of ${total}; --limit and --offset show more.\n`))
  terminal.out(terminal.dim('cairn review accept|reject|edit <id>\n'))
}

function whyOf({ speaker, signals, missing }: ProposalView): string {
  const parts = [
    ...(speaker === undefined ? [] : [speaker === 'user' ? 'a person said it' : 'an agent said it']),
    ...(signals.length === 0 ? [] : [`for it: ${signals.join(', ')}`]),
    ...(missing === undefined ? [] : [MISSING[missing] ?? missing]),
  ]
  return parts.length === 0 ? 'not from a session of this memory' : visible(parts.join(' · '))
}

function presentReviewed(
  verb: 'accepted' | 'rejected',
  { reviewed }: { reviewed: readonly { id: string; entry: { id: string; content: string } | null }[] },
  terminal: Terminal,
): void {
  for (const { id, entry } of reviewed) {
    const what =
      entry === null ? visibleName(id) : `${visibleName(entry.id)}  ${oneLine(entry.content, terminal)}`
    terminal.out(`${verb === 'accepted' ? terminal.good('Kept') : 'Rejected'}: ${what}\n`)
  }
  if (verb === 'rejected')
    terminal.out(terminal.dim('It will not be proposed again; `cairn undo` takes that back.\n'))
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
  }[]
  readonly added: readonly string[]
  readonly strengthened: readonly string[]
  readonly handoffs: readonly string[]
  readonly problems: readonly { readonly path: string; readonly line?: number; readonly message: string }[]
}

function presentClosed(closed: ClosedView, terminal: Terminal): void {
  const name = visibleName(closed.session)
  if (closed.wasClosed) {
    terminal.out(`Session ${name} was closed before, and nothing was said since.\n`)
    return
  }
  const waiting = closed.findings.filter(finding => !finding.promotedToProjectMemory)
  terminal.out(
    `Session ${name}, ${counted(closed.messages, 'message')}: ${counted(closed.added.length, 'entry', 'entries')} added, ${closed.strengthened.length} strengthened, ${waiting.length} for review${closed.handoffs.length > 0 ? ', handoff left' : ''}.\n`,
  )
  for (const finding of closed.findings) {
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

function presentPickedUp(
  { closed, problems }: { closed: readonly ClosedView[]; problems: ClosedView['problems'] },
  terminal: Terminal,
): void {
  if (closed.length + problems.length === 0) terminal.out('No session was left open.\n')
  for (const each of closed) presentClosed(each, terminal)
  for (const { message } of problems) terminal.out(`${terminal.bad('Not closed')} ${visible(message)}\n`)
}

function presentRefined(
  {
    refined,
  }: {
    refined: readonly {
      session: string
      isRefined: boolean
      added: readonly string[]
      replaced: readonly string[]
      tokens: number
    }[]
  },
  terminal: Terminal,
): void {
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

import type { Problem } from '../../kernel/model/search.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

/** The screens of all session verbs. */
export const SESSION_PRESENTERS = {
  sessions: presentSessions,
  'session start': presentStarted,
  'session append': presentAppended,
  'session run': presentRun,
  'session checkpoint': presentCheckpoint,
  'session recover': presentRecovery,
  'session sleep': presentSlept,
  'session end': presentEnded,
  'session fork': presentFork,
  'session resume': presentResumed,
  'session show': presentSession,
  agents: presentAgents,
  events: presentEvents,
} satisfies Partial<Presenters>

interface Key {
  readonly session: string
  readonly agent: string
}
interface Head extends Key {
  readonly host: string
  readonly startedAt: string
  readonly parent?: string
  readonly chat?: string
  readonly model?: string
}
interface MessageView {
  readonly role: string
  readonly text: string
  readonly at?: string
  readonly internal?: boolean
}

function presentSessions({ sessions, total, problems }: AnswerOf<'sessions'>, terminal: Terminal): void {
  if (sessions.length === 0) terminal.out('No sessions yet. `cairn session start` starts one.\n')
  for (const one of sessions) {
    const facts = [
      one.agents.join(', '),
      one.host,
      moment(one.activeAt),
      counted(one.messages, 'message'),
      ...(one.findings === undefined
        ? []
        : [`${counted(one.findings, 'finding')}, ${one.promoted ?? 0} stored`]),
      ...(one.parent === undefined ? [] : [`from ${one.parent}`]),
    ]
    terminal.out(
      `${idOf(one.session, terminal)}  ${stateOf(one.state, terminal)} · ${dimmed(facts, terminal)}\n`,
    )
    const line = one.doing ?? one.summary
    if (line !== undefined) terminal.out(`      ${oneLine(line, terminal)}\n`)
    for (const [agent, chat] of Object.entries(one.chats))
      terminal.out(`      ${terminal.dim(visibleName(`chat of ${agent}: ${chat}`))}\n`)
  }
  if (total > sessions.length)
    terminal.out(terminal.dim(`${sessions.length} of ${total}; --limit and --offset show more.\n`))
  presentProblems(problems, terminal)
}

function presentStarted({ isNew, ...head }: AnswerOf<'session start'>, terminal: Terminal): void {
  const what = isNew ? terminal.good('Started') : 'Reopened'
  terminal.out(`${what}: ${idOf(head.session, terminal)}  ${dimmed(factsOf(head), terminal)}\n`)
}

function presentAppended(
  { session, added, count, redacted, cut, skipped, problems }: AnswerOf<'session append'>,
  terminal: Terminal,
): void {
  terminal.out(
    `${counted(added, 'message')} added to ${idOf(session, terminal)}, ${count} in all${removed(redacted)}.\n`,
  )
  if (cut > 0)
    terminal.out(
      `  ${counted(cut, 'message')} too long to store in full (64 KB; tool output 4,000 characters): the rest was left out.\n`,
    )
  for (const { line, message } of problems) terminal.out(`  line ${line} was left out: ${visible(message)}\n`)
  if (skipped > problems.length) terminal.out(`  and ${skipped - problems.length} more.\n`)
}

function presentRun({ session, count, redacted, events }: AnswerOf<'session run'>, terminal: Terminal): void {
  terminal.out(
    `1 tool run added to ${idOf(session, terminal)}, ${count} messages in all${removed(redacted)}.\n`,
  )
  for (const { id, summary } of events)
    terminal.out(`  ${terminal.dim(visibleName(id))}  ${oneLine(summary, terminal)}\n`)
}

function presentCheckpoint(
  { session, savedAt, messages }: AnswerOf<'session checkpoint'>,
  terminal: Terminal,
): void {
  terminal.out(
    `Saved: the last ${counted(messages, 'message')} of ${idOf(session, terminal)}, ${moment(savedAt)}\n`,
  )
}

function presentRecovery(
  { checkpoint, reason, problems }: AnswerOf<'session recover'>,
  terminal: Terminal,
): void {
  if (checkpoint === null)
    terminal.out(visible(`Nothing to recover: ${reason ?? 'there is no checkpoint'}.\n`))
  else {
    const { session, agent, savedAt, chat, model, messages } = checkpoint
    const facts = [agent, moment(savedAt), counted(messages.length, 'message'), ...hostFacts({ chat, model })]
    terminal.out(`${idOf(session, terminal)}  ${dimmed(facts, terminal)}\n`)
    presentMessages(messages, terminal)
  }
  presentProblems(problems, terminal)
}

function presentSlept({ session, handoff, messages }: AnswerOf<'session sleep'>, terminal: Terminal): void {
  terminal.out(`Asleep: ${idOf(session, terminal)}, with its last ${counted(messages, 'message')}\n`)
  if (handoff === null) terminal.out(terminal.dim('      No handoff: no messages since the last one.\n'))
  else {
    terminal.out(`      ${terminal.dim(`handoff ${visibleName(handoff.id)}`)}\n`)
    for (const line of handoff.content.split('\n')) terminal.out(`      ${oneLine(line, terminal)}\n`)
  }
}

function presentEnded({ session, state }: AnswerOf<'session end'>, terminal: Terminal): void {
  terminal.out(
    state === 'closed'
      ? `${idOf(session, terminal)} is already closed.\n`
      : `Ending: ${idOf(session, terminal)}  ${terminal.dim('the next process closes it.')}\n`,
  )
}

function presentFork({ session, parent, agents }: AnswerOf<'session fork'>, terminal: Terminal): void {
  const copies = agents.map(({ agent, messages }) => `${agent} ${counted(messages, 'message')}`)
  terminal.out(
    `${terminal.good('Forked')}: ${idOf(session, terminal)}  ${dimmed([`from ${parent}`, ...copies], terminal)}\n`,
  )
}

function presentResumed({ conversations, problems }: AnswerOf<'session resume'>, terminal: Terminal): void {
  for (const { was, messages, reason, ...head } of conversations) {
    terminal.out(
      `${terminal.good('Open')}: ${idOf(head.session, terminal)}  ${dimmed([`was ${was}`, ...factsOf(head)], terminal)}\n`,
    )
    presentMessages(messages.slice(-6), terminal)
    if (reason !== null) terminal.out(`      ${terminal.dim(visible(`${reason}.`))}\n`)
  }
  presentProblems(problems, terminal)
}

function presentSession(
  { conversations, summary, handoff, findings, problems }: AnswerOf<'session show'>,
  terminal: Terminal,
): void {
  for (const { state, activeAt, total, trimmed, messages, ...head } of conversations) {
    const facts = [
      ...factsOf(head),
      `active ${moment(activeAt)}`,
      counted(total, 'message'),
      ...(trimmed === 0 ? [] : [`${trimmed} more in the archive`]),
    ]
    terminal.out(
      `${idOf(head.session, terminal)}  ${stateOf(state, terminal)} · ${dimmed(facts, terminal)}\n`,
    )
    if (messages.length < total)
      terminal.out(terminal.dim(`      the last ${messages.length}; --limit shows more\n`))
    presentMessages(messages, terminal)
  }
  if (handoff !== undefined) terminal.out(`${visible(handoff.content)}\n`)
  else if (summary !== null && summary !== '') terminal.out(`${visible(summary)}\n`)
  for (const { content, kind, entry } of findings) {
    const mark = entry === null ? terminal.dim('waits for review') : terminal.accent(visibleName(entry))
    terminal.out(`  ${mark}  ${visibleName(kind)}  ${oneLine(content, terminal)}\n`)
  }
  presentProblems(problems, terminal)
}

function presentAgents({ agents, problems }: AnswerOf<'agents'>, terminal: Terminal): void {
  if (agents.length === 0) terminal.out('This agent has no activity in this project.\n')
  for (const { agent, open, doing, done, tasks } of agents) {
    const isIdle = doing.length === 0 && (tasks?.running.length ?? 0) === 0
    terminal.out(`${terminal.bold(visibleName(agent))}${isIdle ? terminal.dim('  idle') : ''}\n`)
    for (const { id, title, since, progress } of tasks?.running ?? []) {
      terminal.out(
        `  now   task ${visibleName(id)}  ${oneLine(title, terminal)} ${terminal.dim(`since ${moment(since)}`)}\n`,
      )
      if (progress !== undefined) terminal.out(`        ${oneLine(progress, terminal)}\n`)
    }
    for (const { session, host, since, messages, request, lastRun } of doing) {
      const facts = [host, `since ${moment(since)}`, counted(messages, 'message')]
      terminal.out(`  now   ${idOf(session, terminal)}  ${dimmed(facts, terminal)}\n`)
      if (request !== undefined) terminal.out(`        ${oneLine(request, terminal)}\n`)
      if (lastRun !== undefined) {
        const outcome = lastRun.ok === undefined ? '' : lastRun.ok ? ' (succeeded)' : ' (failed)'
        terminal.out(`        ran ${oneLine(lastRun.command ?? lastRun.tool, terminal)}${outcome}\n`)
      }
    }
    if (open > doing.length)
      terminal.out(
        terminal.dim(`        the newest ${doing.length} of ${open} open sessions; --limit shows more\n`),
      )
    const active = done.lastActiveAt === undefined ? '' : `, last active ${moment(done.lastActiveAt)}`
    const so = `${counted(done.sessions, 'session')}, ${counted(done.messages, 'message')}, ${done.entries} ${done.entries === 1 ? 'entry' : 'entries'}`
    terminal.out(`  done  ${so}${active}\n`)
    const isShown = (id: string) => doing.some(({ session }) => session === id)
    for (const { session, activeAt, request = '' } of done.recent.filter(one => !isShown(one.session)))
      terminal.out(
        `        ${idOf(session, terminal)}  ${terminal.dim(moment(activeAt))}  ${oneLine(request, terminal)}\n`,
      )
    for (const { id, outcome, title, report } of tasks?.ended ?? [])
      terminal.out(`        task ${visibleName(id)} ${outcome}: ${oneLine(report ?? title, terminal)}\n`)
    if (done.files.length > 0) terminal.out(`        changed ${oneLine(done.files.join(', '), terminal)}\n`)
    if (done.lastHandoff !== undefined)
      terminal.out(
        `        ${terminal.dim(`handoff of ${done.lastHandoff.date}:`)} ${oneLine(done.lastHandoff.content, terminal)}\n`,
      )
  }
  presentProblems(problems, terminal)
}

function presentMessages(messages: readonly MessageView[], terminal: Terminal): void {
  for (const { role, text, internal } of messages)
    terminal.out(
      `      ${terminal.dim(`${visibleName(role)}${internal === true ? ' (internal)' : ''}:`)} ${oneLine(text, terminal)}\n`,
    )
}

function presentProblems(problems: readonly Problem[], terminal: Terminal): void {
  for (const { code, message, hint } of problems)
    terminal.out(`${terminal.bad(code)} ${visible(message)}\n  ${terminal.dim('→')} ${visible(hint)}\n`)
}

function factsOf(head: Head): string[] {
  return [
    head.agent,
    head.host,
    `since ${moment(head.startedAt)}`,
    ...hostFacts(head),
    ...(head.parent === undefined ? [] : [`from ${head.parent}`]),
  ]
}

function hostFacts({ chat, model }: { chat?: string | undefined; model?: string | undefined }): string[] {
  return [...(chat === undefined ? [] : [`chat ${chat}`]), ...(model === undefined ? [] : [model])]
}

function dimmed(facts: readonly string[], terminal: Terminal): string {
  return terminal.dim(facts.map(visibleName).join(' · '))
}

function idOf(session: string, terminal: Terminal): string {
  const id = session.length > 80 ? `${session.slice(0, 79)}…` : session
  return terminal.accent(visibleName(id))
}

function stateOf(state: string, terminal: Terminal): string {
  return state === 'open' ? terminal.good(state) : state
}

function moment(iso: string): string {
  return iso.slice(0, 16)
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function removed(redacted: number): string {
  return redacted === 0 ? '' : `; ${counted(redacted, 'secret')} removed`
}

function oneLine(text: string, terminal: Terminal): string {
  const line = visible(text.slice(0, 2_000).replace(/\s+/g, ' ').trim())
  const room = Math.max(20, terminal.width - 12)
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`
}

function presentEvents({ events, problems }: AnswerOf<'events'>, terminal: Terminal): void {
  if (events.length === 0)
    terminal.out(problems.length === 0 ? 'No events yet.\n' : 'No event can be read.\n')
  for (const { createdAt, sourceId, summary } of events) {
    const line = visible(summary.replace(/\s+/g, ' '))
    terminal.out(`${createdAt.slice(0, 16)}  ${terminal.dim(visible(sourceId))}  ${line}\n`)
  }
  for (const { message, hint } of problems)
    terminal.out(`${terminal.bad('damaged')} ${visible(message)}\n  ${terminal.dim('→')} ${visible(hint)}\n`)
}

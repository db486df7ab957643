import { presentLinkLine } from '../../addons/link/present-link.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import { modelLine } from '../learning/present-model.ts'
import { DISTRUST_WORDS, type ProjectView } from '../projects/verbs/project-view.ts'
import { documentsLine } from '../search/present-hits.ts'
import type { StateView } from '../state/verbs/state-view.ts'
import { presentUpkeep } from '../upkeep/present-upkeep.ts'
import type { Health, SourceHealth, Waiting } from './verbs/health-view.ts'
import type { HookView, ServerView } from './verbs/hook-view.ts'

export const STATUS_PRESENTERS = { status: presentStatus } satisfies Partial<Presenters>

function presentStatus(status: AnswerOf<'status'>, terminal: Terminal): void {
  if (!status.exists) {
    terminal.out(`No memory in ${visible(status.root)} yet. \`cairn init\` creates one.\n`)
    return
  }
  presentHealth(status.health, terminal)
  terminal.out(
    `${terminal.bold(String(status.entries))} ${status.entries === 1 ? 'entry' : 'entries'} in ${status.root}/.memory, ${status.statuses.pinned ?? 0} pinned, ${status.openTasks} open ${status.openTasks === 1 ? 'task' : 'tasks'}\n`,
  )
  presentProject(status.project, terminal)
  for (const { agent, counts } of status.agents) {
    const parts = Object.entries(counts).filter(([, n]) => n > 0)
    terminal.out(
      `  ${agent.padEnd(16)} ${parts.map(([category, n]) => plural(n, category.slice(0, -1))).join(', ')}\n`,
    )
  }
  const last = status.journal.last
  terminal.out(
    `Index ${bytes(status.index.bytes)} (${status.index.mode}), journal ${bytes(status.journal.bytes)}${last === null ? '' : `, last: ${last.action} ${last.at.slice(0, 16)}`}\n`,
  )
  const { vectors, briefs, retrieval } = status
  terminal.out(`Vectors ${vectors.count}${vectors.waiting === 0 ? '' : `, ${vectors.waiting} waiting`}\n`)
  if (status.documents.count > 0) terminal.out(documentsLine(status.documents))
  if (briefs.given > 0) {
    const speed =
      retrieval.p95Ms === null ? '' : `, p95 ${Math.round(retrieval.p95Ms)} ms (${retrieval.state})`
    const last = briefs.last === null ? '' : `, last ${briefs.last.at.slice(0, 16)} (${briefs.last.tokens})`
    terminal.out(
      `Briefs ${briefs.given} injected, ${briefs.silent} silent, ${briefs.tokens} tokens${last}${speed}\n`,
    )
  }
  presentAgentSaves(status.agentSaves, terminal)
  terminal.out(`${modelLine(status.model)}\n`)
  presentState(status.state, terminal)
  presentSources(status.sources, terminal)
  if (status.workspaces > 0) terminal.out(`Workspaces ${status.workspaces}\n`)
  presentServer(status.server, terminal)
  presentLinkLine(status.link, terminal)
  presentHooks(status.hooks, terminal)
  presentUpkeep(status.upkeep, terminal)
  presentWaiting(status, terminal)
  if (status.readOnly !== null) terminal.out(`${terminal.bad('Read-only')}: ${status.readOnly.message}\n`)
  for (const problem of status.problems)
    terminal.out(
      `${terminal.bad(problem.code)} ${visible(placedMessage(problem))}\n  ${terminal.dim('→')} ${visible(problem.hint)}\n`,
    )
}

function presentAgentSaves(
  { mode, asked, answered, tokens }: { mode: string; asked: number; answered: number; tokens: number },
  terminal: Terminal,
): void {
  if (asked === 0 && mode === 'next') return
  terminal.out(
    `Agents asked what they learned: ${asked} ${asked === 1 ? 'time' : 'times'}, ${answered} answered, ${tokens} tokens (agentSaves ${mode})\n`,
  )
}

/** The project, and whether hooks may inject its memory. */
function presentProject({ checkout, by, standing, why }: ProjectView, terminal: Terminal): void {
  if (by === 'worktree')
    terminal.out(terminal.dim(`  in the main checkout; you are in ${visible(checkout)}\n`))
  if (by === 'sharing') terminal.out(terminal.dim(`  shared with ${visible(checkout)}, where you are\n`))
  if (standing === 'trusted') terminal.out('Trusted: agents can read this memory\n')
  if (why === null) return
  terminal.out(
    `${terminal.bad('Agents cannot read this memory')}: ${DISTRUST_WORDS[why]}. \`cairn trust\` shows what is in it and asks.\n`,
  )
}

function presentServer(server: ServerView, terminal: Terminal): void {
  if (server === null) return
  terminal.out(
    `Page at ${terminal.accent(visible(server.address))}, process ${server.pid} since ${moment(server.since)} ${terminal.dim('→')} \`cairn up\` opens it\n`,
  )
}

/** The message with its file, unless it begins with the file. */
function placedMessage({ path, line, message }: Problem): string {
  return message.startsWith(path) ? message : `${path}${line === undefined ? '' : `:${line}`}: ${message}`
}

function presentHealth({ state, reasons }: Health, terminal: Terminal): void {
  if (state === 'well') terminal.out(`${terminal.good('No problems.')}\n`)
  else
    terminal.out(
      `${terminal.bad(state === 'trouble' ? 'Problem' : 'Needs attention')}: ${visible(reasons.join(', '))}\n`,
    )
}

/** `state.json` and later events; empty if the project has no state and no events. */
function presentState(state: StateView, terminal: Terminal): void {
  const { recall, checkpoints, drift, backlog, growth } = state
  const hint = (verb: string) => `${terminal.dim('→')} \`cairn ${verb}\``
  if (state.kind === 'read') {
    const when = recall.lastAt === null ? 'never recalled' : `recalled ${moment(recall.lastAt)}`
    const edited = state.handEdited ? `, ${terminal.bad('edited by hand')}` : ''
    terminal.out(
      `State ${when}, ${plural(checkpoints.count, 'checkpoint')}${edited}${recall.due ? `, due ${hint('recall')}` : ''}\n`,
    )
  } else if (state.kind !== 'none') terminal.out(`State ${terminal.bad(state.kind)}\n`)
  if (drift !== null && checkpoints.latest !== null) {
    const since = [
      plural(drift.events, 'event'),
      plural(drift.entries, 'entry', 'entries'),
      ...(drift.commits === null ? [] : [plural(drift.commits, 'commit')]),
      plural(drift.files, 'file'),
    ].join(', ')
    const sections = drift.sections
      .map(({ section, added, removed }) => `${section} +${added} -${removed}`)
      .join(', ')
    terminal.out(
      `  since the checkpoint of ${moment(checkpoints.latest.at)}: ${since}${sections === '' ? '' : `; bundle: ${sections}`}\n`,
    )
  }
  if (backlog.events > 0) {
    const atLeast = backlog.isWhole ? '' : 'at least '
    const most = backlog.sources
      .slice(0, 3)
      .map(({ source, events }) => `${visibleName(source).slice(0, 40)} ${events}`)
      .join(', ')
    const more = backlog.sources.length > 3 ? ', …' : ''
    const text = `Backlog ${atLeast}${plural(backlog.events, 'event')} (${most}${more})`
    terminal.out(
      `${backlog.isOver ? terminal.bad(text) : text}${backlog.isOver ? ` ${hint('recall')}` : ''}\n`,
    )
  }
  if (growth.entriesMonth + growth.eventsWeek > 0)
    terminal.out(
      `Growth ${plural(growth.entriesWeek, 'entry', 'entries')} in 7 days, ${growth.entriesMonth} in 30; ${plural(growth.eventsWeek, 'event')} in 7 days\n`,
    )
}

const MAX_SOURCES = 5

function presentSources(sources: readonly SourceHealth[], terminal: Terminal): void {
  if (sources.length === 0) return
  terminal.out(`Import sources ${sources.length}\n`)
  for (const { id, type, lastSyncedAt, lastSyncStatus } of sources.slice(0, MAX_SOURCES)) {
    const went =
      lastSyncedAt === null
        ? 'never synced'
        : `${visibleName(lastSyncStatus ?? 'synced')} ${moment(lastSyncedAt)}`
    terminal.out(
      `  ${visibleName(id).padEnd(16)} ${visibleName(type)}, ${lastSyncStatus === 'failed' ? terminal.bad(went) : went}\n`,
    )
  }
  if (sources.length > MAX_SOURCES)
    terminal.out(terminal.dim(`  … and ${sources.length - MAX_SOURCES} more\n`))
}

/** A date from a file may be any text. */
function moment(iso: string): string {
  return visibleName(iso).slice(0, 16).replace('T', ' ')
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

function bytes(count: number): string {
  if (count < 1024) return `${count} B`
  return count < 1_048_576 ? `${(count / 1024).toFixed(0)} KB` : `${(count / 1_048_576).toFixed(1)} MB`
}

/** One line per kind of waiting item. */
function presentWaiting(
  { sessions, waiting }: { readonly sessions: number; readonly waiting: Waiting },
  terminal: Terminal,
): void {
  const line = (what: string, verb: string) =>
    terminal.out(`${what} ${terminal.dim('→')} \`cairn ${verb}\`\n`)
  if (waiting.sessionsLeft > 0)
    line(`Sessions ${sessions}, ${waiting.sessionsLeft} left open`, 'session pick-up')
  else if (sessions > 0) terminal.out(`Sessions ${sessions}\n`)
  if (waiting.review > 0) line(`Review ${waiting.review} waiting`, 'review')
  if (waiting.upgrade > 0)
    line(
      `Upgrade ${waiting.upgrade} ${waiting.upgrade === 1 ? 'entry' : 'entries'} of 0.1.0`,
      'migrate --dry-run',
    )
  if (waiting.conflicts > 0) line(`Conflicts ${waiting.conflicts} open`, 'conflicts')
}

/** Empty if no host has ever called. */
function presentHooks({ calls, waiting, failures }: HookView, terminal: Terminal): void {
  if (calls.length > 0) {
    const hosts = calls.map(
      ({ host, at, event }) => `${visibleName(host)} ${moment(at)} (${visibleName(event)})`,
    )
    const left =
      waiting === 0 ? '' : `; lines of ${waiting} ${waiting === 1 ? 'session' : 'sessions'} waiting`
    terminal.out(`Hooks last called: ${hosts.join(', ')}${left}\n`)
  }
  for (const { at, host, event, code, message } of failures)
    terminal.out(
      `${terminal.bad('hook failed')} ${moment(at)} ${visibleName(host)} ${visibleName(event)}: ${visible(message)} ${terminal.dim(`(${visibleName(code)})`)}\n`,
    )
}

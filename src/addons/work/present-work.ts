import type { TaskState } from '../../kernel/model/task.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import type { TaskView } from './verbs/work-schema.ts'

const MINUTE_MS = 60_000
const MAX_ID_WIDTH = 40

interface GraphView {
  readonly graph: string
  readonly tasks: Readonly<Record<TaskState, number>>
}

export const WORK_PRESENTERS = {
  work: ({ graphs }, terminal) => {
    for (const graph of graphs) terminal.out(graphLine(graph, terminal))
    if (graphs.length === 0) terminal.out('The work board is empty. `cairn work add "…"` adds a task.\n')
  },
  'work add': presentAdded,
  'work plan': presentAdded,
  'work list': ({ tasks, total, now }, terminal) => {
    for (const task of tasks) terminal.out(taskLine(task, now, terminal))
    if (tasks.length === 0) terminal.out('No such tasks.\n')
    if (total > tasks.length)
      terminal.out(terminal.dim(`… ${total} in total; --limit and --offset show more\n`))
  },
  'work show': presentTask,
  'work claim': presentClaimed,
  'work beat': ({ task, cancelled, why }, terminal) => {
    if (cancelled)
      terminal.out(
        `${terminal.bad('Cancelled')}: stop working on ${visibleName(task)}. ${visible(why ?? '')}\n`,
      )
    else terminal.out(`${visibleName(task)} is still yours.\n`)
  },
  'work done': ({ task, freed, repeated, entry }, terminal) => {
    terminal.out(`${repeated ? 'Already done' : 'Done'}: ${visibleName(task.id)}  ${visible(task.title)}\n`)
    if (entry !== null) terminal.out(`Remembered: ${visibleName(entry.id)}\n`)
    if (freed.length > 0) terminal.out(`Ready now: ${freed.map(id => visibleName(id)).join(', ')}\n`)
  },
  'work fail': ({ task }, terminal) => {
    const then =
      task.state === 'failed'
        ? `It is not retried; \`cairn work retry ${visibleName(task.id)}\` opens it.`
        : `It is retried (${task.tries} of ${task.attempts} attempts so far).`
    terminal.out(`Failed: ${visibleName(task.id)}. ${then}\n`)
  },
  'work cancel': ({ cancelled }, terminal) => {
    if (cancelled.length === 0) terminal.out('Was cancelled already.\n')
    for (const { id, title } of cancelled) terminal.out(`Cancelled: ${visibleName(id)}  ${visible(title)}\n`)
  },
  'work retry': ({ opened }, terminal) => {
    for (const { id, state } of opened) terminal.out(`Open again: ${visibleName(id)} is ${state}\n`)
  },
  'work wait': ({ over, stopped, ...graph }, terminal) => {
    terminal.out(graphLine(graph, terminal))
    for (const { id, failure } of stopped)
      terminal.out(`${terminal.bad('failed')}  ${visibleName(id)}  ${visible(failure ?? '')}\n`)
    terminal.out(over ? 'The graph has ended.\n' : 'The graph is still running; wait again.\n')
  },
  'work prune': ({ removed, kept, dryRun }, terminal) => {
    for (const graph of removed)
      terminal.out(`${dryRun ? 'Would remove' : 'Removed'}: ${graphLine(graph, terminal)}`)
    for (const { graph, neededBy } of kept)
      terminal.out(`Kept: ${visibleName(graph)}, which ${visibleName(neededBy)} needs\n`)
    if (removed.length + kept.length === 0) terminal.out('No graph ended that long ago.\n')
  },
} satisfies Partial<Presenters>

function presentAdded(
  { added, already, redacted }: AnswerOf<'work add' | 'work plan'>,
  terminal: Terminal,
): void {
  for (const id of added) terminal.out(`Added: ${terminal.accent(visibleName(id))}\n`)
  if (already.length > 0) terminal.out(`Already there: ${already.map(id => visibleName(id)).join(', ')}\n`)
  if (redacted.length > 0) terminal.out(`${terminal.bad('Text that looked like a secret was removed.')}\n`)
}

/**
 *   release.parser   running 40 %  ana, 9 min left   Write the parser
 *   release.tests    waiting       for release.parser  Test the parser
 */
function taskLine(task: TaskView, nowMs: number, terminal: Terminal): string {
  const id = visibleName(task.id)
  const share = task.progress?.share
  const state =
    share === undefined || task.state !== 'running' ? task.state : `running ${Math.round(share * 100)} %`
  const note = noteOf(task, nowMs)
  return `${terminal.accent(id.padEnd(Math.min(MAX_ID_WIDTH, 24)))}  ${stateText(task, state.padEnd(13), terminal)}  ${visible(task.title)}${note === '' ? '' : terminal.dim(`  (${note})`)}\n`
}

function stateText({ state }: TaskView, text: string, terminal: Terminal): string {
  if (state === 'failed') return terminal.bad(text)
  return state === 'ready' || state === 'running' ? terminal.bold(text) : terminal.dim(text)
}

function noteOf(task: TaskView, nowMs: number): string {
  if (task.blockedBy.length > 0) return `blocked by ${task.blockedBy.map(id => visibleName(id)).join(', ')}`
  if (task.state === 'waiting') return `for ${task.waitsFor.map(id => visibleName(id)).join(', ')}`
  if (task.state === 'running') {
    const left = Math.max(0, Math.round(((task.leaseUntil ?? nowMs) - nowMs) / MINUTE_MS))
    const said = task.progress?.note ?? ''
    return [visibleName(task.worker ?? ''), `${left} min left`, visible(said)]
      .filter(part => part !== '')
      .join(', ')
  }
  if (task.failure !== undefined) return visible(task.failure.slice(0, 120))
  return task.agent === undefined ? '' : `for ${visibleName(task.agent)}`
}

function graphLine({ graph, tasks }: GraphView, terminal: Terminal): string {
  const counts = Object.entries(tasks).filter(([, n]) => n > 0)
  return `${terminal.accent(visibleName(graph).padEnd(20))}  ${counts.map(([state, n]) => `${n} ${state}`).join(', ')}\n`
}

function presentTask(task: AnswerOf<'work show'>, terminal: Terminal): void {
  terminal.out(`${terminal.accent(visibleName(task.id))}  ${task.state}\n${visible(task.title)}\n`)
  if (task.brief !== '') terminal.out(`\n${visible(task.brief)}\n`)
  named('Files', task.files, terminal)
  named('Entries', task.entries, terminal)
  named(
    'After',
    task.before.map(({ id, state }) => `${id} (${state})`),
    terminal,
  )
  named(
    'Then',
    task.next.map(({ id, state }) => `${id} (${state})`),
    terminal,
  )
  for (const { number, worker, outcome, message } of task.history)
    terminal.out(
      `${terminal.dim(`Attempt ${number}`)} ${visibleName(worker)}: ${outcome}${message === undefined ? '' : `, ${visible(message)}`}\n`,
    )
  if (task.progress !== undefined)
    terminal.out(`${terminal.dim('Progress')} ${visible(task.progress.note)}\n`)
  if (task.why !== undefined && task.why !== '')
    terminal.out(`${terminal.dim('Cancelled')} ${visible(task.why)}\n`)
  if (task.result !== undefined) {
    terminal.out(`\n${visible(task.result.text)}\n`)
    named('Made or changed', task.result.files, terminal)
    named('Remembered', task.result.entries, terminal)
  }
}

function named(title: string, names: readonly string[], terminal: Terminal): void {
  if (names.length > 0)
    terminal.out(`${terminal.dim(title)} ${names.map(name => visibleName(name)).join(', ')}\n`)
}

function presentClaimed({ claimed }: AnswerOf<'work claim'>, terminal: Terminal): void {
  if (claimed === null) {
    terminal.out('No task is ready.\n')
    return
  }
  const { lease, task, context } = claimed
  presentTask({ ...task, files: context.files }, terminal)
  for (const { task: from, text, isCut } of context.results)
    terminal.out(`\n${terminal.dim(`From ${visibleName(from)}:`)}\n${visible(text)}${isCut ? '…' : ''}\n`)
  for (const entry of context.entries)
    terminal.out(`\n${terminal.dim(visibleName(entry.id))}\n${visible(entry.content)}\n`)
  named('Missing', context.missing, terminal)
  terminal.out(`\n${terminal.dim('Lease')} ${lease}\n`)
  terminal.out(
    terminal.dim(
      'cairn work beat <lease> "how far", cairn work done <lease> "result", cairn work fail <lease> "why"\n',
    ),
  )
}

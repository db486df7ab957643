import type { SettledEntry } from '../../model/bundle.ts'
import type { Entry } from '../../model/entry.ts'
import type { MemoryEvent } from '../../model/event.ts'
import { reportsIn, saysFinished } from '../../text/completion.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { RECALL_LIMITS } from './bundle-limits.ts'
import type { DatedReport } from './fold-statements.ts'
import type { RecallEntry, RecallInput, Said } from './recall-input.ts'
import {
  apartOf,
  isoOf,
  isToDo,
  isWarning,
  momentOf,
  type Statement,
  statementOfEntry,
  statementsOfEvent,
  stepsIn,
  tasksIn,
} from './statements.ts'

/** What was said, sorted by what it is. */
export interface Reading {
  readonly gotchas: readonly Statement[]
  readonly steps: readonly Statement[]
  readonly decisions: readonly Statement[]
  readonly handoffs: readonly Statement[]
  readonly reports: readonly DatedReport[]
  readonly newer: readonly Said[]
  /** The entries of each section, settled ones left out. */
  readonly gotchaEntries: ReadonlySet<string>
  readonly stepEntries: ReadonlySet<string>
  readonly allEntries: ReadonlySet<string>
  readonly changed: ReadonlySet<string>
}

/** The same text is looked at once: a check is named by thousands of events. */
export function remembering<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    const now = read(text)
    known.set(text, now)
    return now
  }
}

/** Events with only those texts of a signal that are among the newest, each of a few events: whatever the history, so much is read. */
function newestTexts(
  newestFirst: readonly MemoryEvent[],
  signal: 'decisions' | 'gotchas' | 'nextStepHints',
): MemoryEvent[] {
  const eventsByText = new Map<string, number>()
  return newestFirst.flatMap(event => {
    const texts = event.signals[signal].filter(text => {
      if (typeof text !== 'string') return false
      const events = eventsByText.get(text) ?? 0
      if (events >= RECALL_LIMITS.eventsOfText || (events === 0 && eventsByText.size >= RECALL_LIMITS.texts))
        return false
      eventsByText.set(text, events + 1)
      return true
    })
    return texts.length === 0 ? [] : [{ ...event, signals: { ...event.signals, [signal]: texts } }]
  })
}

const GOTCHA_KINDS = new Set(['warning', 'error', 'lesson', 'discovery'])

/** What was settled does not count again, unless it was changed since. */
export function standingEntries(
  entries: readonly RecallEntry[],
  settled: Readonly<Record<string, SettledEntry>>,
): readonly Entry[] {
  return entries
    .filter(
      ({ entry, isRetired }) =>
        !isRetired && (entry.category === 'tasks' || !isSettled(entry, entry.id, settled)),
    )
    .map(({ entry }) => entry)
    .sort((a, b) => (momentOf(a) < momentOf(b) ? 1 : momentOf(a) > momentOf(b) ? -1 : a.id < b.id ? 1 : -1))
}

/** What the machine captured may be several sentences; what a person wrote is one task. */
function tasksOf(entry: Entry): ReturnType<typeof tasksIn> {
  const tasks = tasksIn(entry.content)
  return entry.origin === 'person' || tasks[0]?.isDone !== undefined
    ? tasks
    : stepsIn(entry.content).map(text => ({ text, isDone: undefined }))
}

function isSettled(entry: Entry, id: string, settled: Readonly<Record<string, SettledEntry>>): boolean {
  const known = Object.hasOwn(settled, id) ? settled[id] : undefined
  return known !== undefined && momentOf(entry) <= known.at
}

export function readStatements(input: RecallInput, entries: readonly Entry[]): Reading {
  const { clean, saidAt } = input
  const isFinished = remembering(saysFinished)
  const newestFirst = [...input.events]
    .reverse()
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
  const ofEvents = (signal: 'decisions' | 'gotchas' | 'nextStepHints') =>
    newestTexts(newestFirst, signal).flatMap(event => statementsOfEvent(event, signal, { clean, saidAt }))
  const [told, found, left] = [ofEvents('decisions'), ofEvents('gotchas'), ofEvents('nextStepHints')]
  const decisions = told.filter(({ text }) => !isToDo(text))
  const gotchas = [
    ...found.filter(({ text }) => !isToDo(text)),
    ...left.filter(({ text }) => isWarning(text)),
  ]
  const hints = [
    ...left.filter(({ text }) => !isWarning(text)),
    ...[...told, ...found].filter(({ text }) => isToDo(text)),
  ]

  const gotchaEntries = entries.filter(
    ({ category, kind }) => category === 'lessons' && GOTCHA_KINDS.has(kind),
  )
  // An entry that a session left has the date of its end; what was said after it in that session counts too.
  const timed = (entry: Entry, statement: Statement | undefined): Statement[] => {
    const at = entry.updated === undefined ? saidAt.get(fingerprint(entry.content)) : undefined
    return statement === undefined ? [] : [at === undefined ? statement : { ...statement, at }]
  }
  const ofEntry = (entry: Entry) => timed(entry, statementOfEntry(entry, entry.content, clean))
  // What the machine captured may name a step too: the event of its session tells that one.
  const ofGotcha = (entry: Entry) =>
    entry.origin === 'person'
      ? ofEntry(entry)
      : timed(entry, statementOfEntry(entry, apartOf(entry.content)[0] ?? entry.content, clean))
  const tasks = entries
    .filter(({ category }) => category === 'tasks')
    .flatMap(entry =>
      // Named as `cairn task done` names them: the second box of an entry is `id:2`.
      tasksOf(entry).map((task, at) => ({
        ...task,
        entry,
        id: at === 0 ? entry.id : `${entry.id}:${at + 1}`,
      })),
    )
    .filter(({ entry, id }) => !isSettled(entry, id, input.settled))
  const open = tasks.filter(
    ({ isDone, text }) => isDone === false || (isDone === undefined && !isFinished(text)),
  )
  const openStatements = open.flatMap(({ entry, text, id }) => {
    const [statement] = timed(entry, statementOfEntry(entry, text, clean))
    return statement === undefined ? [] : [{ ...statement, source: `entry:${id}` }]
  })
  const steps = [...openStatements, ...hints.filter(({ text }) => !isFinished(text))]
  // By when it was made: an entry that was strengthened, or tagged, does not outweigh a decision that came after it.
  const decisionEntries = entries
    .filter(({ category }) => category === 'decisions')
    .flatMap(({ updated: _, ...entry }) => ofEntry(entry))
  const allDecisions = [...decisions, ...decisionEntries].sort((a, b) =>
    a.at < b.at ? 1 : a.at > b.at ? -1 : a.text < b.text ? -1 : 1,
  )
  const since = input.bundleAt ?? ''
  return {
    gotchas: [...gotchaEntries.flatMap(ofGotcha), ...gotchas],
    steps,
    decisions: allDecisions.slice(0, RECALL_LIMITS.candidates),
    handoffs: entries.filter(isWritten).flatMap(handoffOf(clean)),
    reports: reportsOf(input, entries, { hints, decisions, gotchas, tasks }),
    newer: [
      ...allDecisions.slice(0, RECALL_LIMITS.candidates),
      ...gotchas.slice(0, RECALL_LIMITS.candidates),
    ],
    gotchaEntries: new Set(gotchaEntries.map(({ id }) => id)),
    stepEntries: new Set(open.map(({ id }) => id)),
    allEntries: new Set([...entries.map(({ id }) => id), ...open.map(({ id }) => id)]),
    changed: new Set(
      entries.filter(entry => entry.updated !== undefined && momentOf(entry) > since).map(({ id }) => id),
    ),
  }
}

/** A handoff that somebody wrote, not one that was put together from the last messages. */
function isWritten({ category, content }: Entry): boolean {
  return category === 'handoffs' && !/^\[(?:User|Agent)\]: /m.test(content)
}

function handoffOf(clean: (text: string) => string): (entry: Entry) => Statement[] {
  return entry => {
    const first = entry.content.split(/\n\s*\n/)[0] ?? ''
    const statement = statementOfEntry(entry, first, clean)
    return statement === undefined ? [] : [statement]
  }
}

/** Everything that may say that something is finished or over. */
function reportsOf(
  { events, spoken, clean }: RecallInput,
  entries: readonly Entry[],
  said: {
    readonly hints: readonly Statement[]
    readonly decisions: readonly Statement[]
    readonly gotchas: readonly Statement[]
    readonly tasks: readonly {
      readonly entry: Entry
      readonly text: string
      readonly isDone: boolean | undefined
    }[]
  },
): DatedReport[] {
  const texts: { text: string; at: string; source: string }[] = [
    ...spoken.map(({ text, at }) => ({ text: clean(text), at: isoOf(at), source: '' })),
    ...said.tasks
      .filter(({ isDone }) => isDone !== false)
      .map(({ entry, text, isDone }) => ({
        text: isDone === true ? `[x] ${text.replace(/\n/g, ' ')}` : text,
        at: momentOf(entry),
        source: `entry:${entry.id}`,
      })),
    ...[...said.hints, ...said.decisions, ...said.gotchas],
    ...entries
      .filter(({ category }) => category !== 'tasks')
      .map(entry => ({ text: entry.content, at: momentOf(entry), source: `entry:${entry.id}` })),
    ...events
      .filter(({ kind, sourceId }) => kind === 'imported_session' && !sourceId.startsWith('session:'))
      .map(event => ({ text: event.summary, at: isoOf(event.createdAt), source: `event:${event.id}` })),
  ]
  const readReports = remembering(reportsIn)
  return texts
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
    .slice(0, RECALL_LIMITS.reports)
    .flatMap(({ text, at, source }) =>
      readReports(text).map(report => ({ report, at, source, print: fingerprint(text) })),
    )
}

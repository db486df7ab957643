import type { Bundle, BundleItem, BundleSection, SettledEntry } from '../../model/bundle.ts'
import type { Entry } from '../../model/entry.ts'
import type { MemoryEvent } from '../../model/event.ts'
import { reportsIn, saysFinished, topicOf } from '../../text/completion.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { BUNDLE_LIMITS, RECALL_LIMITS } from './bundle-limits.ts'
import { foldCommands, type Observation, observationsIn, passedSince } from './fold-commands.ts'
import { foldFocus } from './fold-focus.ts'
import { type DatedReport, type Folded, foldStatements, type LeavingReason } from './fold-statements.ts'
import type { RecallEntry, RecallInput, RecallPolicy, Said, StatementJudge } from './recall-input.ts'
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

export interface RecallPlan {
  readonly bundle: Bundle
  readonly settled: Readonly<Record<string, SettledEntry>>
  readonly lastSaid: Readonly<Record<string, string>>
  /** Why statements are no longer in it, by section. */
  readonly left: readonly {
    readonly section: BundleSection
    readonly text: string
    readonly why: LeavingReason
  }[]
  /** Statements that there was no room for, by section. */
  readonly crowdedOut: Readonly<Partial<Record<BundleSection, number>>>
}

export const EMPTY_BUNDLE: Bundle = {
  project: { name: 'project' },
  projectMap: { languages: [], packages: [], entryPoints: [], scripts: [], folders: [] },
  currentFocus: [],
  gotchas: [],
  nextSteps: [],
  validationCommands: [],
}

/**
 * The next bundle. It depends on the input alone; planned again with its own result and nothing new, it is the same.
 *
 *   gotchas      warnings, errors, lessons and discoveries, of entries and of events
 *   next steps   open tasks, and what sessions said is left to do
 *   focus        what the last sessions were asked for, changed, left in progress, decided
 *   commands     checks that were run, and the project's own
 *   map          the repository
 */
export function planRecall(given: RecallInput): RecallPlan {
  const input = { ...given, clean: remembering(given.clean), judge: boundedJudge(given.judge) }
  const old = input.bundle ?? EMPTY_BUNDLE
  const observations = observationsIn(input.events.slice(-RECALL_LIMITS.observedEvents), input.clean)
  const entries = input.entries === undefined ? undefined : standingEntries(input.entries, input.settled)
  const reading = readStatements(input, entries ?? [])
  const wanted = new Set(input.sections)
  const gotchas = wanted.has('gotchas')
    ? foldGotchas(input, old, { reading, entries, observations })
    : undefined
  const nextSteps = wanted.has('nextSteps')
    ? foldSteps(input, old, { reading, entries, observations })
    : undefined
  const bundle: Bundle = {
    // A bundle without a name would tell nobody whose it is.
    project: wanted.has('project') || input.bundle === undefined ? input.project.facts : old.project,
    projectMap: wanted.has('projectMap') ? input.project.map : old.projectMap,
    currentFocus: wanted.has('currentFocus')
      ? focusOf(input, old, { reading, entries, nextSteps: nextSteps?.items ?? old.nextSteps })
      : old.currentFocus,
    gotchas: gotchas?.items ?? old.gotchas,
    nextSteps: nextSteps?.items ?? old.nextSteps,
    validationCommands: wanted.has('validationCommands')
      ? foldCommands(old.validationCommands, observations, input.project)
      : old.validationCommands,
  }
  const leaving = (section: 'gotchas' | 'nextSteps', folded: Folded | undefined) =>
    (folded?.left ?? []).map(one => ({ section, ...one }))
  return {
    bundle,
    settled: settledNow(input, [...(gotchas?.settled ?? []), ...(nextSteps?.settled ?? [])]),
    lastSaid: Object.fromEntries([
      ...(gotchas === undefined || nextSteps === undefined ? Object.entries(input.lastSaid) : []),
      ...(gotchas?.lastSaid ?? []),
      ...(nextSteps?.lastSaid ?? []),
    ]),
    left: [...leaving('gotchas', gotchas), ...leaving('nextSteps', nextSteps)],
    crowdedOut: {
      ...(gotchas !== undefined && gotchas.crowdedOut > 0 && { gotchas: gotchas.crowdedOut }),
      ...(nextSteps !== undefined && nextSteps.crowdedOut > 0 && { nextSteps: nextSteps.crowdedOut }),
    },
  }
}

interface Reading {
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
function remembering<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    const before = known.get(text)
    if (before !== undefined) return before
    const now = read(text)
    known.set(text, now)
    return now
  }
}

/** A comparison by meaning takes up to a millisecond. The newest are compared first; beyond so many, statements count as different. */
function boundedJudge(judge: StatementJudge): StatementJudge {
  let left: number = RECALL_LIMITS.comparisons
  return {
    isSame: (a, b) => left-- > 0 && judge.isSame(a, b),
    contradicts: (older, newer) => left-- > 0 && judge.contradicts(older, newer),
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
function standingEntries(
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

function readStatements(input: RecallInput, entries: readonly Entry[]): Reading {
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

interface FoldedNow {
  readonly reading: Reading
  readonly entries: readonly Entry[] | undefined
  readonly observations: readonly Observation[]
}

function foldGotchas(input: RecallInput, old: Bundle, now: FoldedNow): Folded {
  const { reading, entries, observations } = now
  return foldStatements({
    ...shared(input, now),
    voicesBefore: voicesBefore(input, 'gotchas'),
    section: 'gotchas',
    old: old.gotchas,
    statements: failingOnly(reading.gotchas, observations, input.policy),
    liveEntries: entries && reading.gotchaEntries,
    most: BUNDLE_LIMITS.gotchas,
  })
}

function foldSteps(input: RecallInput, old: Bundle, now: FoldedNow): Folded {
  const { reading, entries } = now
  return foldStatements({
    ...shared(input, now),
    voicesBefore: voicesBefore(input, 'nextStepHints'),
    section: 'nextSteps',
    old: old.nextSteps,
    statements: reading.steps,
    liveEntries: entries && reading.stepEntries,
    // A decision against a step is told by the session that says what is left to do now.
    newer: [],
    most: BUNDLE_LIMITS.nextSteps,
  })
}

function shared(input: RecallInput, { reading, observations }: FoldedNow) {
  return {
    changedEntries: reading.changed,
    lastSaid: input.lastSaid,
    retired: input.retired.map(input.clean),
    reports: reading.reports,
    newer: reading.newer,
    passedSince: passedSince(observations),
    policy: input.policy,
    judge: input.judge,
  }
}

/** An error of a run is worth telling while its check fails; of other commands only when everything is wanted. */
function failingOnly(
  statements: readonly Statement[],
  observations: readonly Observation[],
  policy: RecallPolicy,
): Statement[] {
  const last = new Map(observations.map(({ command, outcome }) => [command, outcome]))
  return statements.filter(
    ({ command }) =>
      command === undefined || (policy === 'eager' && !last.has(command)) || last.get(command) === 'failed',
  )
}

/** By whom a statement was made in events that were folded in before. Built when it is first asked for. */
function voicesBefore(
  { knownEvents, judge }: RecallInput,
  signal: 'gotchas' | 'nextStepHints',
): (text: string) => ReadonlySet<string> {
  let known:
    | { text: string; print: string; voice: string; at: string; words: ReadonlySet<string> }[]
    | undefined
  return text => {
    known ??= knownEvents.slice(-RECALL_LIMITS.reports).flatMap(({ signals, sourceId, createdAt }) =>
      signals[signal].flatMap(said =>
        typeof said === 'string' && !(signal === 'nextStepHints' && saysFinished(said))
          ? [
              {
                text: said,
                print: fingerprint(said),
                voice: sourceId,
                at: createdAt,
                words: topicOf(said).en.words,
              },
            ]
          : [],
      ),
    )
    const print = fingerprint(text)
    const words = topicOf(text).en.words
    const same = known.filter(one => {
      if (one.print === print) return true
      const shared = [...words].filter(word => one.words.has(word)).length
      const as = { kind: 'warning', files: [], at: one.at }
      return shared >= 3 && judge.isSame({ ...as, text }, { ...as, text: one.text })
    })
    return new Set(same.map(({ voice }) => voice))
  }
}

function focusOf(
  input: RecallInput,
  old: Bundle,
  now: {
    readonly reading: Reading
    readonly entries: readonly Entry[] | undefined
    readonly nextSteps: readonly BundleItem[]
  },
): readonly BundleItem[] {
  const { reading, entries, nextSteps } = now
  const retired = new Set(input.retired.map(text => fingerprint(input.clean(text))))
  return foldFocus({
    old: old.currentFocus,
    events: input.events,
    handoffs: reading.handoffs,
    nextSteps,
    decisions: reading.decisions.filter(({ isPersons }) => isPersons || input.policy !== 'conservative'),
    liveEntries: entries && reading.allEntries,
    changedEntries: reading.changed,
    isRetired: text => retired.has(fingerprint(text)),
    judge: input.judge,
    clean: input.clean,
  })
}

/** Of entries that are still there, the newest so many. */
function settledNow(
  { settled, entries, now }: RecallInput,
  more: readonly { readonly id: string; readonly at: string; readonly why: string }[],
): Readonly<Record<string, SettledEntry>> {
  const all = new Map(Object.entries(settled))
  // An entry may be dated ahead of this clock.
  for (const { id, at, why } of more) all.set(id, { at: at > now ? at : now, why })
  const there = entries && new Set(entries.map(({ entry }) => entry.id))
  return Object.fromEntries(
    [...all]
      .filter(([id]) => there === undefined || there.has(id.replace(/:\d+$/, '')))
      .sort(([a, one], [b, other]) => (one.at < other.at ? 1 : one.at > other.at ? -1 : a < b ? -1 : 1))
      .slice(0, RECALL_LIMITS.settled),
  )
}

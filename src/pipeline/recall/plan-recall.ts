import type { Bundle, BundleItem, BundleSection, SettledEntry } from '../../model/bundle.ts'
import type { Entry } from '../../model/entry.ts'
import { saysFinished, topicOf } from '../../text/completion.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { BUNDLE_LIMITS, RECALL_LIMITS } from './bundle-limits.ts'
import { foldCommands, type Observation, observationsIn, passedSince } from './fold-commands.ts'
import { foldFocus } from './fold-focus.ts'
import { type Folded, foldStatements, type LeavingReason } from './fold-statements.ts'
import { type Reading, readStatements, remembering, standingEntries } from './read-statements.ts'
import type { RecallInput, RecallPolicy, StatementJudge } from './recall-input.ts'
import type { Statement } from './statements.ts'

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
      ? // With comparisons of its own: what other sections took of them must not tell two decisions apart now and not the next time.
        focusOf({ ...input, judge: boundedJudge(given.judge) }, old, {
          reading,
          entries,
          nextSteps: nextSteps?.items ?? old.nextSteps,
        })
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

/** A comparison by meaning takes up to a millisecond. The newest are compared first; beyond so many, statements count as different. */
function boundedJudge(judge: StatementJudge): StatementJudge {
  let left: number = RECALL_LIMITS.comparisons
  return {
    isSame: (a, b) => left-- > 0 && judge.isSame(a, b),
    contradicts: (older, newer) => left-- > 0 && judge.contradicts(older, newer),
  }
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

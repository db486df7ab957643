import type { BundleItem } from '../../model/bundle.ts'
import { finishes, overcomes, type Report, type Topic, topicOf } from '../../text/completion.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { BUNDLE_LIMITS, FADE_DAYS, RECALL_LIMITS } from './bundle-limits.ts'
import type { RecallPolicy, Said, StatementJudge } from './recall-input.ts'
import { itemOf, type Statement } from './statements.ts'

/** Why something is no longer in the bundle. */
export type LeavingReason =
  | 'finished'
  | 'resolved'
  | 'superseded'
  | 'contradicted'
  | 'its entry is gone'
  | 'not said for long'
  | 'no room'

export interface Fold {
  readonly section: 'gotchas' | 'nextSteps'
  readonly old: readonly BundleItem[]
  readonly lastSaid: Readonly<Record<string, string>>
  /** Of entries first, then of events, each newest first. */
  readonly statements: readonly Statement[]
  /** Ids of entries that may be sources here; undefined: entries are not looked at. */
  readonly liveEntries: ReadonlySet<string> | undefined
  /** Entries whose text was changed since the bundle was made. */
  readonly changedEntries: ReadonlySet<string>
  readonly retired: readonly string[]
  readonly reports: readonly DatedReport[]
  /** Statements that may speak against older ones. */
  readonly newer: readonly Said[]
  /** Whether a command that is named passed after this moment. */
  readonly passedSince: (text: string, at: string, command: string | undefined) => boolean
  readonly policy: RecallPolicy
  /** How many other voices, in what was folded in before, say it. */
  readonly voicesBefore: (text: string) => ReadonlySet<string>
  readonly judge: StatementJudge
  readonly most: number
}

export interface DatedReport {
  readonly report: Report
  /** UTC ISO. */
  readonly at: string
  readonly source: string
  /** Of the text it stands in. */
  readonly print: string
}

export interface Folded {
  readonly items: readonly BundleItem[]
  /** By the fingerprint of each item: when it was last said. */
  readonly lastSaid: readonly (readonly [string, string])[]
  readonly left: readonly { readonly text: string; readonly why: LeavingReason }[]
  /** Entries that need not be looked at again, with when they were last said. */
  readonly settled: readonly { readonly id: string; readonly at: string; readonly why: string }[]
  /** Statements that there was no room for. */
  readonly crowdedOut: number
}

interface Draft {
  text: string
  since: string
  /** When it was last said. */
  at: string
  readonly sources: string[]
  readonly files: string[]
  readonly voices: Set<string>
  readonly kind: string
  isPersons: boolean
  isPinned: boolean
  isPlain: boolean
  readonly isOld: boolean
  readonly command: string | undefined
  readonly topic: Topic
}

const DAY_MS = 86_400_000

/**
 * Old items and what was said since become the items of a section:
 *
 *   take over what still has a source ▶ merge by source, by words, by meaning ▶ let go what is retired, contradicted, finished or
 *   resolved, or not said for long ▶ let in what the policy allows ▶ rank ▶ cut
 */
export function foldStatements(fold: Fold): Folded {
  const left: { text: string; why: LeavingReason }[] = []
  const settled: { id: string; at: string; why: string }[] = []
  const drafts = takeOver(fold, left)
  const merge = mergerFor(fold, drafts)
  for (const statement of fold.statements) merge(statement)

  const retired = retiredTest(fold)
  const leaves = leavingTest(fold)
  const horizon = drafts.reduce((latest, { at }) => (at > latest ? at : latest), '')
  const standing = drafts.filter(draft => {
    const why = retired(draft) ? 'superseded' : leaves(draft, horizon)
    if (why === undefined) return true
    left.push({ text: draft.text, why })
    for (const source of draft.sources)
      if (source.startsWith('entry:')) settled.push({ id: source.slice(6), at: draft.at, why })
    return false
  })
  const allowed = standing.filter(draft => draft.isOld || mayEnter(draft, fold)).sort(byWeight)
  for (const draft of allowed.slice(fold.most)) left.push({ text: draft.text, why: 'no room' })
  const kept = allowed.slice(0, fold.most)
  return {
    items: kept.map(itemOf),
    lastSaid: kept
      .filter(({ at, since }) => at > since)
      .map(({ text, at }) => [`${fold.section} ${fingerprint(text)}`, at] as const),
    left,
    settled,
    crowdedOut: Math.max(0, allowed.length - fold.most),
  }
}

/** What stood in the bundle, with the sources that are left of it. */
function takeOver(
  { old, lastSaid, liveEntries, section }: Fold,
  left: { text: string; why: LeavingReason }[],
): Draft[] {
  return old.flatMap(item => {
    const sources = item.sources.filter(
      source => liveEntries === undefined || !source.startsWith('entry:') || liveEntries.has(source.slice(6)),
    )
    const hasLost = sources.length < item.sources.length
    if (hasLost && !sources.some(source => source.startsWith('entry:'))) {
      left.push({ text: item.text, why: 'its entry is gone' })
      return []
    }
    return [
      {
        text: item.text,
        since: item.since,
        at: lastSaidOf(item, `${section} ${fingerprint(item.text)}`, lastSaid),
        sources: [...sources],
        files: [...(item.files ?? [])],
        voices: new Set<string>(),
        kind: section === 'gotchas' ? 'warning' : 'task',
        isPersons: false,
        isPinned: false,
        isPlain: true,
        isOld: true,
        command: section === 'gotchas' ? commandOf(item) : undefined,
        topic: topicOf(item.text),
      },
    ]
  })
}

function lastSaidOf({ since }: BundleItem, key: string, lastSaid: Readonly<Record<string, string>>): string {
  const at = Object.hasOwn(lastSaid, key) ? lastSaid[key] : undefined
  return at !== undefined && at > since ? at : since
}

function commandOf({ text, sources }: BundleItem): string | undefined {
  return sources.every(source => source.startsWith('event:')) ? /^`([^`]+)`: /.exec(text)?.[1] : undefined
}

/** Into the draft that has its source, its words or its meaning; otherwise it is a new one. */
function mergerFor(fold: Fold, drafts: Draft[]): (statement: Statement) => void {
  const bySource = new Map<string, Draft[]>()
  const byPrint = new Map<string, Draft>()
  let fresh = 0
  const note = (draft: Draft) => {
    for (const source of draft.sources) bySource.set(source, [...(bySource.get(source) ?? []), draft])
    byPrint.set(fingerprint(draft.text), draft)
  }
  for (const draft of drafts) note(draft)
  return statement => {
    const ofSource = bySource.get(statement.source) ?? []
    const isOfEntry = statement.source.startsWith('entry:')
    const known =
      byPrint.get(fingerprint(statement.text)) ??
      // An event has several statements, an entry has one: in whatever words it stands in the bundle, it is the same.
      (isOfEntry && ofSource.length === 1 ? ofSource[0] : undefined) ??
      // An entry of several sentences says what its session says one by one.
      (isOfEntry ? undefined : drafts.find(draft => isPartOf(statement.text, draft)))
    const topic = known === undefined ? topicOf(statement.text) : undefined
    const same =
      known ??
      drafts.find(
        draft =>
          topic !== undefined &&
          areNear(draft.topic, topic) &&
          fold.judge.isSame(saidOf(draft), saidOf(statement)),
      )
    if (same !== undefined) {
      const isNewText = isOfEntry && fold.changedEntries.has(statement.source.slice(6).replace(/:\d+$/, ''))
      strengthen(same, statement, isNewText)
      bySource.set(statement.source, [...ofSource, same])
      byPrint.set(fingerprint(statement.text), same)
      return
    }
    if (!isOfEntry && ++fresh > RECALL_LIMITS.candidates) return
    const draft: Draft = {
      text: statement.text,
      since: statement.at,
      at: statement.at,
      sources: [statement.source],
      files: [...statement.files],
      voices: new Set([statement.voice]),
      kind: statement.kind,
      isPersons: statement.isPersons,
      isPinned: statement.isPinned,
      isPlain: statement.isPlain,
      isOld: false,
      command: statement.command,
      topic: topic ?? topicOf(statement.text),
    }
    drafts.push(draft)
    note(draft)
  }
}

function isPartOf(text: string, { text: whole, sources }: Draft): boolean {
  return whole.includes(text) && sources.some(source => source.startsWith('entry:'))
}

function strengthen(draft: Draft, statement: Statement, isNewText: boolean): void {
  if (isNewText) draft.text = statement.text
  if (statement.at < draft.since) draft.since = statement.at
  if (statement.at > draft.at) draft.at = statement.at
  if (!draft.sources.includes(statement.source)) draft.sources.push(statement.source)
  for (const file of statement.files) if (!draft.files.includes(file)) draft.files.push(file)
  draft.voices.add(statement.voice)
  draft.isPersons ||= statement.isPersons
  draft.isPinned ||= statement.isPinned
  draft.isPlain ||= statement.isPlain
}

/** Cheap, before the meaning is looked at: the judge asks for more shared words than this. */
function areNear(a: Topic, b: Topic): boolean {
  const [shorter, longer] =
    a.en.words.size <= b.en.words.size ? [a.en.words, b.en.words] : [b.en.words, a.en.words]
  let shared = 0
  for (const word of shorter) if (longer.has(word)) shared++
  return shared >= Math.min(2, shorter.size) && shared / shorter.size >= LEAST_SHARED
}

const LEAST_SHARED = 0.4

function retiredTest({ retired, judge }: Fold): (draft: Draft) => boolean {
  const texts = retired.slice(0, RECALL_LIMITS.retired)
  const prints = new Set(texts.map(fingerprint))
  const topics = texts.map(text => ({ text, topic: topicOf(text) }))
  return draft => {
    // An entry that is there says that it holds, whatever was forgotten elsewhere.
    if (draft.sources.some(source => source.startsWith('entry:'))) return false
    if (prints.has(fingerprint(draft.text))) return true
    return topics.some(
      ({ text, topic }) =>
        areNear(topic, draft.topic) && judge.isSame({ ...saidOf(draft), text }, saidOf(draft)),
    )
  }
}

function leavingTest(fold: Fold): (draft: Draft, horizon: string) => LeavingReason | undefined {
  const isStep = fold.section === 'nextSteps'
  const reportsByWord = new Map<string, DatedReport[]>()
  for (const dated of fold.reports) {
    for (const word of new Set([...dated.report.words, ...dated.report.past])) {
      const same = reportsByWord.get(word)
      if (same === undefined) reportsByWord.set(word, [dated])
      else same.push(dated)
    }
  }
  const newer = fold.newer.map(said => ({ said, topic: topicOf(said.text), print: fingerprint(said.text) }))
  const isOver = (draft: Draft): boolean => {
    const own = fingerprint(draft.text)
    const near = new Set(
      [...draft.topic.en.words, ...draft.topic.pt.words].flatMap(word => reportsByWord.get(word) ?? []),
    )
    for (const { report, at, source, print } of near) {
      if (at <= draft.at || print === own || isOnly(draft, source)) continue
      if ((isStep ? finishes : overcomes)(report, draft.topic)) return true
    }
    return fold.passedSince(draft.text, draft.at, draft.command)
  }
  return (draft, horizon) => {
    if (!draft.isPinned) {
      if (isOver(draft)) return isStep ? 'finished' : 'resolved'
      const own = fingerprint(draft.text)
      const isDenied =
        !draft.isPersons &&
        newer.some(
          ({ said, topic, print }) =>
            said.at > draft.at &&
            print !== own &&
            areNear(draft.topic, topic) &&
            fold.judge.contradicts(saidOf(draft), said),
        )
      if (isDenied) return 'contradicted'
    }
    const hasEntry = draft.sources.some(source => source.startsWith('entry:'))
    const days = draft.command === undefined ? FADE_DAYS[fold.section] : FADE_DAYS.runErrors
    const isLong = Date.parse(horizon) - Date.parse(draft.at) > days * DAY_MS
    return !hasEntry && isLong ? 'not said for long' : undefined
  }
}

/** What says that it is to be done does not say that it is done. */
function isOnly({ sources }: Draft, source: string): boolean {
  return sources.length === 1 && sources[0] === source
}

function mayEnter(draft: Draft, { policy, voicesBefore }: Fold): boolean {
  if (policy === 'eager' || draft.isPersons) return true
  // An error of one run is no statement of anybody.
  if (draft.command !== undefined) return policy === 'balanced' && draft.isPlain
  if (policy === 'balanced') return draft.isPlain
  const voices = new Set([...draft.voices, ...(draft.voices.size > 1 ? [] : voicesBefore(draft.text))])
  return voices.size > 1
}

/** Pinned, then a person's, then what more sources say, then the newest. By what the bundle keeps, so that the order is the same again. */
function byWeight(a: Draft, b: Draft): number {
  const weight = (draft: Draft) =>
    Number(draft.isPinned) * 100 +
    Number(draft.isPersons) * 10 +
    Math.min(draft.sources.length, BUNDLE_LIMITS.sources)
  return (
    weight(b) - weight(a) ||
    (a.since < b.since ? 1 : a.since > b.since ? -1 : a.text < b.text ? -1 : a.text > b.text ? 1 : 0)
  )
}

function saidOf({ text, kind, files, at }: Said): Said {
  return { text, kind, files, at }
}

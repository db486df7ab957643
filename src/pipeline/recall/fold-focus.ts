import type { BundleItem } from '../../model/bundle.ts'
import type { MemoryEvent } from '../../model/event.ts'
import { fingerprint } from '../../text/fingerprint.ts'
import { foldText } from '../../text/fold.ts'
import { plainStatement } from '../../text/plain-statement.ts'
import { BUNDLE_LIMITS, FADE_DAYS } from './bundle-limits.ts'
import type { Said, StatementJudge } from './recall-input.ts'
import { isoOf, itemOf, pathsOf, type Statement } from './statements.ts'

const DAY_MS = 86_400_000
const FEWEST_WORDS = 3

export interface FocusFold {
  readonly old: readonly BundleItem[]
  readonly events: readonly MemoryEvent[]
  /** Handoffs that somebody wrote, newest first. */
  readonly handoffs: readonly Statement[]
  /** The next steps as they are now: what was begun and is not finished is among them. */
  readonly nextSteps: readonly BundleItem[]
  /** Newest first. */
  readonly decisions: readonly Statement[]
  readonly liveEntries: ReadonlySet<string> | undefined
  /** Entries whose text was changed since the bundle was made. */
  readonly changedEntries: ReadonlySet<string>
  readonly isRetired: (text: string) => boolean
  readonly judge: StatementJudge
  readonly clean: (text: string) => string
}

/**
 * What the last sessions worked on, newest first:
 *
 *   a session     what it was asked for, with the files it changed
 *   a handoff     what somebody wrote down for the next
 *   in progress   what was begun and not finished
 *   decided       the last decisions that still hold
 */
export function foldFocus(fold: FocusFold): BundleItem[] {
  const found: BundleItem[] = [
    ...sessionsIn(fold),
    ...fold.handoffs.slice(0, BUNDLE_LIMITS.focusSessions).map(statement => told(statement, '')),
    ...fold.nextSteps.filter(({ text }) => BEGUN.test(foldText(text))).map(inProgress),
    ...decisionsOf(fold),
  ]
  const old = fold.old.flatMap(item => takenOver(item, fold))
  const byPrint = new Map<string, BundleItem>()
  for (const item of [...old, ...found]) {
    const print = fingerprint(item.text)
    const known = byPrint.get(print) ?? [...byPrint.values()].find(other => isOfOneEntry(other, item))
    if (known === undefined) byPrint.set(print, item)
    else {
      const isChanged = item.sources.some(source => fold.changedEntries.has(source.slice(6)))
      const both = merged(known, item, isChanged ? item.text : known.text)
      byPrint.delete(fingerprint(known.text))
      byPrint.set(fingerprint(both.text), both)
    }
  }
  const items = [...byPrint.values()].sort((a, b) =>
    a.since < b.since ? 1 : a.since > b.since ? -1 : a.text < b.text ? -1 : a.text > b.text ? 1 : 0,
  )
  const newest = items[0]?.since ?? ''
  const fresh = items.filter(
    ({ since }) => Date.parse(newest) - Date.parse(since) <= FADE_DAYS.currentFocus * DAY_MS,
  )
  return bounded(fresh)
}

/** Sessions and decisions have their own shares, so that neither takes all the room. */
function bounded(items: readonly BundleItem[]): BundleItem[] {
  let decisions = 0
  return items
    .filter(({ text }) => !text.startsWith(DECIDED) || ++decisions <= BUNDLE_LIMITS.focusDecisions)
    .slice(0, BUNDLE_LIMITS.focusItems)
}

/** What is in progress is told by the next steps as they are now, and decisions are weighed with those that came since. */
function takenOver(item: BundleItem, { liveEntries }: FocusFold): BundleItem[] {
  return prefixOf(item) === '' && isLive(item, liveEntries) ? [item] : []
}

function isLive({ sources }: BundleItem, liveEntries: ReadonlySet<string> | undefined): boolean {
  const entries = sources.filter(source => source.startsWith('entry:'))
  return (
    liveEntries === undefined ||
    entries.length === 0 ||
    entries.some(source => liveEntries.has(source.slice(6)))
  )
}

const BEGUN =
  /\b(?:in progress|wip|work in progress|half (?:done|way|of)|halfway|underway|under way|partly|partially|em andamento|em curso|pela metade|metade)\b/

function inProgress(item: BundleItem): BundleItem {
  return { ...item, text: plainStatement(`${IN_PROGRESS}${item.text}`, BUNDLE_LIMITS.textCharacters) }
}

const DECIDED = 'Decided: '
const IN_PROGRESS = 'In progress: '

function sessionsIn({ events, clean }: FocusFold): BundleItem[] {
  const bySource = new Map<string, MemoryEvent[]>()
  for (const event of events) {
    const own = bySource.get(event.sourceId)
    if (own === undefined) bySource.set(event.sourceId, [event])
    else own.push(event)
  }
  return [...bySource.values()]
    .map(own => {
      const told = own.filter(({ kind }) => kind === 'imported_session').at(-1)
      const last = own.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), '')
      return { own, told, since: isoOf(last) }
    })
    .sort((a, b) => (a.since < b.since ? 1 : -1))
    .slice(0, BUNDLE_LIMITS.focusSessions)
    .flatMap(({ own, told, since }) => {
      const files = mostNamed(
        own.flatMap(event => pathsOf(event).map(path => plainStatement(clean(path), 200))),
      )
      const asked = told === undefined ? undefined : askedIn(clean(told.summary))
      const text = asked ?? (files.length === 0 ? undefined : `Changes in ${foldersOf(files)}`)
      if (text === undefined) return []
      const sources = (told === undefined ? own.slice(-BUNDLE_LIMITS.sources) : [told]).map(
        ({ id }) => `event:${id}`,
      )
      return [itemOf({ text, since, sources, files })]
    })
}

/**
 * What a session was asked for; undefined where that tells nothing ("hi", "go on").
 *
 *   Asked for “Add CSV export”, and at last for “Run the tests”. 3 findings.   →   Asked for “Add CSV export”
 */
function askedIn(summary: string): string | undefined {
  const quoted = /^Asked for “([\s\S]+?)”(?:, and at last for “|\. )/.exec(summary)?.[1]
  const text = plainStatement(
    (quoted ?? summary.replace(/\s*\d+ findings?\.$|Nothing was found\.$/, '')).replace(MARKS, ''),
    ASKED_CHARACTERS,
  )
  const words = foldText(text).match(/[a-z0-9\u00e0-\u024f]{3,}/g) ?? []
  if (words.length < FEWEST_WORDS) return undefined
  return quoted === undefined ? text : `Asked for “${text}”`
}

const ASKED_CHARACTERS = 160
/** Said to Cairn, and nothing that was asked for. */
const MARKS = /\s*#(?:remember|skip)\b/gi

function mostNamed(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) if (path !== '') counts.set(path, (counts.get(path) ?? 0) + 1)
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, BUNDLE_LIMITS.files)
    .map(([path]) => path)
}

/** `src/billing (csv.ts, export.ts), docs` */
function foldersOf(files: readonly string[]): string {
  const byFolder = new Map<string, string[]>()
  for (const file of files) {
    const slash = file.lastIndexOf('/')
    const folder = slash < 0 ? '' : file.slice(0, slash)
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), file.slice(slash + 1)])
  }
  return [...byFolder]
    .map(([folder, names]) =>
      folder === '' ? names.sort().join(', ') : `${folder} (${names.sort().join(', ')})`,
    )
    .sort()
    .join(', ')
}

interface Decision extends Said {
  readonly sources: readonly string[]
}

function decisionsOf({
  old,
  decisions,
  liveEntries,
  changedEntries,
  isRetired,
  judge,
}: FocusFold): BundleItem[] {
  const before: Decision[] = old
    .filter(item => prefixOf(item) === DECIDED && isLive(item, liveEntries))
    .filter(({ sources }) => !sources.some(source => changedEntries.has(source.slice(6))))
    .map(({ text, since, files = [], sources }) => ({
      text: text.slice(DECIDED.length),
      kind: 'decision',
      files,
      at: since,
      sources,
    }))
  const now: Decision[] = decisions
    .filter(({ isPlain }) => isPlain)
    .map(({ source, ...said }) => ({ ...said, sources: [source] }))
  const kept: { readonly newest: Decision; readonly sources: string[] }[] = []
  for (const decision of [...before, ...now].sort(newestFirst)) {
    if (isRetired(decision.text)) continue
    const same = kept.find(
      ({ newest, sources }) =>
        decision.sources.some(source => source.startsWith('entry:') && sources.includes(source)) ||
        judge.isSame(decision, newest),
    )
    if (same !== undefined) same.sources.push(...decision.sources)
    // What a later one speaks against is told by that one.
    else if (
      kept.length < BUNDLE_LIMITS.focusDecisions &&
      !kept.some(({ newest }) => judge.contradicts(decision, newest))
    )
      kept.push({ newest: decision, sources: [...decision.sources] })
  }
  return kept.map(({ newest, sources }) =>
    itemOf({
      text: plainStatement(`${DECIDED}${newest.text}`, BUNDLE_LIMITS.textCharacters),
      since: newest.at,
      sources: ordered(sources),
      files: newest.files,
    }),
  )
}

function newestFirst(a: Decision, b: Decision): number {
  return a.at < b.at ? 1 : a.at > b.at ? -1 : a.text < b.text ? -1 : a.text > b.text ? 1 : 0
}

function told({ text, at, source, files }: Statement, prefix: string): BundleItem {
  return itemOf({
    text: plainStatement(`${prefix}${text}`, BUNDLE_LIMITS.textCharacters),
    since: at,
    sources: [source],
    files,
  })
}

/** In whatever words it stands in the bundle, an entry is the same. */
function isOfOneEntry(a: BundleItem, b: BundleItem): boolean {
  return (
    prefixOf(a) === prefixOf(b) &&
    a.sources.some(source => source.startsWith('entry:') && b.sources.includes(source))
  )
}

function prefixOf({ text }: BundleItem): string {
  return [DECIDED, IN_PROGRESS].find(prefix => text.startsWith(prefix)) ?? ''
}

function merged(known: BundleItem, item: BundleItem, text: string): BundleItem {
  const since = item.since > known.since ? item.since : known.since
  const sources = ordered([...item.sources, ...known.sources])
  const files = [...new Set([...(known.files ?? []), ...(item.files ?? [])])]
  return itemOf({ text, since, sources, files })
}

/** In one order, however they came together. */
function ordered(sources: readonly string[]): string[] {
  return [...new Set(sources)].sort().slice(0, BUNDLE_LIMITS.sources)
}

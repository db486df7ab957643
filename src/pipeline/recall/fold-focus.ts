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
  /** Statements of work that was begun and is not finished. */
  readonly inProgress: readonly Statement[]
  /** Newest first. */
  readonly decisions: readonly Statement[]
  readonly liveEntries: ReadonlySet<string> | undefined
  /** It was superseded, or finished after this moment. */
  readonly isOver: (text: string, since: string) => boolean
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
    ...fold.inProgress.map(statement => told(statement, 'In progress: ')),
    ...decisionsOf(fold),
  ]
  const old = fold.old.flatMap(item => takenOver(item, fold))
  const byPrint = new Map<string, BundleItem>()
  for (const item of [...old, ...found]) {
    const print = fingerprint(item.text)
    const known = byPrint.get(print) ?? [...byPrint.values()].find(other => isOfOneSource(other, item))
    if (known === undefined) byPrint.set(print, item)
    else {
      byPrint.delete(fingerprint(known.text))
      byPrint.set(print, merged(known, item))
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

function takenOver(
  item: BundleItem,
  { liveEntries, isOver, decisions, inProgress, judge }: FocusFold,
): BundleItem[] {
  const entries = item.sources.filter(source => source.startsWith('entry:'))
  if (
    liveEntries !== undefined &&
    entries.length > 0 &&
    !entries.some(source => liveEntries.has(source.slice(6)))
  )
    return []
  const prefix = prefixOf(item)
  const text = item.text.slice(prefix.length)
  if (prefix === '') return [item]
  if (isOver(text, item.since)) return []
  // What is in progress is told by its entry as it is now.
  if (prefix === IN_PROGRESS)
    return liveEntries === undefined || entries.length === 0 || inProgress.some(now => now.text === text)
      ? [item]
      : []
  const said: Said = { text, kind: 'decision', files: item.files ?? [], at: item.since }
  const isReplaced = decisions.some(
    newer => newer.at > item.since && newer.text !== text && judge.contradicts(said, saidOf(newer)),
  )
  return isReplaced ? [] : [item]
}

const DECIDED = 'Decided: '
const IN_PROGRESS = 'In progress: '

function sessionsIn({ events, clean }: FocusFold): BundleItem[] {
  const bySource = new Map<string, MemoryEvent[]>()
  for (const event of events) bySource.set(event.sourceId, [...(bySource.get(event.sourceId) ?? []), event])
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
    quoted ?? summary.replace(/\s*\d+ findings?\.$|Nothing was found\.$/, ''),
    ASKED_CHARACTERS,
  )
  const words = foldText(text).match(/[a-z0-9\u00e0-\u024f]{3,}/g) ?? []
  if (words.length < FEWEST_WORDS) return undefined
  return quoted === undefined ? text : `Asked for “${text}”`
}

const ASKED_CHARACTERS = 160

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

function decisionsOf({ decisions, isOver, judge }: FocusFold): BundleItem[] {
  const kept: Statement[] = []
  for (const statement of decisions) {
    if (kept.length >= BUNDLE_LIMITS.focusDecisions) break
    if (!statement.isPlain || isOver(statement.text, statement.at)) continue
    // Newest first: what a later one says again, or speaks against, is told by that one.
    const isTold = kept.some(
      newer =>
        judge.isSame(saidOf(statement), saidOf(newer)) || judge.contradicts(saidOf(statement), saidOf(newer)),
    )
    if (!isTold) kept.push(statement)
  }
  return kept.map(statement => told(statement, DECIDED))
}

function told({ text, at, source, files }: Statement, prefix: string): BundleItem {
  return itemOf({
    text: plainStatement(`${prefix}${text}`, BUNDLE_LIMITS.textCharacters),
    since: at,
    sources: [source],
    files,
  })
}

/** A session that went on is one focus, with its later words. */
function isOfOneSource(a: BundleItem, b: BundleItem): boolean {
  return (
    a.sources.length === 1 &&
    b.sources.length === 1 &&
    a.sources[0] === b.sources[0] &&
    prefixOf(a) === prefixOf(b) &&
    prefixOf(a) !== DECIDED
  )
}

function prefixOf({ text }: BundleItem): string {
  return [DECIDED, IN_PROGRESS].find(prefix => text.startsWith(prefix)) ?? ''
}

function merged(known: BundleItem, item: BundleItem): BundleItem {
  const since = item.since > known.since ? item.since : known.since
  const sources = [...new Set([...item.sources, ...known.sources])]
  const files = [...new Set([...(item.files ?? []), ...(known.files ?? [])])]
  return itemOf({ text: item.text, since, sources, files })
}

function saidOf({ text, kind, files, at }: Statement): Said {
  return { text, kind, files, at }
}

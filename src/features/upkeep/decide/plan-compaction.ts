import type { SessionKey } from '../../../kernel/model/session.ts'
import type { BatchManifest } from './archive.ts'
import type { AccessCounters } from './decay.ts'
import { type PlannedRemoval, planUpkeep, UPKEEP_SETTINGS } from './plan-upkeep.ts'
import type { HeadFile, IndexSlack, MemoryFileList, RetirableEntry } from './ports.ts'

/** Limits; 0 disables one. */
export interface CompactionSettings {
  readonly maxEntries: number
  readonly keepEntries: number
  readonly conversationMessages: number
  /** After so many days a checkpoint is no longer used to continue. */
  readonly checkpointDays: number
  readonly maxEntriesPerFile: number
  readonly keepInFile: number
  /** Whether anything except entries, checkpoints and conversations is removed by age. */
  readonly isRetentionOn: boolean
  readonly historyDays: number
  readonly snapshotDays: number
  readonly maxSnapshots: number
  readonly archiveDays: number
  /** Not requested by a person: it changes no tracked file. */
  readonly isAutomatic: boolean
}

/** The input of upkeep. */
export interface CompactionState {
  readonly nowMs: number
  readonly entries: readonly RetirableEntry[]
  readonly confirmedByPerson: ReadonlySet<string>
  readonly headFiles: readonly HeadFile[]
  readonly indexDamage: string | undefined
  readonly checkpoints: readonly CheckpointFacts[]
  /** Paths of unreadable checkpoints. */
  readonly damagedCheckpoints: readonly string[]
  readonly sessions: readonly SessionFacts[]
  /** Active sessions that were closed only to be trimmed. */
  readonly goingOn: ReadonlySet<string>
  /** Events that recall has processed. */
  readonly events: readonly { readonly id: string; readonly createdAt: string }[]
  /** Snapshots of the project's state, newest first. */
  readonly snapshots: readonly Snapshot[]
  /** The one that the state refers to. */
  readonly latestSnapshot: string | undefined
  readonly files: Pick<MemoryFileList, 'backups' | 'flatFiles'>
  readonly batches: readonly BatchManifest[]
  /** Paths and ids of events that a person restored from the archive. */
  readonly broughtBack: ReadonlySet<string>
}

export interface CheckpointFacts {
  readonly path: string
  readonly savedAt: number
  /** The conversation with its messages exists. */
  readonly hasConversation: boolean
}

interface Snapshot {
  readonly id: string
  readonly path: string
  /** UTC ISO, from its name or content: a copied file has another time. */
  readonly createdAt: string
}

export interface SessionFacts {
  readonly session: string
  readonly isClosed: boolean
  readonly activeAtMs: number
  /** The session's memory and its conversations. */
  readonly paths: readonly string[]
  readonly conversations: readonly ConversationFacts[]
}

export interface ConversationFacts {
  readonly key: SessionKey
  readonly path: string
  readonly messages: number
  /** All of them have been distilled. */
  readonly isDistilled: boolean
  /** A file of seed A without a handoff. */
  readonly isSeed?: true
}

type FileReason =
  | { readonly code: 'checkpoint_expired'; readonly ageDays: number }
  | { readonly code: 'checkpoint_damaged' }
  | { readonly code: 'session_old'; readonly ageDays: number }
  | { readonly code: 'snapshot_old'; readonly ageDays: number }
  | { readonly code: 'migrated' }

interface PlannedFile {
  readonly path: string
  readonly reason: FileReason
}

export interface CompactionPlan {
  readonly expire: readonly PlannedEntryRemoval[]
  readonly fade: readonly PlannedEntryRemoval[]
  readonly evict: readonly PlannedEntryRemoval[]
  /** Head files above their limit, and how many entries would move into pages. */
  readonly rollOver: readonly { readonly path: string; readonly entries: number; readonly moves: number }[]
  readonly rebuildIndex: string | undefined
  /** Archived, then removed. */
  readonly checkpoints: readonly PlannedFile[]
  /** Removed: the conversation contains their messages. */
  readonly spentCheckpoints: readonly PlannedFile[]
  readonly trim: readonly {
    readonly key: SessionKey
    readonly path: string
    readonly messages: number
    readonly keeps: number
    readonly isSeed: boolean
    /** It was never closed: the agent's last removed messages become a handoff (seed A). */
    readonly leavesHandoff: boolean
  }[]
  readonly sessions: readonly {
    readonly session: string
    readonly files: readonly PlannedFile[]
    readonly conversations: readonly { readonly key: SessionKey; readonly messages: number }[]
  }[]
  readonly events: readonly string[]
  readonly snapshots: readonly PlannedFile[]
  readonly legacy: readonly PlannedFile[]
  /** Archive batches to delete permanently. */
  readonly expireBatches: readonly { readonly id: string; readonly ageDays: number }[]
}

export interface PlannedEntryRemoval extends PlannedRemoval {
  readonly seen: SeenEntry
}

/** The state of an entry in the plan: one that has changed since is skipped. */
export type SeenEntry = Pick<RetirableEntry, 'status' | 'updated' | 'fingerprint'> & AccessCounters

const DAY_MS = 86_400_000
/** Events that are not processed yet are stored longer. */
const EVENT_AGE_FACTOR = 2

/**
 * Everything that upkeep would do now:
 *
 *   entries       expire, fade, evict (plan-upkeep.ts); roll over files that are too full
 *   checkpoints   too old to continue from, or unreadable
 *   conversations distilled, and closed if necessary: the last messages stay
 *   history       old sessions, events that were recalled, snapshots of the state except the latest
 *   leftovers     files of a migration; archive batches if an expiry is set; a damaged index
 *
 * It depends only on the state. A plan made after applying it is empty.
 */
export function planCompaction(state: CompactionState, settings: CompactionSettings): CompactionPlan {
  const { isAutomatic } = settings
  const seenById = new Map(state.entries.map(entry => [entry.id, seenOf(entry)]))
  const removals = planUpkeep(
    {
      entries: state.entries,
      countersById: new Map(state.entries.map(entry => [entry.id, entry])),
      exempt: isAutomatic
        ? new Set([...state.confirmedByPerson, ...trackedIds(state)])
        : state.confirmedByPerson,
      nowMs: state.nowMs,
    },
    { ...UPKEEP_SETTINGS, mostEntries: settings.maxEntries, targetEntries: settings.keepEntries },
  )
  const withSeen = (items: readonly PlannedRemoval[]): PlannedEntryRemoval[] =>
    items.flatMap(item => {
      const seen = seenById.get(item.id)
      return seen === undefined ? [] : [{ ...item, seen }]
    })
  const old = planOldSessions(state, settings)
  const oldPaths = new Set(old.flatMap(({ files }) => files.map(({ path }) => path)))
  const stale = planCheckpoints(state, settings)
  return {
    expire: withSeen(removals.expire),
    fade: withSeen(removals.fade),
    evict: withSeen(removals.evict),
    rollOver: planRollovers(state, settings),
    rebuildIndex: state.indexDamage,
    checkpoints: stale.filter(({ isSpent }) => !isSpent).map(plain),
    spentCheckpoints: stale.filter(({ isSpent }) => isSpent).map(plain),
    trim: planTrimming(state, settings).filter(({ path }) => !oldPaths.has(path)),
    sessions: old,
    events: planEvents(state, settings),
    snapshots: planSnapshots(state, settings),
    // A flat file of an older tool may be committed; its backup is ignored by git.
    legacy: [...state.files.backups, ...(isAutomatic ? [] : state.files.flatFiles)]
      .filter(path => !state.broughtBack.has(path))
      .map(path => ({ path, reason: { code: 'migrated' } })),
    expireBatches: planExpiry(state, settings),
  }
}

/** Whether shrinking the index is worth rewriting it. */
export function doesVacuumPay({ bytes, freeBytes }: IndexSlack): boolean {
  return freeBytes > 1_048_576 && freeBytes > bytes / 4
}

export function seenOf(
  entry: Pick<RetirableEntry, 'status' | 'updated' | 'fingerprint'> & AccessCounters,
): SeenEntry {
  const { status, updated, fingerprint, accessCount, lastAccessMs } = entry
  return {
    status,
    fingerprint,
    accessCount,
    ...(updated !== undefined && { updated }),
    ...(lastAccessMs !== undefined && { lastAccessMs }),
  }
}

export function isSame(a: SeenEntry, b: SeenEntry): boolean {
  return (
    a.status === b.status &&
    a.updated === b.updated &&
    a.fingerprint === b.fingerprint &&
    a.accessCount === b.accessCount &&
    a.lastAccessMs === b.lastAccessMs
  )
}

function trackedIds({ entries }: CompactionState): string[] {
  return entries.filter(({ isTracked }) => isTracked === true).map(({ id }) => id)
}

/** A committed file grows only by hand edits and stays as it was typed. */
function planRollovers(
  { headFiles }: CompactionState,
  { maxEntriesPerFile, keepInFile }: CompactionSettings,
) {
  if (maxEntriesPerFile === 0) return []
  return headFiles
    .filter(({ isTracked, entries }) => isTracked !== true && entries > maxEntriesPerFile)
    .map(({ path, entries }) => ({
      path,
      entries,
      moves: entries - Math.min(keepInFile, maxEntriesPerFile),
    }))
}

function planCheckpoints(
  state: CompactionState,
  { checkpointDays }: CompactionSettings,
): (PlannedFile & { readonly isSpent: boolean })[] {
  const { checkpoints, damagedCheckpoints, broughtBack, nowMs } = state
  return [
    ...checkpoints
      .filter(({ savedAt }) => nowMs - savedAt > checkpointDays * DAY_MS)
      .map(({ path, savedAt, hasConversation }) => ({
        path,
        isSpent: hasConversation,
        reason: { code: 'checkpoint_expired' as const, ageDays: daysBetween(savedAt, nowMs) },
      })),
    ...damagedCheckpoints.map(path => ({
      path,
      isSpent: false,
      reason: { code: 'checkpoint_damaged' as const },
    })),
  ].filter(({ path }) => !broughtBack.has(path))
}

function planTrimming(
  { sessions, goingOn, broughtBack }: CompactionState,
  { conversationMessages }: CompactionSettings,
) {
  if (conversationMessages === 0) return []
  return sessions
    .filter(({ isClosed }) => isClosed)
    .flatMap(({ conversations }) => conversations)
    .filter(
      ({ path, messages, isDistilled }) =>
        isDistilled && messages > conversationMessages && !broughtBack.has(path),
    )
    .map(({ key, path, messages, isSeed = false }) => ({
      key,
      path,
      messages,
      keeps: conversationMessages,
      isSeed,
      leavesHandoff: isSeed || goingOn.has(key.session),
    }))
}

function planOldSessions(state: CompactionState, { isRetentionOn, historyDays }: CompactionSettings) {
  const { sessions, broughtBack, nowMs } = state
  if (!isRetentionOn || historyDays === 0) return []
  return sessions
    .filter(({ isClosed, activeAtMs }) => isClosed && nowMs - activeAtMs > historyDays * DAY_MS)
    .map(({ session, paths, activeAtMs, conversations }) => ({
      session,
      conversations: conversations.map(({ key, messages }) => ({ key, messages })),
      files: paths
        .filter(path => !broughtBack.has(path))
        .map(path => ({
          path,
          reason: { code: 'session_old' as const, ageDays: daysBetween(activeAtMs, nowMs) },
        })),
    }))
    .filter(({ files }) => files.length > 0)
}

function planEvents(state: CompactionState, { isRetentionOn, historyDays }: CompactionSettings): string[] {
  if (!isRetentionOn || historyDays === 0) return []
  const before = state.nowMs - EVENT_AGE_FACTOR * historyDays * DAY_MS
  return state.events
    .filter(({ id, createdAt }) => Date.parse(createdAt) < before && !state.broughtBack.has(id))
    .map(({ id }) => id)
}

/** Events after this time are not considered. */
export function eventCutoffMs(nowMs: number, { isRetentionOn, historyDays }: CompactionSettings): number {
  return isRetentionOn && historyDays > 0
    ? nowMs - EVENT_AGE_FACTOR * historyDays * DAY_MS
    : Number.NEGATIVE_INFINITY
}

function planSnapshots(state: CompactionState, settings: CompactionSettings): PlannedFile[] {
  const { isRetentionOn, snapshotDays, maxSnapshots } = settings
  if (!isRetentionOn || snapshotDays === 0) return []
  return state.snapshots
    .slice(Math.max(1, maxSnapshots))
    .filter(({ id, path }) => id !== state.latestSnapshot && !state.broughtBack.has(path))
    .map(({ path, createdAt }) => ({ path, ageDays: daysBetween(Date.parse(createdAt), state.nowMs) }))
    .filter(({ ageDays }) => ageDays >= snapshotDays)
    .map(({ path, ageDays }) => ({ path, reason: { code: 'snapshot_old', ageDays } }))
}

function planExpiry({ batches, nowMs }: CompactionState, { isRetentionOn, archiveDays }: CompactionSettings) {
  if (!isRetentionOn || archiveDays === 0) return []
  return batches
    .map(({ id, at }) => ({ id, ageDays: daysBetween(Date.parse(at), nowMs) }))
    .filter(({ ageDays }) => ageDays > archiveDays)
}

function plain({ path, reason }: PlannedFile): PlannedFile {
  return { path, reason }
}

function daysBetween(fromMs: number, toMs: number): number {
  return Math.floor((toMs - fromMs) / DAY_MS)
}

/** Whether the plan changes nothing. */
export function isEmptyPlan(plan: CompactionPlan): boolean {
  const { rebuildIndex, ...lists } = plan
  return rebuildIndex === undefined && Object.values(lists).every(list => list.length === 0)
}

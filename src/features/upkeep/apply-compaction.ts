import type { Memory } from '../../kernel/memory.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { MemoryEvent } from '../../kernel/model/event.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { withoutSecrets } from '../learning/closing.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { leaveCompactedHandoff } from '../sessions/handoffs.ts'
import { archiveEntries } from './archive-entries.ts'
import type { BatchManifest } from './decide/archive.ts'
import { type CompactionResult, NOTHING_DONE } from './decide/compaction-log.ts'
import { type CompactionPlan, doesVacuumPay, type PlannedEntryRemoval } from './decide/plan-compaction.ts'
import type { UpkeepPorts } from './decide/ports.ts'

/** How long the counters of removed entries are stored, in case one is restored. */
const COUNTERS_KEPT_MS = 90 * 86_400_000

export interface CompactionOptions {
  /** Steps that have not started by then are left to the next run. */
  readonly deadlineMs?: number
  /** The most entries to remove in one run. */
  readonly mostEntries?: number
  readonly onProgress?: ((done: number, total: number | undefined, what: string) => void) | undefined
}

type Done = Omit<CompactionResult, 'timestamp' | 'ms'> & {
  /** What failed; the rest was done. */
  readonly problems: readonly Problem[]
}

/**
 * Applies the plan. Every step first archives what it removes, and removes only what has not changed since the plan: a crash between
 * the two leaves it in both places, and the next run finishes. Entries are removed in one mutation, which `cairn undo` reverts.
 */
export async function applyCompaction(
  memory: Memory & SearchPorts & SessionPorts & UpkeepPorts,
  plan: CompactionPlan,
  options: CompactionOptions = {},
): Promise<Done> {
  const { ms: _, ...nothing } = NOTHING_DONE
  let done: Done = { ...nothing, problems: [] }
  const steps: readonly (readonly [what: string, work: () => Promise<Partial<Done>>])[] = [
    ['index rebuilt', () => rebuild(memory, plan)],
    ['entries archived', () => removeEntries(memory, plan, options)],
    ['files rolled over', () => rollOver(memory, plan)],
    ['old files archived', () => prune(memory, plan)],
    ['batches expired', () => expireBatches(memory, plan)],
    ['index tidied', () => tidyIndex(memory)],
  ]
  for (const [at, [what, work]] of steps.entries()) {
    if (options.deadlineMs !== undefined && memory.clock.nowMs() >= options.deadlineMs)
      return { ...done, isPartial: true }
    const { batches = [], problems = [], isPartial = false, ...step } = await work()
    done = {
      ...done,
      ...step,
      batches: [...done.batches, ...batches],
      problems: [...done.problems, ...problems],
      isPartial: done.isPartial || isPartial,
    }
    options.onProgress?.(at + 1, steps.length, what)
  }
  return done
}

async function rebuild(memory: Memory, { rebuildIndex }: CompactionPlan): Promise<Partial<Done>> {
  if (rebuildIndex === undefined) return {}
  const problems: Problem[] = []
  await unlessImpossible('.vault/index.db', problems, () => memory.store.rebuildIndex())
  return { problems }
}

/** A failure with one file does not stop the others. */
async function unlessImpossible<T>(
  path: string,
  problems: Problem[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CairnError) && errnoOf(error) === undefined) throw error
    const { code, message, hint } = asStorageError(error, `.memory/${path}`)
    problems.push({ code, path, message, hint })
    return undefined
  }
}

async function removeEntries(
  memory: Memory & UpkeepPorts,
  plan: CompactionPlan,
  { mostEntries = Number.POSITIVE_INFINITY }: CompactionOptions,
): Promise<Partial<Done>> {
  const all: readonly (readonly [keyof Done, PlannedEntryRemoval])[] = [
    ...plan.expire.map(item => ['entriesExpired', item] as const),
    ...plan.fade.map(item => ['entriesFaded', item] as const),
    ...plan.evict.map(item => ['entriesEvicted', item] as const),
  ]
  if (all.length === 0) return {}
  const wanted = all.slice(0, mostEntries)
  const { ids, batch } = await archiveEntries(
    memory,
    wanted.map(([, item]) => item),
    (id, { confirmations }) => !Object.hasOwn((confirmations ?? {}) as object, id),
  )
  const counts = { entriesExpired: 0, entriesFaded: 0, entriesEvicted: 0 }
  for (const [count, { id }] of wanted) if (ids.has(id)) counts[count as keyof typeof counts]++
  return {
    ...counts,
    batches: batch === undefined ? [] : [batch],
    isPartial: wanted.length < all.length,
  }
}

async function rollOver(memory: Memory, { rollOver: full }: CompactionPlan): Promise<Partial<Done>> {
  if (full.length === 0) return {}
  return { vaultEntriesMerged: await memory.store.rollOver(full.map(({ path }) => path)) }
}

interface FoundFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** Everything except entries is archived in one batch. */
async function prune(
  memory: Memory & SearchPorts & SessionPorts & UpkeepPorts,
  plan: CompactionPlan,
): Promise<Partial<Done>> {
  const find = async (paths: readonly string[]): Promise<FoundFile[]> => {
    const found: FoundFile[] = []
    for (const path of paths) {
      const bytes = await memory.memoryFiles.read(path)
      if (bytes !== undefined) found.push({ path, bytes })
    }
    return found
  }
  const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path)
  const checkpoints = await find(pathsOf(plan.checkpoints))
  const spent = await find(pathsOf(plan.spentCheckpoints))
  const legacy = await find(pathsOf(plan.legacy))
  const snapshots = await find(pathsOf(plan.snapshots))
  const sessions = await Promise.all(plan.sessions.map(({ files }) => find(pathsOf(files))))
  const trimmed = await find(pathsOf(plan.trim))
  const events = await findEvents(memory, new Set(plan.events))
  const leaving = [...checkpoints, ...legacy, ...snapshots, ...sessions.flat()]
  const going = [...leaving, ...(await cleaned(memory, plan.trim, trimmed))]
  const archived = await notArchivedYet(memory, going, plan.expireBatches)

  let batch: BatchManifest | undefined
  if (archived.length > 0 || events.length > 0)
    batch = await memory.archive.write({ kind: 'prune', at: nowIso(memory), files: archived, events })

  const problems: Problem[] = []
  const remove = async (files: readonly FoundFile[]): Promise<number> => {
    let removed = 0
    for (const { path, bytes } of files) {
      const isGone = await unlessImpossible(path, problems, () =>
        memory.memoryFiles.removeUnchanged(path, bytes),
      )
      if (isGone === true) removed++
    }
    return removed
  }
  if (events.length > 0) await memory.events.remove(new Set(events.map(({ id }) => id)))
  let sessionsArchived = 0
  for (const [at, { session, conversations }] of plan.sessions.entries()) {
    const mayGo = () => isStillOver(memory, session, conversations)
    const removed = await unlessImpossible(`sessions/${session}`, problems, () =>
      memory.memoryFiles.removeTogether(sessions[at] ?? [], mayGo),
    )
    if ((removed ?? 0) > 0) sessionsArchived++
  }
  return {
    conversationsTrimmed: await trim(memory, plan.trim, { archived: new Set(pathsOf(trimmed)), problems }),
    checkpointsCleaned: (await remove(checkpoints)) + (await remove(spent)),
    legacyFilesCleaned: await remove(legacy),
    snapshotsArchived: await remove(snapshots),
    sessionsArchived,
    eventsPruned: events.length,
    batches: batch === undefined ? [] : [batch.id],
    problems,
  }
}

/** Skips files that the last run archived but could not remove, so that they are not archived twice. */
async function notArchivedYet(
  memory: UpkeepPorts,
  files: readonly FoundFile[],
  expiring: CompactionPlan['expireBatches'],
): Promise<FoundFile[]> {
  const gone = new Set(expiring.map(({ id }) => id))
  const batches = (await memory.archive.list()).batches.filter(({ id }) => !gone.has(id))
  const left: FoundFile[] = []
  for (const file of files) {
    const holders = batches.filter(batch => batch.files.includes(file.path))
    if (!(await isIn(memory, holders, file))) left.push(file)
  }
  return left
}

async function isIn(
  memory: UpkeepPorts,
  holders: readonly BatchManifest[],
  file: FoundFile,
): Promise<boolean> {
  for (const { id } of holders) {
    const archived = await memory.archive.readFile(id, file.path)
    if (archived !== undefined && Buffer.compare(archived, file.bytes) === 0) return true
  }
  return false
}

/** A file of a seed A client may contain secrets. */
async function cleaned(
  memory: Memory,
  planned: CompactionPlan['trim'],
  files: readonly FoundFile[],
): Promise<FoundFile[]> {
  const seeds = new Set(planned.flatMap(({ path, isSeed }) => (isSeed ? [path] : [])))
  const config = await memory.config()
  const redaction = redactionOptions(config)
  return files.map(file => {
    if (!seeds.has(file.path)) return file
    const value: unknown = JSON.parse(new TextDecoder().decode(file.bytes))
    const clean = mapTexts(value, text => redact(text, redaction).text)
    return JSON.stringify(clean) === JSON.stringify(value)
      ? file
      : { ...file, bytes: new TextEncoder().encode(`${JSON.stringify(clean, null, 2)}\n`) }
  })
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}

/** Not resumed since the plan: none of its conversations is open, new, or has more messages. */
async function isStillOver(
  memory: SessionPorts,
  session: string,
  planned: CompactionPlan['sessions'][number]['conversations'],
): Promise<boolean> {
  const heads = await memory.sessions.conversationsOf(session)
  if (heads.some(({ agent }) => !planned.some(({ key }) => key.agent === agent))) return false
  for (const { key, messages } of planned) {
    const now = await memory.sessions.read(key)
    if (now !== undefined && (now.state !== 'closed' || now.messages.length > messages)) return false
  }
  return true
}

async function findEvents(memory: SessionPorts, ids: ReadonlySet<string>): Promise<MemoryEvent[]> {
  const found: MemoryEvent[] = []
  if (ids.size === 0) return found
  for await (const event of memory.events.read()) {
    if (ids.has(event.id)) found.push(event)
    if (found.length === ids.size) break
  }
  return found
}

/** The whole conversation is archived by now; its last messages stay in place. */
async function trim(
  memory: Memory & SearchPorts & SessionPorts,
  planned: CompactionPlan['trim'],
  { archived, problems }: { readonly archived: ReadonlySet<string>; readonly problems: Problem[] },
): Promise<number> {
  let count = 0
  for (const one of planned) {
    if (!archived.has(one.path)) continue
    if ((await unlessImpossible(one.path, problems, () => trimOne(memory, one))) === true) count++
  }
  return count
}

async function trimOne(
  memory: Memory & SearchPorts & SessionPorts,
  { key, messages, keeps, leavesHandoff }: CompactionPlan['trim'][number],
): Promise<boolean> {
  const read = await memory.sessions.read(key)
  // Resumed or grown since, so it is not over.
  if (read?.state !== 'closed' || read.messages.length !== messages) return false
  const conversation = await withoutSecrets(memory, read)
  if (leavesHandoff) await leaveCompactedHandoff(memory, conversation, messages - keeps)
  return memory.sessions.settle(key, {
    messages: conversation.messages.slice(-keeps),
    trimmed: conversation.trimmed + messages - keeps,
    expected: messages,
  })
}

async function expireBatches(
  memory: UpkeepPorts,
  { expireBatches: old }: CompactionPlan,
): Promise<Partial<Done>> {
  for (const { id } of old) await memory.archive.remove(id)
  return { batchesExpired: old.length }
}

async function tidyIndex(memory: Memory & UpkeepPorts): Promise<Partial<Done>> {
  if (doesVacuumPay(await memory.upkeepIndex.slack())) await memory.store.compactIndex()
  await memory.upkeepIndex.settle(memory.clock.nowMs() - COUNTERS_KEPT_MS)
  return {}
}

function nowIso(memory: Memory): string {
  return new Date(memory.clock.nowMs()).toISOString()
}

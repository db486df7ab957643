import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { SessionKey } from '../../kernel/model/session.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { pickUpSessions, sessionsLeft } from '../learning/closing.ts'
import type { ClosingPorts } from '../learning/decide/ports.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { planBacklog } from '../state/decide/backlog.ts'
import type { StatePorts } from '../state/decide/ports.ts'
import { applyCompaction, type CompactionOptions } from './apply-compaction.ts'
import {
  addRun,
  type CompactionLog,
  type CompactionResult,
  claimRun,
  endRun,
} from './decide/compaction-log.ts'
import {
  type CheckpointFacts,
  type CompactionPlan,
  type CompactionSettings,
  type CompactionState,
  oldestEventKept,
  planCompaction,
} from './decide/plan-compaction.ts'
import type { UpkeepPorts } from './decide/ports.ts'
import { migratedOf } from './migrated-files.ts'
import { gatherSessionFacts } from './session-facts.ts'
import { distilUnclosed, goOn, type Unclosed, unclosedConversations } from './unclosed-conversations.ts'

const HOUR_MS = 3_600_000

export interface PlannedUpkeep {
  readonly plan: CompactionPlan
  /** What could not be looked at; it is left as it is. */
  readonly problems: readonly Problem[]
}

export interface PlanOptions {
  /** Nobody asked for it: then no file changes that git sees. */
  readonly isAutomatic?: boolean
  /** Also compares the index with every file, which takes as long as reading all of them. */
  readonly comparesIndex?: boolean
  /** Sessions that are still going on, and were closed only to be trimmed. */
  readonly goingOn?: ReadonlySet<string>
}

/** What upkeep would do now. Changes nothing. */
export async function planUpkeepNow(
  memory: Memory & SessionPorts & UpkeepPorts & StatePorts,
  { isAutomatic = false, comparesIndex = true, goingOn = new Set() }: PlanOptions = {},
): Promise<PlannedUpkeep> {
  await memory.store.refresh()
  const settings = settingsOf(await memory.config(), isAutomatic)
  const nowMs = memory.clock.nowMs()
  const problems: Problem[] = []
  const files = await memory.memoryFiles.survey()
  const { batches, problems: damagedBatches } = await memory.archive.list()
  problems.push(...damagedBatches)
  const { checkpoints, damaged } = await memory.sessions.listCheckpoints()
  const state: CompactionState = {
    nowMs,
    entries: await memory.upkeepIndex.captured(),
    confirmedByPerson: await confirmedByPerson(memory),
    headFiles: await memory.upkeepIndex.headFiles(),
    indexDamage:
      (await memory.upkeepIndex.findDamage({ countsWords: comparesIndex })) ??
      (comparesIndex ? await disagreement(memory) : undefined),
    checkpoints: await checkpointFacts(memory, checkpoints),
    // A link out of the memory is told as well, and is not ours to move.
    damagedCheckpoints: damaged.filter(({ code }) => code.startsWith('checkpoint_')).map(({ path }) => path),
    sessions: await gatherSessionFacts(memory, files),
    goingOn,
    events: await oldEvents(memory, oldestEventKept(nowMs, settings), problem => problems.push(problem)),
    snapshots: await memory.state.checkpoints(),
    latestSnapshot: await latestSnapshot(memory),
    files: {
      backups: await migratedOf(memory, files.backups),
      flatFiles: await migratedOf(memory, files.flatFiles),
    },
    batches,
    broughtBack: await broughtBack(memory, batches),
  }
  return { plan: planCompaction(state, settings), problems }
}

export interface CompactOptions extends CompactionOptions, Pick<PlanOptions, 'isAutomatic'> {
  readonly dryRun?: boolean
}

export interface Compacted extends PlannedUpkeep {
  /** Sessions that nobody had closed: they are, before all else. */
  readonly left: readonly string[]
  /** Conversations that nobody closes, and that have not been distilled. */
  readonly unclosed: readonly Unclosed[]
  /** undefined: it was only planned. */
  readonly result: CompactionResult | undefined
}

/** Plans, and does it unless `dryRun`. */
export async function compact(
  memory: Memory & ClosingPorts & UpkeepPorts & StatePorts,
  options: CompactOptions = {},
): Promise<Compacted> {
  const startedMs = memory.clock.nowMs()
  await memory.store.refresh()
  const left = await sessionsLeft(memory)
  const { isAutomatic = false } = options
  const hasTime = options.deadlineMs === undefined
  // It stops everything else in this process for as long as the files take to be read.
  const comparesIndex = hasTime && !isAutomatic
  const unclosed = hasTime ? await unclosedConversations(memory) : []
  if (options.dryRun === true)
    return { ...(await planUpkeepNow(memory, { isAutomatic })), left, unclosed, result: undefined }
  // Before it is planned: what a session says for the last time is distilled before it is trimmed.
  // Beside a command there is no time for it: that command starts another (surfaces/cli/after-answer.ts).
  const pickedUp =
    options.deadlineMs === undefined ? await pickUpSessions(memory) : { closed: [], problems: [] }
  const distilled = await distilUnclosed(memory, unclosed)
  const goingOn = new Set(distilled.interrupted.map(({ head }) => head.session))
  const planned = await planUpkeepNow(memory, { isAutomatic, comparesIndex, goingOn })
  const { problems, ...done } = await applyCompaction(memory, planned.plan, options)
  await goOn(memory, distilled.interrupted)
  const result: CompactionResult = {
    timestamp: new Date(startedMs).toISOString(),
    ...done,
    // Also when it had to be made before anything could be read.
    indexRebuilt: memory.store.takeIndexRebuilt(),
    ms: Math.round(memory.clock.nowMs() - startedMs),
  }
  await memory.memoryFiles.editLog(log => addRun(log, result))
  return {
    ...planned,
    problems: [...pickedUp.problems, ...distilled.problems, ...planned.problems, ...problems],
    left,
    unclosed,
    result,
  }
}

/** Nothing in the index is broken, and yet it is not what the files say: half of its rows are gone. */
async function disagreement(memory: Memory): Promise<string | undefined> {
  const [problem] = (await memory.store.check()).filter(({ code }) => code === 'index_disagrees')
  return problem?.message
}

async function latestSnapshot(memory: StatePorts): Promise<string | undefined> {
  const reading = await memory.state.read()
  return (reading.kind === 'read' ? reading.state.maintenance.latestCheckpointId : undefined) ?? undefined
}

/** By time, or by how often entries were asked for since the last. Cheap: every command may ask. */
export function isUpkeepDue(memory: Memory & UpkeepPorts): Promise<boolean> {
  return memory.store.reading(() => lookWhetherDue(memory))
}

async function lookWhetherDue(memory: Memory & UpkeepPorts): Promise<boolean> {
  const config = await memory.config()
  if (!config['upkeep.auto']) return false
  const { lastCompaction } = await memory.memoryFiles.readLog()
  if (lastCompaction?.isPartial === true) return true
  const intervalMs = config['upkeep.intervalHours'] * HOUR_MS
  const accesses = config['upkeep.accesses']
  if (accesses > 0 && (await memory.upkeepIndex.accessesSinceUpkeep()) >= accesses) return true
  if (intervalMs === 0) return false
  // Before the first run, the oldest entry tells how long there has been something to tidy.
  const since =
    lastCompaction === undefined ? await memory.upkeepIndex.oldestMs() : Date.parse(lastCompaction.timestamp)
  return since !== undefined && Math.abs(memory.clock.nowMs() - since) >= intervalMs
}

/**
 * Upkeep that nobody asked for: only when it is due, and only by one process at a time. Never throws: what went wrong is in
 * the log, where `cairn status` shows it.
 */
export async function compactWhenDue(
  memory: Memory & ClosingPorts & UpkeepPorts & StatePorts,
  options: CompactionOptions = {},
): Promise<CompactionResult | undefined> {
  try {
    if (!(await isUpkeepDue(memory))) return undefined
    const seen = await memory.memoryFiles.readLog()
    let isOurs = false
    await memory.memoryFiles.editLog(log => {
      const claimed = claimRun(log, seen, new Date(memory.clock.nowMs()).toISOString())
      isOurs = claimed !== undefined
      return claimed
    })
    if (!isOurs) return undefined
  } catch (error) {
    // Another process has the lock, or the folder cannot be written: then upkeep is for another time.
    expected(error)
    return undefined
  }
  try {
    return (await compact(memory, { ...options, isAutomatic: true })).result
  } catch (error) {
    await noteFailure(memory, expected(error))
    return undefined
  }
}

async function noteFailure(memory: Memory & UpkeepPorts, { code, message }: CairnError): Promise<void> {
  try {
    const failure: CompactionLog['failure'] = {
      at: new Date(memory.clock.nowMs()).toISOString(),
      code,
      // It may quote what stands in a file.
      message: redact(message, redactionOptions(await memory.config())).text,
    }
    await memory.memoryFiles.editLog(log => endRun(log, failure))
  } catch (error) {
    // Where not even the log can be written, `cairn status` says why by itself.
    expected(error)
  }
}

/** Failures of the store and the disk. Anything else is a fault of ours, and is not hidden. */
function expected(error: unknown): CairnError {
  if (error instanceof CairnError) return error
  if (errnoOf(error) !== undefined) return asStorageError(error, 'The memory folder')
  throw error
}

function settingsOf(config: Config, isAutomatic: boolean): CompactionSettings {
  return {
    maxEntries: config['upkeep.maxEntries'],
    keepEntries: config['upkeep.keepEntries'],
    conversationMessages: config['upkeep.conversationMessages'],
    checkpointDays: config['session.checkpointDays'],
    maxEntriesPerFile: config['vault.maxEntriesPerFile'],
    keepInFile: config['vault.keepEntries'],
    isRetentionOn: config['retention.enabled'],
    historyDays: config['retention.history.maxAgeDays'],
    snapshotDays: config['retention.checkpoints.maxAgeDays'],
    snapshotsKept: config['retention.checkpoints.keepRecent'],
    archiveDays: config['retention.archive.expireAfterDays'],
    isAutomatic,
  }
}

/** Asked by its ids: a session's file is not always called like it. */
async function checkpointFacts(
  memory: SessionPorts,
  checkpoints: Awaited<ReturnType<SessionPorts['sessions']['listCheckpoints']>>['checkpoints'],
): Promise<CheckpointFacts[]> {
  const facts: CheckpointFacts[] = []
  for (const { path, savedAt, key } of checkpoints)
    facts.push({ path, savedAt, hasConversation: await hasConversation(memory, key) })
  return facts
}

async function hasConversation(memory: SessionPorts, key: SessionKey): Promise<boolean> {
  try {
    return (await memory.sessions.readEnd(key, 1)) !== undefined
  } catch (error) {
    // It lies behind a link, or cannot be told: then the checkpoint is archived before it goes.
    if (error instanceof CairnError) return false
    throw error
  }
}

/** What a person confirmed, or brought back from the archive, is in curation.json. */
export async function confirmedByPerson(memory: Memory): Promise<ReadonlySet<string>> {
  const { confirmations } = await memory.store.readDocument('curation.json')
  return new Set(
    typeof confirmations === 'object' && confirmations !== null ? Object.keys(confirmations) : [],
  )
}

/** What recall has not folded in stays, however old it is. */
async function oldEvents(
  memory: SessionPorts & StatePorts,
  untilMs: number,
  onProblem: (problem: Problem) => void,
): Promise<{ id: string; createdAt: string }[]> {
  if (untilMs === Number.NEGATIVE_INFINITY) return []
  const all: { id: string; sourceId: string; createdAt: string }[] = []
  for await (const { id, sourceId, createdAt } of memory.events.read(onProblem))
    all.push({ id, sourceId, createdAt })
  // Older ones may follow a younger: what was imported stands where it came in.
  const isOld = ({ createdAt }: { createdAt: string }) => Date.parse(createdAt) < untilMs
  if (!all.some(isOld)) return []
  const reading = await memory.state.read()
  const cursors = reading.kind === 'read' ? reading.state.maintenance.recallCursors : {}
  return planBacklog(all, cursors, 'all').known.filter(isOld)
}

/** Files and events of restored batches stay: a person wanted them. */
async function broughtBack(
  memory: UpkeepPorts,
  batches: CompactionState['batches'],
): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const { id, files, events, restoredAt } of batches) {
    if (restoredAt === undefined) continue
    for (const path of files) names.add(path)
    if (events === 0) continue
    for (const event of (await memory.archive.read(id))?.archivedEvents ?? []) names.add(event.id)
  }
  return names
}

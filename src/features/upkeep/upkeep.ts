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
  eventCutoffMs,
  planCompaction,
} from './decide/plan-compaction.ts'
import type { UpkeepPorts } from './decide/ports.ts'
import { migratedOf } from './migrated-files.ts'
import {
  distilUnclosed,
  gatherSessionFacts,
  reopenSessions,
  type Unclosed,
  unclosedConversations,
} from './session-facts.ts'

const HOUR_MS = 3_600_000

interface PlannedUpkeep {
  readonly plan: CompactionPlan
  /** What could not be read; it is not changed. */
  readonly problems: readonly Problem[]
}

interface PlanOptions {
  /** Not requested by a person: no tracked file changes. */
  readonly isAutomatic?: boolean
  /** Also compares the index with every file, which means reading all of them. */
  readonly comparesIndex?: boolean
  /** Active sessions that were closed only to be trimmed. */
  readonly goingOn?: ReadonlySet<string>
}

/** The current plan of upkeep. Changes nothing. */
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
    // A link out of the memory is reported too, and must not be moved.
    damagedCheckpoints: damaged.filter(({ code }) => code.startsWith('checkpoint_')).map(({ path }) => path),
    sessions: await gatherSessionFacts(memory, files),
    goingOn,
    events: await oldEvents(memory, eventCutoffMs(nowMs, settings), problem => problems.push(problem)),
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

interface CompactOptions extends CompactionOptions, Pick<PlanOptions, 'isAutomatic'> {
  readonly dryRun?: boolean
}

export interface Compacted extends PlannedUpkeep {
  /** Sessions that were left open and were closed first. */
  readonly left: readonly string[]
  /** Conversations that were left open and are not distilled. */
  readonly unclosed: readonly Unclosed[]
  /** undefined: only planned. */
  readonly result: CompactionResult | undefined
}

/** Plans upkeep, and applies it unless `dryRun`. */
export async function compact(
  memory: Memory & ClosingPorts & UpkeepPorts & StatePorts,
  options: CompactOptions = {},
): Promise<Compacted> {
  const startedMs = memory.clock.nowMs()
  await memory.store.refresh()
  const left = await sessionsLeft(memory)
  const { isAutomatic = false } = options
  const hasTime = options.deadlineMs === undefined
  // Reading the files blocks this process.
  const comparesIndex = hasTime && !isAutomatic
  const unclosed = hasTime ? await unclosedConversations(memory) : []
  if (options.dryRun === true)
    return { ...(await planUpkeepNow(memory, { isAutomatic })), left, unclosed, result: undefined }
  // Before planning: a session is distilled before it is trimmed.
  // A command has no time to refine: it starts another process (surfaces/cli/after-answer.ts).
  const pickedUp =
    options.deadlineMs === undefined ? await pickUpSessions(memory) : { closed: [], problems: [] }
  const distilled = await distilUnclosed(memory, unclosed)
  const goingOn = new Set(distilled.interrupted.map(({ head }) => head.session))
  const planned = await planUpkeepNow(memory, { isAutomatic, comparesIndex, goingOn })
  const { problems, ...done } = await applyCompaction(memory, planned.plan, options)
  await reopenSessions(memory, distilled.interrupted)
  const result: CompactionResult = {
    timestamp: new Date(startedMs).toISOString(),
    ...done,
    // Also if it had to be rebuilt before anything could be read.
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

/** An index without damage that still differs from the files, for example with half of its rows missing. */
async function disagreement(memory: Memory): Promise<string | undefined> {
  const [problem] = (await memory.store.check()).filter(({ code }) => code === 'index_disagrees')
  return problem?.message
}

async function latestSnapshot(memory: StatePorts): Promise<string | undefined> {
  const reading = await memory.state.read()
  return (reading.kind === 'read' ? reading.state.maintenance.latestCheckpointId : undefined) ?? undefined
}

/** By time, or by the number of accesses since the last run. Cheap enough for every command. */
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
  // Before the first run, the age of the oldest entry counts.
  const since =
    lastCompaction === undefined ? await memory.upkeepIndex.oldestMs() : Date.parse(lastCompaction.timestamp)
  return since !== undefined && Math.abs(memory.clock.nowMs() - since) >= intervalMs
}

/**
 * Automatic upkeep: only when it is due, and in one process at a time. Never throws: a failure is stored in the log, and `cairn status`
 * shows it.
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
    // Another process has the lock, or the folder is not writable: a later run does it.
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
      // The message may quote the text of a file.
      message: redact(message, redactionOptions(await memory.config())).text,
    }
    await memory.memoryFiles.editLog(log => endRun(log, failure))
  } catch (error) {
    // If even the log cannot be written, `cairn status` reports why.
    expected(error)
  }
}

/** Failures of the store and the disk. Any other error is a bug and is thrown. */
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
    maxSnapshots: config['retention.checkpoints.keepRecent'],
    archiveDays: config['retention.archive.expireAfterDays'],
    isAutomatic,
  }
}

/** Found by its ids, because the file name of a session can differ. */
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
    // Behind a link or unknown: the checkpoint is archived before it is removed.
    if (error instanceof CairnError) return false
    throw error
  }
}

/** Confirmed and restored entries, from curation.json. */
export async function confirmedByPerson(memory: Memory): Promise<ReadonlySet<string>> {
  const { confirmations } = await memory.store.readDocument('curation.json')
  return new Set(
    typeof confirmations === 'object' && confirmations !== null ? Object.keys(confirmations) : [],
  )
}

/** Events that recall has not processed stay at any age. */
async function oldEvents(
  memory: SessionPorts & StatePorts,
  untilMs: number,
  onProblem: (problem: Problem) => void,
): Promise<{ id: string; createdAt: string }[]> {
  if (untilMs === Number.NEGATIVE_INFINITY) return []
  const all: { id: string; sourceId: string; createdAt: string }[] = []
  for await (const { id, sourceId, createdAt } of memory.events.read(onProblem))
    all.push({ id, sourceId, createdAt })
  // Not sorted by date: an imported event is at the position where it was imported.
  const isOld = ({ createdAt }: { createdAt: string }) => Date.parse(createdAt) < untilMs
  if (!all.some(isOld)) return []
  const reading = await memory.state.read()
  const cursors = reading.kind === 'read' ? reading.state.maintenance.recallCursors : {}
  return planBacklog(all, cursors, 'all').known.filter(isOld)
}

/** Files and events of restored batches stay, because a person wants them. */
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

/** The result of one upkeep run. The first six names are those of the seed (A, section 6). */
export interface CompactionResult {
  /** UTC ISO. */
  readonly timestamp: string
  readonly checkpointsCleaned: number
  readonly conversationsTrimmed: number
  /** Entries that moved from head files into pages. */
  readonly vaultEntriesMerged: number
  readonly indexRebuilt: boolean
  readonly legacyFilesCleaned: number

  readonly entriesExpired: number
  readonly entriesFaded: number
  readonly entriesEvicted: number
  /** 0, because only people confirm; older runs in the log have a count. */
  readonly entriesConfirmed: number
  readonly eventsPruned: number
  readonly sessionsArchived: number
  readonly snapshotsArchived: number
  /** The batches that this run wrote. */
  readonly batches: readonly string[]
  /** Batches that were deleted permanently, if an expiry is set. */
  readonly batchesExpired: number
  readonly ms: number
  /** True: the time limit was reached, and the next run continues. */
  readonly isPartial: boolean
}

export const NOTHING_DONE: Omit<CompactionResult, 'timestamp'> = {
  checkpointsCleaned: 0,
  conversationsTrimmed: 0,
  vaultEntriesMerged: 0,
  indexRebuilt: false,
  legacyFilesCleaned: 0,
  entriesExpired: 0,
  entriesFaded: 0,
  entriesEvicted: 0,
  entriesConfirmed: 0,
  eventsPruned: 0,
  sessionsArchived: 0,
  snapshotsArchived: 0,
  batches: [],
  batchesExpired: 0,
  ms: 0,
  isPartial: false,
}

/** `.vault/compact-log.json` */
export interface CompactionLog {
  readonly lastCompaction?: CompactionResult
  /** Newest first. */
  readonly earlier: readonly CompactionResult[]
  /** An automatic run that started and may have died. */
  readonly running?: { readonly since: string }
  /** Why the last automatic run failed. */
  readonly failure?: { readonly at: string; readonly code: string; readonly message: string }
}

export const EMPTY_LOG: CompactionLog = { earlier: [] }

const MAX_EARLIER = 30
/** A run that takes longer has died. */
const MAX_RUN_MS = 600_000

export function addRun(log: CompactionLog, result: CompactionResult): CompactionLog {
  const earlier = log.lastCompaction === undefined ? log.earlier : [log.lastCompaction, ...log.earlier]
  return { lastCompaction: result, earlier: earlier.slice(0, MAX_EARLIER) }
}

/** The log with this run started. undefined: another process started or finished one since `seen` was read. */
export function claimRun(log: CompactionLog, seen: CompactionLog, nowIso: string): CompactionLog | undefined {
  if (log.lastCompaction?.timestamp !== seen.lastCompaction?.timestamp) return undefined
  const since = log.running === undefined ? Number.NaN : Date.parse(log.running.since)
  if (Math.abs(Date.parse(nowIso) - since) < MAX_RUN_MS) return undefined
  return { ...log, running: { since: nowIso } }
}

export function endRun(log: CompactionLog, failure: CompactionLog['failure']): CompactionLog {
  const { running: _, ...rest } = log
  return failure === undefined ? rest : { ...rest, failure }
}

/** The readable part of the log file. */
export function parseLog(text: string): CompactionLog {
  let stored: unknown
  try {
    stored = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return EMPTY_LOG
  }
  const { lastCompaction, earlier, running, failure } = (stored ?? {}) as Partial<
    Record<keyof CompactionLog, unknown>
  >
  const last = readResult(lastCompaction)
  return {
    ...(last && { lastCompaction: last }),
    earlier: (Array.isArray(earlier) ? earlier : []).flatMap(item => readResult(item) ?? []),
    ...(hasTexts(running, 'since') && { running: running as { since: string } }),
    ...(hasTexts(failure, 'at', 'code', 'message') && {
      failure: failure as { at: string; code: string; message: string },
    }),
  }
}

export function renderLog(log: CompactionLog): string {
  return `${JSON.stringify(log, null, 2)}\n`
}

/** Runs of older versions and of the seed lack newer fields. */
function readResult(stored: unknown): CompactionResult | undefined {
  if (!hasTexts(stored, 'timestamp')) return undefined
  const known = stored as Partial<CompactionResult> & { timestamp: string }
  const values = Object.entries(NOTHING_DONE).map(([key, empty]) => {
    const value = known[key as keyof CompactionResult]
    const fits = Array.isArray(empty) ? Array.isArray(value) : typeof value === typeof empty
    return [key, fits ? value : empty]
  })
  return { timestamp: known.timestamp, ...(Object.fromEntries(values) as typeof NOTHING_DONE) }
}

function hasTexts(value: unknown, ...keys: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    keys.every(key => typeof (value as Record<string, unknown>)[key] === 'string')
  )
}

import * as v from 'valibot'
import { REPORTED_REASONS } from '../decide/reported-reason.ts'

const count = v.number()
/** The first six are the seed's names. */
export const compactionSchema = v.object({
  timestamp: v.pipe(v.string(), v.description('When it started, UTC')),
  checkpointsCleaned: count,
  conversationsTrimmed: count,
  vaultEntriesMerged: v.pipe(count, v.description('Entries that moved from head files into pages')),
  indexRebuilt: v.boolean(),
  legacyFilesCleaned: count,
  entriesExpired: v.pipe(count, v.description('Not used within the time limit of their kind')),
  entriesFaded: v.pipe(count, v.description('Candidates that were never fetched')),
  entriesEvicted: v.pipe(count, v.description('The least important above upkeep.maxEntries')),
  entriesConfirmed: v.pipe(count, v.description('0 since 0.2: only people confirm')),
  eventsPruned: count,
  sessionsArchived: count,
  snapshotsArchived: count,
  batches: v.pipe(v.array(v.string()), v.readonly(), v.description('The archive batches of this run')),
  batchesExpired: count,
  ms: count,
  isPartial: v.pipe(v.boolean(), v.description('The time limit was reached; the next run continues')),
})

export type Compaction = v.InferOutput<typeof compactionSchema>

export const upkeepReasonSchema = v.pipe(
  v.object({
    code: v.picklist(REPORTED_REASONS),
    days: v.exactOptional(v.number()),
    count: v.exactOptional(v.number()),
  }),
  v.description('The reason as data, for clients with their own texts'),
)

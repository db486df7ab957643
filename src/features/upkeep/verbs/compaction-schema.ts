import * as v from 'valibot'
import { TOLD_REASONS } from '../decide/told-reason.ts'

const count = v.number()
/** The first six are the seed's names. */
export const compactionSchema = v.object({
  timestamp: v.pipe(v.string(), v.description('When it began, UTC')),
  checkpointsCleaned: count,
  conversationsTrimmed: count,
  vaultEntriesMerged: v.pipe(count, v.description('Entries that moved from head files into pages')),
  indexRebuilt: v.boolean(),
  legacyFilesCleaned: count,
  entriesExpired: v.pipe(count, v.description('Not used for as long as their kind lives')),
  entriesFaded: v.pipe(count, v.description('Candidates that nobody ever asked for')),
  entriesEvicted: v.pipe(count, v.description('The least important above upkeep.maxEntries')),
  entriesConfirmed: v.pipe(count, v.description('0 since 0.2: people alone confirm')),
  eventsPruned: count,
  sessionsArchived: count,
  snapshotsArchived: count,
  batches: v.pipe(v.array(v.string()), v.readonly(), v.description('What this run put into the archive')),
  batchesExpired: count,
  ms: count,
  isPartial: v.pipe(v.boolean(), v.description('It stopped when its time was up; the next run goes on')),
})

export type Compaction = v.InferOutput<typeof compactionSchema>

export const upkeepReasonSchema = v.pipe(
  v.object({
    code: v.picklist(TOLD_REASONS),
    days: v.exactOptional(v.number()),
    count: v.exactOptional(v.number()),
  }),
  v.description('The same as data, for those who tell it in words of their own'),
)

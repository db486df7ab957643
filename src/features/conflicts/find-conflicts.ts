import type { Memory } from '../../kernel/memory.ts'
import { inOrder } from '../../kernel/model/conflict.ts'
import { type Entry, haveOneReader, isCommonVault } from '../../kernel/model/entry.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { retrieve } from '../search/decide/retrieve.ts'
import type { ConflictPorts, FoundConflict } from './decide/ports.ts'
import { findValueConflict, mayConflict, statedValues } from './decide/stated-values.ts'

/** Entries with the words of one stated value that are compared with it. */
const NEIGHBOURS = 24
/** Entries between two writes. */
const BATCH = 64
/** Share of correct reports on the test set of `bench -- conflicts` (ADR 55). */
const CONFIDENCE = 0.95

interface CompareOptions {
  /** Stop after this many entries. */
  readonly limit?: number
  /** Awaited before each entry, where other work shares the thread. */
  readonly turn?: () => Promise<void>
  readonly onProgress?: (done: number, total: number) => void
}

interface CompareReport {
  readonly compared: number
  /** Entries that were not compared yet. */
  readonly waiting: number
}

/**
 * Compares new and changed entries, the newest first. Only an entry that literally states a value is compared: with those that have the same words.
 * Nothing is decided here, and no prompt waits for it: it continues where it stopped.
 */
export async function compareEntries(
  memory: Memory & SearchPorts & ConflictPorts,
  isOver: () => boolean,
  { limit = Number.POSITIVE_INFINITY, turn, onProgress }: CompareOptions = {},
): Promise<CompareReport> {
  const waiting = await memory.conflicts.waiting()
  const total = Math.min(limit, waiting)
  let compared = 0
  while (compared < total && !isOver()) {
    const batch = await memory.conflicts.uncompared(Math.min(BATCH, total - compared))
    const done: Entry[] = []
    const pairs: FoundConflict[] = []
    for (const entry of batch) {
      if (done.length > 0 && isOver()) break
      await turn?.()
      pairs.push(...(await conflictsOf(memory, entry)))
      done.push(entry)
    }
    if (done.length === 0) break
    await memory.conflicts.putCompared(
      done.map(({ id, content }) => ({ id, said: fingerprint(content) })),
      pairs,
    )
    compared += done.length
    onProgress?.(compared, total)
  }
  return { compared, waiting: compared === 0 ? waiting : await memory.conflicts.waiting() }
}

async function conflictsOf(memory: Memory & SearchPorts, entry: Entry): Promise<FoundConflict[]> {
  const stated = mayConflict(entry) ? statedValues(entry.content) : []
  if (stated.length === 0) return []
  const others = await memory.store.reading(() =>
    entriesWith(
      memory,
      entry,
      stated.map(({ key }) => key),
    ),
  )
  return others.flatMap((other): FoundConflict[] => {
    const [older, newer] = inOrder(entry, other)
    const found = findValueConflict(older, newer)
    if (found === undefined) return []
    return [
      {
        older: older.id,
        newer: newer.id,
        type: 'contradictory',
        confidence: CONFIDENCE,
        reason: { code: 'value', words: found.about.split(' '), sides: [[found.older], [found.newer]] },
        detectedAt: memory.clock.nowMs(),
        said: [fingerprint(older.content), fingerprint(newer.content)],
      },
    ]
  })
}

async function entriesWith(
  memory: Memory & SearchPorts,
  entry: Entry,
  keys: readonly string[],
): Promise<Entry[]> {
  const aliases = await memory.aliases()
  const ids = new Set<string>()
  for (const query of keys) {
    const { ranked } = await retrieve(memory.search, {
      query,
      // An agent's entry is compared with what the agent reads, a common one with all.
      filter: isCommonVault(entry.agent) ? {} : { reader: entry.agent },
      wanted: NEIGHBOURS,
      aliases,
      now: utcMinute(memory.clock.nowMs()),
    })
    for (const { id } of ranked.slice(0, NEIGHBOURS)) ids.add(id)
  }
  ids.delete(entry.id)
  const entryById = await memory.search.loadEntries([...ids])
  return [...entryById.values()].filter(other => haveOneReader(entry, other))
}

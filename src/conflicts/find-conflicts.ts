import type { Engine } from '../engine-parts.ts'
import type { ConflictPair, ResolvedConflict } from '../model/conflict.ts'
import { pairKey } from '../model/conflict.ts'
import { AUTOMATIC, type Entry } from '../model/entry.ts'
import { CairnError } from '../model/errors.ts'
import { haveOneReader, isCommonVault } from '../model/reader.ts'
import type { FoundConflict } from '../pipeline/promote/conflict-index.ts'
import { judgePair, mayConflict } from '../pipeline/promote/judge-pair.ts'
import { mayRetire } from '../pipeline/promote/may-retire.ts'
import { readResolutions, withResolution } from '../pipeline/promote/resolutions.ts'
import { type ReadStatement, readStatement, type Statement } from '../pipeline/promote/statement.ts'
import { retrieve } from '../pipeline/retrieve/retrieve.ts'
import { versionOf } from '../pipeline/sync/shared-entry.ts'
import { utcMinute } from '../text/dates.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { tellingPart } from '../text/telling-part.ts'

/** Pairs that one entry is judged in, and the neighbours they are picked from: some are of a kind or a vault that cannot be against it. */
const MOST_PAIRS = 16
const NEIGHBOURS = 24
/** Of an entry's words, when they are what its neighbours are found by. */
const WORD_TOKENS = 60
/** Entries between two writes. */
const BATCH = 64

export interface CompareOptions {
  /** Stop after so many entries. */
  readonly limit?: number
  /** Waited for before each entry, by whom others share a thread with. */
  readonly turn?: () => Promise<void>
  readonly onProgress?: (done: number, total: number) => void
}

export interface CompareReport {
  readonly compared: number
  /** Entries that were not compared yet. */
  readonly waiting: number
}

/**
 * Compares entries that are new or were changed with their nearest neighbours, the newest first. What a newer entry says to have changed is
 * recorded as superseded; what merely contradicts is kept as an open question. Nobody waits for this: it goes on where it stopped.
 */
export async function askConflicts(
  engine: Engine,
  isTime: () => boolean,
  { limit = Number.POSITIVE_INFINITY, turn, onProgress }: CompareOptions = {},
): Promise<CompareReport> {
  const { waiting, ...given } = await engine.store.reading(async () => ({
    waiting: await engine.conflicts.waiting(),
    hasVectors: (await engine.semantics.isOn()) && (await engine.semantics.vectors.state()).count > 0,
    aliases: await engine.aliases(),
  }))
  const total = Math.min(limit, waiting)
  const run: Comparing = { ...given, read: keepingStatements() }
  let compared = 0
  while (compared < total && !isTime()) {
    const batch = await engine.conflicts.uncompared(Math.min(BATCH, total - compared))
    const done: Entry[] = []
    const pairs: FoundConflict[] = []
    for (const entry of batch) {
      if (done.length > 0 && isTime()) break
      await turn?.()
      pairs.push(...(await conflictsOf(engine, entry, run)))
      done.push(entry)
    }
    if (done.length === 0) break
    // First what is to last: if this process dies here, they are compared again.
    await recordSupersessions(engine, pairs)
    await engine.conflicts.putCompared(
      done.map(({ id, content }) => ({ id, said: fingerprint(content) })),
      pairs,
    )
    compared += done.length
    onProgress?.(compared, total)
  }
  return { compared, waiting: await engine.conflicts.waiting() }
}

/** What one run of comparing goes by. */
interface Comparing {
  readonly hasVectors: boolean
  readonly aliases: Readonly<Record<string, readonly string[]>>
  readonly read: ReadStatement
}

async function conflictsOf(engine: Engine, entry: Entry, run: Comparing): Promise<FoundConflict[]> {
  if (versionOf(entry) === undefined && !mayConflict(entry)) return []
  const neighbours = await engine.store.reading(() => neighboursOf(engine, entry, run))
  const found: FoundConflict[] = []
  for (const { other, cosine } of neighbours) {
    // Two statements take a millisecond or two to read: whoever else lives in this process has a turn in between.
    await new Promise(resolve => setImmediate(resolve))
    const pair = areVersions(entry, other)
      ? pairOfVersions(entry, other)
      : judgePair({ a: entry, b: other, cosine, read: run.read })
    if (pair === undefined) continue
    const printOf = (id: string) => fingerprint((id === entry.id ? entry : other).content)
    found.push({
      ...pair,
      detectedAt: engine.clock.nowMs(),
      said: [printOf(pair.older), printOf(pair.newer)],
    })
  }
  return found
}

/** Those that the entry may be against, the nearest first. */
async function neighboursOf(
  engine: Engine,
  entry: Entry,
  run: Comparing,
): Promise<{ readonly other: Entry; readonly cosine: number | undefined }[]> {
  const of = versionOf(entry)
  const vector = run.hasVectors ? await engine.semantics.vectors.vectorOf(entry.id) : undefined
  const near =
    vector === undefined
      ? await nearByWords(engine, entry, run)
      : await nearByMeaning(engine, entry, { ...run, vector })
  const ids = of === undefined ? near : [of, ...near.filter(id => id !== of)]
  const measured =
    vector === undefined ? undefined : (await engine.semantics.vectors.measure(vector, ids)).measuredById
  const entryById = await engine.search.loadEntries(ids)
  return ids
    .flatMap(id => entryById.get(id) ?? [])
    .filter(other => other.id !== entry.id && haveOneReader(entry, other))
    .filter(other => areVersions(entry, other) || (mayConflict(entry) && mayConflict(other)))
    .slice(0, MOST_PAIRS)
    .map(other => ({ other, cosine: measured?.get(other.id)?.cosine }))
}

/** One entry that was changed in two places at once, kept as two: nobody has to read them to know that they are against each other. */
function areVersions(a: Entry, b: Entry): boolean {
  return versionOf(a) === b.id || versionOf(b) === a.id
}

function pairOfVersions(a: Entry, b: Entry): Omit<ConflictPair, 'detectedAt'> {
  const [older, newer] = versionOf(a) === b.id ? [b.id, a.id] : [a.id, b.id]
  return { older, newer, type: 'contradictory', confidence: 1, reason: { code: 'versions', words: [] } }
}

/** An agent's entry meets what the agent reads; a common one meets all. */
function meeting({ agent }: Entry): { reader?: string } {
  return isCommonVault(agent) ? {} : { reader: agent }
}

async function nearByMeaning(
  engine: Engine,
  entry: Entry,
  { vector, ...run }: Comparing & { vector: Float32Array },
): Promise<string[]> {
  const { vectors } = engine.semantics
  const near = await vectors.findNearest({ vector, filter: meeting(entry), limit: NEIGHBOURS })
  const { waiting } = await vectors.state()
  // Those that have no vector yet can only be found by their words.
  const others = waiting === 0 ? [] : await nearByWords(engine, entry, run)
  return [...new Set([...near.map(({ id }) => id), ...others])]
}

async function nearByWords(engine: Engine, entry: Entry, { aliases }: Comparing): Promise<string[]> {
  const { ranked } = await retrieve(engine.search, {
    query: [tellingPart(entry.content, WORD_TOKENS), ...entry.tags, ...entry.files].join(' '),
    filter: meeting(entry),
    wanted: NEIGHBOURS,
    aliases,
    now: utcMinute(engine.clock.nowMs()),
  })
  return ranked.slice(0, NEIGHBOURS).map(({ id }) => id)
}

/** Statements are read once for all the pairs of a run; memory is bounded by forgetting them all now and then. */
function keepingStatements(): ReadStatement {
  const kept = new Map<string, Statement>()
  return (text, language) => {
    const key = `${language}${text}`
    const known = kept.get(key)
    if (known !== undefined) return known
    if (kept.size > 4_000) kept.clear()
    const statement = readStatement(text, language)
    kept.set(key, statement)
    return statement
  }
}

/** One record for a batch, in curation.json, where a person sees it and it outlives the index. */
async function recordSupersessions(engine: Engine, pairs: readonly FoundConflict[]): Promise<void> {
  const plain = pairs.filter(({ type }) => type === 'superseded')
  if (plain.length === 0) return
  try {
    await engine.store.write(AUTOMATIC, async view => {
      const before = await view.readDocument('curation.json')
      const known = new Set(
        readResolutions(before.conflicts).map(
          ({ entryA, entryB, said }) => `${pairKey(entryA, entryB)} ${[...said].sort().join(' ')}`,
        ),
      )
      let conflicts = before.conflicts
      for (const pair of plain) {
        const [older, newer] = [await view.findEntry(pair.older), await view.findEntry(pair.newer)]
        const isDecided = known.has(`${pairKey(pair.older, pair.newer)} ${[...pair.said].sort().join(' ')}`)
        if (older === undefined || newer === undefined || isDecided || !mayRetire(older, newer)) continue
        conflicts = withResolution(conflicts, supersession(pair, engine.clock.nowMs()))
      }
      if (conflicts === before.conflicts) return null
      return {
        action: 'resolve',
        changes: [{ type: 'document', name: 'curation.json', before, after: { ...before, conflicts } }],
      }
    })
  } catch (error) {
    // Where nothing can be written now, the pair stays an open question.
    if (!(error instanceof CairnError)) throw error
    engine.semantics.note({ code: error.code, message: `A supersession was not recorded: ${error.message}` })
  }
}

function supersession(pair: ConflictPair & Pick<FoundConflict, 'said'>, nowMs: number): ResolvedConflict {
  return {
    entryA: pair.older,
    entryB: pair.newer,
    conflictType: pair.type,
    detectedAt: pair.detectedAt,
    resolvedAt: nowMs,
    resolution: 'superseded',
    holds: pair.newer,
    said: pair.said,
    by: AUTOMATIC.host,
  }
}

import type { Engine } from './engine-parts.ts'
import type { Entry } from './model/entry.ts'
import { CairnError } from './model/errors.ts'
import { findReplaced, mayReplace } from './pipeline/retrieve/supersession.ts'
import type { Succession, VectorIndex } from './pipeline/retrieve/vector-index.ts'

/** A question is short, or its telling part is. */
const QUESTION_TOKENS = 64
/** Entries between two looks at the clock; many more when threads are to share them. */
const BATCH = 64
const LARGE_BATCH = 256
const TOPIC_NEIGHBOURS = 24
/** With fewer missing vectors an answer is as good as whole: what was just written is found by its words. */
const MISSED_SHARE = 0.2
const MISSED_ENTRIES = 32

export async function meaningOf(
  engine: Engine,
  question: string,
): Promise<{ vector: Float32Array; index: VectorIndex } | undefined> {
  const { vectors } = engine.semantics
  const { model, count, waiting } = await vectors.state()
  if (count === 0 && waiting === 0) return undefined
  if (!engine.semantics.isOn()) return undefined
  // Without vectors there is nothing to compare: not worth opening a model for. A server that was not allowed is told at once.
  const isAsked = count > 0 || engine.semantics.isRemote()
  const embedder = isAsked ? await engine.semantics.embedder() : undefined
  if (isAsked && embedder === undefined) return undefined
  const isOtherModel = embedder !== undefined && model !== embedder.model
  if (isOtherModel || count === 0 || waiting > Math.max(MISSED_ENTRIES, MISSED_SHARE * (count + waiting))) {
    engine.semantics.note({
      code: 'vectors_waiting',
      message: `${waiting} of ${count + waiting} entries have no vector yet, and are found by their words alone. \`cairn embed\` makes the vectors.`,
    })
  }
  if (embedder === undefined || isOtherModel || count === 0) return undefined
  const [vector] = await trying(engine, () => embedder.embed([question], { maxTokens: QUESTION_TOKENS }))
  return vector && { vector, index: vectors }
}

export interface EmbedOptions {
  /** Stop after so many entries. */
  readonly limit?: number
  /** Stop when this time, by the engine's clock, has come. */
  readonly deadlineMs?: number
  readonly onProgress?: (done: number, total: number) => void
}

export interface EmbedReport {
  readonly embedded: number
  readonly waiting: number
}

/** Makes vectors for entries that wait for theirs, and then asks which of them replace an older entry. */
export async function embedWaiting(engine: Engine, options: EmbedOptions = {}): Promise<EmbedReport> {
  const { vectors } = engine.semantics
  const embedder = await engine.semantics.embedder()
  if (embedder === undefined) return { embedded: 0, waiting: (await vectors.state()).waiting }
  if ((await vectors.state()).model !== embedder.model) await vectors.startModel(embedder.model)

  const isTime = () => options.deadlineMs !== undefined && engine.clock.nowMs() >= options.deadlineMs
  const limit = options.limit ?? Number.POSITIVE_INFINITY
  const total = Math.min(limit, (await vectors.state()).waiting)
  let embedded = 0
  const size = total >= LARGE_BATCH ? LARGE_BATCH : BATCH
  while (embedded < limit && !isTime()) {
    const batch = await vectors.waiting(Math.min(size, limit - embedded))
    if (batch.length === 0) break
    const before = embedded
    const texts = batch.map(({ entry }) => embeddedText(entry))
    const made = await trying(engine, () =>
      engine.semantics.embedMany(texts, done => options.onProgress?.(before + done, total)),
    )
    if (made.length < batch.length) break
    await vectors.put(
      batch.map(({ entry, version }, i) => ({
        id: entry.id,
        version,
        vector: made[i] as Float32Array,
        mayReplace: mayReplace(entry),
      })),
    )
    embedded += batch.length
    options.onProgress?.(embedded, total)
  }
  const { waiting } = await vectors.state()
  // An entry can only replace one that has its vector: so when all have.
  if (waiting === 0) await askSuccessions(engine, isTime)
  return { embedded, waiting }
}

/** The content with its tags and files: they say what it is about as much as its words do. */
export function embeddedText({ content, tags, files }: Entry): string {
  return [content, tags.join(' '), files.join(' ')].filter(part => part !== '').join('\n')
}

async function askSuccessions(engine: Engine, isTime: () => boolean): Promise<void> {
  const { vectors } = engine.semantics
  while (!isTime()) {
    const asked = await vectors.unasked(BATCH)
    if (asked.length === 0) return
    const pairs: Succession[] = []
    for (const newer of asked) {
      const older = await findOlder(engine, newer)
      if (older !== undefined) pairs.push({ older: older.id, newer: newer.id })
    }
    await vectors.putSuccessions(
      asked.map(({ id }) => id),
      pairs,
    )
  }
}

async function findOlder(engine: Engine, newer: Entry): Promise<Entry | undefined> {
  const { vectors } = engine.semantics
  const vector = await vectors.vectorOf(newer.id)
  if (vector === undefined) return undefined
  const near = await vectors.findNearest({ vector, filter: {}, limit: TOPIC_NEIGHBOURS })
  const ids = near.map(({ id }) => id)
  const { measuredById } = await vectors.measure(vector, ids)
  const entryById = await engine.search.loadEntries(ids)
  const { total } = await engine.search.listEntries({ filter: {}, limit: 1, offset: 0 })
  const weights = new Map<string, number>()
  const neighbours = [...entryById.values()].map(entry => ({
    entry,
    cosine: measuredById.get(entry.id)?.cosine ?? 0,
  }))
  const shared = [
    ...newer.tags
      .filter(tag => neighbours.some(({ entry }) => entry.tags.includes(tag)))
      .map(tag => ({ tag })),
    ...newer.files
      .filter(file => neighbours.some(({ entry }) => entry.files.includes(file)))
      .map(file => ({ file })),
  ]
  for (const item of shared) {
    const filter = 'tag' in item ? { tags: [item.tag] } : { file: item.file }
    const { total: having } = await engine.search.listEntries({ filter, limit: 1, offset: 0 })
    weights.set(JSON.stringify(item), rarity(having, total))
  }
  return findReplaced({ newer, neighbours, weightOf: item => weights.get(JSON.stringify(item)) ?? 0 })
}

/** 1 for what one entry has, 0 for what all have. */
function rarity(having: number, total: number): number {
  return total <= 1 ? 0 : Math.max(0, Math.log(total / Math.max(1, having)) / Math.log(total))
}

/** Without meaning an answer is poorer, not wrong: what fails is told, and words answer. */
async function trying(
  engine: Engine,
  make: () => Promise<readonly Float32Array[]>,
): Promise<readonly Float32Array[]> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    engine.semantics.note({ code: error.code, message: `${error.message} Words alone decided.` })
    return []
  }
}

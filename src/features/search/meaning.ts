import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { DocumentPorts, Embedder, MeaningPorts, VectorIndex } from './decide/ports.ts'

/** A question is short, or its extracted query is. */
export const QUESTION_TOKENS = 64
/** Entries between two checks of the clock; many more if threads share them. */
const BATCH = 64
const LARGE_BATCH = 256
/** With fewer missing vectors the answer counts as complete: recent entries are found by their words. */
const MISSED_SHARE = 0.2
const MISSED_ENTRIES = 32

export interface Meaning {
  /** Of the question, by the embedder in use. */
  readonly vector: Float32Array
  /** What it can be compared with; undefined: no vector of the entries is of this embedder. */
  readonly index?: VectorIndex
  readonly documents?: VectorIndex
}

interface MeaningOptions {
  readonly hasDocuments?: boolean
  /** Report even one missing vector: for a user who searches. */
  readonly notesAny?: boolean
  /** Words alone decide where the model cannot read the question. */
  readonly onlyIfRead?: boolean
}

export async function meaningOf(
  memory: Memory & MeaningPorts & DocumentPorts,
  question: string,
  options: MeaningOptions = {},
): Promise<Meaning | undefined> {
  return (await embedQuestion(memory, question, options))?.compared()
}

/** A question that was embedded before the reading in which it is answered. */
export interface EmbeddedQuestion {
  /** Asked inside the reading. */
  compared(): Promise<Meaning | undefined>
}

/** On a hub each check costs a round trip: the embedder of the last question most likely fits the next one too. */
const lastUsed = new WeakMap<Memory['store'], Embedder>()

/**
 * The slow part of `meaningOf`: while questions queue for the embedder, none may hold a connection that others need.
 * The comparable vectors are determined before it, or after it if the last embedder is known.
 */
export async function embedQuestion(
  memory: Memory & MeaningPorts & DocumentPorts,
  question: string,
  { hasDocuments = false, notesAny = false, onlyIfRead = false }: MeaningOptions = {},
): Promise<EmbeddedQuestion | undefined> {
  const embed = async (embedder: Embedder) =>
    (await orNoVectors(memory, () => embedder.embed([question], { maxTokens: QUESTION_TOKENS })))[0]
  const remembered = lastUsed.get(memory.store)
  const comparable =
    remembered === undefined
      ? await memory.store.reading(() => comparableVectors(memory, { hasDocuments, notesAny }))
      : undefined
  const embedder = remembered ?? comparable?.embedder
  if (embedder === undefined || (onlyIfRead && embedder.reads?.(question) === false)) return undefined
  const embedded = await embed(embedder)
  if (embedded === undefined) return undefined
  return {
    async compared() {
      const now = comparable ?? (await comparableVectors(memory, { hasDocuments, notesAny }))
      if (memory.place.kind === 'hub' && now !== undefined) lastUsed.set(memory.store, now.embedder)
      else lastUsed.delete(memory.store)
      if (now === undefined) return undefined
      const { index, documents } = now
      const vector = now.embedder === embedder ? embedded : await embed(now.embedder)
      return vector && { vector, ...(index && { index }), ...(documents && { documents }) }
    },
  }
}

/** What a question can be compared with, and what it is to be embedded by; undefined: with nothing. */
async function comparableVectors(
  memory: Memory & MeaningPorts & DocumentPorts,
  { hasDocuments, notesAny }: { readonly hasDocuments: boolean; readonly notesAny: boolean },
): Promise<(Omit<Meaning, 'vector'> & { readonly embedder: Embedder }) | undefined> {
  // First: to count what waits for a vector takes as long as many wait.
  if (!(await memory.semantics.isOn())) return undefined
  const collections = [memory.semantics.vectors, ...(hasDocuments ? [memory.documentSearch.vectors] : [])]
  const kept = (await statesOf(memory, collections)).filter(({ count, waiting }) => count + waiting > 0)
  if (kept.length === 0) return undefined
  const count = kept.reduce((sum, state) => sum + state.count, 0)
  const waiting = waitingIn(kept)
  // Without vectors there is nothing to compare: not worth loading a model. A server that is not allowed is reported
  // immediately.
  const isAsked = count > 0 || (await memory.semantics.isRemote())
  const embedder = isAsked ? await memory.semantics.embedder() : undefined
  if (isAsked && embedder === undefined) return undefined
  const usable = kept.filter(state => state.count > 0 && state.model === embedder?.model)
  const isOtherModel =
    embedder !== undefined && kept.some(state => state.count > 0 && state.model !== embedder.model)
  const missed = notesAny ? 0 : Math.max(MISSED_ENTRIES, MISSED_SHARE * (count + waiting))
  if (isOtherModel || count === 0 || waiting > missed) {
    const what = kept.length > 1 ? 'entries and documents' : hasOnlyDocuments() ? 'documents' : 'entries'
    const next =
      memory.place.kind === 'hub' ? 'The hub makes them automatically.' : '`cairn embed` makes the vectors.'
    memory.semantics.note({
      code: 'vectors_waiting',
      message: `${waiting} of ${count + waiting} ${what} ${waiting === 1 ? 'has no vector yet, and is found by its' : 'have no vector yet, and are found by their'} words alone. ${next}`,
    })
  }
  if (embedder === undefined || usable.length === 0) return undefined
  const [index, documents] = collections.map(vectors =>
    usable.some(({ collection }) => collection === vectors) ? vectors : undefined,
  )
  return { embedder, ...(index && { index }), ...(documents && { documents }) }

  function hasOnlyDocuments(): boolean {
    return kept[0]?.collection !== memory.semantics.vectors
  }
}

interface EmbedOptions {
  /** Stop after this many entries. */
  readonly limit?: number
  /** Stop when this time, by the engine's clock, has come. */
  readonly deadlineMs?: number
  /** Stop when this says so. */
  readonly isStopped?: () => boolean
  /** False: the entries' alone, where those of the documents would take long. */
  readonly documents?: boolean
  /** Waited for before each text, by whom others share a thread with. */
  readonly turn?: () => Promise<void>
  readonly onProgress?: (done: number, total: number) => void
}

export interface EmbedReport {
  readonly embedded: number
  /** Entries and documents that still have no vector. */
  readonly waiting: number
}

/** Makes vectors for entries and documents that wait for theirs. */
export async function embedWaiting(
  memory: Memory & MeaningPorts & DocumentPorts,
  options: EmbedOptions = {},
): Promise<EmbedReport> {
  const { vectors } = memory.semantics
  const collections = [vectors, ...(options.documents === false ? [] : [memory.documentSearch.vectors])]
  const embedder = await memory.semantics.embedder()
  let states = await statesOf(memory, collections)
  if (embedder === undefined) return { embedded: 0, waiting: waitingIn(states) }
  const isOfOther = ({ collection, model, count, waiting }: VectorsState) =>
    model !== embedder.model && (collection === vectors || count + waiting > 0)
  if (states.some(isOfOther)) {
    for (const { collection } of states.filter(isOfOther)) await collection.startModel(embedder.model)
    states = await statesOf(memory, collections)
  }
  const isOver = () =>
    options.isStopped?.() === true ||
    (options.deadlineMs !== undefined && memory.clock.nowMs() >= options.deadlineMs)
  const limit = options.limit ?? Number.POSITIVE_INFINITY
  const total = Math.min(limit, waitingIn(states))
  let embedded = 0
  for (const collection of collections) {
    embedded += await embedCollection(memory, collection, {
      limit: limit - embedded,
      size: options.turn !== undefined ? 1 : total >= LARGE_BATCH ? LARGE_BATCH : BATCH,
      isOver,
      turn: options.turn,
      onProgress: done => options.onProgress?.(embedded + done, total),
    })
  }
  return { embedded, waiting: waitingIn(await statesOf(memory, collections)) }
}

interface VectorsState {
  readonly collection: VectorIndex
  readonly model: string | undefined
  readonly count: number
  readonly waiting: number
}

/** All in one reading: a database is asked once. */
function statesOf(memory: Memory, collections: readonly VectorIndex[]): Promise<VectorsState[]> {
  return memory.store.reading(async () => {
    const states: VectorsState[] = []
    for (const collection of collections) states.push({ collection, ...(await collection.state()) })
    return states
  })
}

function waitingIn(states: readonly VectorsState[]): number {
  return states.reduce((sum, { waiting }) => sum + waiting, 0)
}

/** How many vectors were made before the limit, the deadline or a failure. */
async function embedCollection(
  memory: MeaningPorts,
  collection: VectorIndex,
  given: {
    limit: number
    size: number
    isOver: () => boolean
    turn: (() => Promise<void>) | undefined
    onProgress: (done: number) => void
  },
): Promise<number> {
  let embedded = 0
  while (embedded < given.limit && !given.isOver()) {
    const batch = await collection.waiting(Math.min(given.size, given.limit - embedded))
    if (batch.length === 0) break
    await given.turn?.()
    const before = embedded
    const texts = batch.map(({ entry }) => embeddedText(entry))
    const made = await orNoVectors(memory, () =>
      memory.semantics.embedMany(texts, done => given.onProgress(before + done)),
    )
    if (made.length < batch.length) break
    await collection.put(
      batch.map(({ entry, version }, i) => ({
        id: entry.id,
        version,
        vector: made[i] as Float32Array,
      })),
    )
    embedded += batch.length
    given.onProgress(embedded)
  }
  return embedded
}

/** The content with its tags and files: they say what it is about as much as its words do. */
function embeddedText({ content, tags, files }: Entry): string {
  return [content, tags.join(' '), files.join(' ')].filter(part => part !== '').join('\n')
}
/** Without meaning an answer is poorer, not wrong: the failure is reported, and words decide. */
async function orNoVectors(
  memory: MeaningPorts,
  make: () => Promise<readonly Float32Array[]>,
): Promise<readonly Float32Array[]> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    memory.semantics.note({ code: error.code, message: `${error.message} Words alone decided.` })
    return []
  }
}

import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Embedder, MeaningPorts, ShelfPorts, VectorShelf } from './decide/ports.ts'

/** A question is short, or its telling part is. */
export const QUESTION_TOKENS = 64
/** Entries between two looks at the clock; many more when threads are to share them. */
const BATCH = 64
const LARGE_BATCH = 256
/** With fewer missing vectors an answer is as good as whole: what was just written is found by its words. */
const MISSED_SHARE = 0.2
const MISSED_ENTRIES = 32

export interface Meaning {
  /** Of the question, by the embedder in use. */
  readonly vector: Float32Array
  /** What it can be compared with; undefined: no vector of the entries is of this embedder. */
  readonly index?: VectorShelf
  readonly documents?: VectorShelf
}

interface MeaningOptions {
  readonly hasDocuments?: boolean
  /** That a vector is missing is said of one entry too: to somebody who searches for it. */
  readonly notesAny?: boolean
  /** Words alone decide where the model cannot read the question. */
  readonly onlyIfRead?: boolean
}

export async function meaningOf(
  memory: Memory & MeaningPorts & ShelfPorts,
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

/** Of a hub, where each look costs a round trip: what the last question could be compared with, the next most likely can too. */
const lastUsed = new WeakMap<Memory['store'], Embedder>()

/**
 * The part of `meaningOf` that takes long: where questions queue for the embedder, none is to hold a connection that others need. What it
 * can be compared with is looked at before, or, where the last question could be, afterwards.
 */
export async function embedQuestion(
  memory: Memory & MeaningPorts & ShelfPorts,
  question: string,
  { hasDocuments = false, notesAny = false, onlyIfRead = false }: MeaningOptions = {},
): Promise<EmbeddedQuestion | undefined> {
  const embed = async (embedder: Embedder) =>
    (await trying(memory, () => embedder.embed([question], { maxTokens: QUESTION_TOKENS })))[0]
  const remembered = lastUsed.get(memory.store)
  const comparable =
    remembered === undefined
      ? await memory.store.reading(() => comparableShelves(memory, { hasDocuments, notesAny }))
      : undefined
  const embedder = remembered ?? comparable?.embedder
  if (embedder === undefined || (onlyIfRead && embedder.reads?.(question) === false)) return undefined
  const embedded = await embed(embedder)
  if (embedded === undefined) return undefined
  return {
    async compared() {
      const now = comparable ?? (await comparableShelves(memory, { hasDocuments, notesAny }))
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
async function comparableShelves(
  memory: Memory & MeaningPorts & ShelfPorts,
  { hasDocuments, notesAny }: { readonly hasDocuments: boolean; readonly notesAny: boolean },
): Promise<(Omit<Meaning, 'vector'> & { readonly embedder: Embedder }) | undefined> {
  // First: to count what waits for a vector takes as long as many wait.
  if (!(await memory.semantics.isOn())) return undefined
  const shelves = [memory.semantics.vectors, ...(hasDocuments ? [memory.shelf.vectors] : [])]
  const kept = (await statesOf(memory, shelves)).filter(({ count, waiting }) => count + waiting > 0)
  if (kept.length === 0) return undefined
  const count = kept.reduce((sum, state) => sum + state.count, 0)
  const waiting = waitingIn(kept)
  // Without vectors there is nothing to compare: not worth opening a model for. A server that was not allowed is told at once.
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
      memory.place.kind === 'hub' ? 'The hub makes them by itself.' : '`cairn embed` makes the vectors.'
    memory.semantics.note({
      code: 'vectors_waiting',
      message: `${waiting} of ${count + waiting} ${what} ${waiting === 1 ? 'has no vector yet, and is found by its' : 'have no vector yet, and are found by their'} words alone. ${next}`,
    })
  }
  if (embedder === undefined || usable.length === 0) return undefined
  const [index, documents] = shelves.map(vectors =>
    usable.some(({ shelf }) => shelf === vectors) ? vectors : undefined,
  )
  return { embedder, ...(index && { index }), ...(documents && { documents }) }

  function hasOnlyDocuments(): boolean {
    return kept[0]?.shelf !== memory.semantics.vectors
  }
}

export interface EmbedOptions {
  /** Stop after so many entries. */
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
  memory: Memory & MeaningPorts & ShelfPorts,
  options: EmbedOptions = {},
): Promise<EmbedReport> {
  const { vectors } = memory.semantics
  const shelves = [vectors, ...(options.documents === false ? [] : [memory.shelf.vectors])]
  const embedder = await memory.semantics.embedder()
  let states = await statesOf(memory, shelves)
  if (embedder === undefined) return { embedded: 0, waiting: waitingIn(states) }
  const isOfOther = ({ shelf, model, count, waiting }: ShelfState) =>
    model !== embedder.model && (shelf === vectors || count + waiting > 0)
  if (states.some(isOfOther)) {
    for (const { shelf } of states.filter(isOfOther)) await shelf.startModel(embedder.model)
    states = await statesOf(memory, shelves)
  }
  const isTime = () =>
    options.isStopped?.() === true ||
    (options.deadlineMs !== undefined && memory.clock.nowMs() >= options.deadlineMs)
  const limit = options.limit ?? Number.POSITIVE_INFINITY
  const total = Math.min(limit, waitingIn(states))
  let embedded = 0
  for (const shelf of shelves) {
    embedded += await embedShelf(memory, shelf, {
      limit: limit - embedded,
      size: options.turn !== undefined ? 1 : total >= LARGE_BATCH ? LARGE_BATCH : BATCH,
      isTime,
      turn: options.turn,
      onProgress: done => options.onProgress?.(embedded + done, total),
    })
  }
  return { embedded, waiting: waitingIn(await statesOf(memory, shelves)) }
}

interface ShelfState {
  readonly shelf: VectorShelf
  readonly model: string | undefined
  readonly count: number
  readonly waiting: number
}

/** All in one reading: a database is asked once. */
function statesOf(memory: Memory, shelves: readonly VectorShelf[]): Promise<ShelfState[]> {
  return memory.store.reading(async () => {
    const states: ShelfState[] = []
    for (const shelf of shelves) states.push({ shelf, ...(await shelf.state()) })
    return states
  })
}

function waitingIn(states: readonly ShelfState[]): number {
  return states.reduce((sum, { waiting }) => sum + waiting, 0)
}

/** How many vectors were made before the limit, the deadline or a failure. */
async function embedShelf(
  memory: MeaningPorts,
  shelf: VectorShelf,
  given: {
    limit: number
    size: number
    isTime: () => boolean
    turn: (() => Promise<void>) | undefined
    onProgress: (done: number) => void
  },
): Promise<number> {
  let embedded = 0
  while (embedded < given.limit && !given.isTime()) {
    const batch = await shelf.waiting(Math.min(given.size, given.limit - embedded))
    if (batch.length === 0) break
    await given.turn?.()
    const before = embedded
    const texts = batch.map(({ entry }) => embeddedText(entry))
    const made = await trying(memory, () =>
      memory.semantics.embedMany(texts, done => given.onProgress(before + done)),
    )
    if (made.length < batch.length) break
    await shelf.put(
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
export function embeddedText({ content, tags, files }: Entry): string {
  return [content, tags.join(' '), files.join(' ')].filter(part => part !== '').join('\n')
}
/** Without meaning an answer is poorer, not wrong: what fails is told, and words answer. */
async function trying(
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

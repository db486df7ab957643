import * as path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Embedder } from '../../features/search/decide/ports.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { packageFolder } from '../../kernel/system/package-facts.ts'
import { isMostlyLatin } from '../../kernel/text/script.ts'
import type { WorkerAnswer, WorkerData, WorkerTask } from './embed-many.ts'
import { openModelFile, unavailable } from './model-file.ts'

/** Texts limited to this length belong to a waiting request: one is a query, several are its candidates. */
const QUESTION_TOKENS = 64
/**
 * A query whose turn would come later is answered by words only: late is worse than slightly less precise. Several texts wait as long as
 * needed.
 */
const PATIENCE_MS = 40
/** Requests and the database come before vectors; background vectors come last. */
const NICE = { questions: 10, texts: 19 }
/** Weight of the last text in the estimate for a text. */
const LAST_SHARE = 0.1

interface Asked {
  readonly task: WorkerTask
  /** Times out a task that is still waiting. */
  readonly patience: NodeJS.Timeout | undefined
  readonly resolve: (vector: Float32Array) => void
  readonly reject: (error: Error) => void
}

/**
 * The built-in model in worker threads: a text takes from a few milliseconds to a tenth of a second, which would block a server. Queries
 * have their own thread, so that they never wait for an import or a large batch, whose thread has a lower priority. Each takes about 40 MB
 * after its first text.
 */
export function openThreadedEmbedder(
  modelFolder: string,
  start: (data: WorkerData) => Worker = startWorker,
): Embedder {
  const file = openModelFile(path.join(modelFolder, 'minilm.bin'))
  const { model, dimensions } = file
  file.close()
  const questions = new Lane(() => start({ modelFolder, nice: NICE.questions }))
  const texts = new Lane(() => start({ modelFolder, nice: NICE.texts }))
  return {
    model,
    dimensions,
    reads: isMostlyLatin,
    embed: (given, { maxTokens } = {}) => {
      const isAwaited = maxTokens !== undefined && maxTokens <= QUESTION_TOKENS
      const lane = isAwaited && given.length === 1 ? questions : texts
      return lane.embed(given, { maxTokens, isAwaited })
    },
    async close() {
      await Promise.all([questions.close(), texts.close()])
    },
  }
}

function startWorker(workerData: WorkerData): Worker {
  // Options of the parent (a loader, a debugger) do not apply to this file.
  return new Worker(path.join(packageFolder(), 'dist/embed-worker.js'), { workerData, execArgv: [] })
}

/** One thread and its queue. It processes one text at a time, so that an answer belongs to the last text sent. */
class Lane {
  readonly #startThread: () => Worker
  readonly #waiting: Asked[] = []
  #running: Asked | undefined
  #worker: Worker | undefined
  /** Estimated time for a text; 0 until the model is loaded. */
  #textMs = 0
  #begunMs = 0
  #isClosed = false

  constructor(startThread: () => Worker) {
    this.#startThread = startThread
  }

  async embed(
    texts: readonly string[],
    { maxTokens, isAwaited }: { readonly maxTokens: number | undefined; readonly isAwaited: boolean },
  ): Promise<Float32Array[]> {
    if (this.#isClosed) throw unavailable('it is closed')
    const before = this.#waiting.length + (this.#running === undefined ? 0 : 1)
    const isOne = texts.length === 1
    const patienceMs = Math.max(PATIENCE_MS, isOne ? 0 : texts.length * this.#textMs)
    if (isAwaited && before * this.#textMs > patienceMs) throw busy(before)
    const asked = texts.map(
      text =>
        new Promise<Float32Array>((resolve, reject) => {
          const patience =
            isAwaited && isOne && before > 0 && this.#textMs > 0
              ? setTimeout(() => this.#giveUp(patience, before), PATIENCE_MS)
              : undefined
          this.#waiting.push({ task: { texts: [text], maxTokens }, patience, resolve, reject })
        }),
    )
    this.#next()
    return Promise.all(asked)
  }

  /** The estimate at arrival may have been too low: others took longer, or the processor was busy. */
  #giveUp(patience: NodeJS.Timeout | undefined, before: number): void {
    const at = this.#waiting.findIndex(asked => asked.patience === patience)
    if (at < 0) return
    const [late] = this.#waiting.splice(at, 1)
    late?.reject(busy(before))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#fail(unavailable('it is closed'))
    await this.#worker?.terminate()
  }

  #next(): void {
    if (this.#running !== undefined) return
    this.#running = this.#waiting.shift()
    if (this.#running === undefined) return
    clearTimeout(this.#running.patience)
    try {
      this.#worker ??= this.#open()
    } catch (error) {
      // The machine has no thread left. The next text tries again.
      if (!(error instanceof Error)) throw error
      this.#fail(unavailable(error.message, error))
      return
    }
    // Held while somebody waits for it; a process that has nothing else to do may end. To listen to a thread holds it as well, so that
    // letting go once, at its start, would be undone by the next line.
    this.#worker.ref()
    this.#begunMs = performance.now()
    this.#worker.postMessage(this.#running.task)
  }

  #open(): Worker {
    const worker = this.#startThread()
    let isOpen = false
    worker.on('message', (answer: WorkerAnswer) => {
      const asked = this.#running
      const tookMs = performance.now() - this.#begunMs
      // The first text loads the model and says nothing about later ones.
      if (isOpen) this.#textMs += (tookMs - this.#textMs) * (this.#textMs === 0 ? 1 : LAST_SHARE)
      isOpen = true
      this.#running = undefined
      worker.unref()
      if (answer.kind === 'failed') asked?.reject(new CairnError(answer))
      else asked?.resolve(answer.numbers)
      this.#next()
    })
    // The next text starts another thread.
    const lost = (error: Error) => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#fail(error)
    }
    worker.on('error', error => lost(unavailable(error.message, error)))
    worker.on('exit', code => lost(unavailable(`its thread ended with ${code}`)))
    return worker
  }

  #fail(error: Error): void {
    const lost = [...(this.#running === undefined ? [] : [this.#running]), ...this.#waiting.splice(0)]
    this.#running = undefined
    for (const { patience, reject } of lost) {
      clearTimeout(patience)
      reject(error)
    }
  }
}

function busy(before: number): CairnError {
  return new CairnError({
    code: 'embedder_busy',
    message: `${before} questions wait to be compared by meaning before this one.`,
    hint: 'Ask again in a moment. If it is often so, give the server another core, or start a second one (docs/guide/sizing.md).',
  })
}

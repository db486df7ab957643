import * as path from 'node:path'
import { Worker } from 'node:worker_threads'
import { CairnError } from '../../model/errors.ts'
import type { Embedder } from '../../pipeline/retrieve/embedder.ts'
import { packageFolder } from '../../system/package-folder.ts'
import type { WorkerAnswer, WorkerData, WorkerTask } from './embed-many.ts'
import { openModelFile, unavailable } from './model-file.ts'

/** What is cut this short is a question: somebody waits for it. */
const QUESTION_TOKENS = 64
/** A question that would wait longer for its turn is answered by words alone: late is worse than a little poorer. */
const PATIENCE_MS = 60
/** Whoever answers, and the database, come before a vector; and a vector that nobody waits for comes last. */
const NICE = { questions: 10, texts: 19 }
/** Share of the last text in what a text is taken to need. */
const LAST_SHARE = 0.1

interface Asked {
  readonly task: WorkerTask
  readonly resolve: (vector: Float32Array) => void
  readonly reject: (error: Error) => void
}

/**
 * The built-in model off the thread that answers: a text takes from a few milliseconds to a tenth of a second, in which a server would hear
 * nobody. Questions have a thread of their own, so that none waits for the entries of an import, whose thread leaves the processor to whoever
 * else wants it. Each takes some 40 MB from its first text on.
 */
export function openThreadedEmbedder(modelFolder: string): Embedder {
  const file = openModelFile(path.join(modelFolder, 'minilm.bin'))
  const { model, dimensions } = file
  file.close()
  const questions = new Lane({ modelFolder, nice: NICE.questions }, PATIENCE_MS)
  const texts = new Lane({ modelFolder, nice: NICE.texts })
  return {
    model,
    dimensions,
    embed: (given, { maxTokens } = {}) => {
      const lane = maxTokens !== undefined && maxTokens <= QUESTION_TOKENS ? questions : texts
      return Promise.all(given.map(text => lane.embed({ texts: [text], maxTokens })))
    },
    async close() {
      await Promise.all([questions.close(), texts.close()])
    },
  }
}

/** One thread, and what waits for it. It has one text at a time, so that an answer is of the text that was given last. */
class Lane {
  readonly #workerData: WorkerData
  readonly #patienceMs: number
  readonly #waiting: Asked[] = []
  #running: Asked | undefined
  #worker: Worker | undefined
  /** What a text needs, by the last ones; 0 until the model is open. */
  #textMs = 0
  #begunMs = 0
  #isClosed = false

  constructor(workerData: WorkerData, patienceMs = Number.POSITIVE_INFINITY) {
    this.#workerData = workerData
    this.#patienceMs = patienceMs
  }

  embed(task: WorkerTask): Promise<Float32Array> {
    if (this.#isClosed) return Promise.reject(unavailable('it is closed'))
    const before = this.#waiting.length + (this.#running === undefined ? 0 : 1)
    if (before * this.#textMs > this.#patienceMs) return Promise.reject(busy(before))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject })
      this.#next()
    })
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
    this.#worker ??= this.#start()
    // Held while somebody waits for it; a process that has nothing else to do may end. To listen to a thread holds it as well, so that
    // letting go once, at its start, would be undone by the next line.
    this.#worker.ref()
    this.#begunMs = performance.now()
    this.#worker.postMessage(this.#running.task)
  }

  #start(): Worker {
    // What the parent was started with (a loader, a debugger) is not for this file.
    const worker = new Worker(path.join(packageFolder(), 'dist/embed-worker.js'), {
      workerData: this.#workerData,
      execArgv: [],
    })
    let isOpen = false
    worker.on('message', (answer: WorkerAnswer) => {
      const asked = this.#running
      const tookMs = performance.now() - this.#begunMs
      // The first opens the model, which tells nothing of those that follow.
      if (isOpen) this.#textMs += (tookMs - this.#textMs) * (this.#textMs === 0 ? 1 : LAST_SHARE)
      isOpen = true
      this.#running = undefined
      worker.unref()
      if (answer.kind === 'failed') asked?.reject(new CairnError(answer))
      else asked?.resolve(answer.numbers)
      this.#next()
    })
    worker.on('error', error => {
      // The next text starts another thread.
      this.#worker = undefined
      this.#fail(unavailable(error.message, error))
    })
    return worker
  }

  #fail(error: Error): void {
    const lost = [...(this.#running === undefined ? [] : [this.#running]), ...this.#waiting.splice(0)]
    this.#running = undefined
    for (const { reject } of lost) reject(error)
  }
}

function busy(before: number): CairnError {
  return new CairnError({
    code: 'embedder_busy',
    message: `${before} questions wait to be compared by meaning before this one.`,
    hint: 'Ask again in a moment. If it is often so, give the server another core, or start a second one (docs/guide/sizing.md).',
  })
}

import { availableParallelism } from 'node:os'
import * as path from 'node:path'
import { Worker } from 'node:worker_threads'
import { CairnError, type CairnErrorFields } from '../../kernel/model/errors.ts'
import { packageFolder } from '../../kernel/system/package-facts.ts'
import { unavailable } from './model-file.ts'

interface EmbedManyOptions {
  readonly modelFolder: string
  /** Threads; default: one for each processor, at most eight. Each takes about 40 MB. */
  readonly workers?: number
  readonly maxTokens?: number
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

export interface WorkerData {
  readonly modelFolder: string
  /** Scheduling priority below other threads: 0 to 19. */
  readonly nice?: number
}

export interface WorkerTask {
  readonly texts: readonly string[]
  readonly maxTokens: number | undefined
}

export type WorkerAnswer =
  | { readonly kind: 'vectors'; readonly numbers: Float32Array<ArrayBuffer> }
  | ({ readonly kind: 'failed' } & Pick<CairnErrorFields, 'code' | 'message' | 'hint'>)

/** Small, so that the threads finish together and progress is visible; large enough that messages cost little. */
const TEXTS_A_TASK = 8
const MAX_WORKERS = 8

/**
 * Embeds many texts with the built-in model on several threads; the vectors come in the order of the texts. For bulk import:
 * the threads are started and ended here. An aborted signal ends them at once, and its reason is thrown.
 */
export async function embedMany(
  texts: readonly string[],
  options: EmbedManyOptions,
): Promise<Float32Array[]> {
  options.signal?.throwIfAborted()
  if (texts.length === 0) return []
  const tasks = Math.ceil(texts.length / TEXTS_A_TASK)
  const wanted = options.workers ?? Math.min(MAX_WORKERS, availableParallelism())
  // Removed with this call, so that a longer-lived signal does not reference it.
  const ending = new AbortController()
  const workers = Array.from({ length: Math.max(1, Math.min(wanted, tasks)) }, () => startWorker(options))
  try {
    return await shareOut(texts, workers, { ...options, ended: ending.signal })
  } finally {
    ending.abort()
    await Promise.all(workers.map(worker => worker.terminate()))
  }
}

function startWorker({ modelFolder }: EmbedManyOptions): Worker {
  // Options of the parent (a loader, a debugger) do not apply to this file.
  return new Worker(path.join(packageFolder(), 'dist/embed-worker.js'), {
    workerData: { modelFolder } satisfies WorkerData,
    execArgv: [],
  })
}

function shareOut(
  texts: readonly string[],
  workers: readonly Worker[],
  { maxTokens, onProgress, signal, ended }: EmbedManyOptions & { readonly ended: AbortSignal },
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = new Array(texts.length)
  let given = 0
  let done = 0
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true, signal: ended })
    for (const worker of workers) {
      let start = 0
      const giveNext = () => {
        start = given
        given = Math.min(texts.length, given + TEXTS_A_TASK)
        if (start === given) return
        const task: WorkerTask = { texts: texts.slice(start, given), maxTokens }
        worker.postMessage(task)
      }
      worker.on('message', (answer: WorkerAnswer) => {
        if (answer.kind === 'failed') return reject(new CairnError(answer))
        const count = Math.min(TEXTS_A_TASK, texts.length - start)
        const dimensions = answer.numbers.length / count
        for (let i = 0; i < count; i++) {
          vectors[start + i] = answer.numbers.slice(i * dimensions, (i + 1) * dimensions)
        }
        done += count
        onProgress?.(done, texts.length)
        if (done === texts.length) resolve(vectors)
        else giveNext()
      })
      // Not the text's doing, nor the model's: those are answered.
      worker.on('error', error => reject(unavailable(error.message, error)))
      worker.on('exit', code => reject(unavailable(`a thread ended with ${code}`)))
      giveNext()
    }
  })
}

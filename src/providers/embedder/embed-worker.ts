import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Embedder } from '../../features/search/decide/ports.ts'
import { CairnError, type ErrorCode } from '../../kernel/model/errors.ts'
import { openBuiltInEmbedder } from './built-in-embedder.ts'
import type { WorkerAnswer, WorkerData, WorkerTask } from './embed-many.ts'

/** A thread of embed-many.ts, built to its own file: receives tasks and answers each. */
const port = parentPort
if (port === null) throw new Error('embed-worker runs as a worker thread')
const { modelFolder, nice = 0 } = workerData as WorkerData
// There the priority is of a thread; elsewhere it would be of the whole process. One that stands back further already is left there: to come
// forward again needs a privilege.
if (process.platform === 'linux' && nice > getPriority()) standBack(nice)
let embedder: Embedder | undefined

port.on('message', (task: WorkerTask) => {
  embed(task).then(
    numbers => port.postMessage({ kind: 'vectors', numbers } satisfies WorkerAnswer, [numbers.buffer]),
    (error: unknown) => port.postMessage(failure(error) satisfies WorkerAnswer),
  )
})

/** Best effort: if the system refuses it, the thread works with its normal priority. */
function standBack(to: number): void {
  try {
    setPriority(to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}

/** The vectors concatenated: one buffer is transferred. */
async function embed({ texts, maxTokens }: WorkerTask): Promise<Float32Array<ArrayBuffer>> {
  embedder ??= openBuiltInEmbedder(modelFolder)
  const { dimensions } = embedder
  const vectors = await embedder.embed(texts, maxTokens === undefined ? {} : { maxTokens })
  const numbers = new Float32Array(vectors.length * dimensions)
  vectors.forEach((vector, i) => {
    numbers.set(vector, i * dimensions)
  })
  return numbers
}

function failure(error: unknown): Extract<WorkerAnswer, { kind: 'failed' }> {
  const message = error instanceof Error ? error.message : String(error)
  const code: ErrorCode = error instanceof CairnError ? error.code : 'embedder_failed'
  return { kind: 'failed', code, message, hint: error instanceof CairnError ? error.hint : '' }
}

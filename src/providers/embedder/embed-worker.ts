import { parentPort, workerData } from 'node:worker_threads'
import { CairnError } from '../../model/errors.ts'
import { openBuiltInEmbedder } from './built-in-embedder.ts'
import type { WorkerAnswer, WorkerTask } from './embed-many.ts'

/** A thread of embed-many.ts, built to a file of its own: tasks come in, an answer goes out for each. */
const port = parentPort
if (port === null) throw new Error('embed-worker runs as a worker thread')
const embedder = openBuiltInEmbedder((workerData as { modelFolder: string }).modelFolder)

port.on('message', ({ texts, maxTokens }: WorkerTask) => {
  const answer = (reply: WorkerAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(reply, transfer)
  embedder.embed(texts, maxTokens === undefined ? {} : { maxTokens }).then(
    vectors => {
      const numbers = new Float32Array(vectors.length * embedder.dimensions)
      vectors.forEach((vector, i) => {
        numbers.set(vector, i * embedder.dimensions)
      })
      answer({ kind: 'vectors', numbers }, [numbers.buffer])
    },
    (error: unknown) => {
      const hint = error instanceof CairnError ? error.hint : ''
      answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error), hint })
    },
  )
})

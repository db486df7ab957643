// The thread that embeds many texts, as a file of its own: a thread is started from a file, and Node 20 runs no TypeScript.
import * as path from 'node:path'
import { rolldown } from 'rolldown'

export async function buildWorker(file) {
  const build = await rolldown({
    input: path.join(import.meta.dirname, '../src/providers/embedder/embed-worker.ts'),
    platform: 'node',
    transform: { target: 'node20' },
    treeshake: { moduleSideEffects: false },
    logLevel: 'warn',
  })
  await build.write({ file, format: 'esm' })
  await build.close()
}

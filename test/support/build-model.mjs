import * as path from 'node:path'
import { buildModel } from '../../embedding-model/build-model.mjs'
import { buildWorker } from '../../embedding-model/build-worker.mjs'

/** So that `vitest run` works in a fresh checkout, and tests the model and the thread as the source has them now. */
export default async function setUp() {
  const dist = path.join(import.meta.dirname, '../../dist')
  await buildModel(path.join(dist, 'model'))
  await buildWorker(path.join(dist, 'embed-worker.js'))
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as path from 'node:path'

/** A project of its own, removed afterwards whatever happens. */
export async function withTemporaryProject<T>(use: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(path.join(tmpdir(), 'cairn-bench-'))
  try {
    return await use(root)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

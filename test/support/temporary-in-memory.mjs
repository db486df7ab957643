import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import * as path from 'node:path'
import process from 'node:process'

const IN_MEMORY = '/dev/shm'
/** What the tests have in their folders at the same time, many times over. */
const MIN_FREE_BYTES = 4 * 1024 ** 3

/**
 * Temporary folders in memory, where the machine has room for that: the tests wait for a disk for a third of their time otherwise. What they
 * show of killed processes holds all the same: a file system outlives them.
 */
export default function setup() {
  if (!hasRoom()) return undefined
  const before = process.env.TMPDIR
  const folder = mkdtempSync(path.join(IN_MEMORY, 'cairn-tests-'))
  // A server of a test runs as another user, and has its folder below.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= MIN_FREE_BYTES
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

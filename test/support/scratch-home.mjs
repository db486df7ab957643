import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import process from 'node:process'

/** Tests have a home folder of their own: none may read or change the one of the person who runs them, and all see the same empty one. */
export default function setup() {
  const before = process.env.HOME
  const home = mkdtempSync(path.join(tmpdir(), 'cairn-home-'))
  process.env.HOME = home
  return () => {
    if (before === undefined) delete process.env.HOME
    else process.env.HOME = before
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { environmentVariable } from './environment.ts'

/** What belongs to the user and to no project. CAIRN_HOME names another place. */
export function userFolder(): string {
  const given = environmentVariable('CAIRN_HOME')
  return given !== undefined && path.isAbsolute(given) ? given : path.join(os.homedir(), '.cairn')
}

/** What is in it was written for nobody else's eyes. Where the system has no such permissions, or it is not ours to change, it stays as it is. */
export function keepPrivate(folder: string): void {
  const stat = fs.statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined || (stat.mode & 0o077) === 0 || process.getuid?.() !== stat.uid) return
  fs.chmodSync(folder, 0o700)
}

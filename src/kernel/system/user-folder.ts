import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { CairnError } from '../model/errors.ts'
import { environmentVariable } from './environment.ts'

/** What belongs to the user and to no project. CAIRN_HOME names another place. */
export function userFolder(): string {
  const given = environmentVariable('CAIRN_HOME')
  if (given === undefined) return path.join(os.homedir(), '.cairn')
  if (path.isAbsolute(given)) return given
  // Whatever folder a command is run in would have its own, and every question of trust another answer.
  throw new CairnError({
    code: 'invalid_input',
    message: `CAIRN_HOME is ${JSON.stringify(given.slice(0, 200))}, which is no absolute path.`,
    hint: `Set it to one, for example ${path.join(os.homedir(), '.cairn')}, or unset it.`,
  })
}

/** What is in it was written for nobody else's eyes. Where the system has no such permissions, or it is not ours to change, it stays as it is. */
export function keepPrivate(folder: string): void {
  const stat = fs.statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined || (stat.mode & 0o077) === 0 || process.getuid?.() !== stat.uid) return
  fs.chmodSync(folder, 0o700)
}

/** In the system's folder for temporary files. */
export function isForAMoment(folder: string): boolean {
  const real = (each: string) => (fs.existsSync(each) ? fs.realpathSync.native(each) : path.resolve(each))
  return `${real(folder)}${path.sep}`.startsWith(`${real(os.tmpdir())}${path.sep}`)
}

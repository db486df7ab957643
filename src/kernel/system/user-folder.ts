import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { CairnError } from '../model/errors.ts'
import { environmentVariable } from './environment.ts'

/** The folder for data of the user that belongs to no project. CAIRN_HOME overrides it. */
export function userFolder(): string {
  const given = environmentVariable('CAIRN_HOME')
  if (given === undefined) return path.join(os.homedir(), '.cairn')
  if (path.isAbsolute(given)) return given
  // A relative path would give every working directory its own folder, and its own trust decisions.
  throw new CairnError({
    code: 'invalid_input',
    message: `CAIRN_HOME is ${JSON.stringify(given.slice(0, 200))}, which is not an absolute path.`,
    hint: `Set it to an absolute path, for example ${path.join(os.homedir(), '.cairn')}, or unset it.`,
  })
}

/** Its content is for the user only. If the system has no such permissions, or the folder is not ours to change, it stays. */
export function restrictToUser(folder: string): void {
  const stat = fs.statSync(folder, { throwIfNoEntry: false })
  if (stat === undefined || (stat.mode & 0o077) === 0 || process.getuid?.() !== stat.uid) return
  fs.chmodSync(folder, 0o700)
}

/** In the system's folder for temporary files. */
export function isTemporaryFolder(folder: string): boolean {
  const real = (each: string) => (fs.existsSync(each) ? fs.realpathSync.native(each) : path.resolve(each))
  return `${real(folder)}${path.sep}`.startsWith(`${real(os.tmpdir())}${path.sep}`)
}

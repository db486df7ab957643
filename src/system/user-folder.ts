import { homedir } from 'node:os'
import * as path from 'node:path'
import { environmentVariable } from './environment.ts'

/** Where a program keeps what belongs to the user and to no project. */
export function userConfigFolder(): string {
  const roaming = process.platform === 'win32' ? environmentVariable('APPDATA') : undefined
  const given = roaming ?? environmentVariable('XDG_CONFIG_HOME')
  const base = given !== undefined && path.isAbsolute(given) ? given : path.join(homedir(), '.config')
  return path.join(base, 'cairn')
}

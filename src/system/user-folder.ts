import { homedir } from 'node:os'
import * as path from 'node:path'
import { environmentVariable } from './environment.ts'

/** What belongs to the user and to no project. CAIRN_HOME names another place. */
export function userFolder(): string {
  const given = environmentVariable('CAIRN_HOME')
  return given !== undefined && path.isAbsolute(given) ? given : path.join(homedir(), '.cairn')
}

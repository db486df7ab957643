import * as os from 'node:os'
import * as path from 'node:path'
import { environmentVariable } from './environment.ts'

/** The home folder as hosts determine it. */
function homeFolder(): string {
  const given = process.platform === 'win32' ? undefined : environmentVariable('HOME')
  return given !== undefined && path.isAbsolute(given) ? given : os.homedir()
}

/** The folder of a host: from its own variable, or below the home folder. */
export function hostFolder(variable: string | undefined, otherwise: string): string {
  const given = variable === undefined ? undefined : environmentVariable(variable)
  return given !== undefined && path.isAbsolute(given) ? given : path.join(homeFolder(), otherwise)
}

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

/** The folders in which other tools store user data, each with the variable that overrides it. */
export function toolFolder(tool: 'claude-code' | 'claude-mem' | 'basic-memory'): string {
  const [variable, name] = PLACES[tool]
  const given = environmentVariable(variable)
  return given !== undefined && path.isAbsolute(given) ? given : path.join(os.homedir(), name)
}

const PLACES = {
  'claude-code': ['CLAUDE_CONFIG_DIR', '.claude'],
  'claude-mem': ['CLAUDE_MEM_DATA_DIR', '.claude-mem'],
  'basic-memory': ['BASIC_MEMORY_HOME', 'basic-memory'],
} as const

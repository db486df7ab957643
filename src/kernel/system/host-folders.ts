import * as os from 'node:os'
import * as path from 'node:path'
import { environmentVariable } from './environment.ts'

/** Where hosts keep what is theirs. Each has a variable of its own by which a person moves it. */
export interface HostFolders {
  readonly claude: string
  readonly codex: string
  readonly gemini: string
  readonly opencodeData: string
  readonly copilot: string
  readonly cursor: string
  readonly cline: string
}

/** As the hosts see it. */
function homeFolder(): string {
  const given = process.platform === 'win32' ? undefined : environmentVariable('HOME')
  return given !== undefined && path.isAbsolute(given) ? given : os.homedir()
}

export function hostFolders(home: string = homeFolder()): HostFolders {
  const moved = (variable: string) => {
    const given = environmentVariable(variable)
    return given !== undefined && path.isAbsolute(given) ? given : undefined
  }
  return {
    claude: moved('CLAUDE_CONFIG_DIR') ?? path.join(home, '.claude'),
    codex: moved('CODEX_HOME') ?? path.join(home, '.codex'),
    gemini: path.join(moved('GEMINI_CLI_HOME') ?? home, '.gemini'),
    opencodeData: path.join(moved('XDG_DATA_HOME') ?? path.join(home, '.local', 'share'), 'opencode'),
    copilot: moved('COPILOT_HOME') ?? path.join(home, '.copilot'),
    cursor: path.join(home, '.cursor'),
    cline: moved('CLINE_DIR') ?? path.join(home, '.cline'),
  }
}

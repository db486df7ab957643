import {
  COMMAND_MARKER,
  type CommandFile,
  instructions,
  saveMemorySkill,
  withFrontMatter,
} from '../install/decide/command-files.ts'
import { commandWords } from '../install/decide/hook-command.ts'
import {
  commandTargets,
  folderFrom,
  type HostIntegration,
  jsonServer,
  SERVER_NAME,
  shellProgram,
} from '../install/decide/host-integration.ts'
import { SLASH_COMMANDS } from '../install/decide/slash-commands.ts'
import type { HostPlaces } from '../install/decide/target-file.ts'
import { openCodePlugin } from './plugin.ts'

const HOST = 'opencode'

function folder(places: HostPlaces): string {
  const settings = folderFrom(places, 'XDG_CONFIG_HOME', '.config')
  return places.environment('OPENCODE_CONFIG_DIR') === undefined
    ? `${settings}/opencode`
    : folderFrom(places, 'OPENCODE_CONFIG_DIR', '.config/opencode')
}

/** The one that exists; it reads both. */
function configFile(places: HostPlaces & { level: string }): string {
  const at = places.level === 'user' ? folder(places) : `${places.project}`
  return places.exists(`${at}/opencode.jsonc`) && !places.exists(`${at}/opencode.json`)
    ? `${at}/opencode.jsonc`
    : `${at}/opencode.json`
}

/**
 * Before it loads a plugin, OpenCode installs a package into its folder, and without a network npm tries for more than a minute, at every
 * start. Without retries only that changes: with a network the package is installed as before.
 */
const NPM_SETTINGS = `# ${COMMAND_MARKER}
# OpenCode installs a package here before it loads plugins; without a network it would wait a minute at every start.
fetch-retries=0
`

export const openCodeIntegration: HostIntegration = {
  host: HOST,
  folder,
  serverFile: configFile,
  files(wanted) {
    const at = wanted.level === 'user' ? folder(wanted) : `${wanted.project}/.opencode`
    return [
      {
        format: 'json',
        path: configFile(wanted),
        pieces: [
          jsonServer(['mcp'], {
            type: 'local',
            command: [...commandWords(wanted.command), 'mcp'],
            enabled: true,
          }),
        ],
      },
      {
        format: 'own',
        path: `${at}/plugins/${SERVER_NAME}.js`,
        name: 'plugin cairn, which calls the hooks',
        text: openCodePlugin(wanted.command, wanted.hooks),
      },
      {
        format: 'own',
        path: `${at}/.npmrc`,
        name: 'no second try of npm in this folder',
        text: NPM_SETTINGS,
      },
      ...commandTargets(commands(shellProgram(wanted.command)), {
        commands: `${at}/commands`,
        skills: `${at}/skills`,
      }),
    ]
  },
  commands,
  remarks: () => [],
  trialPayload: (_, { cwd, session, asked }) => ({
    sessionID: session,
    directory: cwd,
    worktree: cwd,
    source: 'startup',
    ...asked,
  }),
}

/**
 * OpenCode puts what was typed into a command's text and then runs every !`…` in it, also where the text has no placeholder. A numbered
 * placeholder that no user reaches takes the place of all: nothing is inserted. Our plugin sends the text as a part of its own.
 */
const NOTHING_TYPED = '\n\n$9999'

function commands(program: string): readonly CommandFile[] {
  return [
    ...SLASH_COMMANDS.map(
      (command): CommandFile => ({
        folder: 'commands',
        path: `${command.name}.md`,
        text: withFrontMatter(
          [`description: ${JSON.stringify(command.description)}`],
          instructions(command, program, `is in the next part of this message.${NOTHING_TYPED}`),
        ),
      }),
    ),
    saveMemorySkill(program),
  ]
}

import { commandSkill, saveMemorySkill } from '../install/decide/command-files.ts'
import { hookCommand } from '../install/decide/hook-command.ts'
import {
  commandTargets,
  folderFrom,
  type HostIntegration,
  hookPiece,
  jsonServer,
  SERVER_NAME,
  serverWords,
  shellProgram,
} from '../install/decide/host-integration.ts'
import { SLASH_COMMANDS } from '../install/decide/slash-commands.ts'
import type { HostPlaces } from '../install/decide/target-file.ts'

const HOST = 'copilot'

const folder = (places: HostPlaces) => folderFrom(places, 'COPILOT_HOME', '.copilot')

const at = (places: HostPlaces & { level: string }) =>
  places.level === 'user' ? folder(places) : `${places.project}/.github`

export const copilotIntegration: HostIntegration = {
  host: HOST,
  folder,
  serverFile: places =>
    places.level === 'user' ? `${folder(places)}/mcp-config.json` : `${places.project}/.mcp.json`,
  files: wanted => [
    {
      format: 'json',
      path: `${at(wanted)}/hooks/${SERVER_NAME}.json`,
      pieces: [
        { kind: 'frame', name: 'version', path: ['version'], value: 1 },
        hookPiece(wanted.hooks, ({ event, timeoutSeconds }) => {
          const windows = hookCommand(wanted.command, { host: HOST, event, isWindows: true })
          return [
            {
              type: 'command',
              bash: hookCommand(wanted.command, { host: HOST, event, isWindows: false }),
              powershell: windows.startsWith('"') ? `& ${windows}` : windows,
              timeoutSec: timeoutSeconds,
            },
          ]
        }),
      ],
    },
    {
      format: 'json',
      path: copilotIntegration.serverFile(wanted),
      pieces: [
        jsonServer(['mcpServers'], {
          // A project's file is read by Claude Code too, which knows no `local`.
          ...(wanted.level === 'user' ? { type: 'local' } : {}),
          ...serverWords(wanted.command),
          tools: ['*'],
        }),
      ],
    },
    ...commandTargets(commands(shellProgram(wanted.command)), { skills: `${at(wanted)}/skills` }),
  ],
  commands,
  remarks: ({ level }) =>
    level === 'user'
      ? []
      : [
          {
            kind: 'to-do',
            message:
              'Copilot reads .github/hooks and .mcp.json of a project only where the folder is trusted.',
            hint: 'Start `copilot` in the project and trust the folder.',
          },
        ],
  trialPayload: (_, { cwd, session, asked }) => ({
    sessionId: session,
    timestamp: 0,
    cwd,
    source: 'new',
    ...asked,
  }),
}

function commands(program: string) {
  return [...SLASH_COMMANDS.map(command => commandSkill(command, program, '/')), saveMemorySkill(program)]
}

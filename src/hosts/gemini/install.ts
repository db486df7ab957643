import { hookCommand } from '../install/decide/hook-command.ts'
import {
  commandTargets,
  folderFrom,
  type HostIntegration,
  hookPiece,
  jsonServer,
  SERVER_NAME,
  serverWords,
} from '../install/decide/host-integration.ts'
import type { HostPlaces } from '../install/decide/target-file.ts'

const HOST = 'gemini'

/** The variable names what takes the place of the home folder. */
const folder = (places: HostPlaces) =>
  `${folderFrom(places, 'GEMINI_CLI_HOME', '').replace(/\/$/, '')}/.gemini`

const at = (places: HostPlaces & { level: string }) =>
  places.level === 'user' ? folder(places) : `${places.project}/.gemini`

export const gemini: HostIntegration = {
  host: HOST,
  programs: ['gemini'],
  folder,
  serverFile: places => `${at(places)}/settings.json`,
  files: wanted => [
    {
      format: 'json',
      path: `${at(wanted)}/settings.json`,
      pieces: [
        hookPiece(HOST, ({ event, matcher, timeoutSeconds }) => [
          {
            ...(matcher !== undefined && { matcher }),
            hooks: [
              {
                type: 'command',
                name: SERVER_NAME,
                command: hookCommand(wanted.command, { host: HOST, event, isWindows: wanted.isWindows }),
                timeout: timeoutSeconds * 1000,
              },
            ],
          },
        ]),
        // Without `trust` the tools are not even offered where nobody can be asked.
        jsonServer(['mcpServers'], { ...serverWords(wanted.command), trust: true }),
      ],
    },
    ...commandTargets(HOST, wanted.command, {
      commands: `${at(wanted)}/commands`,
      skills: `${at(wanted)}/skills`,
    }),
  ],
  remarks: ({ level }) =>
    level === 'user'
      ? []
      : [
          {
            kind: 'to-do',
            message:
              'Gemini CLI reads .gemini/ of a project only where the folder is trusted, and only when it is started in it.',
            hint: 'Start `gemini` in the project and trust the folder.',
          },
        ],
}

import { hookCommand } from '../install/decide/hook-command.ts'
import {
  commandTargets,
  type HostIntegration,
  hookPiece,
  jsonServer,
  serverWords,
} from '../install/decide/host-integration.ts'
import type { HostPlaces } from '../install/decide/target-file.ts'

const HOST = 'cursor'

const folder = ({ home }: HostPlaces) => `${home}/.cursor`

const at = (places: HostPlaces & { level: string }) =>
  places.level === 'user' ? folder(places) : `${places.project}/.cursor`

export const cursor: HostIntegration = {
  host: HOST,
  programs: ['cursor', 'cursor-agent'],
  folder,
  serverFile: places => `${at(places)}/mcp.json`,
  files: wanted => [
    {
      format: 'json',
      path: `${at(wanted)}/hooks.json`,
      pieces: [
        { kind: 'frame', name: 'version', path: ['version'], value: 1 },
        hookPiece(HOST, ({ event, timeoutSeconds }) => [
          {
            command: hookCommand(wanted.command, { host: HOST, event, isWindows: wanted.isWindows }),
            timeout: timeoutSeconds,
          },
        ]),
      ],
    },
    {
      format: 'json',
      path: cursor.serverFile(wanted),
      pieces: [jsonServer(['mcpServers'], { type: 'stdio', ...serverWords(wanted.command) })],
    },
    ...commandTargets(HOST, wanted.command, {
      commands: `${at(wanted)}/commands`,
      // Rules of a user are no files.
      ...(wanted.level === 'project' && { rules: `${at(wanted)}/rules` }),
    }),
  ],
  remarks: () => [
    {
      kind: 'limit',
      message: 'Cursor was not driven: what is written follows its documentation.',
      hint: 'Look into its hook output, and tell us what you see.',
    },
  ],
}

import { SAVE_MEMORY_DESCRIPTION, saveMemoryText } from '../../kernel/text/save-memory.ts'
import {
  COMMAND_MARKER,
  type CommandFile,
  instructions,
  withFrontMatter,
} from '../install/decide/command-files.ts'
import { hookCommand } from '../install/decide/hook-command.ts'
import {
  commandTargets,
  type HostIntegration,
  hookPiece,
  jsonServer,
  serverWords,
  shellProgram,
} from '../install/decide/host-integration.ts'
import { SLASH_COMMANDS } from '../install/decide/slash-commands.ts'
import type { HostPlaces } from '../install/decide/target-file.ts'

const HOST = 'cursor'

const folder = ({ home }: HostPlaces) => `${home}/.cursor`

const at = (places: HostPlaces & { level: string }) =>
  places.level === 'user' ? folder(places) : `${places.project}/.cursor`

export const cursorIntegration: HostIntegration = {
  host: HOST,
  folder,
  serverFile: places => `${at(places)}/mcp.json`,
  files: wanted => [
    {
      format: 'json',
      path: `${at(wanted)}/hooks.json`,
      pieces: [
        { kind: 'frame', name: 'version', path: ['version'], value: 1 },
        hookPiece(wanted.hooks, ({ event, timeoutSeconds }) => [
          {
            command: hookCommand(wanted.command, { host: HOST, event, isWindows: wanted.isWindows }),
            timeout: timeoutSeconds,
          },
        ]),
      ],
    },
    {
      format: 'json',
      path: cursorIntegration.serverFile(wanted),
      pieces: [jsonServer(['mcpServers'], { type: 'stdio', ...serverWords(wanted.command) })],
    },
    ...commandTargets(commands(shellProgram(wanted.command)), {
      commands: `${at(wanted)}/commands`,
      // The rules of a user are not files.
      ...(wanted.level === 'project' && { rules: `${at(wanted)}/rules` }),
    }),
  ],
  commands,
  remarks: () => [
    {
      kind: 'limit',
      message: 'Cursor was not driven: what is written follows its documentation.',
      hint: 'Look into its hook output, and tell us what you see.',
    },
  ],
  trialPayload: ({ event }, { cwd, session, asked }) => ({
    conversation_id: session,
    hook_event_name: event,
    workspace_roots: [cwd],
    cursor_version: 'doctor',
    ...asked,
  }),
  trialVariables: { CURSOR_VERSION: 'doctor' },
}

function commands(program: string): readonly CommandFile[] {
  return [
    ...SLASH_COMMANDS.map(
      (command): CommandFile => ({
        folder: 'commands',
        path: `${command.name}.md`,
        text: `<!-- ${COMMAND_MARKER} -->\n${instructions(command, program, `is what follows \`/${command.name}\` in this message.`)}`,
      }),
    ),
    {
      folder: 'commands',
      path: 'save-memory.md',
      text: `<!-- ${COMMAND_MARKER} -->\n${saveMemoryText(program)}`,
    },
    {
      folder: 'rules',
      path: 'save-memory.mdc',
      text: withFrontMatter(
        [`description: ${JSON.stringify(SAVE_MEMORY_DESCRIPTION)}`, 'alwaysApply: true'],
        saveMemoryText(program),
      ),
    },
  ]
}

import {
  COMMAND_MARKER,
  type CommandFile,
  fenced,
  instructions,
  saveMemorySkill,
} from '../install/decide/command-files.ts'
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
  snakeCaseTrial,
} from '../install/decide/host-integration.ts'
import { SERVER_PROMPTS, SLASH_COMMANDS } from '../install/decide/slash-commands.ts'
import type { HostPlaces } from '../install/decide/target-file.ts'

const HOST = 'gemini'

/** The variable names a replacement for the home folder. */
const folder = (places: HostPlaces) =>
  `${folderFrom(places, 'GEMINI_CLI_HOME', '').replace(/\/$/, '')}/.gemini`

const at = (places: HostPlaces & { level: string }) =>
  places.level === 'user' ? folder(places) : `${places.project}/.gemini`

export const geminiIntegration: HostIntegration = {
  host: HOST,
  folder,
  serverFile: places => `${at(places)}/settings.json`,
  files: wanted => [
    {
      format: 'json',
      path: `${at(wanted)}/settings.json`,
      pieces: [
        hookPiece(wanted.hooks, ({ event, matcher, timeoutSeconds }) => [
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
        // Without `trust` the tools are not even offered where no user can be asked.
        jsonServer(['mcpServers'], { ...serverWords(wanted.command), trust: true }),
      ],
    },
    ...commandTargets(commands(shellProgram(wanted.command)), {
      commands: `${at(wanted)}/commands`,
      skills: `${at(wanted)}/skills`,
    }),
  ],
  commands,
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
  trialPayload: snakeCaseTrial,
}

function commands(program: string): readonly CommandFile[] {
  return [
    ...SLASH_COMMANDS.filter(({ name }) => !SERVER_PROMPTS.includes(name)).map(
      (command): CommandFile => ({
        folder: 'commands',
        path: `${command.name}.toml`,
        text: [
          `# ${COMMAND_MARKER}`,
          `description = ${JSON.stringify(command.description)}`,
          `prompt = """\n${escaped(instructions(command, program, fenced('{{args}}')))}"""`,
          '',
        ].join('\n'),
      }),
    ),
    saveMemorySkill(program),
  ]
}

/** For a basic string of TOML over several lines. */
function escaped(text: string): string {
  return text.replace(/["\\]/g, '\\$&')
}

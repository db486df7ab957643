import {
  type CommandFile,
  fenced,
  instructions,
  saveMemorySkill,
  withFrontMatter,
} from '../install/decide/command-files.ts'
import {
  claudeGroups,
  commandTargets,
  folderFrom,
  type HostIntegration,
  hookPiece,
  jsonServer,
  serverWords,
  shellProgram,
  snakeCaseTrial,
} from '../install/decide/host-integration.ts'
import { SLASH_COMMANDS } from '../install/decide/slash-commands.ts'
import type { HostPlaces, JsonPiece } from '../install/decide/target-file.ts'

const HOST = 'claude-code'

const folder = (places: HostPlaces) => folderFrom(places, 'CLAUDE_CONFIG_DIR', '.claude')

/** In its own folder where a variable names one, else next to `~/.claude`. Claude Code rewrites it all the time. */
const stateFile = (places: HostPlaces) =>
  folder(places) === `${places.home}/.claude`
    ? `${places.home}/.claude.json`
    : `${folder(places)}/.claude.json`

export const claudeCodeIntegration: HostIntegration = {
  host: HOST,
  folder,
  serverFile: places => (places.level === 'user' ? stateFile(places) : `${places.project}/.mcp.json`),
  files(wanted) {
    const at = wanted.level === 'user' ? folder(wanted) : `${wanted.project}/.claude`
    // In a project's settings a permission counts only once the folder is trusted; there the user is asked.
    const permission: JsonPiece = {
      kind: 'item',
      name: 'permission for the tools of the MCP server cairn (permissions.allow mcp__cairn)',
      path: ['permissions', 'allow'],
      value: 'mcp__cairn',
    }
    const autoMemory: JsonPiece = {
      kind: 'setting',
      name: "Claude Code's own memory off (autoMemoryEnabled)",
      path: ['autoMemoryEnabled'],
      value: false,
    }
    return [
      {
        format: 'json',
        path: `${at}/settings.json`,
        pieces: [
          hookPiece(wanted.hooks, hook => claudeGroups(hook, HOST, wanted)),
          ...(wanted.level === 'user' ? [permission] : []),
          ...(wanted.switchOffAutoMemory ? [autoMemory] : []),
        ],
      },
      {
        format: 'json',
        path: claudeCodeIntegration.serverFile(wanted),
        pieces: [
          jsonServer(['mcpServers'], { type: 'stdio', ...serverWords(wanted.command), alwaysLoad: true }),
        ],
      },
      ...commandTargets(commands(shellProgram(wanted.command)), {
        commands: `${at}/commands`,
        skills: `${at}/skills`,
        rules: `${at}/rules`,
      }),
    ]
  },
  commands,
  remarks: ({ level, hooks }) =>
    level === 'user'
      ? []
      : [
          {
            kind: 'to-do',
            message:
              'Claude Code asks once whether it may start the server cairn of this project, and suggests no.',
            hint: 'Start `claude` in the project and choose to use the server.',
          },
          {
            kind: 'limit',
            message: `Of a project it reads the ${hooks.length} hooks only when it is started in the project's own folder, not below it.`,
            hint: 'Installed for the user (`--level user`) they count everywhere.',
          },
        ],
  ownMemory: {
    name: "Claude Code's auto memory",
    file: 'settings.json',
    setting: ['autoMemoryEnabled'],
    offVariable: 'CLAUDE_CODE_DISABLE_AUTO_MEMORY',
  },
  trialPayload: snakeCaseTrial,
  trialVariables: { CLAUDECODE: '1' },
}

function commands(program: string): readonly CommandFile[] {
  return [
    ...SLASH_COMMANDS.map(
      (command): CommandFile => ({
        folder: 'commands',
        path: `${command.name}.md`,
        text: withFrontMatter(
          [
            `description: ${JSON.stringify(command.description)}`,
            `argument-hint: ${JSON.stringify(command.argument)}`,
            `allowed-tools: ${JSON.stringify([...command.tools.map(tool => `mcp__cairn__${tool}`), `Bash(${program} memory:*)`].join(', '))}`,
          ],
          instructions(command, program, fenced('$ARGUMENTS')),
        ),
      }),
    ),
    saveMemorySkill(program),
  ]
}

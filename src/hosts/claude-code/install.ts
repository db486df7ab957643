import { HOST_HOOKS } from '../hooks/decide/host-hooks.ts'
import {
  claudeGroups,
  commandTargets,
  folderFrom,
  type HostIntegration,
  hookPiece,
  jsonServer,
  serverWords,
} from '../install/decide/host-integration.ts'
import type { HostPlaces, JsonPiece } from '../install/decide/target-file.ts'

const HOST = 'claude-code'

const folder = (places: HostPlaces) => folderFrom(places, 'CLAUDE_CONFIG_DIR', '.claude')

/** With a folder of its own the state file lies in it, else beside `~/.claude`. Claude Code rewrites it all the time. */
const stateFile = (places: HostPlaces) =>
  folder(places) === `${places.home}/.claude`
    ? `${places.home}/.claude.json`
    : `${folder(places)}/.claude.json`

export const claudeCode: HostIntegration = {
  host: HOST,
  programs: ['claude'],
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
          hookPiece(HOST, hook => claudeGroups(hook, HOST, wanted)),
          ...(wanted.level === 'user' ? [permission] : []),
          ...(wanted.switchOffAutoMemory ? [autoMemory] : []),
        ],
      },
      {
        format: 'json',
        path: claudeCode.serverFile(wanted),
        pieces: [
          jsonServer(['mcpServers'], { type: 'stdio', ...serverWords(wanted.command), alwaysLoad: true }),
        ],
      },
      ...commandTargets(HOST, wanted.command, {
        commands: `${at}/commands`,
        skills: `${at}/skills`,
        rules: `${at}/rules`,
      }),
    ]
  },
  remarks: ({ level }) =>
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
            message: `Of a project it reads the ${HOST_HOOKS[HOST].length} hooks only when it is started in the project's own folder, not below it.`,
            hint: 'Installed for the user (`--level user`) they count everywhere.',
          },
        ],
}

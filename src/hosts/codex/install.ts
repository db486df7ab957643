import {
  claudeGroups,
  commandTargets,
  folderFrom,
  type HostIntegration,
  hookPiece,
  SERVER_NAME,
  serverWords,
} from '../install/decide/host-integration.ts'
import type { HostPlaces } from '../install/decide/target-file.ts'

const HOST = 'codex'

const folder = (places: HostPlaces) => folderFrom(places, 'CODEX_HOME', '.codex')

export const codex: HostIntegration = {
  host: HOST,
  programs: ['codex'],
  folder,
  serverFile: places =>
    `${places.level === 'user' ? folder(places) : `${places.project}/.codex`}/config.toml`,
  files(wanted) {
    const at = wanted.level === 'user' ? folder(wanted) : `${wanted.project}/.codex`
    return [
      {
        format: 'json',
        path: `${at}/hooks.json`,
        pieces: [hookPiece(HOST, hook => claudeGroups(hook, HOST, wanted))],
      },
      {
        format: 'toml',
        path: codex.serverFile(wanted),
        name: `MCP server ${SERVER_NAME}, its tools approved`,
        table: ['mcp_servers', SERVER_NAME],
        value: {
          ...serverWords(wanted.command),
          // Codex hands a server nothing of the environment that is not named.
          env_vars: ['CAIRN_HOME'],
          default_tools_approval_mode: 'approve',
        },
      },
      ...commandTargets(HOST, wanted.command, { skills: `${at}/skills` }),
    ]
  },
  remarks: ({ level }) => [
    {
      kind: 'to-do',
      message: 'Codex runs no hook that its user has not trusted, and says nothing about it.',
      hint: 'Start `codex` once and choose "Trust all and continue" when it shows the hooks.',
    },
    ...(level === 'project'
      ? [
          {
            kind: 'to-do' as const,
            message: 'Codex reads .codex/ of a project only where the project is trusted.',
            hint: 'Start `codex` in the project and say that you trust it.',
          },
        ]
      : []),
  ],
}

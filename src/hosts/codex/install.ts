import { commandSkill, saveMemorySkill } from '../install/decide/command-files.ts'
import {
  claudeGroups,
  commandTargets,
  folderFrom,
  type HookTrust,
  type HostIntegration,
  hookPiece,
  SERVER_NAME,
  serverWords,
  shellProgram,
  snakeCaseTrial,
} from '../install/decide/host-integration.ts'
import { SLASH_COMMANDS } from '../install/decide/slash-commands.ts'
import type { HostPlaces } from '../install/decide/target-file.ts'

interface ListedHook {
  readonly command?: string
  readonly server?: string
  readonly eventName?: string
  readonly trustStatus?: string
  readonly enabled?: boolean
}

const HINT = 'Start `codex` once and choose "Trust all and continue" when it shows the hooks.'

/** Codex skips a hook that is not trusted, without a message: only Codex itself can say whether it is. */
const codexHookTrust: HookTrust = {
  words: ['app-server'],
  hint: HINT,
  async ask(server, { root, version }) {
    const hello = await server.request('initialize', { clientInfo: { name: 'cairn', version } })
    server.notify('initialized')
    const listed = (await server.request('hooks/list', { cwds: [root] })) as
      | { data?: readonly { hooks?: readonly ListedHook[] }[] }
      | undefined
    if (hello === undefined || !Array.isArray(listed?.data)) return undefined
    const ours = listed.data
      .flatMap(({ hooks = [] }) => hooks)
      .filter(({ command, server: name }) => name === 'cairn' || /\bhook codex \w+$/.test(command ?? ''))
    const waiting = ours.filter(({ trustStatus, enabled }) => trustStatus !== 'trusted' || enabled === false)
    if (ours.length === 0)
      return {
        result: 'failure',
        message: 'Codex does not see the hooks in this project',
        hint: 'In a project that is not trusted Codex reads no .codex/: start `codex` there and trust it.',
      }
    if (waiting.length === 0) return { result: 'ok', message: `all ${ours.length} hooks are trusted` }
    return {
      result: 'failure',
      message: `${waiting.length} of ${ours.length} hooks are not trusted, and Codex skips them without a word: ${[...new Set(waiting.map(({ eventName }) => eventName))].join(', ')}`,
      hint: HINT,
    }
  },
}

const HOST = 'codex'

const folder = (places: HostPlaces) => folderFrom(places, 'CODEX_HOME', '.codex')

export const codexIntegration: HostIntegration = {
  host: HOST,
  folder,
  serverFile: places =>
    `${places.level === 'user' ? folder(places) : `${places.project}/.codex`}/config.toml`,
  files(wanted) {
    const at = wanted.level === 'user' ? folder(wanted) : `${wanted.project}/.codex`
    return [
      {
        format: 'json',
        path: `${at}/hooks.json`,
        pieces: [hookPiece(wanted.hooks, hook => claudeGroups(hook, HOST, wanted))],
      },
      {
        format: 'toml',
        path: codexIntegration.serverFile(wanted),
        name: `MCP server ${SERVER_NAME}, its tools approved`,
        table: ['mcp_servers', SERVER_NAME],
        value: {
          ...serverWords(wanted.command),
          // Codex passes only the variables to a server that are named here.
          env_vars: ['CAIRN_HOME'],
          default_tools_approval_mode: 'approve',
        },
      },
      ...commandTargets(commands(shellProgram(wanted.command)), { skills: `${at}/skills` }),
    ]
  },
  commands,
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
  trialPayload: snakeCaseTrial,
  hookTrust: codexHookTrust,
}

function commands(program: string) {
  return [...SLASH_COMMANDS.map(command => commandSkill(command, program, '$')), saveMemorySkill(program)]
}

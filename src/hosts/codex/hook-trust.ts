import type { HookTrust } from '../install/decide/host-integration.ts'

interface ListedHook {
  readonly command?: string
  readonly server?: string
  readonly eventName?: string
  readonly trustStatus?: string
  readonly enabled?: boolean
}

const HINT = 'Start `codex` once and choose "Trust all and continue" when it shows the hooks.'

/** Codex skips a hook that is not trusted, without a message: only Codex itself can say whether it is. */
export const codexHookTrust: HookTrust = {
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

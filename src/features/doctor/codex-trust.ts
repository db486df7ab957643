import { offlineEnvironment } from '../../kernel/system/environment.ts'
import { findProgram } from '../../kernel/system/find-program.ts'
import { openRpcTalk } from '../../kernel/system/json-rpc-lines.ts'
import type { DoctorCheck } from './check.ts'

const WITHIN_MS = 10_000
const HOW = 'Start `codex` once and choose "Trust all and continue" when it shows the hooks.'

interface ListedHook {
  readonly command?: string
  readonly server?: string
  readonly eventName?: string
  readonly trustStatus?: string
  readonly enabled?: boolean
}

/** Codex skips a hook that nobody trusted, without a word: only Codex itself can say whether somebody did. */
export async function checkCodexTrust(root: string, version: string): Promise<DoctorCheck[]> {
  const name = 'codex trust'
  const program = findProgram('codex')
  if (program === undefined)
    return [
      {
        name,
        result: 'warning',
        message: 'codex is not on the path, so that nobody can say whether its hooks are trusted',
        hint: HOW,
      },
    ]
  const talk = openRpcTalk([program, 'app-server'], {
    cwd: root,
    environment: offlineEnvironment(),
    timeoutMs: WITHIN_MS,
  })
  const hello = await talk.request('initialize', { clientInfo: { name: 'cairn', version } })
  talk.notify('initialized')
  const listed = (await talk.request('hooks/list', { cwds: [root] })) as
    | { data?: readonly { hooks?: readonly ListedHook[] }[] }
    | undefined
  const trouble = talk.trouble()
  await talk.end(1_000)
  if (hello === undefined || !Array.isArray(listed?.data))
    return [
      {
        name,
        result: 'warning',
        message: `Codex does not say whether its hooks are trusted: ${trouble || 'it answered otherwise than expected'}`,
        hint: HOW,
      },
    ]
  const ours = listed.data
    .flatMap(({ hooks = [] }) => hooks)
    .filter(({ command, server }) => server === 'cairn' || /\bhook codex \w+$/.test(command ?? ''))
  const waiting = ours.filter(({ trustStatus, enabled }) => trustStatus !== 'trusted' || enabled === false)
  if (ours.length === 0)
    return [
      {
        name,
        result: 'failure',
        message: 'Codex does not see the hooks in this project',
        hint: 'In a project that is not trusted Codex reads no .codex/: start `codex` there and trust it.',
      },
    ]
  if (waiting.length === 0) return [{ name, result: 'ok', message: `all ${ours.length} hooks are trusted` }]
  return [
    {
      name,
      result: 'failure',
      message: `${waiting.length} of ${ours.length} hooks are not trusted, and Codex skips them without a word: ${[...new Set(waiting.map(({ eventName }) => eventName))].join(', ')}`,
      hint: HOW,
    },
  ]
}

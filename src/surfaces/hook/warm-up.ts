import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { setUserFolder } from '../../kernel/system/environment.ts'
import { hookInput } from './hook-input.ts'

type Main = (argv: readonly string[]) => Promise<number>

const WRITING = [
  ['remember', 'The worker retries failed webhooks with a back-off. #queue', '--files', 'src/worker.ts'],
  ['remember', 'Webhooks carry a signature in `X-Signature`.', '--session', 's1'],
  ['remember', 'The worker checks it before a webhook is queued.', '--session', 's1'],
  ['remember', 'As sessões ficam no Redis por uma hora.', '--kind', 'decision', '--session', 's1'],
  ['task', 'add', 'Move the queue'],
  ['embed'],
  ['status'],
  ['search', 'webhooks'],
]
const OF_THE_USER = [
  ['remember', '--user', 'Answer in short sentences.'],
  ['remember', '--user', 'Prefer tabs.'],
]
const COMMON = { session_id: 's9', hook_event_name: '' }
const CALLS: readonly (readonly [event: string, payload: object])[] = [
  ['UserPromptSubmit', { ...COMMON, prompt: 'how does the worker check webhooks?' }],
  ['UserPromptSubmit', { ...COMMON, prompt: 'why are sessions in Redis? see src/worker.ts' }],
  ['UserPromptSubmit', { ...COMMON, prompt: 'how does the worker check webhooks?' }],
  [
    'PostToolUse',
    {
      ...COMMON,
      tool_name: 'Bash',
      tool_input: { command: 'npm test' },
      tool_response: { stdout: 'Tests 3 passed (3)', stderr: '' },
    },
  ],
]

/** Walks what a prompt and a tool run wait for, in a scratch project. Another process does the writing: nothing of it is in the cache. */
export async function walkHookPaths(main: Main): Promise<void> {
  const { tmpdir } = await import('node:os')
  const { execFileSync } = await import('node:child_process')
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-build-')))
  const [root, user] = [path.join(folder, 'project'), path.join(folder, 'user')]
  mkdirSync(path.join(root, 'src'), { recursive: true })
  mkdirSync(user)
  setUserFolder(user)
  writeFileSync(path.join(root, 'src', 'worker.ts'), 'export const retries = 5\n')
  const write = (argv: readonly string[]) =>
    execFileSync(process.execPath, [process.argv[1] ?? '', ...argv], { stdio: 'ignore' })
  try {
    for (const argv of WRITING) write([...argv, '--root', root])
    for (const argv of OF_THE_USER) write(argv)
    write(['brief', '--prompt', 'tabs', '--root', root])
    const at = '2026-01-01T00:00:00.000Z'
    const project = { id: 'p', name: 'p', root, trustedAt: at, firstSeenAt: at, lastSeenAt: at }
    writeFileSync(path.join(user, 'projects.json'), JSON.stringify({ version: 1, projects: [project] }))
    // The files are as old as the index then, and nothing is to be compared.
    await new Promise(resolve => setTimeout(resolve, 100))
    for (const [event, payload] of CALLS) {
      hookInput.text = JSON.stringify({ ...payload, cwd: root })
      await main(['hook', 'claude-code', event])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

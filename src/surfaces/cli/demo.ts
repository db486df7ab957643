import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { composeEngine } from '../../compose/compose.ts'
import { appendMessages } from '../../features/sessions/sessions.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { OPERATIONS } from '../../verbs/all.ts'
import { type Operation, parseInput } from '../../verbs/operation.ts'
import { screenOf } from '../../verbs/presenter.ts'
import { PRESENTERS } from './presenters.generated.ts'

const TALK: readonly Message[] = [
  { role: 'user', text: 'The invoice export times out again, can you have a look?' },
  {
    role: 'agent',
    text: 'The partner closes connections after 60 seconds, so the export of large tenants only fails there.',
  },
  { role: 'user', text: 'Remember that the partner closes connections after 60 seconds.' },
  { role: 'user', text: 'Put a queue before the export. And never send an invoice without an order number.' },
  {
    role: 'tool',
    text: 'Edit',
    run: { tool: 'Edit', files: ['src/invoices/export.ts'], isEdit: true, ok: true },
  },
  {
    role: 'agent',
    text: 'The export goes through a queue now. Next step: try it with the largest tenant.',
  },
]

/** Runs real commands in a scratch project, which is removed at the end. */
export async function runDemo(terminal: Terminal): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'cairn-demo-'))
  const memory = composeEngine({ root, actor: { host: 'demo' } })
  const say = (text: string) => terminal.out(`\n${terminal.bold(text)}\n`)
  const run = async (verb: string, input: Record<string, unknown>, shown: string): Promise<unknown> => {
    terminal.out(`${terminal.dim(`$ cairn ${shown}`)}\n`)
    const operation = await (OPERATIONS[verb] as () => Promise<Operation>)()
    const output = await operation.run(memory, parseInput(operation, input), {})
    screenOf(PRESENTERS, verb).present(output, terminal)
    return output
  }
  const remember = async (content: string, flags: Record<string, unknown>, shown: string) =>
    (await run(
      'remember',
      { content, ...flags },
      `remember ${shown}"${content.length > 70 ? `${content.slice(0, 67)}…` : content}"`,
    )) as { entry: { id: string } }

  try {
    say('Tuesday: a session leaves what it learned')
    await remember(
      'We stream by SSE, not WebSockets: the proxy in front of production drops idle sockets. #streaming',
      { kind: 'decision' },
      '--kind decision ',
    )
    await remember(
      'Never edit the auth middleware directly; extend it through hooks.',
      { kind: 'warning', files: ['src/auth/middleware.ts'] },
      '--kind warning --files src/auth/middleware.ts ',
    )
    await remember(
      'A migração 0042 trava a tabela inteira; rode fora do horário de pico.',
      { kind: 'error' },
      '--kind error ',
    )
    await run(
      'task add',
      { text: 'Move the retry logic out of the controller' },
      'task add "Move the retry logic out of the controller"',
    )

    say('A secret is removed before anything is written')
    await remember(`Staging database: postgresql://app:${'S3cr3t'}Pa55@db.internal:5432/shop`, {}, '')

    say('The same thing again strengthens what is there')
    await remember(
      'we stream by SSE,  not websockets: the proxy in front of production drops idle sockets. #streaming',
      {},
      '',
    )

    say('Wednesday: another session asks, in its own words')
    await run('embed', {}, 'embed        (a command does this automatically after its answer)')
    await run(
      'search',
      { query: 'why did we not use web sockets for streaming?', limit: 2 },
      'search "why did we not use web sockets for streaming?"',
    )
    await run('search', { query: 'midleware hooks', limit: 1 }, 'search "midleware hooks"      (a typo)')
    await run(
      'search',
      { query: 'migrações que travam tabelas', limit: 1 },
      'search "migrações que travam tabelas"',
    )

    say('By meaning as well as by words: a model in the package, no network, no key')
    await run(
      'search',
      { query: 'can I change the login code itself?', limit: 1 },
      'search "can I change the login code itself?"',
    )

    say('What an agent would get with its prompt, and what it would not')
    const prompt =
      'the live updates stop after a minute behind the load balancer, should we switch to websockets?'
    await run('brief', { prompt, host: 'claude-code' }, `brief --host claude-code --prompt "${prompt}"`)
    await run(
      'brief',
      { prompt: 'write a haiku about autumn' },
      'brief --prompt "write a haiku about autumn"    (nothing)',
    )

    say('A whole session: what you ask for is stored, a rule waits for your yes, and a handoff is written')
    await appendMessages(memory, { session: 'tue-2', agent: 'shared' }, TALK)
    terminal.out(
      `${terminal.dim('$ cairn session append tue-2 < talk.jsonl')}\n${TALK.map(({ role, text, run: done }) => `  ${role}: ${text}${done === undefined ? '' : ` ${done.files?.join(' ')}`}\n`).join('')}`,
    )
    await run('session close', { session: 'tue-2' }, 'session close tue-2')
    await run('review', {}, 'review')
    await run('brief', { start: true }, 'brief --start')

    say('It is Markdown in your repository; edit it with anything')
    const show = (file: string, remark: string) =>
      terminal.out(
        `${terminal.dim(`$ cat ${file}${remark}`)}\n${readFileSync(path.join(root, file), 'utf8')}`,
      )
    const found = readdirSync(path.join(root, '.memory'), { recursive: true, encoding: 'utf8' })
    const files = found.map(name => `.memory/${name.split(path.sep).join('/')}`).sort()
    const entryFiles = files.filter(name => /^\.memory\/(?:shared|local)\/.*\.md$/.test(name))
    terminal.out(`${terminal.dim('$ find .memory/shared .memory/local -name "*.md"')}\n`)
    for (const name of entryFiles)
      terminal.out(`${name}${name.startsWith('.memory/local/') ? terminal.dim('   (git ignores it)') : ''}\n`)
    const decision = entryFiles.find(name => name.startsWith('.memory/shared/decisions/'))
    if (decision !== undefined) show(decision, '')
    const typed = '.memory/shared/decisions.md'
    writeFileSync(
      path.join(root, typed),
      '## 2026-03-02 · #style\n\nCommit messages are written in the imperative.\n\n---\n',
    )
    show(typed, '        (typed by hand)')
    await run('embed', {}, 'embed')
    await run(
      'search',
      { query: 'imperative commit message', limit: 1 },
      'search "imperative commit message"',
    )

    say('Nothing is lost')
    await run('forget', { target: 'auth middleware hooks' }, 'forget "auth middleware hooks"')
    await run('undo', {}, 'undo')
    await run('log', { limit: 4 }, 'log --limit 4')
    await run('status', {}, 'status')
    say('Begin your own: `cairn remember "…"` in any project folder. `cairn help` lists the verbs.')
  } finally {
    await memory.close()
    rmSync(root, { recursive: true, force: true })
  }
}

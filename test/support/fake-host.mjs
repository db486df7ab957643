#!/usr/bin/env node
// A host that speaks as `claude -p --output-format stream-json` does, and does what its prompt says: for what no real program can be made
// to do. It keeps what it was given in $HOME/host-calls.jsonl, and remembers its chats below $HOME/host-chats.
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import process from 'node:process'

const home = process.env.HOME ?? '.'
const words = process.argv.slice(2)
if (words.includes('--version')) {
  console.log('9.9.9 (Fake Host)')
  process.exit(0)
}
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const chats = path.join(home, 'host-chats')
mkdirSync(chats, { recursive: true })
const resumed = words.includes('--resume') ? words[words.indexOf('--resume') + 1] : undefined
const id = resumed ?? `chat-${process.pid}`
const print = value => process.stdout.write(`${JSON.stringify(value)}\n`)
const pause = ms => new Promise(resolve => setTimeout(resolve, ms))
appendFileSync(
  path.join(home, 'host-calls.jsonl'),
  `${JSON.stringify({ pid: process.pid, words, prompt, cwd: process.cwd(), internal: process.env.CAIRN_INTERNAL ?? null })}\n`,
)
const file = path.join(chats, id)
if (resumed !== undefined && !existsSync(file)) {
  print({
    type: 'result',
    is_error: true,
    errors: [`No conversation found with session ID: ${id}`],
    session_id: id,
  })
  process.exit(1)
}
const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
writeFileSync(file, before + prompt)

const say = async text => {
  for (const piece of text.match(/[\s\S]{1,7}/g) ?? [])
    print({
      type: 'stream_event',
      event: { type: 'content_block_delta', delta: { type: 'text_delta', text: piece } },
      session_id: id,
      parent_tool_use_id: null,
    })
  print({
    type: 'assistant',
    message: { content: [{ type: 'text', text }] },
    session_id: id,
    parent_tool_use_id: null,
  })
}
const begin = text =>
  print({
    type: 'stream_event',
    event: { type: 'content_block_delta', delta: { type: 'text_delta', text } },
    session_id: id,
    parent_tool_use_id: null,
  })

print({ type: 'system', subtype: 'init', cwd: process.cwd(), session_id: id })
const asked = prompt.trim().split('\n').at(-1) ?? ''
const [, what = 'answer', given = ''] = /^(\S+)(?: ([\s\S]*))?$/.exec(asked) ?? []
switch (what) {
  case 'crash':
    await say('Half of it is done.')
    begin('And then')
    process.stderr.write('Error: out of luck\n')
    await pause(50)
    process.exit(3)
    break
  case 'hang': {
    // With a child that made a group of its own, as shells of agents do.
    const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'], {
      detached: true,
      stdio: 'ignore',
    })
    writeFileSync(path.join(home, 'host-pids'), `${process.pid} ${child.pid}\n`)
    process.on('SIGTERM', () => undefined)
    begin('I begin.\nAnd I think')
    setInterval(() => undefined, 1_000)
    await new Promise(() => undefined)
    break
  }
  case 'slow':
    begin('It takes a while.\n')
    await pause(Number(given) || 1_000)
    begin('Now it is done.')
    print({
      type: 'assistant',
      message: { content: [{ type: 'text', text: 'It takes a while.\nNow it is done.' }] },
      session_id: id,
    })
    break
  case 'flood':
    for (let n = 0; n < 700; n++) {
      begin(`${'All work and no play. '.repeat(400)}\n`)
      if (n % 50 === 0) await pause(1)
    }
    await pause(60_000)
    break
  case 'noise':
    process.stdout.write(`no json at all\n{"type":\n${'x'.repeat(9_000_000)}\n`)
    await say('In spite of the noise.')
    break
  case 'steer':
    await say('\u001b[2J\u001b]0;title\u0007Look \u202eover\u202c here.')
    break
  case 'tell':
    await say(readFileSync(path.join(home, 'to-tell'), 'utf8'))
    break
  case 'remember':
    await say(before.includes(given) ? `Yes: ${given}` : 'No.')
    break
  case 'test':
    print({
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } }] },
      session_id: id,
    })
    print({
      type: 'user',
      message: {
        content: [
          { type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'Exit code 1\n1 failing' },
        ],
      },
      session_id: id,
    })
    await say('The tests fail.')
    break
  default:
    await say(`You said: ${asked}`)
}
print({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'done',
  session_id: id,
  total_cost_usd: 0.01,
  usage: { input_tokens: 12, output_tokens: 3 },
})

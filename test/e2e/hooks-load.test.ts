import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { inWorld, type World } from './world.ts'

const SESSIONS = 6
/** A session starts, asks twice, runs a check after each, is answered twice, and ends: eight calls. */
const TURNS = 2

it(
  'six sessions that call at once lose no prompt, no event and no answer, and leave no process',
  inWorld(async world => {
    await world.ok('remember', 'We stream by SSE, not WebSockets.', '--kind', 'decision')
    trust(world)
    const runs = (await Promise.all(Array.from({ length: SESSIONS }, (_, n) => callAll(world, n)))).flat()
    expect(runs).toHaveLength(SESSIONS * (2 + 3 * TURNS))
    expect(runs.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([])
    await quiet(world)
    for (let n = 0; n < SESSIONS; n++) expect(messageText(world, n), `session ${n}`).toEqual(expected(n))
    const { events } = await world.json<{ events: { summary: string }[] }>('events', '--limit', '100')
    const checks = events.map(({ summary }) => summary).filter(summary => summary.includes('npm test'))
    expect(checks.sort()).toEqual(Array.from({ length: SESSIONS * TURNS }, (_, k) => checkOf(k)).sort())
    expect(processesOf(world)).toEqual([])
  }),
)

const nameOf = (n: number, k: number) => n * TURNS + k
const checkOf = (k: number) => `\`npm test\` ${k % 2 === 0 ? 'passed' : 'failed: Error: part broke'}`

function expected(n: number): string[] {
  return Array.from({ length: TURNS }, (_, k) => [
    `Question ${k} of session ${n}.`,
    `npm test -- part${nameOf(n, k)}`,
    `Answer ${k} of session ${n}.`,
  ]).flat()
}

async function callAll(world: World, n: number) {
  const runs: { code: number | null; stderr: string }[] = []
  const call = async (event: string, more: object) => {
    const input = JSON.stringify({ session_id: `load-${n}`, cwd: world.root, ...more })
    runs.push(await world.cairn(['hook', 'claude-code', event], { input, env: { CLAUDECODE: '1' } }))
  }
  await call('SessionStart', { source: 'startup' })
  for (let k = 0; k < TURNS; k++) {
    const command = { tool_name: 'Bash', tool_input: { command: `npm test -- part${nameOf(n, k)}` } }
    await call('UserPromptSubmit', { prompt: `Question ${k} of session ${n}.` })
    if (nameOf(n, k) % 2 === 0) await call('PostToolUse', { ...command, tool_response: { stdout: 'fine' } })
    else await call('PostToolUseFailure', { ...command, error: 'Exit code 1\nError: part broke' })
    await call('Stop', { last_assistant_message: `Answer ${k} of session ${n}.` })
  }
  await call('SessionEnd', { reason: 'other' })
  return runs
}

function trust(world: World): void {
  const at = '2026-01-01T00:00:00.000Z'
  const project = {
    id: 'p',
    name: 'p',
    root: realpathSync(world.root),
    trustedAt: at,
    firstSeenAt: at,
    lastSeenAt: at,
  }
  mkdirSync(path.join(world.home, '.cairn'), { recursive: true })
  writeFileSync(
    path.join(world.home, '.cairn', 'projects.json'),
    JSON.stringify({ version: 1, projects: [project] }),
  )
}

/** What was said and run, a line each, in the order in which it is kept. */
function messageText(world: World, n: number): string[] {
  const folder = path.join(world.root, '.memory', 'conversations', 'shared')
  const file = readdirSync(folder).find(name => name.startsWith(`load-${n}.`)) ?? ''
  const text = readFileSync(path.join(folder, file), 'utf8')
  const messages = file.endsWith('.json')
    ? (JSON.parse(text) as { messages: { text: string }[] }).messages
    : text
        .split('\n')
        .filter(line => line.includes('"role"'))
        .map(line => JSON.parse(line) as { text: string })
  return messages.map(message => message.text.split(/\n| \(failed\)/)[0] ?? '')
}

async function quiet(world: World): Promise<void> {
  const spool = path.join(world.root, '.memory', '.vault', 'spool')
  const waiting = () => readdirSync(spool).filter(name => /\.(jsonl|taken)$|^worker$/.test(name))
  for (let n = 0; n < 1_200; n++) {
    if (waiting().length === 0 && processesOf(world).length === 0) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`still at work: ${waiting().join(', ')}; ${processesOf(world).join(', ')}`)
}

function processesOf(world: World): string[] {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(name => {
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        return line.includes(world.root) ? [`${name} ${line}`] : []
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}

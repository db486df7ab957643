import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import * as path from 'node:path'
import type { Bench, BenchContext } from './bench.ts'
import { plainEnvironment } from './child-cpu.ts'
import { trust } from './hook.ts'
import { check } from './report.ts'
import { roundTo } from './statistics.ts'
import { entryAt } from './synthetic-corpus.ts'
import { withTemporaryProject } from './temporary-project.ts'

const SESSIONS = 20
const CALLS = 50
/** Every so many calls a session also starts a bare `node -e 0`: what the machine itself costs in the same load. */
const BARE_EVERY = 5
/** What each hook promises. */
const DEADLINES_MS: Readonly<Record<string, number>> = { SessionStart: 1_000, UserPromptSubmit: 300 }
const DEADLINE_MS = 1_000

const BARE = 'node -e 0'
/** As whose words a moment is kept in the conversation. */
const KEPT_AS = { UserPromptSubmit: 'user', PostToolUse: 'tool', Stop: 'agent' } as const

interface Called {
  readonly event: string
  readonly ms: number
  readonly code: number | null
}

export const hooksLoadBench: Bench = {
  name: 'hooks-load',
  summary:
    '20 sessions at once on one project, 50 hook calls each: how late, what is lost, what is left running',
  async run(context) {
    const sessions = context.isQuick ? 4 : SESSIONS
    const calls = context.isQuick ? 10 : CALLS
    return withTemporaryProject(copy =>
      withTemporaryProject(async home => {
        const root = await realpath(copy)
        process.env.CAIRN_HOME = home
        await fill(context, root)
        await trust(home, root)
        context.progress(`hooks-load: ${sessions} sessions, ${calls} calls each`)
        const all = (
          await Promise.all(
            Array.from({ length: sessions }, (_, n) => runSession(context, { root, home, n, calls })),
          )
        ).flat()
        await settled(root)
        const called = all.filter(({ event }) => event !== BARE)
        const bareMs = all.filter(({ event }) => event === BARE).map(({ ms }) => ms)
        // A hook is late when it took longer than its deadline and the slowest bare start in the same load together.
        const noiseMs = Math.max(...bareMs)
        const late = called.filter(({ event, ms }) => ms > (DEADLINES_MS[event] ?? DEADLINE_MS) + noiseMs)
        const overBare = called.filter(({ event, ms }) => ms > (DEADLINES_MS[event] ?? DEADLINE_MS))
        const kept = countKept(root)
        const lost = Object.fromEntries(
          Object.entries(KEPT_AS).map(([event, role]) => [
            event,
            called.filter(one => one.event === event).length - kept[role],
          ]),
        )
        const left = processesOf(root)
        const figures = Object.fromEntries(
          [...new Set(called.map(({ event }) => event))].map(event => [event, figuresOf(called, event)]),
        )
        return {
          data: {
            sessions,
            calls,
            bareP95Ms: percentile(bareMs, 0.95),
            noiseMs,
            figures,
            overDeadline: overBare.length,
            late: late.length,
            lost,
            left,
          },
          checks: [
            check('hooks-load: over the deadline by more than a bare start takes', late.length, 'at most', 0),
            ...Object.entries(lost).map(([event, count]) =>
              check(`hooks-load: ${event} lost`, Math.abs(count), 'at most', 0),
            ),
            check('hooks-load: processes left', left.length, 'at most', 0),
            check(
              'hooks-load: exit codes other than 0',
              called.filter(({ code }) => code !== 0).length,
              'at most',
              0,
            ),
          ],
          tables: [
            {
              title: `${sessions} sessions at once, ${calls} calls each (a bare start in the same load: p95 ${roundTo(0, percentile(bareMs, 0.95))} ms, at most ${roundTo(0, noiseMs)} ms; over the deadline by the clock alone: ${overBare.length})`,
              rows: [
                ['', 'calls', 'p50 ms', 'p95 ms', 'most ms'],
                ...Object.entries(figures).map(([event, { count, p50, p95, most }]) => [
                  event,
                  count,
                  p50,
                  p95,
                  most,
                ]),
              ],
            },
          ],
        }
      }),
    )
  },
}

async function fill({ library }: BenchContext, root: string): Promise<void> {
  const memory = await library.openMemory({ root, upkeep: 'never' })
  for (let n = 0; n < 50; n++) await memory.remember(entryAt(n).text)
  await memory.embed()
  await memory.close()
}

/** One session: it starts, asks, runs tools, answers, and ends. */
async function runSession(
  { commandLine }: BenchContext,
  { root, n, calls }: { root: string; home: string; n: number; calls: number },
): Promise<Called[]> {
  const common = { session_id: `load-${n}`, cwd: root }
  const turn: readonly (readonly [string, (k: number) => object])[] = [
    [
      'UserPromptSubmit',
      k => ({ prompt: `Session ${n} asks for the ${k}th time about ${entryAt(k % 50).text}` }),
    ],
    [
      'PostToolUse',
      k => ({
        tool_name: 'Bash',
        tool_input: { command: `npm test -- ${n}.${k}` },
        tool_response: { stdout: 'ok' },
      }),
    ],
    ['Stop', k => ({ last_assistant_message: `Answer ${k} of session ${n}.` })],
  ]
  const events: [string, object][] = [['SessionStart', { source: 'startup' }]]
  for (let k = 0; events.length < calls - 1; k++) {
    const [event, payload] = turn[k % turn.length] ?? ['Stop', () => ({})]
    events.push([event, payload(k)])
  }
  events.push(['SessionEnd', { reason: 'other' }])
  const called: Called[] = []
  for (const [event, payload] of events) {
    const run = await start(
      [commandLine, 'hook', 'claude-code', event],
      JSON.stringify({ ...common, ...payload }),
    )
    called.push({ event, ...run })
    if (called.length % BARE_EVERY === 0) called.push({ event: BARE, ...(await start(['-e', '0'], '')) })
  }
  return called
}

function start(words: readonly string[], input: string): Promise<{ ms: number; code: number | null }> {
  const startMs = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { ...plainEnvironment(), CAIRN_HOME: process.env.CAIRN_HOME },
    })
    child.on('error', reject)
    child.on('exit', code => resolve({ ms: performance.now() - startMs, code }))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

/** Until the workers have gone; at most two minutes. */
async function settled(root: string): Promise<void> {
  const spool = path.join(root, '.memory', '.vault', 'spool')
  for (let n = 0; n < 1_200; n++) {
    const waits = existsSync(spool) && readdirSync(spool).some(name => /\.(jsonl|taken)$|^worker$/.test(name))
    if (!waits && processesOf(root).length === 0) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

function processesOf(root: string): string[] {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc').filter(pid => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    const file = `/proc/${pid}/cmdline`
    try {
      return readFileSync(file, 'utf8').includes(root)
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
}

function countKept(root: string): Record<'user' | 'tool' | 'agent', number> {
  const folder = path.join(root, '.memory', 'conversations', 'shared')
  const texts = readdirSync(folder)
    .filter(name => name.startsWith('load-'))
    .map(name => readFileSync(path.join(folder, name), 'utf8'))
  const count = (role: string) =>
    texts.reduce((sum, text) => sum + (text.match(new RegExp(`"role": ?"${role}"`, 'g'))?.length ?? 0), 0)
  return { user: count('user'), tool: count('tool'), agent: count('agent') }
}

function figuresOf(called: readonly Called[], event: string) {
  const times = called.filter(one => one.event === event).map(({ ms }) => ms)
  return {
    count: times.length,
    p50: roundTo(0, percentile(times, 0.5)),
    p95: roundTo(0, percentile(times, 0.95)),
    most: roundTo(0, Math.max(...times)),
  }
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

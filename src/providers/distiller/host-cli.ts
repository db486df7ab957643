import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { Distiller, DistillerAnswer } from '../../features/learning/decide/ports.ts'
import { internalEnvironment } from '../../kernel/system/environment.ts'
import { countIn, field, modelFailed, modelUnavailable } from './post-json.ts'

type CliAnswer =
  | ({ readonly kind: 'answer' } & DistillerAnswer)
  | { readonly kind: 'failed'; readonly reason: string }

const MICRO = 1_000_000

/** * The output of a host's command line. Recognised by its format, so that the command itself does not matter: */
export function readCliAnswer(printed: string): CliAnswer {
  const whole = parsed(printed.trim())
  if (field(whole, 'type') === 'result') return readClaude(whole)
  if (typeof field(whole, 'response') === 'string' || field(whole, 'stats') !== undefined)
    return readGemini(whole)
  const lines = printed.split('\n').filter(line => line.trim() !== '')
  const events = lines.map(parsed)
  const isStream = events.length > 0 && events.every(event => typeof field(event, 'type') === 'string')
  if (isStream) return readEvents(events)
  return answer(printed.trim(), undefined, undefined)
}

function readClaude(result: unknown): CliAnswer {
  const text = field(result, 'result')
  if (field(result, 'is_error') === true || typeof text !== 'string')
    return { kind: 'failed', reason: typeof text === 'string' ? text : String(field(result, 'subtype')) }
  const usage = field(result, 'usage')
  const input = countIn(usage, 'input_tokens')
  const cached =
    (countIn(usage, 'cache_creation_input_tokens') ?? 0) + (countIn(usage, 'cache_read_input_tokens') ?? 0)
  return answer(
    text,
    input === undefined ? undefined : input + cached,
    countIn(usage, 'output_tokens'),
    microUsd(field(result, 'total_cost_usd')),
  )
}

function readGemini(result: unknown): CliAnswer {
  const text = field(result, 'response')
  if (typeof text !== 'string')
    return { kind: 'failed', reason: String(field(field(result, 'error'), 'message') ?? 'no answer') }
  const tokens = Object.values(field(field(result, 'stats'), 'models') ?? {}).map(model =>
    field(model, 'tokens'),
  )
  return answer(
    text,
    sum(tokens.map(count => countIn(count, 'prompt') ?? countIn(count, 'input'))),
    sum(tokens.map(count => plus(countIn(count, 'candidates'), countIn(count, 'thoughts')))),
  )
}

function readEvents(events: readonly unknown[]): CliAnswer {
  let text = ''
  let failure = ''
  const input: (number | undefined)[] = []
  const output: (number | undefined)[] = []
  const cost: (number | undefined)[] = []
  for (const event of events) {
    const item = field(event, 'item')
    const part = field(event, 'part')
    switch (field(event, 'type')) {
      case 'item.completed':
        // The last message is the answer; earlier ones report progress.
        if (field(item, 'type') === 'agent_message') text = String(field(item, 'text'))
        break
      case 'turn.completed':
        input.push(countIn(field(event, 'usage'), 'input_tokens'))
        output.push(countIn(field(event, 'usage'), 'output_tokens'))
        break
      case 'text':
        text += String(field(part, 'text') ?? '')
        break
      case 'step_finish': {
        const tokens = field(part, 'tokens')
        const cache = field(tokens, 'cache')
        input.push(plus(countIn(tokens, 'input'), plus(countIn(cache, 'read') ?? 0, countIn(cache, 'write'))))
        output.push(plus(countIn(tokens, 'output'), countIn(tokens, 'reasoning')))
        cost.push(microUsd(field(part, 'cost')))
        break
      }
      case 'turn.failed':
      case 'error':
        failure = String(field(field(event, 'error'), 'message') ?? field(event, 'message') ?? 'no reason')
        break
    }
  }
  if (text === '') return { kind: 'failed', reason: failure === '' ? 'it gave no answer' : failure }
  return answer(text, sum(input), sum(output), sum(cost))
}

function answer(
  text: string,
  inputTokens: number | undefined,
  outputTokens: number | undefined,
  costMicroUsd?: number,
): CliAnswer {
  const cost = costMicroUsd === undefined ? {} : { costMicroUsd }
  return { kind: 'answer', text, inputTokens, outputTokens, isCut: false, ...cost }
}

function sum(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter(count => count !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0)
}

function plus(count: number | undefined, more: number | undefined): number | undefined {
  return count === undefined ? undefined : count + (more ?? 0)
}

function microUsd(dollars: unknown): number | undefined {
  return typeof dollars === 'number' && dollars >= 0 ? Math.ceil(dollars * MICRO) : undefined
}

function parsed(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

interface HostCliOptions {
  /** The program and its arguments. No shell parses them. */
  readonly command: readonly string[]
  readonly timeoutMs: number
}

const MOST_BYTES = 4_000_000
const KEPT_OF_ERRORS = 2_000
/** A program that has ended may leave children that keep its output open. */
const GRACE_MS = 1_000

/** * Runs a host's command line in its non-interactive mode, with the user's existing login there. */
export function openHostCli({ command, timeoutMs }: HostCliOptions): Distiller {
  const [program = '', ...words] = command
  const name = `cli:${path.basename(program)}`
  return {
    name,
    async ask({ instruction, content }) {
      if (program === '' || command.some(word => word.includes('\0')))
        throw modelUnavailable(
          'There is no command that could be run.',
          'For instance `cairn config set model.command "claude -p --output-format json"`.',
        )
      const folder = mkdtempSync(path.join(tmpdir(), 'cairn-model-'))
      try {
        const run = await runProgram({
          program,
          words,
          folder,
          input: `${instruction}\n\n${content}\n`,
          timeoutMs,
        })
        switch (run.kind) {
          case 'absent':
            throw modelUnavailable(
              `There is no program ${program}.`,
              'Install it, or name it with its whole path in `model.command`.',
            )
          case 'broken':
            throw modelFailed(name, `it cannot be run (${run.reason})`, 'nothing')
          case 'late':
            throw modelFailed(name, 'no answer in time; it was ended', 'unknown')
          case 'flood':
            throw modelFailed(name, 'its answer is far too long; it was ended', 'unknown')
          case 'ended': {
            const answer = readCliAnswer(run.printed)
            if (run.code !== 0) throw modelFailed(name, endedBadly(run, answer), 'unknown')
            if (answer.kind === 'failed') throw modelFailed(name, answer.reason, 'unknown')
            const { kind: _, ...rest } = answer
            return rest
          }
        }
      } finally {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      }
    },
  }
}

type Run =
  | { readonly kind: 'absent' | 'late' | 'flood' }
  | { readonly kind: 'broken'; readonly reason: string }
  | {
      readonly kind: 'ended'
      readonly code: number | null
      readonly printed: string
      readonly errors: string
    }

function runProgram(given: {
  readonly program: string
  readonly words: readonly string[]
  readonly folder: string
  readonly input: string
  readonly timeoutMs: number
}): Promise<Run> {
  return new Promise(resolve => {
    const child = spawn(given.program, given.words, {
      cwd: given.folder,
      env: internalEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
      // The leader of its own process group, so that the group can be killed.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    const printed: Buffer[] = []
    let bytes = 0
    let errors = ''
    let verdict: 'late' | 'flood' | undefined
    const end = (why: 'late' | 'flood') => {
      verdict ??= why
      endGroup(child.pid)
    }
    const timer = setTimeout(() => end('late'), given.timeoutMs)
    let grace: NodeJS.Timeout | undefined
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_BYTES) end('flood')
      else printed.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString('utf8')).slice(-KEPT_OF_ERRORS)
    })
    child.stdin.on('error', (error: NodeJS.ErrnoException) => {
      // A program that does not read to the end closes its input; its answer shows the result.
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET')
        resolve({ kind: 'broken', reason: error.message })
    })
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      if (error.code === 'ENOENT' || error.code === 'EACCES') resolve({ kind: 'absent' })
      else resolve({ kind: 'broken', reason: error.message })
    })
    child.on('exit', () => {
      grace = setTimeout(() => endGroup(child.pid), GRACE_MS)
    })
    child.on('close', code => {
      clearTimeout(timer)
      clearTimeout(grace)
      if (verdict !== undefined) resolve({ kind: verdict })
      else resolve({ kind: 'ended', code, printed: Buffer.concat(printed).toString('utf8'), errors })
    })
    child.stdin.end(given.input)
  })
}

/** Only the group that we created, by its id. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function endedBadly(
  run: { code: number | null; errors: string },
  answer: ReturnType<typeof readCliAnswer>,
): string {
  const told = answer.kind === 'failed' ? answer.reason : (run.errors.trim().split('\n').at(-1) ?? '')
  return `it ended with ${run.code ?? 'a signal'}${told === '' ? '' : `: ${told}`}`
}

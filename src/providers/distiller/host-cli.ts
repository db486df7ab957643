import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { Distiller } from '../../features/learning/decide/ports.ts'
import { internalEnvironment } from '../../kernel/system/environment.ts'
import { readCliAnswer } from './cli-answer.ts'
import { modelFailed, modelUnavailable } from './model-failure.ts'

export interface HostCliOptions {
  /** The program and its words. No shell reads them. */
  readonly command: readonly string[]
  readonly timeoutMs: number
}

const MOST_BYTES = 4_000_000
const KEPT_OF_ERRORS = 2_000
/** A program that has ended may leave children that hold its output open. */
const GRACE_MS = 1_000

/**
 * A host's own command line in its mode without a screen, with the login that the user has there already.
 *
 * It runs in an empty folder of its own, so that it finds no project and no memory, and with `CAIRN_INTERNAL=1`, so that
 * Cairn's hooks in that host keep out of it.
 */
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
      // The head of a group of its own, so that it can be ended together with whatever it started.
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
      // A program that does not read to the end closes its input; its answer tells the rest.
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

/** The group that we made, by its id, and no other. */
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

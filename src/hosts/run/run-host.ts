import { internalEnvironment } from '../../kernel/system/environment.ts'
import { startGuarded } from '../../kernel/system/guarded-process.ts'
import { lineSplitter } from '../../kernel/system/line-splitter.ts'
import type { HostEvent } from './decide/host-event.ts'
import { hostLines } from './decide/host-event.ts'
import type { HostProgram } from './decide/host-program.ts'

export const OUTPUT_LIMITS = {
  /** A line is one event: a message, or what a tool gave back. */
  lineBytes: 8_000_000,
  /** Of one run, whatever it is. */
  bytes: 256_000_000,
} as const
const MAX_ERROR_CHARACTERS = 4_000
/** A program that has ended may leave children that have its output open. */
const AFTER_EXIT_MS = 1_000

interface HostRunOptions {
  readonly program: HostProgram
  readonly command: readonly string[]
  readonly cwd: string
  /** On its standard input. */
  readonly prompt: string
  /** It is ended after this long without output. */
  readonly silenceMs: number
  readonly onEvent: (event: HostEvent) => void
}

export interface HostRun {
  readonly ended: Promise<HostRunEnd>
  stop(why: 'stopped' | 'flood'): void
}

export interface HostRunEnd {
  readonly code: number | null
  /** Why we ended it. */
  readonly verdict?: 'stopped' | 'silent' | 'flood'
  /** The end of what it wrote to standard error. */
  readonly errors: string
}

/** Runs a host's program with one prompt, and reports its output as events. */
export function runHost({ program, command, cwd, prompt, silenceMs, onEvent }: HostRunOptions): HostRun {
  const child = startGuarded(command, { cwd, environment: internalEnvironment() })
  const lines = hostLines(program.events())
  const splitter = lineSplitter(OUTPUT_LIMITS.lineBytes)
  let verdict: HostRunEnd['verdict']
  let bytes = 0
  let errors = ''
  const report = (events: readonly HostEvent[]) => {
    for (const event of events) onEvent(event)
  }
  const stop = (why: NonNullable<HostRunEnd['verdict']>) => {
    verdict ??= why
    child.end()
  }
  let silence: NodeJS.Timeout | undefined
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(() => stop('silent'), silenceMs)
  }
  heard()
  child.stdout.on('data', (chunk: Buffer) => {
    heard()
    bytes += chunk.length
    if (bytes > OUTPUT_LIMITS.bytes) return stop('flood')
    // Output after the request to end is read, but not waited for.
    for (const { text } of splitter.push(chunk)) report(lines.read(text))
  })
  child.stderr.on('data', (chunk: Buffer) => {
    heard()
    errors = (errors + chunk.toString('utf8')).slice(-MAX_ERROR_CHARACTERS)
  })
  child.stdin.end(prompt)

  const closed = new Promise<void>(resolve => child.stdout.on('close', resolve))
  const ended = async (): Promise<HostRunEnd> => {
    try {
      const code = await child.ended
      const late = new Promise<void>(resolve => setTimeout(resolve, AFTER_EXIT_MS).unref())
      await Promise.race([closed, late])
      child.stdout.destroy()
      child.stderr.destroy()
      for (const { text } of splitter.end()) report(lines.read(text))
      report(lines.end())
      return { code, errors, ...(verdict !== undefined && { verdict }) }
    } finally {
      clearTimeout(silence)
    }
  }
  return { ended: ended(), stop }
}

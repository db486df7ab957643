import { spawn } from 'node:child_process'

interface BoundedRun {
  readonly exitCode: number | null
  /** It was ended, together with its children. */
  readonly timedOut: boolean
  /** It could not be started: ENOENT and the like. */
  readonly failure?: string
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

export interface BoundedRunOptions {
  readonly cwd: string
  readonly environment: NodeJS.ProcessEnv
  readonly timeoutMs: number
  readonly input?: string
  /** The words are one line for a shell. */
  readonly isShellLine?: boolean
}

const MAX_CHARACTERS = 262_144

/** Runs a program until it ends or the time is up. No child is left running, and output over the limit is dropped. */
export function runBounded(
  [program = '', ...words]: readonly string[],
  options: BoundedRunOptions,
): Promise<BoundedRun> {
  return new Promise(resolve => {
    const startedMs = performance.now()
    const isGroup = process.platform !== 'win32'
    const child = spawn(program, words, {
      cwd: options.cwd,
      env: options.environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      detached: isGroup,
      ...(options.isShellLine === true && { shell: true }),
    })
    const kept = { stdout: '', stderr: '' }
    let timedOut = false
    let isDone = false
    const done = (exitCode: number | null, failure?: string) => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      // Ends the wait for processes that still hold the pipe open.
      child.stdout.destroy()
      child.stderr.destroy()
      resolve({
        exitCode,
        timedOut,
        ...(failure !== undefined && { failure }),
        ...kept,
        ms: performance.now() - startedMs,
      })
    }
    const timer = setTimeout(() => {
      timedOut = true
      endGroup(child.pid, isGroup)
      done(null)
    }, options.timeoutMs)
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8')
      child[name].on('data', (chunk: string) => {
        if (kept[name].length < MAX_CHARACTERS) kept[name] += chunk
      })
    }
    child.on('error', error => done(null, (error as NodeJS.ErrnoException).code ?? error.message))
    child.on('close', code => done(code))
    // A program may end without reading its input.
    child.stdin.on('error', () => undefined)
    child.stdin.end(options.input ?? '')
  })
}

/** Ends a process by its id: the leader of its own group. */
export function endGroup(pid: number | undefined, isGroup = process.platform !== 'win32'): void {
  if (pid === undefined) return
  try {
    process.kill(isGroup ? -pid : pid, 'SIGKILL')
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

import { execFile, spawn, spawnSync } from 'node:child_process'
import { gitEnvironment } from './environment.ts'

const PATIENCE_MS = 30_000
const MAX_OUTPUT_BYTES = 1_048_576

/** `failed`: git could not be started, or did not finish. */
type GitRun =
  | { readonly kind: 'ran'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'failed'; readonly why: string }

export type Git = (words: readonly string[], folder: string) => GitRun

export const runGit: Git = (words, folder) => {
  const run = spawnSync('git', [...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
  })
  if (run.error !== undefined) return { kind: 'failed', why: run.error.message }
  if (run.status === null) return { kind: 'failed', why: `git ended by ${run.signal ?? 'a signal'}` }
  return { kind: 'ran', code: run.status, stdout: run.stdout, stderr: run.stderr }
}

const MAX_COMPLAINT = 2_000

/** Disables everything that a repository may configure to run while its history is read. */
const HARMLESS = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  ...[
    'log.showSignature=false',
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'protocol.allow=never',
  ].flatMap(setting => ['-c', setting]),
]

type GitEnd =
  | { readonly kind: 'ended'; readonly code: number; readonly stderr: string }
  | { readonly kind: 'failed'; readonly why: string }

/**
 * The output of git, field by field between its NUL bytes, as a stream: a history of any length needs little memory. A field longer than
 * `maxFieldLength` characters is cut. Stopping the iteration ends git.
 */
export async function* readGitFields(
  words: readonly string[],
  folder: string,
  { maxFieldLength, patienceMs }: { readonly maxFieldLength: number; readonly patienceMs: number },
): AsyncGenerator<string, GitEnd> {
  const run = spawn('git', [...HARMLESS, ...words], {
    cwd: folder,
    env: gitEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    timeout: patienceMs,
  })
  let stderr = ''
  run.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, MAX_COMPLAINT)
  })
  const ended = new Promise<GitEnd>(resolve => {
    run.once('error', error => resolve({ kind: 'failed', why: error.message }))
    run.once('close', (code, signal) =>
      resolve(
        code === null
          ? { kind: 'failed', why: `git ended by ${signal ?? 'a signal'}` }
          : { kind: 'ended', code, stderr },
      ),
    )
  })
  try {
    let open = ''
    for await (const chunk of run.stdout.setEncoding('utf8') as AsyncIterable<string>) {
      const fields = chunk.split('\0')
      open = (open + (fields.shift() ?? '')).slice(0, maxFieldLength)
      for (const field of fields) {
        yield open
        open = field.slice(0, maxFieldLength)
      }
    }
    if (open !== '') yield open
    return await ended
  } finally {
    if (run.exitCode === null && run.signalCode === null) run.kill()
  }
}

type GitBytes =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  /** git ended with an error: the object does not exist. */
  | { readonly kind: 'absent'; readonly why: string }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'failed'; readonly why: string }

/** The output of git as bytes: one object of a repository. Never more than `maxBytes`. */
export function readGitBytes(
  words: readonly string[],
  folder: string,
  { maxBytes, patienceMs }: { readonly maxBytes: number; readonly patienceMs: number },
): Promise<GitBytes> {
  const options = {
    cwd: folder,
    env: gitEnvironment(),
    timeout: patienceMs,
    maxBuffer: maxBytes,
    encoding: 'buffer' as const,
    windowsHide: true,
  }
  return new Promise(resolve => {
    execFile('git', [...HARMLESS, ...words], options, (error, stdout, stderr) => {
      if (error === null) return resolve({ kind: 'read', bytes: stdout })
      if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return resolve({ kind: 'too_large' })
      const why = stderr.toString('utf8').split('\n')[0]?.slice(0, 200) ?? ''
      if (typeof error.code === 'number') return resolve({ kind: 'absent', why })
      resolve({
        kind: 'failed',
        why: error.killed === true ? 'git took too long' : error.message.slice(0, 200),
      })
    })
  })
}

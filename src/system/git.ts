import { spawnSync } from 'node:child_process'

const PATIENCE_MS = 30_000
const MOST_OUTPUT_BYTES = 1_048_576

/** `failed`: git could not be started, or did not come to an end. */
export type GitRun =
  | { readonly kind: 'ran'; readonly code: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'failed'; readonly why: string }

export type Git = (words: readonly string[], folder: string) => GitRun

export const runGit: Git = (words, folder) => {
  const run = spawnSync('git', [...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    maxBuffer: MOST_OUTPUT_BYTES,
    windowsHide: true,
  })
  if (run.error !== undefined) return { kind: 'failed', why: run.error.message }
  if (run.status === null) return { kind: 'failed', why: `git ended by ${run.signal ?? 'a signal'}` }
  return { kind: 'ran', code: run.status, stdout: run.stdout, stderr: run.stderr }
}

import { execFile } from 'node:child_process'
import type { Rename } from '../../features/freshness/decide/ports.ts'

const MAX_COMMITS = 5_000
const PATIENCE_MS = 10_000
const MAX_OUTPUT_BYTES = 16_777_216

export type KnownRenames =
  | { readonly kind: 'known'; readonly renames: readonly Rename[] }
  | { readonly kind: 'unknown'; readonly why: string }

/** Asks git once for every rename of the history, oldest first, with paths from the project's root. */
export function gitRenames(root: string): Promise<KnownRenames> {
  const words = [
    'log',
    `--max-count=${MAX_COMMITS}`,
    '--find-renames',
    '--diff-filter=R',
    '--name-status',
    '--relative',
    '--no-ext-diff',
    '--no-textconv',
    '--format=',
    '-z',
  ]
  const options = { cwd: root, timeout: PATIENCE_MS, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'utf8' as const }
  return new Promise(resolve => {
    execFile('git', words, options, (error, stdout, stderr) => {
      if (error === null) resolve({ kind: 'known', renames: parseRenames(stdout) })
      // A repository without a commit has no renames.
      else if (/does not have any commits/.test(stderr)) resolve({ kind: 'known', renames: [] })
      else resolve({ kind: 'unknown', why: stderr.split('\n')[0] || error.message })
    })
  })
}

/** `R096 NUL old NUL new NUL …`, newest first. */
export function parseRenames(output: string): Rename[] {
  const renames: Rename[] = []
  const parts = output.split('\0')
  for (let at = 0; at < parts.length; at++) {
    if (!/^\s*R\d+$/.test(parts[at] ?? '')) continue
    renames.push({ from: parts[at + 1] ?? '', to: parts[at + 2] ?? '' })
    at += 2
  }
  return renames.reverse()
}

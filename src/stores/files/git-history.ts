import { execFile } from 'node:child_process'
import type { PastFile, Rename } from '../../features/freshness/decide/ports.ts'
import type { KnownCommits } from '../../features/validate/decide/ports.ts'
import { readGitBytes } from '../../kernel/system/git.ts'

const PATIENCE_MS = 10_000
/** Maximum bytes of a file that are read. */
const MAX_BYTES = 1_048_576
/** The commit of an entry comes from a file that may be hostile. */
const COMMIT = /^[0-9a-f]{7,64}$/
const NO_COMMITS = /does not have any commits/

/** The bytes of a file at a commit, without any filter or converter of the repository. */
export async function readBlob(
  root: string,
  commit: string,
  file: string,
  patienceMs: number = PATIENCE_MS,
): Promise<PastFile> {
  if (!COMMIT.test(commit)) return unknown('no_commit', 'the entry has no valid commit')
  const limits = { maxBytes: MAX_BYTES, patienceMs }
  const found = await readGitBytes(['cat-file', 'blob', `${commit}:./${file}`], root, limits)
  if (found.kind === 'read' || found.kind === 'too_large') return found
  if (found.kind === 'failed') return unknown('git_failed', found.why)
  const known = await readGitBytes(['cat-file', '-e', `${commit}^{commit}`], root, limits)
  if (known.kind === 'failed') return unknown('git_failed', known.why)
  return known.kind === 'absent'
    ? unknown('no_commit', `commit ${commit.slice(0, 12)} is not in this clone`)
    : unknown('no_file', `commit ${commit.slice(0, 12)} does not have the file`)
}

/** The newest first, each with the files that it changed; a merge may have changed all of them. Paths are from `root`. */
export async function commitsOf(root: string, files: readonly string[], most: number): Promise<KnownCommits> {
  const words = [
    'log',
    `--max-count=${most}`,
    '--format=%H',
    '--name-only',
    '--relative',
    '-z',
    '--',
    ...files,
  ]
  const read = await readGitBytes(words, root, { maxBytes: MAX_BYTES, patienceMs: PATIENCE_MS })
  if (read.kind === 'too_large') return { kind: 'failed', why: 'its history of these files is too long.' }
  // A repository without a commit has no history.
  if (read.kind === 'absent' && NO_COMMITS.test(read.why)) return { kind: 'known', commits: [] }
  if (read.kind !== 'read') return { kind: 'failed', why: read.why }
  const commits: { commit: string; paths: string[] }[] = []
  for (const field of new TextDecoder().decode(read.bytes).split('\0')) {
    const text = field.trim()
    if (COMMIT.test(text)) commits.push({ commit: text, paths: [] })
    else if (files.includes(text)) commits.at(-1)?.paths.push(text)
  }
  return {
    kind: 'known',
    commits: commits.map(({ commit, paths }) => ({ commit, paths: paths.length === 0 ? files : paths })),
  }
}

const MAX_RENAME_COMMITS = 5_000
const MAX_FIRST_COMMITS = 20_000
const MAX_OUTPUT_BYTES = 16_777_216

type KnownRenames =
  | { readonly kind: 'known'; readonly renames: readonly Rename[] }
  | { readonly kind: 'unknown'; readonly why: string }

/** Every rename of the history, oldest first, with paths from the project's root. Starts git once. */
export async function gitRenames(root: string): Promise<KnownRenames> {
  const words = ['--find-renames', '--diff-filter=R', '--name-status', '--format=']
  const { error, stdout, stderr } = await gitLog(root, MAX_RENAME_COMMITS, words)
  if (error === null) return { kind: 'known', renames: parseRenames(stdout) }
  // A repository without a commit has no renames.
  if (NO_COMMITS.test(stderr)) return { kind: 'known', renames: [] }
  return { kind: 'unknown', why: stderr.split('\n')[0] || error.message }
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

/**
 * The date of the first commit of each file under a folder, by its path from the project's root. Starts git once. Empty without a
 * repository, without git, or with a history that is too long.
 */
export async function firstCommits(root: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const words = ['--diff-filter=A', '--no-renames', '--name-only', '--format=%x01%as']
  const { error, stdout } = await gitLog(root, MAX_FIRST_COMMITS, words, folder)
  return error === null ? parseFirstCommits(stdout) : new Map()
}

/** `SOH 2026-02-08 NUL NL path NUL path NUL …`, newest first: the last one to name a file is right. */
function parseFirstCommits(output: string): ReadonlyMap<string, string> {
  const dayByPath = new Map<string, string>()
  for (const commit of output.split('\u0001')) {
    const [day = '', ...paths] = commit.split('\0')
    for (const path of paths) {
      const name = path.replace(/^\n/, '')
      if (name !== '') dayByPath.set(name, day.trim())
    }
  }
  return dayByPath
}

function gitLog(root: string, maxCommits: number, more: readonly string[], folder?: string) {
  const words = [
    ...['log', `--max-count=${maxCommits}`, '--relative', '--no-ext-diff', '--no-textconv', '-z'],
    ...[...more, '--', ...(folder === undefined ? [] : [folder])],
  ]
  const options = { cwd: root, timeout: PATIENCE_MS, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'utf8' as const }
  return new Promise<{ error: Error | null; stdout: string; stderr: string }>(resolve => {
    execFile('git', words, options, (error, stdout, stderr) => resolve({ error, stdout, stderr }))
  })
}

function unknown(code: 'no_commit' | 'no_file' | 'git_failed', why: string): PastFile {
  return { kind: 'unknown', code, why }
}

import type { PastFile } from '../../features/freshness/decide/ports.ts'
import type { KnownCommits } from '../../features/validate/decide/memory-tree.ts'
import { readGitBytes } from '../../kernel/system/git.ts'

const PATIENCE_MS = 10_000
/** As much as of a file that is there. */
const MAX_BYTES = 1_048_576
/** What an entry calls a commit comes from a file that anybody may have written. */
const COMMIT = /^[0-9a-f]{7,64}$/
const NO_COMMITS = /does not have any commits/

/** What a file said at a commit, byte by byte: no filter and no converter of the repository is run. */
export async function readBlob(
  root: string,
  commit: string,
  file: string,
  patienceMs: number = PATIENCE_MS,
): Promise<PastFile> {
  if (!COMMIT.test(commit)) return unknown('no_commit', 'the entry names no commit that git could know')
  const limits = { mostBytes: MAX_BYTES, patienceMs }
  const found = await readGitBytes(['cat-file', 'blob', `${commit}:./${file}`], root, limits)
  if (found.kind === 'read' || found.kind === 'too_large') return found
  if (found.kind === 'failed') return unknown('git_failed', found.why)
  const known = await readGitBytes(['cat-file', '-e', `${commit}^{commit}`], root, limits)
  if (known.kind === 'failed') return unknown('git_failed', known.why)
  return known.kind === 'absent'
    ? unknown('no_commit', `commit ${commit.slice(0, 12)} is not in this clone`)
    : unknown('no_file', `commit ${commit.slice(0, 12)} does not have it`)
}

/** The newest first, with those of the files that each changed; a merge may have changed all of them. Paths are from `root`. */
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
  const read = await readGitBytes(words, root, { mostBytes: MAX_BYTES, patienceMs: PATIENCE_MS })
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

function unknown(code: 'no_commit' | 'no_file' | 'git_failed', why: string): PastFile {
  return { kind: 'unknown', code, why }
}

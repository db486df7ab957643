import type { PastFile } from '../../pipeline/anchor/ports.ts'
import { readGitBytes } from '../../system/git.ts'

const PATIENCE_MS = 10_000
/** As much as of a file that is there. */
const MOST_BYTES = 1_048_576
/** What an entry calls a commit comes from a file that anybody may have written. */
const COMMIT = /^[0-9a-f]{7,64}$/

/** What a file said at a commit, byte by byte: no filter and no converter of the repository is run. */
export async function readBlob(root: string, commit: string, file: string): Promise<PastFile> {
  if (!COMMIT.test(commit)) return unknown('no_commit', 'the entry names no commit that git could know')
  const limits = { mostBytes: MOST_BYTES, patienceMs: PATIENCE_MS }
  const found = await readGitBytes(['cat-file', 'blob', `${commit}:./${file}`], root, limits)
  if (found.kind === 'read' || found.kind === 'too_large') return found
  if (found.kind === 'failed') return unknown('git_failed', found.why)
  const known = await readGitBytes(['cat-file', '-e', `${commit}^{commit}`], root, limits)
  if (known.kind === 'failed') return unknown('git_failed', known.why)
  return known.kind === 'absent'
    ? unknown('no_commit', `commit ${commit.slice(0, 12)} is not in this clone`)
    : unknown('no_file', `commit ${commit.slice(0, 12)} does not have it`)
}

/** The newest first; none where git knows of none. */
export async function commitsOf(root: string, file: string, most: number): Promise<readonly string[]> {
  const words = ['log', `--max-count=${most}`, '--format=%H', '--', file]
  const read = await readGitBytes(words, root, { mostBytes: MOST_BYTES, patienceMs: PATIENCE_MS })
  if (read.kind !== 'read') return []
  return new TextDecoder()
    .decode(read.bytes)
    .split('\n')
    .filter(commit => COMMIT.test(commit))
}

function unknown(code: 'no_commit' | 'no_file' | 'git_failed', why: string): PastFile {
  return { kind: 'unknown', code, why }
}

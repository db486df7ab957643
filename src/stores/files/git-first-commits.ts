import { execFile } from 'node:child_process'

const MAX_COMMITS = 20_000
const PATIENCE_MS = 10_000
const MAX_OUTPUT_BYTES = 16_777_216

/**
 * The day of the commit in which each file under a folder first appeared, by its path from the project's root. Asks git once. Empty where
 * git cannot tell: no repository, no git, too long a history.
 */
export function firstCommits(root: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const words = [
    'log',
    `--max-count=${MAX_COMMITS}`,
    '--diff-filter=A',
    '--no-renames',
    '--name-only',
    '--relative',
    '--no-ext-diff',
    '--no-textconv',
    '--format=%x01%as',
    '-z',
    '--',
    folder,
  ]
  const options = { cwd: root, timeout: PATIENCE_MS, maxBuffer: MAX_OUTPUT_BYTES, encoding: 'utf8' as const }
  return new Promise(resolve => {
    execFile('git', words, options, (error, stdout) => resolve(error === null ? parse(stdout) : new Map()))
  })
}

/** `SOH 2026-02-08 NUL NL path NUL path NUL …`, newest first: the last one to name a file is right. */
function parse(output: string): ReadonlyMap<string, string> {
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

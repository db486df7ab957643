import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'

/** git without the settings of whoever runs the tests. */
export function git(folder: string, ...words: string[]): string {
  return execFileSync('git', words, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: 'A',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'A',
      GIT_COMMITTER_EMAIL: 'a@example.com',
      GIT_ALLOW_PROTOCOL: 'file',
    },
  }).trim()
}

/** A repository with one commit of these files. */
export function gitRepository(folder: string, files: Readonly<Record<string, string>> = {}): string {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '--quiet', '--initial-branch=main')
  for (const [name, text] of Object.entries({ 'README.md': `# ${path.basename(folder)}\n`, ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'first')
  return folder
}

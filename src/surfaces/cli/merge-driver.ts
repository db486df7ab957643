import { DRIVER_EXIT, driveMerge } from '../../features/git-merge/merge-driver.ts'
import { nodeDisk } from '../../kernel/system/disk.ts'
import { runGit } from '../../kernel/system/git.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible } from '../../kernel/text/visible.ts'

const DEFAULT_MARKER_SIZE = 7
const MAX_MARKER_LENGTH = 100

/**
 * `cairn merge-driver %O %A %B %L %P [%X %Y]`, as git calls it. It opens no memory and parses no flags, because a file in a hostile
 * repository may have the name of a flag.
 */
export function runMergeDriver(words: readonly string[], terminal: Terminal): number {
  const [base = '', ours = '', theirs = '', size = '', path = '', ourLabel, theirLabel] = words
  if (path === '') {
    terminal.err('cairn: git calls merge-driver with %O %A %B %L %P; nothing was merged.\n')
    return DRIVER_EXIT.failed
  }
  const { exitCode, messages } = driveMerge(
    {
      base,
      ours,
      theirs,
      path,
      markers: {
        size: Math.min(Math.max(Number.parseInt(size, 10) || 0, DEFAULT_MARKER_SIZE), MAX_MARKER_LENGTH),
        ours: labelOr('ours', ourLabel),
        theirs: labelOr('theirs', theirLabel),
      },
    },
    { disk: nodeDisk, git: runGit, folder: process.cwd() },
  )
  for (const message of messages) terminal.err(`cairn: ${visible(message)}\n`)
  return exitCode
}

/** A git that does not support `%X` passes those two characters. */
function labelOr(name: string, label: string | undefined): string {
  return label === undefined || label === '' || /^%[XY]$/.test(label) ? name : label
}

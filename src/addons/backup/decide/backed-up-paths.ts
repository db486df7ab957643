import { rowsOf } from '../../../kernel/layout.ts'

/** How a file of `.memory/` is backed up. Paths have `/` on every system. */
export function backupOf(path: string): 'copy' | 'database' | 'none' {
  return rowsOf(path).find(({ backup }) => backup !== undefined)?.backup ?? 'copy'
}

const MAX_CHARACTERS = 1_000

/** Whether a restore may write this path: below the folder on every system, and not a file that is rebuilt. */
export function mayBeWritten(path: string): boolean {
  return (
    path.length <= MAX_CHARACTERS &&
    !/[\0-\x1f\\:*?"<>|]/.test(path) &&
    path.split('/').every(part => part !== '' && part !== '.' && part !== '..') &&
    backupOf(path) !== 'none'
  )
}

import { rowsOf } from '../../../kernel/layout.ts'

/** How a file of `.memory/` is put into a backup. Paths have `/` on every system. */
export function backupOf(path: string): 'copy' | 'database' | 'none' {
  return rowsOf(path).find(({ backup }) => backup !== undefined)?.backup ?? 'copy'
}

const MAX_CHARACTERS = 1_000

/** A path of a backup that may be written: below the folder, on every system, and nothing that is made anew. */
export function mayBeWritten(path: string): boolean {
  return (
    path.length <= MAX_CHARACTERS &&
    !/[\0-\x1f\\:*?"<>|]/.test(path) &&
    path.split('/').every(part => part !== '' && part !== '.' && part !== '..') &&
    backupOf(path) !== 'none'
  )
}

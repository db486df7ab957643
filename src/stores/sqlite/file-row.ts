import type { Category } from '../../kernel/model/category.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { IndexedFile } from '../../kernel/vault/entry-index.ts'
import { soundRow, storedJson } from '../sql/stored-value.ts'

export interface FileRow {
  readonly path: string
  readonly agent: string
  readonly category: string
  readonly size: number
  readonly mtime_ms: number
  readonly inode: number
  readonly checked_ms: number
  readonly hash: string
  readonly problems: string | null
}

export function fileOfRow(row: FileRow): IndexedFile {
  soundRow(row)
  return {
    path: row.path,
    agent: row.agent,
    category: row.category as Category,
    size: row.size,
    mtimeMs: row.mtime_ms,
    inode: row.inode,
    checkedMs: row.checked_ms,
    hash: row.hash,
    problems: row.problems === null ? [] : storedJson<Problem[]>('the problems of a file', row.problems),
  }
}

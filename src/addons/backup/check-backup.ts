import { createHash, type Hash } from 'node:crypto'
import { damaged, readBackup } from './backup-archive.ts'
import { type BackupHead, type BackupLine, mayBeWritten } from './decide/backup-line.ts'

export interface CheckedBackup {
  readonly head: BackupHead
  /** For a memory: how often each file is in it; the last copy counts. */
  readonly copiesByPath: ReadonlyMap<string, number>
  readonly bytes: number
  /** For a hub. */
  readonly projects: readonly CheckedProject[]
  /** Tables that belong to no project, with their rows. */
  readonly hubRows: Readonly<Record<string, number>>
}

interface CheckedProject {
  readonly name: string
  readonly rowsByTable: Readonly<Record<string, number>>
}

/** Reads a whole backup and verifies every hash. A restore does this before it writes anything. */
export async function checkBackup(file: string): Promise<CheckedBackup> {
  let head: BackupHead | undefined
  const copiesByPath = new Map<string, number>()
  const sizeByPath = new Map<string, number>()
  const projects: { name: string; rowsByTable: Record<string, number> }[] = []
  const hubRows: Record<string, number> = {}
  let isOfHub = false
  let open: { path: string; hash: Hash; size: number } | undefined
  let table: { name: string; columns: number; rows: number } | undefined
  const see = (line: BackupLine): string | undefined => {
    if (line.is === 'head') head = line
    else if (line.is === 'file') {
      if (!mayBeWritten(line.path)) return 'it has a file that is not part of a memory'
      open = { path: line.path, hash: createHash('sha256'), size: 0 }
    } else if (line.is === 'piece' && open !== undefined) {
      const bytes = Buffer.from(line.data, 'base64')
      open.hash.update(bytes)
      open.size += bytes.length
    } else if (line.is === 'fileEnd' && open !== undefined) {
      const { path, hash, size } = open
      if (size !== line.size || hash.digest('hex') !== line.sha256) return `${path} has another hash or size`
      copiesByPath.set(path, (copiesByPath.get(path) ?? 0) + 1)
      sizeByPath.set(path, size)
    } else if (line.is === 'gone') {
      copiesByPath.delete(line.path)
      sizeByPath.delete(line.path)
    } else if (line.is === 'project') {
      if (projects.some(({ name }) => name === line.name)) return `it has two projects ${line.name}`
      projects.push({ name: line.name, rowsByTable: {} })
    } else if (line.is === 'hub') isOfHub = true
    else if (line.is === 'table') table = { name: line.name, columns: line.columns.length, rows: 0 }
    else if (line.is === 'rows' && table !== undefined) {
      const { columns } = table
      if (line.rows.some(row => row.length !== columns)) return `a row of ${table.name} has other columns`
      table.rows += line.rows.length
    } else if (line.is === 'tableEnd' && table !== undefined) {
      if (table.rows !== line.rows) return `${table.name} has ${table.rows} rows of ${line.rows}`
      const counted = isOfHub ? hubRows : (projects.at(-1)?.rowsByTable ?? hubRows)
      counted[table.name] = table.rows
    }
    return undefined
  }
  for await (const line of readBackup(file)) {
    const wrong = see(line)
    if (wrong !== undefined) throw damaged(file, wrong)
  }
  if (head === undefined) throw damaged(file, 'it has no head')
  const bytes = [...sizeByPath.values()].reduce((sum, size) => sum + size, 0)
  return { head, copiesByPath, bytes, projects, hubRows }
}

import * as v from 'valibot'
import { rowsOf } from '../../../kernel/layout.ts'

/**
 * A backup is one file: lines of JSON, compressed. The last line has the number of lines before it and their hash, so a file that was cut
 * off, mixed up or changed is recognised before anything is restored from it.
 *
 *   {"is":"head","cairn":"backup","format":1,"of":"memory",…}
 *   {"is":"file","path":"shared/decisions.md"}            of a memory in files: each file in chunks,
 *   {"is":"piece","data":"<base64>"}                      and again later when it changed
 *   {"is":"fileEnd","size":812,"sha256":"…"}
 *   {"is":"gone","path":"…"}
 *   {"is":"project","name":"shop",…}                      of a hub: each project,
 *   {"is":"table","name":"entry","columns":["key",…]}     its tables,
 *   {"is":"rows","rows":[["1","1773679871839-k3f9",…]]}   and their rows, every value as PostgreSQL writes it
 *   {"is":"tableEnd","rows":1}
 *   {"is":"hub"}                                          and, on request, who has tokens: tables again
 *   {"is":"end","lines":9,"sha256":"…"}
 */
const BACKUP_FORMAT = 1

const BACKUP_KINDS = ['memory', 'hub'] as const

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(1_000))

const headSchema = v.strictObject({
  is: v.literal('head'),
  cairn: v.literal('backup'),
  format: v.literal(BACKUP_FORMAT),
  of: v.picklist(BACKUP_KINDS),
  version: v.string(),
  at: v.pipe(v.string(), v.isoTimestamp()),
  /** The last part of the folder, or the project: shown by `cairn backup check`. */
  name: v.string(),
  /** Of the tables. */
  schema: v.exactOptional(count),
})

const lineSchema = v.variant('is', [
  headSchema,
  v.strictObject({ is: v.literal('file'), path: name }),
  v.strictObject({ is: v.literal('piece'), data: v.string() }),
  v.strictObject({ is: v.literal('fileEnd'), size: count, sha256: hash }),
  v.strictObject({ is: v.literal('gone'), path: name }),
  v.strictObject({ is: v.literal('project'), name, createdMs: count }),
  v.strictObject({ is: v.literal('hub') }),
  v.strictObject({ is: v.literal('table'), name, columns: v.array(name) }),
  v.strictObject({ is: v.literal('rows'), rows: v.array(v.array(v.nullable(v.string()))) }),
  v.strictObject({ is: v.literal('tableEnd'), rows: count }),
  v.strictObject({ is: v.literal('end'), lines: count, sha256: hash }),
])

export type BackupLine = v.InferOutput<typeof lineSchema>
export type BackupHead = v.InferOutput<typeof headSchema>

/** undefined: it is not a line of the format. */
export function parseBackupLine(text: string): BackupLine | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const parsed = v.safeParse(lineSchema, value)
  return parsed.success ? parsed.output : undefined
}

/** A format that is newer than this Cairn, by its first line. */
export function newerFormat(text: string): number | undefined {
  const [, format] = /^\{"is":"head","cairn":"backup","format":(\d{1,6})[,}]/.exec(text) ?? []
  return format !== undefined && Number(format) > BACKUP_FORMAT ? Number(format) : undefined
}

/**
 * Which line may follow which:
 *
 *   head (file piece* fileEnd | gone)* end                  of a memory
 *   head (project (table rows* tableEnd)*)* (hub (table rows* tableEnd)*)? end      of a hub
 */
interface LineOrder {
  /** Why a line may not be here; undefined: it may. */
  wrong(line: BackupLine): string | undefined
}

const WITHIN: Readonly<Record<string, string>> = {
  piece: 'file',
  fileEnd: 'file',
  rows: 'table',
  tableEnd: 'table',
}
const OF: Readonly<Record<string, string>> = {
  file: 'memory',
  gone: 'memory',
  project: 'hub',
  hub: 'hub',
  table: 'hub',
}

export function lineOrder(): LineOrder {
  let of: string | undefined
  let open: 'file' | 'table' | undefined
  let part: 'project' | 'hub' | undefined
  return {
    wrong(line) {
      if (of === undefined) {
        if (line.is !== 'head') return 'it does not begin with a head'
        of = line.of
        return undefined
      }
      if (line.is === 'head') return 'it has two heads'
      const within = WITHIN[line.is]
      if (within !== open) return `${line.is} is in the wrong place`
      const belongs = OF[line.is]
      if (belongs !== undefined && belongs !== of) return `a backup of a ${of} has no ${line.is}`
      if (line.is === 'table' && part === undefined) return 'a table does not belong to a project'
      if (line.is === 'project' || line.is === 'hub') {
        if (part === 'hub') return 'tables without a project come last'
        part = line.is
      }
      if (line.is === 'file' || line.is === 'table') open = line.is
      if (line.is === 'fileEnd' || line.is === 'tableEnd') open = undefined
      return undefined
    },
  }
}

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

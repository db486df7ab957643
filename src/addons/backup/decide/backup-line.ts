import * as v from 'valibot'

/**
 * A backup is one file: lines of JSON, compressed. The last line counts what stands before it and has its hash, so that a file that was cut
 * off, mixed up or changed is known as such before anything is taken from it.
 *
 *   {"is":"head","cairn":"backup","format":1,"of":"memory",…}
 *   {"is":"file","path":"shared/decisions.md"}            of a memory in files: each file in pieces,
 *   {"is":"piece","data":"<base64>"}                      and again, later, when it changed meanwhile
 *   {"is":"fileEnd","size":812,"sha256":"…"}
 *   {"is":"gone","path":"…"}
 *   {"is":"project","name":"shop",…}                      of a hub: each project,
 *   {"is":"table","name":"entry","columns":["key",…]}     its tables,
 *   {"is":"rows","rows":[["1","1773679871839-k3f9",…]]}   and their rows, every value as PostgreSQL writes it
 *   {"is":"tableEnd","rows":1}
 *   {"is":"hub"}                                          and, where it was asked for, who has tokens: tables again
 *   {"is":"end","lines":9,"sha256":"…"}
 */
export const BACKUP_FORMAT = 1

export const BACKUP_KINDS = ['memory', 'hub'] as const

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
  /** The last part of the folder, or the project that was asked for: for whoever looks what a file is. */
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
export type BackupKind = (typeof BACKUP_KINDS)[number]

/** undefined: it is no line of the format. */
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

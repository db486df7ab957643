import { isCategory } from '../../kernel/model/category.ts'
import { ORIGINS, STATUSES } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'

/** A row has a value that Cairn never writes: its page is damaged. The index can be rebuilt from the files. */
export class DamagedRow extends CairnError {
  constructor(what: string, cause?: unknown) {
    super({
      code: 'store_io',
      message: `The index is damaged: ${what} cannot be read.`,
      hint: 'Run `cairn doctor --fix`: it rebuilds the index. The entries are in their files.',
      cause,
    })
  }
}

type Check = (value: unknown) => boolean

const isText: Check = value => typeof value === 'string'
const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value)
const isTextOrBytes: Check = value => typeof value === 'string' || value instanceof Uint8Array
const isOneOf =
  (known: readonly string[]): Check =>
  value =>
    known.includes(value as string)
const orNull =
  (check: Check): Check =>
  value =>
    value === null || check(value)
const isListOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check)
const isRecordOf =
  (check: Check): Check =>
  value =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(check)
/** Checks the named fields; others are allowed. */
const hasFields =
  (checks: Readonly<Record<string, Check>>): Check =>
  value =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(checks).every(([key, check]) => check((value as Record<string, unknown>)[key]))
const optional =
  (check: Check): Check =>
  value =>
    value === undefined || check(value)

/** The type of a column by its name: the same name means the same in every table and statement. */
const COLUMNS: Readonly<Record<string, Check>> = {
  key: isNumber,
  id: isText,
  agent: isText,
  category: value => typeof value === 'string' && isCategory(value),
  kind: isText,
  status: isOneOf(STATUSES),
  origin: isOneOf(ORIGINS),
  date: isText,
  updated: orNull(isText),
  importance: isNumber,
  confidence: orNull(isNumber),
  session: orNull(isText),
  tags: isText,
  files: isText,
  extra: orNull(isText),
  anchors: orNull(isText),
  fingerprint: isText,
  path: isText,
  content: isTextOrBytes,
  text: isTextOrBytes,
  older: isText,
  newer: isText,
  type: isText,
  detected_ms: isNumber,
  size: isNumber,
  mtime_ms: isNumber,
  inode: isNumber,
  checked_ms: isNumber,
  hash: isText,
  count: orNull(isNumber),
  last_ms: orNull(isNumber),
  unused: orNull(isNumber),
  file: isText,
  print: isText,
  outcome: isText,
  scope: isText,
  line: orNull(isNumber),
  isCut: isNumber,
  token: isText,
  df: isNumber,
  stamp: isText,
  root: isText,
  target: isText,
  entity: isText,
  at: isNumber,
  facts: isText,
  briefs: isNumber,
  silent: isNumber,
  tokens: isNumber,
}

/** Returns the row, or throws if a column has a wrong type. */
export function checkedRow<Row extends object>(row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    const check = COLUMNS[name]
    if (check !== undefined && !check(value)) throw new DamagedRow(`the column "${name}" of a row`)
  }
  return row
}

const isProblem = hasFields({ code: isText, path: isText, message: isText, hint: isText })
const isSurvey = hasFields({
  paths: isListOf(isText),
  sizes: isListOf(isNumber),
  mtimesMs: isListOf(isNumber),
  inodes: isListOf(isNumber),
})

/** The checks of stored JSON values, by their names. */
const STORED = {
  'the anchors of an entry': hasFields({
    anchors: optional(isListOf(hasFields({ file: isText, print: isText }))),
    commit: optional(isText),
  }),
  'the extra fields of an entry': isRecordOf(isText),
  'the problems of a file': isListOf(isProblem),
  'the reason of a conflict': hasFields({ code: isText, words: isListOf(isText) }),
  'the entities of an entry': hasFields({
    e: isListOf(isListOf(isText)),
    r: isListOf(
      value => Array.isArray(value) && isNumber(value[0]) && isText(value[1]) && isNumber(value[2]),
    ),
  }),
  'a brief': hasFields({
    id: isText,
    at: isText,
    kind: isText,
    host: isText,
    prompt: isText,
    files: isListOf(isText),
    tokens: isNumber,
    ms: isNumber,
    included: isListOf(hasFields({ id: optional(isText), tier: isText, tokens: isNumber })),
    left: isListOf(isRecordOf(() => true)),
    degraded: isListOf(isText),
  }),
  'the time that searches took': isListOf(isNumber),
  'a finding of a session': hasFields({
    id: isText,
    session: isText,
    agent: isText,
    fingerprint: isText,
    content: isText,
    category: isText,
    importance: isNumber,
    confidence: isNumber,
    finalizedAt: isNumber,
    filePaths: optional(isListOf(isText)),
    tags: optional(isListOf(isText)),
    signals: optional(isListOf(isText)),
  }),
  'the word statistics': hasFields({
    documents: isNumber,
    length: hasFields({ body: isNumber, tags: isNumber, files: isNumber, kind: isNumber, date: isNumber }),
    languages: isRecordOf(isNumber),
  }),
  'the survey of the files': isSurvey,
  'the survey of the documents': value =>
    isSurvey(value) && hasFields({ roots: isListOf(isText), folders: isNumber })(value),
  'the words of the vocabulary': isListOf(hasFields({ token: isText, df: isNumber })),
  'a list of keys': isListOf(isNumber),
  'a list of names': isListOf(value => isText(value) || isNumber(value)),
  'a list of files': isListOf(isText),
  'the candidates of a search': isListOf(
    hasFields({
      key: isNumber,
      id: isText,
      session: orNull(isText),
      order: isNumber,
      date: isText,
      text: isText,
      lengths: isListOf(isNumber),
    }),
  ),
} as const satisfies Record<string, Check>

export type Stored = keyof typeof STORED

/** Reads JSON from a row. Every stored JSON value is read here. */
export function storedJson<T>(what: Stored, packed: unknown): T {
  if (typeof packed !== 'string') throw new DamagedRow(what)
  let value: unknown
  try {
    value = JSON.parse(packed)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new DamagedRow(what, cause)
  }
  if (!STORED[what](value)) throw new DamagedRow(what)
  return value as T
}

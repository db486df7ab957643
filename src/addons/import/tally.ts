import { type RedactOptions, redact } from '../../kernel/text/redaction/redact.ts'
import { MAX_REPORTED } from './import-items.ts'
import type { SourceItem, Trouble } from './sources/source.ts'

export type OnProgress = (done: number, total: number | undefined, what: string) => void

/** The result of an import. */
export interface ImportCounts {
  readonly read: number
  readonly added: number
  readonly duplicates: number
  readonly redacted: number
  readonly failed: number
  readonly failures: readonly Trouble[]
  readonly remarks: readonly Trouble[]
  readonly went: readonly { readonly what: string; readonly to: string; readonly count: number }[]
  /** The last journal record; `undo` with it undoes the whole import. null: nothing was changed. */
  readonly record: string | null
}

export type Item<What extends SourceItem['what']> = Extract<SourceItem, { what: What }>

export interface ImportPart {
  readonly redaction: RedactOptions
  readonly tally: Tally
  readonly dryRun: boolean
  /** Undo reverts everything with the same batch together. */
  readonly batch: string
}

export interface Tally {
  /** Counts one item: imported, or a duplicate. */
  count(what: string, to: string, isNew: boolean): void
  /** Adds to a row without counting an item. */
  note(what: string, to: string, count: number): void
  redacted(count: number): void
  refuse(trouble: Trouble): void
  remark(trouble: Trouble): void
  /** Remembers a journal record, if one was written. */
  wrote(record: string | null): void
}

export function newTally(): Tally & { report(): ImportCounts } {
  const went = new Map<string, { what: string; to: string; count: number }>()
  const failures: Trouble[] = []
  const remarks: Trouble[] = []
  let [added, duplicates, redacted, failed] = [0, 0, 0, 0]
  let last: string | null = null
  const note = (what: string, to: string, count: number) => {
    const row = went.get(`${what} ${to}`) ?? { what, to, count: 0 }
    row.count += count
    if (row.count > 0) went.set(`${what} ${to}`, row)
  }
  return {
    note,
    count(what, to, isNew) {
      if (isNew) {
        added++
        note(what, to, 1)
      } else duplicates++
    },
    redacted: count => {
      redacted += count
    },
    refuse(trouble) {
      failed++
      if (failures.length < MAX_REPORTED) failures.push(trouble)
    },
    remark(trouble) {
      if (remarks.length < MAX_REPORTED) remarks.push(trouble)
    },
    wrote(record) {
      last = record ?? last
    },
    report: () => ({
      read: added + duplicates + failed,
      added,
      duplicates,
      redacted,
      failed,
      failures,
      remarks,
      went: [...went.values()],
      record: last,
    }),
  }
}

/** A copy with every text redacted. */
export function withoutSecrets<T>(value: T, redaction: RedactOptions, tally: Pick<Tally, 'redacted'>): T {
  if (typeof value === 'string') {
    const { text, redacted } = redact(value, redaction)
    tally.redacted(redacted.length)
    return text as T
  }
  if (Array.isArray(value)) return value.map(item => withoutSecrets(item, redaction, tally)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      withoutSecrets(key, redaction, tally),
      withoutSecrets(item, redaction, tally),
    ]),
  ) as T
}

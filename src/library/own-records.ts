import type { Entry } from '../kernel/model/entry.ts'

/** A process that writes for months remembers its last changes. */
const MAX_OWN_RECORDS = 1_000

/** The records of the changes that one caller makes. */
export function ownRecordsOf() {
  const records = new Set<string>()
  return {
    records,
    note(record: string) {
      records.add(record)
      const [oldest] = records
      if (records.size > MAX_OWN_RECORDS && oldest !== undefined) records.delete(oldest)
    },
  }
}

/** The entry that a verb changed, with what `undo` takes back. */
export function changed({ entry, record }: { readonly entry: Entry; readonly record: string | null }) {
  return { ...entry, record }
}

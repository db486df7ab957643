/** A database that another tool keeps: it is read, and never written, locked for long or mended. */
export interface ForeignDatabase {
  /** Names of its tables. */
  tables(): ReadonlySet<string>
  columns(table: string): ReadonlySet<string>
  /** One row at a time, however many there are. */
  rows(sql: string, ...values: (string | number)[]): Iterable<Readonly<Record<string, unknown>>>
  close(): void
}

/** Throws `source_unreadable` where the file is no database, is damaged, or stays locked. */
export type OpenForeignDatabase = (file: string) => ForeignDatabase

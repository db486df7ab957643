/** A database that another tool keeps: it is read, and never written, locked or mended. */
export interface ForeignDatabase {
  /** Names of the columns of a table; empty when there is no such table. */
  columns(table: string): ReadonlySet<string>
  /** One row at a time, however many there are. Throws `source_unreadable` where a page is damaged. */
  rows(sql: string, ...values: (string | number)[]): Iterable<Readonly<Record<string, unknown>>>
  close(): void
}

export interface ForeignDatabases {
  /** Throws `source_unreadable` where the file is no database, or cannot be read. */
  open(file: string): Promise<ForeignDatabase>
}

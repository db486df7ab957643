/** A database of another tool. It is opened read-only and never locked or repaired. */
export interface ForeignDatabase {
  /** Column names of a table; empty if the table does not exist. */
  columns(table: string): ReadonlySet<string>
  /** Streams the rows. Throws `source_unreadable` if a page is damaged. */
  rows(sql: string, ...values: (string | number)[]): Iterable<Readonly<Record<string, unknown>>>
  close(): void
}

export interface ForeignDatabases {
  /** Throws `source_unreadable` if the file is not a database or cannot be read. */
  open(file: string): Promise<ForeignDatabase>
}

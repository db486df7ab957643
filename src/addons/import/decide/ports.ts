import type { ImportSource } from '../../../kernel/model/import-source.ts'
import type { SourceRegistry } from './source-registry.ts'

export interface SourcePorts {
  /** Sources that are imported repeatedly. */
  readonly sourceRegistry: SourceRegistry
}

export interface ImportPorts {
  /** Which of these sources the user has allowed. */
  readonly sourceUse: SourceUse
  /** Databases of other tools; read-only. */
  readonly foreignDatabases: ForeignDatabases
}

/**
 * Which import sources the user of this machine added or allowed. The registry itself cannot say this: it may have come with a
 * clone.
 */
export interface SourceUse {
  /** The ids of the sources that may be read. */
  allowed(sources: readonly ImportSource[]): Promise<ReadonlySet<string>>
  /** The code that the user types to allow exactly these sources. */
  codeOf(sources: readonly ImportSource[]): Promise<string>
  /** Throws `not_confirmed` if the code belongs to other sources. */
  allow(sources: readonly ImportSource[], code: string): Promise<void>
  /** Allows a source that the user has just named. */
  trust(source: ImportSource): Promise<void>
  forget(source: ImportSource): Promise<void>
}

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

import type { ImportSource } from '../../../kernel/model/import-source.ts'
import type { ForeignDatabases } from './foreign-database.ts'
import type { SourceRegistry } from './source-registry.ts'

export interface SourcePorts {
  /** What is imported from again and again. */
  readonly sourceRegistry: SourceRegistry
}

export interface ImportPorts {
  /** Which of these sources this user allowed. */
  readonly sourceUse: SourceUse
  /** Databases of other tools, which are imported from and never written. */
  readonly foreignDatabases: ForeignDatabases
}

/** Which import sources the user of this machine added or allowed: the registry may have come with a clone. */
export interface SourceUse {
  /** The ids of those that may be read. */
  allowed(sources: readonly ImportSource[]): Promise<ReadonlySet<string>>
  /** What is typed to say yes to exactly these. */
  codeOf(sources: readonly ImportSource[]): Promise<string>
  /** Throws `not_confirmed` when it is the code of others. */
  allow(sources: readonly ImportSource[], code: string): Promise<void>
  /** The user named it just now: that is a yes. */
  trust(source: ImportSource): Promise<void>
  forget(source: ImportSource): Promise<void>
}

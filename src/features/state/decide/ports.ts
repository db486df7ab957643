import type { ImportSync } from './import-sync.ts'
import type { StateFiles } from './state-files.ts'

export interface StatePorts {
  /** What is known of the project in a few lines, and what was known before. */
  readonly state: StateFiles
  /** Import sources that recall may take in first. */
  readonly importSync: ImportSync
}

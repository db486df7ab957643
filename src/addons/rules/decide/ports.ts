import type { HotFiles } from './hot-files.ts'

export interface RulePorts {
  /** Rule files and skills, and the folders in which hosts look for them. */
  readonly hotFiles: HotFiles
}

import type { HotFiles } from './hot-files.ts'

export interface RulePorts {
  /** Rule files and skills, and the folders where hosts read them. */
  readonly hotFiles: HotFiles
}

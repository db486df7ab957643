import type { ProjectRegistry } from '../../../kernel/model/project.ts'

export interface ProjectPorts {
  /** The projects that this user knows on this machine, and which of them are trusted. */
  readonly projects: ProjectRegistry
}

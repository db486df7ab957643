import type { ProjectRegistry } from '../../../kernel/model/project.ts'

export interface ProjectPorts {
  /** The user's projects on this machine, and which of them are trusted. */
  readonly projects: ProjectRegistry
}

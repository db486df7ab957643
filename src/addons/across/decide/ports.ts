import type { AcrossProjects } from './rooms.ts'

export interface AcrossPorts {
  /** The other projects that may be read from here: asked by verbs of its own, never for a brief. */
  readonly across: AcrossProjects
}

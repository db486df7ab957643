import type { ResolvedConflict } from '../../../kernel/model/conflict.ts'
import type { ConflictIndex } from './conflict-index.ts'

export interface ConflictPorts {
  /** Which entries were compared, and which of them are against each other. */
  readonly conflicts: ConflictIndex
  /** What was decided about conflicts. */
  readonly resolutions: () => Promise<readonly ResolvedConflict[]>
}

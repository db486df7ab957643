import type { Problem } from '../../../kernel/model/search.ts'
import type { SessionPorts } from '../../sessions/decide/ports.ts'
import type { StatePorts } from '../../state/decide/ports.ts'
import type { UpkeepPorts } from '../../upkeep/decide/ports.ts'
import type { GitTracking, IndexGlance, MemoryMender, MemoryTree } from './memory-tree.ts'

export interface ValidatePorts {
  /** Everything on disk as it is, for whoever checks it. */
  readonly memoryTree: MemoryTree
}

export interface GitPorts {
  readonly gitTracking: GitTracking
}

export interface MendPorts {
  /** The little that is mended automatically. */
  readonly memoryMender: MemoryMender
  readonly indexGlance: IndexGlance
}

/** The files of workspaces, of which a check reads only the problems. */
export interface CheckedWorkspaces {
  readonly workspaces: () => Promise<{
    exists(): boolean
    survey(): { readonly problems: readonly Problem[] }
  }>
  readonly documents: () => Promise<{
    survey(): readonly { readonly path: string }[]
    read(path: string): { readonly problems: readonly Problem[] } | undefined
  }>
}

/** What the checks of a whole memory need. */
export interface ValidationPorts
  extends SessionPorts,
    UpkeepPorts,
    StatePorts,
    ValidatePorts,
    CheckedWorkspaces {}

import type { Remark } from '../../hosts/install/decide/install-plan.ts'
import type { DetectedHost } from '../../hosts/install/detect-hosts.ts'
import type { InstallParts } from '../../hosts/install/install-parts.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { HostId, InstallLevel } from '../../kernel/model/host.ts'
import type { MergeDriverParts as DriverParts } from '../git-merge/install-driver.ts'
import type { ProjectPorts } from '../projects/decide/ports.ts'
import type { ValidationPorts } from '../validate/decide/ports.ts'

/** What setting up and taking away stand on. */
export interface SetupParts {
  readonly engine: Memory & ValidationPorts & ProjectPorts
  readonly installing: InstallParts
  readonly driver: DriverParts
}

/** One file or setting that would be changed, for a person and for programs: never what is in it. */
export interface PlannedChange {
  /** Absolute; a setting of git by its name. */
  readonly path: string
  readonly change: 'create' | 'edit' | 'remove'
  readonly what: readonly string[]
  readonly host?: HostId
  readonly level?: InstallLevel
  /** Where it was asked for: the lines that go and come, without secrets. */
  readonly diff?: readonly string[]
}

/** What was not done for one part while the others were. */
export interface SetupFailure {
  readonly host?: HostId
  readonly code: string
  readonly message: string
  readonly hint: string
}

export interface PlannedHost extends Pick<DetectedHost, 'host' | 'found' | 'evidence'> {
  /** `skipped`: found, and others were named. */
  readonly does: 'install' | 'in_place' | 'not_found' | 'skipped' | 'failed'
  readonly ownMemory: DetectedHost['ownMemory']
}

export interface SetupRemark {
  readonly host?: HostId
  readonly kind: Remark['kind']
  readonly message: string
  readonly hint: string
}

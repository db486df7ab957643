import type { Disk } from '../../kernel/system/disk.ts'
import type { CairnCommand } from './decide/install-plan.ts'

/** What installing stands on. Nothing else of the machine is looked at. */
export interface InstallParts {
  /** For the files of hosts: made with the rights that the user's own settings allow. */
  readonly disk: Disk
  /** For the records: made for nobody else's eyes. */
  readonly privateDisk: Disk
  /** The home folder, absolute. */
  readonly home: string
  readonly environment: (name: string) => string | undefined
  readonly isWindows: boolean
  /** The checkout that project level writes into, absolute. Absent: there is no project, and project level is refused. */
  readonly project?: string
  /** `~/.cairn/installs`. */
  readonly records: string
  readonly command: CairnCommand
  /** One at a time among all processes of this user. */
  readonly exclusively: <T>(work: () => T) => Promise<T>
  readonly now: () => string
  /** For names of temporary files: no two processes have the same. */
  readonly unique: () => string
}

import { HOST_IDS, type HostId } from '../../kernel/model/host.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import { HOSTS } from '../hosts.ts'
import type { HostIntegration } from './decide/host-integration.ts'
import type { CairnCommand } from './decide/install-plan.ts'

type Integrations = Readonly<Record<HostId, HostIntegration>>

/** How to install into each host. */
export async function loadIntegrations(): Promise<Integrations> {
  const loaded = HOST_IDS.map(async host => [host, await HOSTS[host].install()] as const)
  return Object.fromEntries(await Promise.all(loaded)) as Record<HostId, HostIntegration>
}

/** What installing depends on. It uses nothing else of the machine. */
export interface InstallParts {
  /** For the files of hosts: made with the rights that the user's own settings allow. */
  readonly disk: Disk
  /** For the records: readable by this user alone. */
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
  readonly integrations: Integrations
  /** One at a time among all processes of this user. */
  readonly exclusively: <T>(work: () => T) => Promise<T>
  readonly now: () => string
  /** For names of temporary files: no two processes have the same. */
  readonly unique: () => string
}

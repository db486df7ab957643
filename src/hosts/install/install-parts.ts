import { HOST_IDS, type HostId } from '../../kernel/model/host.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import { HOSTS } from '../hosts.ts'
import type { HostIntegration } from './decide/host-integration.ts'
import type { CairnCommand } from './decide/install-plan.ts'
import { type InstallRecord, readRecord } from './decide/install-record.ts'

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

/** One file a record, named after its path. Only this user may read them: they say where the settings are. */
export function installRecords({ privateDisk: disk, records, unique }: InstallParts) {
  const fileOf = (path: string) => `${records}/${textHash(path)}.json`
  const read = (file: string) => {
    const bytes = disk.readFile(file)
    return bytes === undefined ? undefined : readRecord(new TextDecoder().decode(bytes))
  }
  return {
    find(path: string): InstallRecord | undefined {
      const record = read(fileOf(path))
      return record?.path === path ? record : undefined
    },
    all(): InstallRecord[] {
      return (disk.listFolder(records) ?? [])
        .filter(({ name }) => /^[0-9a-f]{16}\.json$/.test(name))
        .flatMap(({ name }) => read(`${records}/${name}`) ?? [])
        .sort((one, other) => (one.path < other.path ? -1 : 1))
    },
    put(record: InstallRecord): void {
      if (disk.isFolder(records) !== true) disk.makeFolder(records)
      const file = fileOf(record.path)
      const temporary = `${file}.${unique()}.cairn-tmp`
      try {
        disk.writeFile(temporary, new TextEncoder().encode(`${JSON.stringify(record)}\n`))
        disk.rename(temporary, file)
      } catch (error) {
        disk.remove(temporary)
        throw error
      }
      disk.syncFolder(records)
    },
    remove: (path: string) => disk.remove(fileOf(path)),
  }
}

import type { HostId } from '../model/host.ts'
import { nodeDisk } from '../system/disk.ts'
import { userFolder } from '../system/user-folder.ts'

/** Whether Cairn was installed into a host itself: by the records that installing leaves, of this user or of this project. */
export function hasIntegration(host: HostId, root: string): boolean {
  const named = (folder: string) =>
    (nodeDisk.listFolder(folder) ?? []).some(
      ({ name }) => name.split(/[^a-z-]/)[0] === host || name.startsWith(host),
    )
  void root
  return named(`${userFolder()}/installs`)
}

import * as path from 'node:path'
import { coldFolder } from './backends/files/cold-folder.ts'
import { openOpencodeDatabase } from './backends/sqlite/opencode-database.ts'
import type { ColdCopies } from './pipeline/capture/cold-copies.ts'
import type { HostTranscripts } from './pipeline/capture/host-transcripts.ts'
import { readKnownProjects } from './projects/known-projects.ts'
import { sessionsOfProject } from './projects/sessions-of-project.ts'
import { hostTranscripts } from './sources/transcripts/host-transcripts.ts'
import type { Clock } from './system/clock.ts'
import { textHash } from './system/content-hash.ts'
import { privateDisk } from './system/disk.ts'
import { hostFolders } from './system/host-folders.ts'
import { userFolder } from './system/user-folder.ts'

/** What the hosts on this machine keep of the sessions in one project. */
export function composeTranscripts({
  root,
  clock,
}: {
  readonly root: string
  readonly clock: Clock
}): HostTranscripts {
  return hostTranscripts({
    folders: hostFolders(),
    root,
    isOurs: sessionsOfProject(root),
    openDatabase: openOpencodeDatabase,
    nowMs: () => clock.nowMs(),
  })
}

/** The copies of one project. It is known by the id that this user's registry has for it, which stays when its folder is renamed. */
export function composeColdCopies({
  root,
  clock,
}: {
  readonly root: string
  readonly clock: Clock
}): ColdCopies {
  const known = readKnownProjects()
  const project = known === 'damaged' ? undefined : known.projects.find(one => one.root === root)
  const cold = path.join(userFolder(), 'cold')
  const byPath = path.join(cold, textHash(root))
  const folder = project === undefined ? byPath : path.join(cold, project.id)
  // Kept before the project was known.
  if (
    folder !== byPath &&
    privateDisk.isFolder(folder) === undefined &&
    privateDisk.isFolder(byPath) === true
  )
    privateDisk.rename(byPath, folder)
  return coldFolder({ folder, disk: privateDisk, clock })
}

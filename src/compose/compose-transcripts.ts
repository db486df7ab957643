import * as path from 'node:path'
import type { ColdCopies } from '../features/cold/decide/ports.ts'
import { readKnownProjects } from '../features/projects/known-projects.ts'
import { sessionsOfProject } from '../features/projects/resolve-project.ts'
import type { HostTranscripts } from '../hosts/transcripts/decide/host-transcripts.ts'
import { hostTranscripts } from '../hosts/transcripts/host-transcripts.ts'
import type { Clock } from '../kernel/system/clock.ts'
import { textHash } from '../kernel/system/content-hash.ts'
import { privateDisk } from '../kernel/system/disk.ts'
import { userFolder } from '../kernel/system/user-folder.ts'
import { coldFolder } from '../stores/files/cold-folder.ts'
import { openOpencodeDatabase } from '../stores/sqlite/opencode-database.ts'

/** The transcripts of the hosts on this machine for one project. */
export function composeTranscripts({
  root,
  clock,
}: {
  readonly root: string
  readonly clock: Clock
}): HostTranscripts {
  return hostTranscripts({
    root,
    isOurs: sessionsOfProject(root),
    openDatabase: openOpencodeDatabase,
    nowMs: () => clock.nowMs(),
  })
}

/** The copies of one project. Identified by its id in this user's registry, which survives a rename of its folder. */
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
  // Saved before the project was registered.
  if (
    folder !== byPath &&
    privateDisk.isFolder(folder) === undefined &&
    privateDisk.isFolder(byPath) === true
  )
    privateDisk.rename(byPath, folder)
  return coldFolder({ folder, disk: privateDisk, clock })
}

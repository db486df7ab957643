import * as path from 'node:path'
import type { MemoryToBackUp } from '../addons/backup/back-up-memory.ts'
import { type RestorePlace, STAGED } from '../addons/backup/restore-memory.ts'
import { memoryFolderOf } from '../kernel/memory-place.ts'
import { memoryDisk, privateDisk } from '../kernel/system/disk.ts'
import { packageFacts } from '../kernel/system/package-facts.ts'
import { userFolder } from '../kernel/system/user-folder.ts'
import { copyDatabase } from '../stores/sqlite/copy-database.ts'
import type { Composed } from './composed.ts'

/** The memory of an engine, to be put into a file and to be taken from one. */
export function composeBackup(memory: Composed): MemoryToBackUp & RestorePlace {
  const { store, clock } = memory
  const paths = memoryFolderOf(memory)
  const isUsers = path.resolve(paths.root) === path.resolve(userFolder())
  return {
    root: paths.root,
    memory: paths.memory,
    disk: isUsers ? privateDisk : memoryDisk(paths.memory, path.join(paths.root, STAGED)),
    version: packageFacts().version,
    now: () => new Date(clock.nowMs()),
    exclusively: work => store.exclusively(work),
    copyDatabase,
  }
}

/** Where what a restore replaces is kept: nobody but the user reads there. */
export function placeOfBefore(memory: Composed): string {
  const paths = memoryFolderOf(memory)
  const folder = path.join(userFolder(), 'backups')
  privateDisk.makeFolder(folder)
  const stamp = new Date(memory.clock.nowMs()).toISOString().replace(/[:.]/g, '-')
  return path.join(folder, `${path.basename(paths.root)}-before-${stamp}.cairn`)
}

import * as path from 'node:path'
import type { MemoryToBackUp } from '../addons/backup/back-up-memory.ts'
import { type RestorePlace, STAGED } from '../addons/backup/restore-memory.ts'
import { memoryFolderOf } from '../kernel/memory-place.ts'
import { memoryDisk, privateDisk } from '../kernel/system/disk.ts'
import { packageFacts } from '../kernel/system/package-facts.ts'
import { userFolder } from '../kernel/system/user-folder.ts'
import { copyDatabase } from '../stores/sqlite/driver.ts'
import type { Composed } from './composed.ts'

/** The files of a memory, for backup and restore. */
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

/** Where a restore saves what it replaces: readable only by the user. */
export function placeOfBefore(memory: Composed): string {
  const paths = memoryFolderOf(memory)
  const folder = path.join(userFolder(), 'backups')
  privateDisk.makeFolder(folder)
  const stamp = new Date(memory.clock.nowMs()).toISOString().replace(/[:.]/g, '-')
  return path.join(folder, `${path.basename(paths.root)}-before-${stamp}.cairn`)
}

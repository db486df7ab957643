import { randomBytes } from 'node:crypto'
import { knownProjectsFile } from '../features/projects/known-projects.ts'
import { projectRegistry } from '../features/projects/project-registry.ts'
import type { ProjectRegistry } from '../kernel/model/project.ts'
import type { Clock } from '../kernel/system/clock.ts'
import type { Disk } from '../kernel/system/disk.ts'
import { sqliteWriterLock } from '../stores/sqlite/writer-lock.ts'

/** The registry of this user's projects, for writers; readers do not need this (`resolveProject`). */
export function composeProjects({ disk, clock }: { disk: Disk; clock: Clock }): ProjectRegistry {
  return projectRegistry({
    file: knownProjectsFile(),
    disk,
    clock,
    openLock: location => sqliteWriterLock(location, disk),
    random: digits => randomBytes(digits / 2).toString('hex'),
  })
}

import { randomBytes } from 'node:crypto'
import { sqliteWriterLock } from './backends/sqlite/writer-lock.ts'
import type { ProjectRegistry } from './model/project.ts'
import { knownProjectsFile } from './projects/known-projects.ts'
import { projectRegistry } from './projects/project-registry.ts'
import type { Clock } from './system/clock.ts'
import type { Disk } from './system/disk.ts'

/** The registry of this user's projects, for whoever writes to it; to look, nothing of this is needed (`resolveProject`). */
export function composeProjects({ disk, clock }: { disk: Disk; clock: Clock }): ProjectRegistry {
  return projectRegistry({
    file: knownProjectsFile(),
    disk,
    clock,
    openLock: location => sqliteWriterLock(location, disk),
    random: digits => randomBytes(digits / 2).toString('hex'),
  })
}

import { openOpencodeDatabase } from './backends/sqlite/opencode-database.ts'
import type { HostTranscripts } from './pipeline/capture/host-transcripts.ts'
import { sessionsOfProject } from './projects/sessions-of-project.ts'
import { hostTranscripts } from './sources/transcripts/host-transcripts.ts'
import type { Clock } from './system/clock.ts'
import { hostFolders } from './system/host-folders.ts'

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

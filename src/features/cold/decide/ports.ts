import type { HostTranscripts } from '../../../hosts/transcripts/decide/host-transcripts.ts'
import type { ColdCopies } from './cold-copies.ts'

export interface ColdPorts {
  /** What hosts keep of this project's sessions; read where it lies. */
  readonly transcripts: HostTranscripts
  /** Copies of those, in the user's own folder. */
  readonly coldCopies: ColdCopies
}

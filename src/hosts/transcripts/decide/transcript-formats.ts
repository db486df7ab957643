import { HOST_IDS } from '../../../kernel/model/host.ts'
import type { TranscriptHost } from '../../../kernel/model/transcript.ts'
import { HOSTS } from '../../hosts.ts'
import { agentTranscripts } from './agent-transcripts.ts'
import { clineTranscripts } from './cline.ts'
import type { TranscriptFormat } from './transcript-format.ts'

export type TranscriptFormats = Readonly<Record<TranscriptHost, TranscriptFormat>>

/** The format of each host, of Cline, and of the folder in which a project stores transcripts itself. */
export async function loadFormats(): Promise<TranscriptFormats> {
  const hosts = await Promise.all(
    HOST_IDS.map(async host => [host, await HOSTS[host].transcripts()] as const),
  )
  const ofHosts = Object.fromEntries(hosts) as Record<(typeof HOST_IDS)[number], TranscriptFormat>
  return {
    ...ofHosts,
    cline: clineTranscripts,
    'agent-transcripts': agentTranscripts(hosts.map(([, format]) => format)),
  }
}

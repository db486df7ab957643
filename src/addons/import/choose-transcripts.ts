import type { Transcript } from '../../kernel/model/transcript.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import type { FileCursors } from './decide/source-registry.ts'
import { isSameFile } from './sources/source-snapshot.ts'

const DAY_MS = 86_400_000
/**
 * Only recent transcripts are distilled, and only so many. Otherwise the first sync of years of transcripts would flood the
 * memory and hide what the user remembered on purpose. All other transcripts stay cold.
 */
export const MAX_DISTILLED_DAYS = 30
export const MAX_DISTILLED_SESSIONS = 50

export interface TranscriptLimits {
  /** Distill sessions that were active at this time or later. */
  readonly sinceMs?: number | undefined
  /** The maximum number of sessions to distill, newest first. */
  readonly most?: number | undefined
}

export interface ChosenTranscripts {
  /** To distill, oldest first. */
  readonly distilled: readonly Transcript[]
  /** New or changed, but not distilled. */
  readonly cold: readonly Transcript[]
  /** Unchanged. */
  readonly known: number
}

/**
 * Decides what happens to each transcript of a host. A cold, unchanged transcript stays cold unless the caller sets a limit;
 * otherwise every sync would distill the next fifty. A transcript that grew is a session that continued.
 */
export function chooseTranscripts(
  transcripts: readonly Transcript[],
  cursors: FileCursors,
  { sinceMs, most, nowMs }: TranscriptLimits & { readonly nowMs: number },
): ChosenTranscripts {
  const isSaid = sinceMs !== undefined || most !== undefined
  const from =
    sinceMs ?? (most === undefined ? nowMs - MAX_DISTILLED_DAYS * DAY_MS : Number.NEGATIVE_INFINITY)
  const room = most ?? (sinceMs === undefined ? MAX_DISTILLED_SESSIONS : Number.POSITIVE_INFINITY)
  const distilled: Transcript[] = []
  const cold: Transcript[] = []
  let known = 0
  for (const transcript of [...transcripts].sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    const cursor = cursors[keyOfTranscript(transcript)]
    const isSame = isSameFile({ ...transcript, checkedMs: nowMs }, cursor)
    const isWanted = !transcript.isSubAgent && transcript.mtimeMs >= from
    if (isSame && !(isSaid && isWanted && cursor?.transcript?.as === 'cold')) known++
    else if (isWanted && distilled.length < room) distilled.push(transcript)
    else cold.push(transcript)
  }
  return { distilled: distilled.reverse(), cold, known }
}

/** A path may contain a secret, so only its hash is stored. */
export function keyOfTranscript({ host, session, file }: Transcript): string {
  return textHash(`${host}\n${session}\n${file}`)
}

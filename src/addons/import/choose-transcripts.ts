import type { Transcript } from '../../kernel/model/transcript.ts'
import { textHash } from '../../kernel/system/content-hash.ts'
import type { FileCursors } from './decide/source-registry.ts'
import { isAsItWas } from './sources/source-survey.ts'

const DAY_MS = 86_400_000
/**
 * A first sync of years of transcripts would bury what somebody remembered on purpose under what was once said. What is newer than this
 * is distilled, at most so many; all else is cold memory from the start.
 */
export const DISTILLED_DAYS = 30
export const DISTILLED_SESSIONS = 50

export interface HowMuch {
  /** Sessions that went on at this moment or later are distilled. */
  readonly sinceMs?: number | undefined
  /** The newest so many. */
  readonly most?: number | undefined
}

export interface ChosenTranscripts {
  /** To be distilled, the oldest first, as they happened. */
  readonly distilled: readonly Transcript[]
  /** Changed or new, and left cold. */
  readonly cold: readonly Transcript[]
  /** As they were. */
  readonly known: number
}

/**
 * What becomes of each transcript of a host. One that was left cold stays cold while it is as it was, unless somebody says how much is to be
 * distilled: otherwise every sync would take the next fifty. One that has grown is a session that goes on.
 */
export function chooseTranscripts(
  transcripts: readonly Transcript[],
  cursors: FileCursors,
  { sinceMs, most, nowMs }: HowMuch & { readonly nowMs: number },
): ChosenTranscripts {
  const isSaid = sinceMs !== undefined || most !== undefined
  const from = sinceMs ?? (most === undefined ? nowMs - DISTILLED_DAYS * DAY_MS : Number.NEGATIVE_INFINITY)
  const room = most ?? (sinceMs === undefined ? DISTILLED_SESSIONS : Number.POSITIVE_INFINITY)
  const distilled: Transcript[] = []
  const cold: Transcript[] = []
  let known = 0
  for (const transcript of [...transcripts].sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    const cursor = cursors[keyOfTranscript(transcript)]
    const isSame = isAsItWas({ ...transcript, checkedMs: nowMs }, cursor)
    const isWanted = !transcript.isSubAgent && transcript.mtimeMs >= from
    if (isSame && !(isSaid && isWanted && cursor?.transcript?.as === 'cold')) known++
    else if (isWanted && distilled.length < room) distilled.push(transcript)
    else cold.push(transcript)
  }
  return { distilled: distilled.reverse(), cold, known }
}

/** A path may hold a secret, and nobody has to read it: its hash will do. */
export function keyOfTranscript({ host, session, file }: Transcript): string {
  return textHash(`${host}\n${session}\n${file}`)
}

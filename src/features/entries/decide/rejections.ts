/** A person's no, as `curation.json` keeps it. */
export interface Rejection {
  readonly fingerprint: string
  readonly content: string
  readonly kind: string
  /** The session that had said it; those of before have none. */
  readonly session?: string
  /** `private`, where it was said of an entry there: it goes to no hub. */
  readonly agent?: string
  readonly at: string
}

export function rejectionsIn(document: Readonly<Record<string, unknown>>): readonly Rejection[] {
  const { rejections } = document
  if (!Array.isArray(rejections)) return []
  return rejections.filter(
    (each): each is Rejection =>
      typeof each === 'object' && each !== null && typeof each.fingerprint === 'string',
  )
}

/** As much of a statement as a line of a handoff or a summary holds. */
const TOLD_CHARACTERS = 60

/** Whether a text says again what was stated, as far as a handoff or a summary quotes it. */
export function repeats(text: string, statement: string): boolean {
  const said = statement
    .replace(/^\s*[-*] \[[ xX]\] /, '')
    .replace(/\s+/g, ' ')
    .slice(0, TOLD_CHARACTERS)
    .toLowerCase()
  return said !== '' && text.toLowerCase().includes(said)
}

/**
 * Nothing of a session's summary is told while it repeats what was rejected there. The file of the session keeps it, so that it is
 * there again when the rejection is taken back.
 */
export function toldSummary(
  { session, summary }: { readonly session: string; readonly summary: string },
  rejections: readonly Rejection[],
): string {
  const isRejected = rejections.some(
    each => each.session === session && typeof each.content === 'string' && repeats(summary, each.content),
  )
  return isRejected ? '' : summary
}

import { DEFAULT_ALIASES, foldAlias } from '../../../kernel/text/aliases.ts'

/** A JSON file of `.memory/`, from any writer. */
type JsonObject = Readonly<Record<string, unknown>>

/** The feedback on an entry, in `feedback` of curation.json. */
export function feedbackOn(document: JsonObject, id: string): { useful: number; wrong: number } {
  const all = feedbackIn(document)
  const said = (Object.hasOwn(all, id) ? all[id] : undefined) as JsonObject | null | undefined
  const count = (value: unknown) => (typeof value === 'number' ? value : 0)
  return { useful: count(said?.useful), wrong: count(said?.wrong) }
}

/** The document with one more vote on an entry, or without its votes. */
export function withFeedback(
  document: JsonObject,
  id: string,
  saying: 'useful' | 'wrong' | 'clear',
): JsonObject {
  const { [id]: _, ...others } = feedbackIn(document)
  if (saying === 'clear') return { ...document, feedback: others }
  const said = feedbackOn(document, id)
  return { ...document, feedback: { ...others, [id]: { ...said, [saying]: said[saying] + 1 } } }
}

function feedbackIn({ feedback }: JsonObject): JsonObject {
  return typeof feedback === 'object' && feedback !== null && !Array.isArray(feedback)
    ? (feedback as JsonObject)
    : {}
}

/** Unreadable counts are ignored: a person may have edited the file. */
export function readFeedback(stored: unknown): Record<string, { useful: number; wrong: number }> {
  if (typeof stored !== 'object' || stored === null) return {}
  const count = (value: unknown) => (typeof value === 'number' && value > 0 ? Math.floor(value) : 0)
  return Object.fromEntries(
    Object.entries(stored).map(([id, said]: [string, { useful?: unknown; wrong?: unknown } | null]) => [
      id,
      { useful: count(said?.useful), wrong: count(said?.wrong) },
    ]),
  )
}

/** The defaults with the project's own on top; an empty list takes a default away. */
export function readAliases(stored: unknown): Readonly<Record<string, readonly string[]>> {
  if (typeof stored !== 'object' || stored === null || Object.keys(stored).length === 0)
    return DEFAULT_ALIASES
  const aliases: Record<string, readonly string[]> = { ...DEFAULT_ALIASES }
  for (const [word, meanings] of Object.entries(stored)) {
    if (!Array.isArray(meanings) || meanings.length === 0) delete aliases[foldAlias(word)]
    else aliases[foldAlias(word)] = meanings.filter(meaning => typeof meaning === 'string').map(foldAlias)
  }
  return aliases
}

/** A statement that a person rejected, as stored in `curation.json`. */
export interface Rejection {
  readonly fingerprint: string
  readonly content: string
  readonly kind: string
  /** The session with the statement; old rejections have none. */
  readonly session?: string
  /** `private` if the entry was private: the rejection is not sent to a hub. */
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

/** A line of a handoff or a summary quotes at most this much of a statement. */
const QUOTED_CHARACTERS = 60

/** Whether a text repeats a statement, as far as a handoff or a summary quotes it. */
export function repeats(text: string, statement: string): boolean {
  const said = statement
    .replace(/^\s*[-*] \[[ xX]\] /, '')
    .replace(/\s+/g, ' ')
    .slice(0, QUOTED_CHARACTERS)
    .toLowerCase()
  return said !== '' && text.toLowerCase().includes(said)
}

/**
 * The summary of a session, or nothing while it repeats a rejected statement. The session file still has it, so it
 * returns if the rejection is undone.
 */
export function summaryUnlessRejected(
  { session, summary }: { readonly session: string; readonly summary: string },
  rejections: readonly Rejection[],
): string {
  const isRejected = rejections.some(
    each => each.session === session && typeof each.content === 'string' && repeats(summary, each.content),
  )
  return isRejected ? '' : summary
}

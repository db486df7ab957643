import type { Message } from '../../../kernel/model/message.ts'

/** What somebody who hands over a whole conversation again has to say that is not kept yet. */
export interface NewMessages {
  readonly messages: readonly Message[]
  /** The last stored message was still being written when it was stored: its whole text, and what it lacks. */
  readonly grown?: { readonly whole: Message; readonly rest: Message }
  /** How many of the messages handed over are kept already, whole or in part. */
  readonly known: number
}

/** Less in common than this is chance: many conversations begin with "continue". */
const MIN_TAIL = 2

/**
 * Finds what is handed over in what is kept. undefined: it is another conversation.
 *
 *   kept  a b c        given  a b c d      → d           the same, and more
 *   kept  a b c d      given  c d e        → e           only its end was handed over
 *   kept  a b wor      given  a b words    → grown: words   the last one was still being written when it was stored
 *   kept  a b c        given  a b          → nothing     somebody else handed over more
 *   kept  … c d        given  a b c d e    → e           upkeep moved the first ones to the archive
 *
 * A message may be stored in pieces, each by the same speaker: put together they are the message.
 */
export function alignConversation(
  kept: readonly Message[],
  given: readonly Message[],
  { isTrimmed = false }: { readonly isTrimmed?: boolean } = {},
): NewMessages | undefined {
  if (given.length === 0) return { messages: [], known: 0 }
  if (kept.length === 0) return { messages: given, known: 0 }
  for (let at = 0; at < kept.length; at++) {
    if (at > 0 && kept[at]?.text[0] !== given[0]?.text[0]) continue
    const found = alignAt(kept, at, given)
    if (found !== undefined && (at === 0 || found.known >= Math.min(MIN_TAIL, given.length))) return found
  }
  for (let skip = 1; isTrimmed && skip < given.length; skip++) {
    if (kept[0]?.text[0] !== given[skip]?.text[0]) continue
    const found = alignAt(kept, 0, given.slice(skip))
    if (found !== undefined && found.known >= Math.min(MIN_TAIL, kept.length))
      return { ...found, known: found.known + skip }
  }
  return undefined
}

function alignAt(kept: readonly Message[], from: number, given: readonly Message[]): NewMessages | undefined {
  let at = from
  for (const [number, message] of given.entries()) {
    if (at === kept.length) return { messages: given.slice(number), known: number }
    let said = ''
    while (said !== message.text) {
      const piece = kept[at]
      if (piece === undefined) {
        const last = kept[at - 1]?.text ?? ''
        const whole = { ...message, text: message.text.slice(said.length - last.length) }
        const rest = { ...message, text: message.text.slice(said.length) }
        return { messages: given.slice(number + 1), grown: { whole, rest }, known: number + 1 }
      }
      if (piece.role !== message.role || piece.text === '' || !message.text.startsWith(said + piece.text))
        return undefined
      said += piece.text
      at++
    }
  }
  return { messages: [], known: given.length }
}

/** A sentence may be shown before its line ends. */
const SENTENCE_AFTER = 80
/** And a line that has no sentences, at a space. */
const SPACE_AFTER = 400
/** A word that long is no secret any more, and nobody waits for its end. */
const MAX_HELD_LENGTH = 16_000
const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----[^\n]*\n?/

export interface TextPieces {
  push(text: string): readonly string[]
  /** What was held back. */
  end(): readonly string[]
}

/**
 * Text as it streams in, in pieces that can be judged one by one: a secret is known by its line, so a piece ends with a line, or after a
 * sentence of a long one, and never within a private key. Put together they are the text.
 */
export function textPieces(): TextPieces {
  let held = ''
  const take = (length: number): string => {
    const piece = held.slice(0, length)
    held = held.slice(length)
    return piece
  }
  return {
    push(text) {
      held += text
      const pieces: string[] = []
      for (let length = pieceLength(held); length > 0; length = pieceLength(held)) pieces.push(take(length))
      return pieces
    },
    end: () => (held === '' ? [] : [take(held.length)]),
  }
}

function pieceLength(held: string): number {
  const key = KEY_BEGIN.exec(held)
  if (key !== null) {
    const before = held.lastIndexOf('\n', key.index) + 1
    if (before > 0) return before
    const end = KEY_END.exec(held)
    if (end?.[0].endsWith('\n')) return end.index + end[0].length
    return held.length > MAX_HELD_LENGTH ? held.length : 0
  }
  const line = held.lastIndexOf('\n') + 1
  if (line > 0) return line
  if (held.length > MAX_HELD_LENGTH) return held.length
  const sentence = lastSentence(held)
  if (sentence >= SENTENCE_AFTER) return sentence
  const space = held.lastIndexOf(' ') + 1
  return space >= SPACE_AFTER ? space : 0
}

function lastSentence(text: string): number {
  for (let at = text.length - 2; at >= 0; at--)
    if (text[at + 1] === ' ' && (text[at] === '.' || text[at] === '!' || text[at] === '?')) return at + 2
  return 0
}

interface AnswerSoFar {
  /** Pieces that can be shown, free of secrets. Together they are `shown()`. */
  add(text: string): readonly string[]
  /** Ends a message: the rest of it, and the message as the host printed it. */
  finish(): { readonly pieces: readonly string[]; readonly message: string }
  /** Everything that was shown. */
  shown(): string
  /** What was shown of the message that is not finished. */
  draft(): string
}

/** An answer is one message or several, with tools between them; they are shown one after the other. */
export function answerSoFar(clean: (text: string) => string): AnswerSoFar {
  let pieces = textChunks()
  let shownText = ''
  let draft = ''
  let message = ''
  const show = (ready: readonly string[]): string[] =>
    ready.map(piece => {
      const isNext = draft === '' && shownText !== ''
      const text = clean(piece)
      draft += text
      const next = isNext ? `\n\n${text}` : text
      shownText += next
      return next
    })
  return {
    add(text) {
      message += text
      return show(pieces.push(text))
    },
    finish() {
      const last = show(pieces.end())
      const finished = { pieces: last, message }
      pieces = textChunks()
      draft = ''
      message = ''
      return finished
    },
    shown: () => shownText,
    draft: () => draft,
  }
}

/** A sentence may be shown before its line ends. */
const SENTENCE_AFTER = 80
/** A line without sentences is split at a space. */
const SPACE_AFTER = 400
/** A longer word is not a secret, and is not waited for. */
const MAX_HELD_LENGTH = 16_000
const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/
const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----[^\n]*\n?/

interface TextChunks {
  push(text: string): readonly string[]
  /** The rest. */
  end(): readonly string[]
}

/**
 * Splits streamed text into chunks that can be redacted one by one: a secret is recognised by its line, so a chunk ends with a line, or
 * after a sentence of a long one, and never within a private key. All chunks together are the text.
 */
function textChunks(): TextChunks {
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
      for (let length = chunkLength(held); length > 0; length = chunkLength(held)) pieces.push(take(length))
      return pieces
    },
    end: () => (held === '' ? [] : [take(held.length)]),
  }
}

function chunkLength(held: string): number {
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

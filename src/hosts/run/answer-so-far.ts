import { textPieces } from './decide/text-pieces.ts'

export interface AnswerSoFar {
  /** Pieces that can be shown, free of secrets. Put together they are `told`. */
  add(text: string): readonly string[]
  /** Ends a message: what was still held back of it, and the message as the host said it. */
  finish(): { readonly pieces: readonly string[]; readonly message: string }
  /** Everything that was told. */
  told(): string
  /** What was told of the message that is not finished. */
  draft(): string
}

/** An answer is one message or several, with tools between them; they are told one after the other. */
export function answerSoFar(clean: (text: string) => string): AnswerSoFar {
  let pieces = textPieces()
  let told = ''
  let draft = ''
  let message = ''
  const tell = (ready: readonly string[]): string[] =>
    ready.map(piece => {
      const isNext = draft === '' && told !== ''
      const text = clean(piece)
      draft += text
      const shown = isNext ? `\n\n${text}` : text
      told += shown
      return shown
    })
  return {
    add(text) {
      message += text
      return tell(pieces.push(text))
    },
    finish() {
      const last = tell(pieces.end())
      const finished = { pieces: last, message }
      pieces = textPieces()
      draft = ''
      message = ''
      return finished
    },
    told: () => told,
    draft: () => draft,
  }
}

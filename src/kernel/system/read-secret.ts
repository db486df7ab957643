import { readBoundedInput } from './standard-input.ts'

const MAX_BYTES = 4_096
const WITHIN_MS = 10_000
const [ENTER, NEWLINE, INTERRUPT, BACKSPACE, DELETE] = ['\r', '\n', '\u0003', '\b', '\u007f']

/** A secret line: typed without being shown, or from a pipe. undefined: the input was cancelled. */
export async function readSecret(prompt: string): Promise<string | undefined> {
  const { stdin, stderr } = process
  if (stdin.isTTY !== true)
    return (await readBoundedInput({ maxBytes: MAX_BYTES, withinMs: WITHIN_MS })).toString('utf8').trim()
  stderr.write(prompt)
  stdin.setRawMode(true)
  stdin.resume()
  stdin.setEncoding('utf8')
  try {
    let typed = ''
    for await (const piece of stdin as AsyncIterable<string>)
      for (const character of piece) {
        if (character === INTERRUPT) return undefined
        if (character === ENTER || character === NEWLINE) return typed.trim()
        if (character === BACKSPACE || character === DELETE) typed = typed.slice(0, -1)
        else if (typed.length < MAX_BYTES) typed += character
      }
    return typed.trim()
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

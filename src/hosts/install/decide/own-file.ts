import { COMMAND_MARKER } from './command-files.ts'

/** The same words in every file that is ours as a whole, whatever marks a comment there. */
export const OWN_MARKER = COMMAND_MARKER

/** A marker further down is a quotation. */
const HEAD = 1_000

export function isOwnFile(text: string): boolean {
  return text.slice(0, HEAD).includes(OWN_MARKER)
}

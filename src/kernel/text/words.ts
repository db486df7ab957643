import { isLatin, whenNeeded } from './script.ts'

/**
 * A chunk is a run of letters and digits, with single separators inside: a word, an identifier, a path.
 *
 *   `see src/auth/token.ts: don't use max_retry_count` → see | src/auth/token.ts | don't | use | max_retry_count
 */
const anyChunk = whenNeeded(() => chunkPattern('\\p{L}\\p{N}\\p{M}', 'gu'))
/** The same class written out for Latin text, which costs a twentieth to compile; the other is compiled when a text needs it. */
const LATIN_CHUNK = chunkPattern(
  'A-Za-z0-9\\u00aa\\u00b2\\u00b3\\u00b5\\u00b9\\u00ba\\u00bc-\\u00be\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0300-\\u036f',
  'g',
)

export interface Chunk {
  readonly text: string
  readonly start: number
}

export function scanChunks(text: string): Chunk[] {
  const chunks: Chunk[] = []
  const pattern = isLatin(text) ? LATIN_CHUNK : anyChunk()
  // Not matchAll: it creates an expression and an iterator of its own for every text, and each of its steps is slower.
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    chunks.push({ text: match[0], start: match.index })
  }
  return chunks
}

function chunkPattern(letters: string, flags: string): RegExp {
  return new RegExp(`[${letters}]+(?:(?:[.\\-'’/\\\\]|::?|_+)[${letters}]+)*`, flags)
}

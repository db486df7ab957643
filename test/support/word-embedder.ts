import type { Embedder } from '../../src/features/search/decide/ports.ts'

const DIMENSIONS = 256

/**
 * An embedder of a few lines: words that mean the same, by the table given, fall on the same axis. Enough to see what
 * vectors do to an answer without a model.
 */
export function wordEmbedder(
  meanings: Readonly<Record<string, string>> = {},
  { model = 'words.1' }: { model?: string } = {},
): Embedder {
  return {
    model,
    dimensions: DIMENSIONS,
    async embed(texts) {
      return texts.map(text => {
        const vector = new Float32Array(DIMENSIONS)
        for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
          const axis = axisOf(meanings[word] ?? word)
          vector[axis] = (vector[axis] ?? 0) + 1
        }
        const length = Math.hypot(...vector) || 1
        return vector.map(value => value / length)
      })
    },
    close: async () => undefined,
  }
}

function axisOf(word: string): number {
  let hash = 7
  for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return hash % DIMENSIONS
}

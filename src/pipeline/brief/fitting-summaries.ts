import { foldWord } from '../../text/fold.ts'
import { stemWord } from '../../text/stem.ts'
import { stopWords } from '../../text/stop-words.ts'
import { scanChunks } from '../../text/words.ts'

/** A summary is told when it speaks of what the prompt is about: so many words of it, and such a share of them. */
const FEWEST_SHARED = 2
const LEAST_SHARE = 0.4
/** A long prompt has many words beside its subject. */
const MOST_COUNTED = 8
const MOST_TOLD = 2
const READ_CHARACTERS = 4_000

/** Those that fit the prompt, best first: every token must earn its place. */
export function fittingSummaries<T extends { readonly summary: string }>(
  prompt: string,
  summaries: readonly T[],
): T[] {
  const asked = tellingWords(prompt)
  if (asked.size < FEWEST_SHARED) return []
  const least = Math.max(FEWEST_SHARED, LEAST_SHARE * Math.min(asked.size, MOST_COUNTED))
  return summaries
    .map(each => ({ each, shared: [...tellingWords(each.summary)].filter(word => asked.has(word)).length }))
    .filter(({ shared }) => shared >= least)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MOST_TOLD)
    .map(({ each }) => each)
}

function tellingWords(text: string): Set<string> {
  const words = new Set<string>()
  for (const chunk of scanChunks(text.slice(0, READ_CHARACTERS))) {
    const word = foldWord(chunk.text)
    if (word.length > 2 && !stopWords('en').has(word) && !stopWords('pt').has(word))
      words.add(stemWord(word, 'en'))
  }
  return words
}

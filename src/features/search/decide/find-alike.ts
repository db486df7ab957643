import type { EntryFilter } from '../../../kernel/model/search.ts'
import { analyseEntry } from '../../../kernel/text/analyse.ts'
import type { SearchIndex } from './ports.ts'
import { RANKING } from './rank.ts'

/** The rarest words of a text find entries on the same subject; a word in more entries than this finds everything. */
const WORDS_ASKED = 6
const MAX_DOCUMENTS = 2_000

/**
 * Entries that share the rarest words of a text, best first: a first search for possible duplicates, without the
 * expansion and the ranking of a question.
 */
export async function findAlike(
  index: SearchIndex,
  { text, filter, limit }: { readonly text: string; readonly filter: EntryFilter; readonly limit: number },
): Promise<readonly string[]> {
  const { body } = analyseEntry({ content: text, tags: [], files: [], kind: '', date: '' })
  const frequencies = await index.documentFrequencies([...new Set(body.split(' '))])
  const rarest = [...frequencies]
    .filter(([, documents]) => documents <= MAX_DOCUMENTS)
    .sort((a, b) => a[1] - b[1])
    .slice(0, WORDS_ASKED)
  if (rarest.length === 0) return []
  const candidates = await index.findCandidates({
    match: rarest.map(([token]) => [[token]]),
    order: 'bm25',
    weights: RANKING.fieldWeights,
    filter,
    limit,
  })
  return candidates.map(({ id }) => id)
}

import { analyseEntry } from '../../../kernel/text/analyse.ts'
import { LANGUAGES } from '../../../kernel/text/language.ts'
import type { SearchIndex, SearchStatistics } from './ports.ts'
import { type Candidate, FIELD_BORDER, FIELDS, type RankedField } from './rank.ts'

/** A text that is not an entry: a statement of the state, an event. */
export interface TextToIndex {
  readonly id: string
  readonly content: string
  readonly files: readonly string[]
  readonly kind: string
  readonly date: string
}

/**
 * Texts that are few and found nowhere else, as retrieval needs them. How frequent a word is is counted over them and the vault
 * together, and candidates are only the texts: so their scores are on the scale of the entries'.
 */
export function textIndex(
  texts: readonly TextToIndex[],
  vault: SearchIndex,
  /** Texts of the same kind that were not worth analysing, as none of the question's words is in them. */
  unanalysed = 0,
): SearchIndex {
  const analysed = texts.map(analyse)
  const dfByToken = new Map<string, number>()
  for (const { tokens } of analysed)
    for (const token of tokens) dfByToken.set(token, (dfByToken.get(token) ?? 0) + 1)

  return {
    async statistics(): Promise<SearchStatistics> {
      const known = await vault.statistics()
      const totalLength = { ...known.totalLength } as Record<RankedField, number>
      FIELDS.forEach((field, at) => {
        const own = analysed.reduce((sum, { candidate }) => sum + (candidate.lengths[at] ?? 0), 0)
        const usual = analysed.length === 0 ? 0 : own / analysed.length
        totalLength[field] += own + usual * unanalysed
      })
      const documentsByLanguage = Object.fromEntries(
        LANGUAGES.map(language => [
          language,
          (known.documentsByLanguage[language] ?? 0) +
            analysed.filter(text => text.language === language).length,
        ]),
      )
      return {
        documentCount: known.documentCount + analysed.length + unanalysed,
        totalLength,
        documentsByLanguage,
      }
    },

    async documentFrequencies(tokens) {
      const known = await vault.documentFrequencies(tokens)
      const counts = new Map<string, number>()
      for (const token of tokens) {
        const df = (known.get(token) ?? 0) + (dfByToken.get(token) ?? 0)
        if (df > 0) counts.set(token, df)
      }
      return counts
    },

    async vocabulary(need, limit) {
      const dfs = new Map((await vault.vocabulary(need, limit)).map(({ token, df }) => [token, df]))
      for (const [token, df] of dfByToken) {
        const { length } = token
        if (token.startsWith(need.prefix) && length >= need.minLength && length <= need.maxLength)
          dfs.set(token, (dfs.get(token) ?? 0) + df)
      }
      return [...dfs]
        .map(([token, df]) => ({ token, df }))
        .sort((a, b) => b.df - a.df || (a.token < b.token ? -1 : 1))
        .slice(0, limit)
    },

    /** Every text that has a word of it: the ranking is exact, and they are few. */
    async findCandidates({ match, limit }) {
      const wanted = new Set(match.flat(2))
      return analysed
        .map(({ candidate, tokens }) => ({
          candidate,
          worth: sumOf(wanted, token => (tokens.has(token) ? 1 / (dfByToken.get(token) ?? 1) : 0)),
        }))
        .filter(({ worth }) => worth > 0)
        .sort((a, b) => b.worth - a.worth)
        .slice(0, Math.max(limit, MAX_CANDIDATES))
        .map(({ candidate }) => candidate)
    },

    findNeighbourhoods: async () => [],
    listEntries: async () => ({ entries: [], total: 0 }),
    loadEntries: async () => new Map(),
  }
}

const MAX_CANDIDATES = 256

export function candidateOf(text: TextToIndex): Candidate {
  return analyse(text).candidate
}

function analyse(text: TextToIndex) {
  const analysed = analyseEntry({ ...text, tags: [] })
  const fields = FIELDS.map(field => analysed[field])
  const parts = fields.map(field => (field === '' ? [] : field.split(' ')))
  const candidate: Candidate = {
    id: text.id,
    text: fields.join(FIELD_BORDER),
    lengths: parts.map(({ length }) => length),
    date: text.date,
    order: 0,
  }
  return { candidate, language: analysed.language, tokens: new Set(parts.flat()) }
}

function sumOf<T>(items: Iterable<T>, worth: (item: T) => number): number {
  let sum = 0
  for (const item of items) sum += worth(item)
  return sum
}

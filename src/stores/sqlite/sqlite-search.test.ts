import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { vocabularyNeeds } from '../../features/search/decide/expansion.ts'
import { planQuery } from '../../features/search/decide/query-plan.ts'
import { DEFAULT_ALIASES, expandAliases } from '../../kernel/text/aliases.ts'
import { analyseQuery } from '../../kernel/text/query-terms.ts'
import { ftsExpression } from './sqlite-search.ts'

const languages = new Set(['en', 'pt'] as const)

test('joins the forms of a word, the words of a part and the parts', () => {
  expect(ftsExpression([[['raft']], [['test', 'tests'], ['error']]])).toBe(
    '"raft" OR (("test" OR "tests") AND "error")',
  )
})

test('is an expression that FTS5 accepts, whatever is asked', () => {
  const database = new DatabaseSync(':memory:')
  database.exec("CREATE VIRTUAL TABLE f USING fts5(body, tags, files, kind, date, tokenize='ascii')")
  const find = database.prepare('SELECT rowid FROM f WHERE f MATCH ? ORDER BY bm25(f) LIMIT 10')
  const query = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^["'()*:^+\-{} a-z0-9]{0,60}$/),
    fc
      .array(fc.constantFrom('AND', 'OR', 'NOT', 'NEAR(', '"', ')', 'body:', 'x*', 'auth'), { maxLength: 12 })
      .map(words => words.join(' ')),
  )
  fc.assert(
    fc.property(query, fc.nat(2_000_000), fc.nat(2_000_000), (text, df, documentCount) => {
      const terms = expandAliases(analyseQuery(text, { languages, now: '2026-06-22T09:00' }), {
        aliases: DEFAULT_ALIASES,
        languages,
      })
      // Every other word is unknown, so that guesses are planned as well.
      const dfOf = (token: string) => (token.length % 2 === 0 ? df : 0)
      const vocabulary = new Map(
        vocabularyNeeds({ terms, documentCount, dfOf }).map(need => [
          need.prefix,
          [{ token: `${need.prefix}xx`, df: 1 }],
        ]),
      )
      const { match, fallback } = planQuery({
        terms,
        documentCount,
        dfOf,
        guesses: { vocabulary, spellings: new Map() },
      })
      if (match.length > 0) expect(find.all(ftsExpression(match))).toEqual([])
      if (fallback !== undefined) expect(find.all(ftsExpression(fallback.match))).toEqual([])
    }),
  )
  database.close()
})

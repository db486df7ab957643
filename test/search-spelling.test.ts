import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import MiniSearch from 'minisearch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { search } from '../src/features/search/search-memory.ts'
import { stemWord } from '../src/kernel/text/stem.ts'
import { scratchProject } from './support/scratch-project.ts'

/** What the guide says, a paragraph an entry: words that people use about this program, none of them chosen for the test. */
const PARAGRAPHS = readdirSync('docs/guide')
  .flatMap(name => readFileSync(`docs/guide/${name}`, 'utf8').split(/\n\s*\n/))
  .map(text => text.trim())
  .filter(text => /^[A-Z]/.test(text) && text.length > 80)
const WORDS = [...new Set(PARAGRAPHS.flatMap(text => text.match(/\b[a-z]{5,}\b/g) ?? []))].sort()
/** Every eighth, so that the suite stays fast. */
const SAMPLE = WORDS.filter((_, at) => at % 8 === 3)
/** A slip may make another word of the text: `ties` for `times`, where something is tied. It is taken as written (ADR 5). */
const STEMS = new Set(
  PARAGRAPHS.flatMap(text => text.toLowerCase().match(/[a-z]+/g) ?? []).map(word => stemWord(word, 'en')),
)
const isSlip = (query: string, word: string) => query !== word && !STEMS.has(stemWord(query, 'en'))
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

const SLIPS: Readonly<Record<string, (word: string, at: number) => string>> = {
  'a missing letter': (word, at) => word.slice(0, at) + word.slice(at + 1),
  'a swapped letter': (word, at) =>
    word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  'an added letter': (word, at) => word.slice(0, at) + letterAfter(word, at) + word.slice(at),
  'a wrong letter': (word, at) => word.slice(0, at) + letterAfter(word, at) + word.slice(at + 1),
}

/** Another than stands there. */
function letterAfter(word: string, at: number): string {
  return LETTERS.charAt((LETTERS.indexOf(word.charAt(at)) + 7) % 26)
}

describe('beside MiniSearch with fuzzy 0.2 and prefixes, on the words of the guide', () => {
  const oracle = new MiniSearch<{ id: number; text: string }>({
    fields: ['text'],
    storeFields: ['text'],
    searchOptions: { fuzzy: 0.2, prefix: true },
  })
  let engine: Composed
  const root = mkdtempSync(path.join(tmpdir(), 'cairn-test-'))
  beforeAll(async () => {
    engine = composeEngine({ root })
    await remember(
      engine,
      PARAGRAPHS.map(content => ({ content })),
    )
    oracle.addAll(PARAGRAPHS.map((text, id) => ({ id, text })))
  })
  afterAll(async () => {
    await engine.close()
    rmSync(root, { recursive: true })
  })

  /** The queries that bring no text with the word they were made of. */
  const missed = async (asked: readonly (readonly [query: string, word: string])[]) => {
    const ours: string[] = []
    let theirs = 0
    for (const [query, word] of asked) {
      const has = (text: unknown) => String(text).toLowerCase().includes(word)
      const { hits } = await search(engine, query, { filter: {}, limit: 100, wordsOnly: true })
      if (!hits.some(({ entry }) => has(entry.content))) ours.push(`${query} (${word})`)
      if (!oracle.search(query).some(({ text }) => has(text))) theirs += 1
    }
    return { ours, theirs }
  }

  it.each(Object.entries(SLIPS))('finds a word with %s at least as often', async (_name, slip) => {
    const asked = SAMPLE.map((word, at) => [slip(word, at % (word.length - 1)), word] as const)
    const { ours, theirs } = await missed(asked.filter(([query, word]) => isSlip(query, word)))
    // The guide changes: one in a hundred is left room for.
    expect(ours.length, ours.join('\n')).toBeLessThanOrEqual(theirs + asked.length / 100)
  })

  it('finds every word by each of its beginnings from four letters on', async () => {
    const asked = SAMPLE.flatMap(word =>
      Array.from({ length: word.length - 4 }, (_, cut) => [word.slice(0, 4 + cut), word] as const),
    )
    const { ours } = await missed(asked)
    // A cut may be the stem of another word: `readi` of `reading` is that of `ready`.
    expect(ours.length, ours.join('\n')).toBeLessThanOrEqual(Math.ceil(asked.length / 500))
  })
})

it('puts a word that begins as typed before one that is a slip away', async () => {
  const engine = composeEngine({ root: scratchProject() })
  await remember(engine, [
    { content: 'The parser keeps a stack of brackets that are open.' },
    { content: 'Black formats Python.' },
    { content: 'We track time.' },
  ])
  const { hits } = await search(engine, 'brack', { filter: {}, limit: 5, wordsOnly: true })
  expect(hits[0]?.entry.content).toBe('The parser keeps a stack of brackets that are open.')
  await engine.close()
})

it('finds a Portuguese word that is cut or misspelt inside its suffix', async () => {
  const engine = composeEngine({ root: scratchProject() })
  await remember(engine, [
    { content: 'A autenticação dos usuários não passa mais pelo servidor antigo, e sim por um serviço.' },
  ])
  for (const query of ['autentica', 'autenticac', 'autentcação', 'autenticaçao', 'servidr']) {
    const { hits } = await search(engine, query, { filter: {}, limit: 5, wordsOnly: true })
    expect(hits, query).toHaveLength(1)
  }
  await engine.close()
})

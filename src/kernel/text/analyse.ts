import { dateTokens } from './dates.ts'
import { foldWord } from './fold.ts'
import { chunkParts } from './identifiers.ts'
import type { Language } from './language.ts'
import { VOTERS, voteLanguage } from './language-vote.ts'
import { stemWord } from './stem.ts'
import { type Chunk, scanChunks } from './words.ts'

export { analyseQuery } from './query-terms.ts'

/** How much of one entry is analysed. The rest of a longer one is stored and shown, but not searched. */
export const ANALYSED_CHARACTERS = 65_536

export interface EntryText {
  readonly content: string
  readonly tags: readonly string[]
  readonly files: readonly string[]
  readonly kind: string
  readonly date: string
}

/** The tokens of each field, joined by blanks, as stored in the full-text table. */
export interface AnalysedEntry {
  readonly language: Language
  readonly body: string
  readonly tags: string
  readonly files: string
  readonly kind: string
  readonly date: string
}

export function analyseEntry(entry: EntryText): AnalysedEntry {
  const chunks = scanChunks(entry.content.slice(0, ANALYSED_CHARACTERS))
  const language = languageOf(chunks)
  return {
    language,
    body: joinTokens(chunks, language),
    tags: joinTokens(scanChunks(joinBounded(entry.tags)), language),
    files: joinTokens(scanChunks(joinBounded(entry.files)), language),
    kind: joinTokens(scanChunks(entry.kind.slice(0, ANALYSED_CHARACTERS)), language),
    date: dateTokens(entry.date).join(' '),
  }
}

function languageOf(chunks: readonly Chunk[]): Language {
  const votes = voteLanguage(chunks.slice(0, VOTERS).map(chunk => foldWord(chunk.text)))
  return votes.pt > votes.en ? 'pt' : 'en'
}

function joinBounded(values: readonly string[]): string {
  return values.join(' ').slice(0, ANALYSED_CHARACTERS)
}

function joinTokens(chunks: readonly Chunk[], language: Language): string {
  const tokens: string[] = []
  for (const chunk of chunks) {
    const { words, wholes } = chunkParts(chunk.text)
    for (const word of words) tokens.push(stemWord(word, language))
    for (const whole of wholes) tokens.push(stemWord(whole, language))
  }
  return tokens.join(' ')
}

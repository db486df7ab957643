import { stopWords } from './stop-words.ts'

/** Enough to be certain, and it limits the vote on a long entry. */
export const VOTERS = 200

interface LanguageVote {
  readonly en: number
  readonly pt: number
}

/** Counts the words that are stop words of one language and not of the other (`do`, `no`, `as` are in both). */
export function voteLanguage(foldedWords: readonly string[]): LanguageVote {
  const english = stopWords('en')
  const portuguese = stopWords('pt')
  let en = 0
  let pt = 0
  for (const word of foldedWords) {
    const inEnglish = english.has(word)
    if (inEnglish === portuguese.has(word)) continue
    if (inEnglish) en += 1
    else pt += 1
  }
  return { en, pt }
}

import type { Category } from '../../model/category.ts'
import { foldText, foldWord } from '../../text/fold.ts'
import { stopWords } from '../../text/stop-words.ts'
import { scanChunks } from '../../text/words.ts'

export interface Mergeable {
  readonly text: string
  readonly message: number
  readonly category: Category
  readonly points: number
  readonly speaker: 'user' | 'agent'
  readonly wanted: boolean
  /** It corrects something said before: a sentence by its words, or whatever has its subject. */
  readonly replaces?: { readonly statement: string | undefined }
}

/** Two statements that share this much of the shorter one's words say the same. */
const SAME_SHARE = 0.7
/** Across categories only what a person took up: a task that tells what the agent had proposed. */
const SAME_SHARE_ACROSS = 0.9
const FEWEST_SHARED = 3
/** A correction shares the subject with what it corrects, and says something else of it. */
const SUBJECT_SHARE = 0.4
const FEWEST_OF_SUBJECT = 2
/** A word of more statements than this tells none of them from the others. */
const MOST_POSTINGS = 40

/**
 * Says the same twice → said once: the later one, unless the earlier says more. Being said again speaks for it.
 */
export function mergeRepeated<T extends Mergeable>(findings: readonly T[]): T[] {
  const words = findings.map(finding => contentWords(finding.text))
  const postings = new Map<string, number[]>()
  const dropped = new Set<number>()
  const strengthened = new Map<number, number>()
  findings.forEach((finding, at) => {
    const shared = new Map<number, number>()
    for (const word of words[at] ?? []) {
      const holders = postings.get(word) ?? []
      for (const other of holders) shared.set(other, (shared.get(other) ?? 0) + 1)
      if (holders.length < MOST_POSTINGS) holders.push(at)
      postings.set(word, holders)
    }
    const replaced = replacedBy(finding, findings, at, { words, shared, dropped })
    if (replaced !== undefined) dropped.add(replaced)
    for (const [other, count] of shared) {
      const earlier = findings[other]
      if (earlier === undefined || dropped.has(other)) continue
      const mine = words[at]?.size ?? 0
      const theirs = words[other]?.size ?? 0
      const isQuoted = earlier.speaker === 'agent' && finding.speaker === 'user'
      if (earlier.category !== finding.category && !isQuoted) continue
      const share = earlier.category === finding.category ? SAME_SHARE : SAME_SHARE_ACROSS
      const fewer = Math.min(mine, theirs)
      if (count < Math.min(FEWEST_SHARED, Math.max(2, fewer)) || count < share * fewer) continue
      if (differInNumbers(words[at], words[other])) continue
      const contradicts =
        finding.replaces !== undefined || isNegated(earlier.text) !== isNegated(finding.text)
      const keepsEarlier = earlier.wanted !== finding.wanted ? earlier.wanted : theirs > mine && !contradicts
      // What was wanted stays, and so does the word that goes against it.
      if (earlier.wanted && (finding.wanted ? earlier.text !== finding.text : contradicts)) continue
      const [kept, gone] = keepsEarlier ? [other, at] : [at, other]
      dropped.add(gone)
      strengthened.set(kept, (strengthened.get(kept) ?? 0) + 1)
      if (gone === at) break
    }
  })
  return findings.flatMap((finding, at) => {
    if (dropped.has(at)) return []
    const repeats = strengthened.get(at) ?? 0
    return [repeats === 0 ? finding : { ...finding, points: finding.points + 0.2 * Math.min(repeats, 2) }]
  })
}

interface Seen {
  readonly words: readonly ReadonlySet<string>[]
  readonly shared: ReadonlyMap<number, number>
  readonly dropped: ReadonlySet<number>
}

/** The one earlier decision that a correction takes the place of. What was wanted stays. */
function replacedBy(
  finding: Mergeable,
  findings: readonly Mergeable[],
  at: number,
  { words, shared, dropped }: Seen,
): number | undefined {
  if (finding.replaces === undefined) return undefined
  const { statement } = finding.replaces
  const mayGo = (other: number) => {
    const earlier = findings[other]
    return (
      earlier !== undefined && !earlier.wanted && earlier.category === finding.category && !dropped.has(other)
    )
  }
  if (statement !== undefined) {
    for (let other = at - 1; other >= 0; other--)
      if (mayGo(other) && findings[other]?.text.includes(statement)) return other
  }
  const denied = deniedBy(finding.text)
  let best: { other: number; share: number } | undefined
  for (const [other, count] of shared) {
    const fewer = Math.min(words[at]?.size ?? 0, words[other]?.size ?? 0)
    const share = count / Math.max(1, fewer)
    if (!mayGo(other) || count < FEWEST_OF_SUBJECT) continue
    if (share < SUBJECT_SHARE && !denied.some(word => words[other]?.has(word))) continue
    if (best === undefined || share >= best.share) best = { other, share }
  }
  return best?.other
}

const DENIED =
  /\b(?:not|no longer|instead of|rather than|drop|without|nao|em vez d[eoa]|sem) (?:(?:the|a|o|os|as|mais) )?([\w.@/-]+)|([\w.@/-]+) (?:is|are|was|foi|fica|sai) (?:dropped|gone|out|removed|dead|fora|de fora|removid[oa])/g

/** `REST is dropped`, `not the cookie`: what no longer holds. */
function deniedBy(text: string): string[] {
  return [...foldText(text).matchAll(DENIED)].map(match => foldWord(match[1] ?? match[2] ?? ''))
}

function contentWords(text: string): Set<string> {
  const words = new Set<string>()
  for (const chunk of scanChunks(text)) {
    const word = foldWord(chunk.text)
    if ((word.length > 1 || /\d/.test(word)) && !stopWords('en').has(word) && !stopWords('pt').has(word))
      words.add(word)
  }
  return words
}

/** Shelf 3 is not shelf 4, however much is said alike of them. */
function differInNumbers(a: ReadonlySet<string> = new Set(), b: ReadonlySet<string> = new Set()): boolean {
  const lacks = (from: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...from].some(word => /\d/.test(word) && !other.has(word))
  return lacks(a, b) && lacks(b, a)
}

export function isNegated(text: string): boolean {
  return /\b(?:not|no(?! exception)|never|don't|won't|without|não|nunca|sem(?! exce))\b/i.test(text)
}

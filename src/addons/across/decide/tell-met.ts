import type { FoundAcross, MetBefore } from '../../../kernel/model/across.ts'
import { foldText } from '../../../kernel/text/fold.ts'
import type { MetQuestion } from './met-question.ts'

/** Kinds by which somebody tells what helped, or what was decided. The others tell that it was there. */
const TELLING_KINDS: ReadonlySet<string> = new Set([
  'decision',
  'architecture',
  'pattern',
  'preference',
  'lesson',
  'warning',
  'error',
])

export const MET = {
  /** Of an entry that does not name the error: it has other words of it. */
  unnamedShare: 0.5,
  /** What tells no solution is passed over beside what does, unless it fits so much better. */
  mentionShare: 0.75,
  /** What is judged at all. */
  found: { leastScore: 0.04, leastShareOfBest: 0.1 },
  leastScore: 0.12,
  /** Whoever names the error has met it, however few of the other words they used. */
  leastNamed: 0.04,
  leastShareOfBest: 0.4,
} as const

const MAX_SENTENCE_LENGTH = 280
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-ZÀ-Ý"'`(])|\n+/
/** On folded text. Strong: it says that something was done about it. */
const STRONG =
  /\b(?:fix(?:ed|es)?|solved|resolved|solution|workaround|root cause|the cause|turned out|decided|decision|we chose|corrig\w+|resolv\w+|solucao|contorn\w+|a causa|decid\w+|escolhemos)\b/
const FAINT =
  /\b(?:because|instead|must|use|used|set|pin(?:ned)?|upgraded?|downgraded?|added|removed|switch(?:ed)?|rather than|so that|never|always|porque|em vez|deve|usar|use|definir|fixar|atualiz\w+|adicion\w+|remov\w+|trocar|sempre|nunca)\b/

/** The sentence of an entry that says what helped or what was decided. */
export function solutionIn(content: string): string | undefined {
  let best: { readonly sentence: string; readonly points: number } | undefined
  for (const raw of content.split(SENTENCE_END)) {
    const sentence = raw.replace(/^[\s>*#-]+/, '').trim()
    if (sentence.length < 8) continue
    const folded = foldText(sentence)
    const points = (STRONG.test(folded) ? 2 : 0) + (FAINT.test(folded) ? 1 : 0)
    if (points > (best?.points ?? 0)) best = { sentence, points }
  }
  if (best === undefined) return undefined
  const { sentence } = best
  return sentence.length <= MAX_SENTENCE_LENGTH
    ? sentence
    : `${sentence.slice(0, MAX_SENTENCE_LENGTH - 1).trimEnd()}…`
}

/** What was found, as an answer to "who else has met this?": what tells a solution first. */
export function tellMet(found: readonly FoundAcross[], { names }: MetQuestion, limit: number): MetBefore[] {
  const folded = names.map(name => foldText(name))
  const named = new Set<MetBefore>()
  const judged = found.map((hit): MetBefore => {
    const text = foldText(hit.content)
    const isNamed = folded.length === 0 || folded.some(name => text.includes(name))
    const says = solutionIn(hit.content)
    const tells = TELLING_KINDS.has(hit.kind) || says !== undefined ? 'solution' : 'mention'
    const share = (isNamed ? 1 : MET.unnamedShare) * (tells === 'solution' ? 1 : MET.mentionShare)
    const score = Math.round(hit.score * share * 10_000) / 10_000
    const met: MetBefore = { ...hit, score, ...(says && { says }), tells }
    if (isNamed && folded.length > 0) named.add(met)
    return met
  })
  const best = Math.max(0, ...judged.map(({ score }) => score))
  const least = Math.max(MET.leastScore, MET.leastShareOfBest * best)
  const order = { solution: 0, mention: 1 } as const
  // Stable: of equals, the order in which they were found stands.
  return judged
    .filter(met => met.score >= (named.has(met) ? MET.leastNamed : least))
    .sort((a, b) => order[a.tells] - order[b.tells] || b.score - a.score)
    .slice(0, limit)
}

/**
 * Two texts are the same statement when their words are: ids, marks that a brief adds below an entry, the box of a task
 * and all punctuation are left out.
 */
export function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/\b\d{13}-[a-z0-9]{4}\b/g, '')
    .replace(/\n?\[(?:⚠|superseded\])[\s\S]*$/, '')
    .replace(/^\s*- \[[ x]\] /, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export function statementKey(scope: string, text: string): string {
  return `${scope}|${normalise(text)}`
}

export function pairKey(project: string, older: string, newer: string): string {
  return `${project}|${normalise(older)}|${normalise(newer)}`
}

const MIN_WORD = 4

function wordsOf(text: string): Set<string> {
  return new Set(
    normalise(text)
      .split(' ')
      .filter(word => word.length >= MIN_WORD),
  )
}

/** The share of the words of `fact`, of four letters or more, that `text` has. */
export function wordOverlap(fact: string, text: string): number {
  const wanted = wordsOf(fact)
  const found = wordsOf(text)
  let shared = 0
  for (const word of wanted) if (found.has(word)) shared++
  return wanted.size === 0 ? 0 : shared / wanted.size
}

/** The texts nearest to a fact by their words, best first. */
export function nearest(
  fact: string,
  texts: readonly string[],
  count: number,
): { text: string; overlap: number }[] {
  return texts
    .map(text => ({ text, overlap: wordOverlap(fact, text) }))
    .filter(({ overlap }) => overlap > 0)
    .sort((a, b) => b.overlap - a.overlap)
    .slice(0, count)
}

/**
 * The texts that share the rarest words with a prompt, best first: what a judge looks through for what was missing.
 * Each shared word weighs log(texts / texts with it), and long texts win nothing by their length: / √words.
 */
export function likeliest(prompt: string, texts: readonly string[], count: number): string[] {
  const wordsByText = new Map(texts.map(text => [text, wordsOf(text)]))
  const frequency = new Map<string, number>()
  for (const words of wordsByText.values())
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const asked = wordsOf(prompt)
  return [...wordsByText]
    .map(([text, words]) => {
      let weight = 0
      for (const word of words)
        if (asked.has(word)) weight += Math.log((1 + wordsByText.size) / (frequency.get(word) ?? 1))
      return { text, weight: weight / Math.sqrt(Math.max(1, words.size)) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, count)
    .map(({ text }) => text)
}

export interface BriefElement {
  readonly id: string | undefined
  readonly kind: string | undefined
  readonly text: string
}

const ELEMENT = /<([a-z][\w-]*)((?:\s+[\w-]+="[^"]*")+)>([\s\S]*?)<\/\1>/g

/** The items of a brief as an agent reads them: `<entry id="…" kind="…">text</entry>`. */
export function elementsOf(brief: string): BriefElement[] {
  return [...brief.matchAll(ELEMENT)].map(([, , head = '', text = '']) => ({
    id: attribute(head, 'id'),
    kind: attribute(head, 'kind'),
    text: text.trim(),
  }))
}

function attribute(head: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(head)?.[1]
}

/** The first prompt, and others spread evenly over the whole session up to `count`. */
export function choosePrompts(total: number, count: number): Set<number> {
  if (total <= count) return new Set(Array.from({ length: total }, (_, at) => at))
  const chosen = new Set([0])
  for (let at = 1; at < count; at++) chosen.add(Math.round((at * (total - 1)) / (count - 1)))
  return chosen
}

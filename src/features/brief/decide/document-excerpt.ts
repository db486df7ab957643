import { cutToTokens } from '../../../kernel/text/cut-to-tokens.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'

/** A document lies in a file that the agent can open: what it is about and why it came up is enough. */
const MAX_TOKENS = 120
const OPENING_TOKENS = 80

/** A short text whole; of a longer one its beginning, and the place that the prompt is about where that is further on. */
export function documentExcerpt(content: string, snippetOf: (content: string) => string): string {
  const opening = cutToTokens(content, MAX_TOKENS)
  if (opening === content || estimateTokens(content) <= MAX_TOKENS) return content
  const snippet = snippetOf(content).trim()
  // A snippet of the opening may have marks of its cut at both ends.
  const inner = snippet.replace(/^…\s*|\s*…$/g, '')
  if (inner === '' || opening.replace(/\s+/g, ' ').includes(inner.replace(/\s+/g, ' '))) return opening
  return `${cutToTokens(content, OPENING_TOKENS)}\n${snippet}`
}

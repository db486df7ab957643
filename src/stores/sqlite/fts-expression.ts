import type { Match } from '../../features/search/decide/query-plan.ts'

/** `"raft" OR ("test" AND "error")`. Tokens are letters and digits only, and quoted: nothing of the question is read as an operator. */
export function ftsExpression(match: Match): string {
  return match
    .map(words => (words.length > 1 ? `(${words.map(anyForm).join(' AND ')})` : words.map(anyForm).join('')))
    .join(' OR ')
}

function anyForm(tokens: readonly string[]): string {
  const quoted = tokens.map(token => `"${token}"`)
  return quoted.length > 1 ? `(${quoted.join(' OR ')})` : quoted.join('')
}

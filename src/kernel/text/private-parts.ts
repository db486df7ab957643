const PRIVATE = /<\s{0,4}(\/?)\s{0,4}private\s{0,4}>/gi
const CLOSED =
  /<\s{0,4}private\s{0,4}>[^<]*(?:<(?!\s{0,4}\/?\s{0,4}private\s{0,4}>)[^<]*)*<\s{0,4}\/\s{0,4}private\s{0,4}>/gi
const PRIVATE_MARK = '[private]'

/** A part that opens and never closes goes to the end; one that closes and never opened goes from the start. */
export function withoutPrivate(text: string): string {
  if (!text.includes('<')) return text
  let kept = ''
  let depth = 0
  let from = 0
  for (const match of text.matchAll(PRIVATE)) {
    const opens = match[1] === ''
    if (opens) {
      if (depth === 0) kept += `${text.slice(from, match.index)}${PRIVATE_MARK}`
      depth++
    } else if (depth > 0) depth--
    else kept = PRIVATE_MARK
    from = match.index + match[0].length
  }
  return depth > 0 ? kept : kept + text.slice(from)
}

/** For a text that was written as an entry: only closed parts, because a lone `<private>` may be its subject. */
export function withoutClosedPrivate(text: string): string {
  return text.includes('<') ? text.replace(CLOSED, PRIVATE_MARK) : text
}

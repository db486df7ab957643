import { whenNeeded } from './script.ts'

/**
 * A statement of any origin as one line that is plain data anywhere: in a Markdown list, in a terminal, in a prompt.
 *
 * "## Done\n- [ ] Rotate <!-- x --> keys"   →   "Rotate ‹!-- x --› keys"
 *
 * Idempotent.
 */
export function plainStatement(text: string, most: number): string {
  let line = text
    .slice(0, READ_CHARACTERS)
    .replace(unseen(), ' ')
    .replace(/`{3,}|~{3,}/g, '')
    // Removes tags, comments and markers of a projection; `a < b` and `Map<string>` stay.
    .replace(/<(?=[!/?|]|\s*[a-z][\w-]*(?:\s[^<>]*)?\/?>)/gi, '‹')
    .replace(/--+>/g, '--›')
    .replace(/\s+/g, ' ')
    .trim()
  for (;;) {
    const bare = line.replace(LEAD, '').trim()
    if (bare === line) break
    line = bare
  }
  return cutAtWord(line, most)
}

const READ_CHARACTERS = 4_000
/** Control characters, direction marks, invisible characters, lone surrogates. */
const unseen = whenNeeded(() => /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029\ufeff]+/gu)
/** Marks that make a line a heading, a quotation, a list, a task, a rule or a table. */
const LEAD =
  /^(?:#{1,6}(?=\s|$)|>|[-*+•](?=\s|$)|\d{1,3}[.)](?=\s)|\[[ xX]\](?=\s|$)|(?:-{3,}|={3,}|\*{3,}|_{3,})(?=\s|$)|\|)\s*/

/** Does not cut a word if a boundary is near. */
function cutAtWord(line: string, most: number): string {
  if (line.length <= most) return line
  const kept = line.slice(0, most - 1)
  const end = kept.lastIndexOf(' ')
  const cut = end > most * 0.6 ? kept.slice(0, end) : /[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept
  return `${cut.replace(/[\s,;:(]+$/, '')}…`
}

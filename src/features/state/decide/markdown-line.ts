/**
 * Text of any origin as one line of Markdown that is only words: it opens no heading, list, quote, rule, table, fence, link, image
 * or tag, and imports no file. What stands in a code span stays as it is. Expects text without control characters (`neutralise`).
 *
 *   "# Drop\nall"            \# Drop all
 *   "see ![x](http://h/)"    see !\[x]\(http://h/)
 *   "read @.env"             read \@.env
 *   "use `Map<K, V>` <b>"    use `Map<K, V>` \<b>
 */
export function markdownLine(text: string, maxCharacters = 400): string {
  const line = cutLine(text.replace(/\s+/g, ' ').trim(), maxCharacters)
  return escapeStart(escapeOutsideCode(line))
}

/** A path, a command, a name: literal, whatever characters it has. */
export function codeSpan(text: string, maxCharacters = 200): string {
  const line = cutLine(text.replace(/\s+/g, ' ').trim(), maxCharacters)
  if (line === '') return ''
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${gap}${line}${gap}${fence}`
}

export function cutLine(line: string, most: number): string {
  if (line.length <= most) return line
  const cut = line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  const word = cut.lastIndexOf(' ')
  return `${(word > most / 2 ? cut.slice(0, word) : cut).trimEnd()}…`
}

/** A span is closed by a run of exactly as many ticks; a run that nothing closes is no span and must not become one. */
function escapeOutsideCode(line: string): string {
  let out = ''
  let at = 0
  for (;;) {
    const open = /`+/.exec(line.slice(at))
    if (open === null) return out + escapeProse(line.slice(at))
    const from = at + open.index
    const after = from + open[0].length
    out += escapeProse(line.slice(at, from))
    // Behind a lone backslash a tick opens no span.
    if (/(?<!\\)(?:\\\\)*\\$/.test(out)) out += '\\'
    const close = closingRun(line, after, open[0].length)
    if (close === undefined) {
      out += '\\`'.repeat(open[0].length)
      at = after
    } else {
      out += line.slice(from, close)
      at = close
    }
  }
}

function closingRun(line: string, from: number, length: number): number | undefined {
  const runs = /`+/g
  runs.lastIndex = from
  for (let run = runs.exec(line); run !== null; run = runs.exec(line))
    if (run[0].length === length) return run.index + length
  return undefined
}

function escapeProse(text: string): string {
  return (
    text
      .replace(/(?<!\\)<(?=[a-z/!?])/gi, '\\<')
      .replace(/!\[/g, '!\\[')
      .replace(/\](?=[(:])/g, ']\\')
      .replace(/\]\[/g, ']\\[')
      // Hosts put the file in its place, also in what a rule file imports: nothing that was only said may name one.
      .replace(/(?<![\w\\])@(?=\S)/g, '\\@')
  )
}

const BLOCK_START = /^(?:#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|~{3}|\||\[|(?:[-*_=]\s*){3,}$|=+\s*$|-+\s*$)/
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/

function escapeStart(line: string): string {
  if (NUMBERED.test(line)) return line.replace(NUMBERED, '$1\\$2')
  return BLOCK_START.test(line) ? `\\${line}` : line
}

import { whenNeeded } from '../text/script.ts'

/** The maximum length of a title: a heading fits on a line of a terminal with its date and its tags. */
const MAX_CHARACTERS = 72
/** A shorter clause at the beginning says too little to cut after it. */
const MIN_CHARACTERS = 12
/** Fewer words before a colon are a label ("Default sync policy: …"), before a "!" an exclamation: the statement follows. */
const MIN_WORDS_BEFORE_MORE = 5
/** A label of so many words means nothing without what follows: "Why:", "Bug fix:". */
const LABEL_WORDS = 2
/** Lines are not wrapped before this many characters. */
const WRAPPED_FROM = 20
const READ_CHARACTERS = 2_000
/** For one line: markup and a long link may come before the words. */
const LINE_CHARACTERS = 400
const READ_LINES = 20

/** Marks that make a line a heading, a quotation, a list, a task or a table. */
const LINE_MARKS = /^(?:\s+|#{1,6}(?=\s|$)|>+|[-*+•](?=\s|$)|\d{1,3}[.)](?=\s)|\[[ xX]\](?=\s|$)|\|)/
const FENCE_MARK = /^\s*(?:`{3,}|~{3,})/
const LINK = /!?\[([^[\]]*)\]\([^()\s]*\)/g
const WIKI_LINK = /\[\[([^[\]|]*)(?:\|([^[\]]*))?\]\]/g
/** Not the stars of `src/**` and `*.ts`. */
const EMPHASIS = /(?<![\w/*])(\*{1,3}|~~)(?=[^\s/.])([^*~]*[^\s*~])\1(?![\w/*])/g
const UNDERLINED = /(^|[\s(])(_{1,3})(?=\S)([^_]*[^\s_])\2(?=$|[\s).,;:!?])/g
/** Emphasis that ends in another line or nowhere. */
const UNPAIRED = /(^|\s)\*{2,3}(?=[^\s*/.])/g
const CODE = /`([^`]*)`/g
const ASCII = /[ -~]/g
const QUOTATION = /"[^"]+"|“[^”]+”/g
const END_INSIDE = /[.!?;:](?!["”])/g
/**
 * Characters of code are shifted here meanwhile, so that none of them is a mark or an end. The text has none there: they are in `unseen`.
 */
const MOVED_BY = 0xe000
const MOVED = /[\ue020-\ue07e]/g
/** A full stop inside `v1.2`, `cache.ts` or `e.g.` does not end a sentence. */
const SENTENCE_END = /[.!?;:]+["'”’)\]]*(?=\s|$)|[。！？；：]|\s(?:-{1,3}|–|—)\s|—/g
const SHORT_FORM = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|p\.ex|ex|Dr|Sr|Sra|St|No|n|p|cf)\.$/i
/**
 * A clause that ends in one of these continues: "The steps are: build, push". None of them is a negation, so a long title can lose them
 * too.
 */
const OPEN_END =
  /(?:^|\s)(?:a|an|the|of|to|in|on|at|by|for|from|with|into|per|as|and|or|that|which|is|are|was|were|be|has|have|its|o|os|um|uma|de|do|da|dos|das|em|na|nas|por|para|com|e|ou|que|ao|é|são|foi|el|la|los|las|un|una|del|en|con|y|es|son)$/
const SMALL_LETTER = /^\s*[a-z\u00df-\u00f6\u00f8-\u00ff]/
const LINE_START_MARK = /^\s*(?:#{1,6}(?:\s|$)|>|[-*+•](?:\s|$)|\d{1,3}[.)]\s|\|)/
const REASON = /,?\s(?:because|so that|since|porque|pois|para que|já que)\s|，(?:因为|因為|所以)/i

const unseen = whenNeeded(() => /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029\ufeff]+/gu)
const anyWord = whenNeeded(() => /[\p{L}\p{N}]/u)
const SEEN = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u024f]*$/
const LATIN_WORD = /[A-Za-z0-9]/
const MARKED = /[<>[\]*~_`·#]/
const BLANK_RUNS = /\s{2,}|[^\S ]/g

/**
 * The subject of a statement, for the heading of its entry: its first clause, without Markdown.
 *
 * "- [ ] Unit tests **never** touch Redis: it is shared.\n…"   →   "Unit tests never touch Redis"
 *
 * Empty if there are no words. It is for people to read: code never reads it back.
 */
export function titleOf(content: string): string {
  const lines = content.slice(0, READ_CHARACTERS).split('\n', READ_LINES)
  for (const [at, line] of lines.entries()) {
    if (FENCE_MARK.test(line)) continue
    const title = withoutHeadingMarks(movedBack(cut(firstClause(wholeLine(lines, at)))))
    if (hasWord(title)) return title
  }
  return ''
}

/** A line with those that it was wrapped into, or with the text after its label: "Remember:" and the list below it. */
function wholeLine(lines: readonly string[], at: number): string {
  const first = (lines[at] ?? '').slice(0, LINE_CHARACTERS)
  let text = plainLine(first)
  for (const next of lines.slice(at + 1)) {
    if (text === '' || text.length >= LINE_CHARACTERS) break
    const isSkipped = next.trim() === '' || FENCE_MARK.test(next)
    if (isLabel(text)) {
      if (isSkipped) continue
    } else if (isSkipped || isHeading(first) || !goesOn(text, next)) break
    text = `${text} ${plainLine(next.slice(0, LINE_CHARACTERS))}`.trim()
  }
  return text
}

function isHeading(line: string): boolean {
  return /^\s*#{1,6}\s/.test(line)
}

function isLabel(text: string): boolean {
  return text.endsWith(':') && text.split(' ').length <= LABEL_WORDS
}

function goesOn(text: string, next: string): boolean {
  if (text.length < WRAPPED_FROM) return false
  return SMALL_LETTER.test(next)
    ? !/[.!?;。！？]["'”’)\]]*$/.test(text)
    : isOpen(text) && !LINE_START_MARK.test(next)
}

/** Whether a clause that ends here is incomplete. */
function isOpen(text: string): boolean {
  return text.endsWith(',') || OPEN_END.test(text)
}

function plainLine(line: string): string {
  let text = SEEN.test(line) ? line : line.replace(unseen(), ' ')
  for (;;) {
    const bare = text.replace(LINE_MARKS, '')
    if (bare === text) break
    text = bare
  }
  // Most lines have none of the characters below, so seven searches are skipped for them.
  if (!MARKED.test(text)) return text.replace(BLANK_RUNS, ' ').trim()
  return text
    .replace(CODE, (_, code: string) => code.replace(ASCII, moved))
    .replace(/<!--.*?(?:-->|$)/g, ' ')
    .replace(LINK, '$1')
    .replace(WIKI_LINK, (_, target: string, shown?: string) => shown ?? target)
    .replace(EMPHASIS, '$2')
    .replace(UNPAIRED, '$1')
    .replace(UNDERLINED, '$1$3')
    .replaceAll('`', '')
    .replace(BLANK_RUNS, ' ')
    .trim()
}

function moved(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + MOVED_BY)
}

function movedBack(text: string): string {
  return text.replace(MOVED, character => String.fromCharCode(character.charCodeAt(0) - MOVED_BY))
}

/** These mean something in a heading or to a reader of HTML; a word with `#` in front would be a tag. */
function withoutHeadingMarks(text: string): string {
  return text
    .replace(/·|<!--|-->/g, ' ')
    .replace(/(^|\s)#+/g, '$1')
    .replace(BLANK_RUNS, ' ')
    .trim()
}

function firstClause(text: string): string {
  const line = text.replace(QUOTATION, quoted => quoted.replace(END_INSIDE, moved))
  let end = line.length
  let closing = ''
  for (const match of line.matchAll(SENTENCE_END)) {
    const upTo = line.slice(0, match.index + 1)
    if (SHORT_FORM.test(upTo)) continue
    if (match.index < MIN_CHARACTERS && !/^[。！？；：.!?]/.test(match[0])) continue
    const isShort = upTo.split(' ').length < MIN_WORDS_BEFORE_MORE
    if (match[0] === ':' && (isShort || isOpen(upTo.slice(0, -1)))) continue
    if (match[0].startsWith('!') && isShort && match.index + match[0].length < line.length) continue
    end = match.index
    closing = match[0].replace(/[^"'”’)\]]/g, '')
    break
  }
  const clause = line.slice(0, end) + closing
  const reason = REASON.exec(clause)
  const said = clause.slice(0, reason?.index)
  return (said.length >= MIN_CHARACTERS && !isOpen(said) ? said : clause).trim()
}

/** A long clause ends at the end of a part of it, or else after a whole word. */
function cut(text: string): string {
  const bare = withoutTail(text)
  if (bare.length <= MAX_CHARACTERS) return bare
  const kept = bare.slice(0, MAX_CHARACTERS - 1)
  const bracket = kept.lastIndexOf(' (')
  const isOpen = bracket > kept.lastIndexOf(')')
  const comma = kept.replace(/\([^()]*\)/g, inner => '_'.repeat(inner.length)).lastIndexOf(', ')
  const part = isOpen ? bracket : comma
  const blank = kept.lastIndexOf(' ')
  const end = part > MAX_CHARACTERS * 0.45 ? part : blank > MAX_CHARACTERS * 0.6 ? blank : kept.length
  let title = withoutTail(kept.slice(0, end).replace(/[\ud800-\udbff]$/, ''))
  while (OPEN_END.test(title)) title = withoutTail(title.replace(OPEN_END, ''))
  return `${title}…`
}

function withoutTail(text: string): string {
  return text.replace(/[\s,;:.(\-–—，、|]+$/, '')
}

function hasWord(text: string): boolean {
  return LATIN_WORD.test(text) || (!SEEN.test(text) && anyWord().test(text)) || /[\u00c0-\u024f]/.test(text)
}

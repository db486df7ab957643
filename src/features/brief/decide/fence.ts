/**
 * Memory is data. The text between the two lines of a fence is content. Content can neither end the fence, nor
 * open one, nor pass for a turn of the conversation or a system message.
 *
 * One rule for characters, one for tags, one for lines; the same in every format, each visible and as small as it can be:
 *
 *   characters   control → its picture (`␛[31m`), bidi override → `[U+202E]`, half a surrogate pair → `�`, invisible
 *                (zero-width, variation selectors, tags) → gone: nothing is left that could hide a word from the other rules
 *   tags         `<` becomes `&lt;` before a name that is written as hosts write theirs (`<system-reminder>`, `<claudeMd>`), that
 *                is taken (`<context>`, `</project_memory>`) or that belongs to a pair of tags that is not HTML; and before `|`
 *                and `!`. `<div>`, `Map<string, T>`, `a < b`, `show <id>` stay; `[INST]` becomes `\[INST]`
 *   lines        a line that reads as a turn or a fence (`Human:`, `### System`, `## MEMORY CONTEXT`), or as one
 *                of our marks (`[⚠ CONFLICT] …`), gets `| ` before it
 *
 * and one rule for each format, about the position of content:
 *
 *   xml          between `<entry …>` and `</entry>`
 *   markdown     in a list item, every line two blanks in: no heading, rule or code fence of the content ends the item, and
 *                a code fence that it opens and does not close is closed for it
 *   plain        the same list, without the code fences' rule
 */

/** Makes content of any origin safe for a brief. May have several lines. Idempotent. */
export function neutralise(text: string): string {
  return neutraliseLines(neutraliseTags(neutraliseCharacters(text).replace(BRACKETED_ROLE, neutraliseRole)))
}

/** For a name, an id, a date in a line of our own: one line of harmless characters. */
export function neutraliseName(text: string, most = 80): string {
  const line = neutraliseCharacters(text)
    .replace(/[\n\t]+/g, ' ')
    .replace(/[<>＜＞﹤﹥"'`&[\]{}|\\=·]/g, '_')
    .trim()
  const cut = Array.from(line.slice(0, most)).filter(letter => !/^[\ud800-\udfff]$/.test(letter))
  return line.length > most ? `${cut.join('')}…` : line
}

const LINE_BREAKS = /\r\n?|[\v\f\x85\u2028\u2029]/g
const CONTROLS = /[\0-\x08\x0e-\x1f\x7f-\x9f]/g
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g
const INVISIBLES =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the joiners alone are looked for
  /[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu
const UNPAIRED_OR_NONE = /[\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/gu
const NEEDS_CLEANING = /[^\n\t\x20-\x7e\xa1-\xac\xae-\u033f]/

function neutraliseCharacters(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text
  return text
    .replace(LINE_BREAKS, '\n')
    .replace(CONTROLS, control => {
      const code = control.charCodeAt(0)
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd'
    })
    .replace(BIDI_CONTROLS, control => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`)
    .replace(INVISIBLES, '')
    .replace(UNPAIRED_OR_NONE, '\ufffd')
}

/** Whole names that a chat format, a host or our own fence gives a meaning. */
const TAKEN_NAMES = new Set(
  'ai bos context developer entry env environment eos function human inst model role s sys system tool turn user'.split(
    ' ',
  ),
)
/** Names that contain one of these, in any spelling. */
const TAKEN_PARTS =
  /projectmemory|context|claudemd|system|reminder|assistant|instruction|userprompt|toolresult|tooluse|toolcall|functioncall|functionresult|invoke|antml|ofturn|imstart|imend|endoftext|userquery|humanturn/
/** Replaces a letter of another script that is not in the table of twins: it may look like any letter. */
const UNKNOWN = '\0'
const withUnknown = (name: string): string => name.replace(/[a-z]/g, letter => `[${letter}${UNKNOWN}]`)
/** The names of our own fence. */
const FENCE_NAME = new RegExp(
  `^(?:${withUnknown('endof')})?(?:${withUnknown('the')})?(?:${withUnknown('projectmemory')}|${withUnknown('memorycontext')})`,
)
/** Maximum letters between the brackets of a name that is written with blanks. */
const MAX_SPACED_NAME_LENGTH = 40
/** Elements that notes about web pages quote. They mean nothing to a host. */
const HTML_ELEMENTS = new Set(
  (
    'a abbr address area article aside audio b base blockquote body br button canvas caption center circle cite code col colgroup ' +
    'data datalist dd del details dfn dialog div dl dt ellipse em embed fieldset figcaption figure font footer form frame g h1 h2 ' +
    'h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li line link main map mark math menu meta meter ' +
    'nav noscript object ol optgroup option output p param path picture polygon polyline pre progress q rect samp script search ' +
    'section select slot small source span strong style sub summary sup svg table tbody td template text textarea tfoot th thead ' +
    'time title tr track u ul use var video wbr'
  ).split(' '),
)
/** Letters of other scripts that are drawn like Latin ones. */
const TWINS: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  н: 'h',
  і: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  о: 'o',
  р: 'p',
  с: 'c',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  α: 'a',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ϲ: 'c',
  ı: 'i',
  ſ: 's',
}

/** Characters and HTML entities that a reader may take for the bracket before a tag. */
const BRACKET =
  /[<\u02c2\u1438\u2039\u226e\u2329\u276c\u276e\u2770\u27e8\u3008\ufe64\uff1c]|&(?:lt|nvlt|#0*60(?!\d)|#x0*3c(?![\da-f]));?/gi
/** The same bracket in another width; the others are drawn like it and also quote text. */
const CERTAIN_BRACKET = /[<\u226e\ufe64\uff1c&]/
const END = /[>\u02c3\u1433\u203a\u226f\u232a\u276d\u276f\u2771\u27e9\u3009\ufe65\uff1e]/
const BLANK = /[\s\u2800]/
const NOT_SPACED = /[\d"'`=(){}[\],;:.&+*]/
const SLASH = /[/\\\uff0f\uff3c\u2044\u2215]/
const FORWARD_SLASH = /[/\uff0f\u2044\u2215]/
const GAP = /^[\s\u2800/\\\uff0f\uff3c\u2044\u2215]*/
const NAME =
  /^(?:[|!\uff5c\uff01\u01c0\u2223]|[^\s\u2800/\\\uff0f\uff3c\u2044\u2215>\u02c3\u1433\u203a\u226f\u232a\u276d\u276f\u2771\u27e9\u3009\ufe65\uff1e"'=(){}[\],;]{1,80})/
const BAR = /^[|!\uff5c\uff01\u01c0\u2223]/
const COMPLETE =
  /^(?:[\s\u2800/\\\uff0f]*[>\u02c3\u1433\u203a\u226f\u232a\u276d\u276f\u2771\u27e9\u3009\ufe65\uff1e]|[\s/]+[\w:-]{1,80}\s*=(?!=))/
/** `<command-name>`, `<environment_context>`, `<ns:call>`; an address of mail is none. */
const JOINED_NAME = /^[^@]*[a-z\d][-_:\u2010-\u2015]+[a-z\d][^@]*$/i
/** `<claudeMd>`; a component of a page begins with a capital. */
const CAMEL_NAME = /^[a-z]+[A-Z]\w*$/
/** `std::string` and `my_type` are types, `command-name` and `ns:call` are not. */
const NEVER_TYPE = /-|[^:]:[^:]/
const ONLY_MARKUP = /^[\s>*_#|`~-]*$/
const BRACKETED_ROLE = /[[\uff3b]\s*(?:[/\uff0f]\s*)?([^\s[\]\uff3b\uff3d]{1,40})\s*[\]\uff3d]/g
/** An entity in the name of a tag can only be meant to hide it: `<&ZeroWidthSpace;system>`, `<&sopf;ystem>`. */
const HIDDEN_NAME =
  /^[\s\u2800/\\\uff0f\uff3c\u2044\u2215]*[^\s\u2800/\\\uff0f\uff3c\u2044\u2215<>"'=&]*&(?:#\w|[a-z]\w+;)/i
/** A letter of another script among Latin ones, or one of the letters that are only drawn like Latin ones (`ꜱʏꜱ`). */
const DISGUISED =
  /[a-z_][^\s/]*[\u0180-\u2e7f\ua4d0-\uabff\u{10000}-\u{1efff}]|[\u0180-\u2e7f\ua4d0-\uabff\u{10000}-\u{1efff}][^\s/]*[a-z_]|[\u0180-\u02ff\u13a0-\u13ff\u1d00-\u1dbf\ua4d0-\ua4ff\ua720-\ua7ff\uab30-\uabbf]/iu
const NO_LETTER = /[\s\x80-\xbf\u2000-\u2bff\u3000-\u303f\u{1f000}-\u{1ffff}]/u
const COMBINING = /[\u0300-\u036f\u20d0-\u20f0]/g
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,31}));?/gi
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', tab: ' ', newline: '\n', zwj: '', zwnj: '', shy: '' },
  ...{ sol: '/', bsol: '\\', lowbar: '_', hyphen: '-', vert: '|', excl: '!', gt: '>' },
}

/** A tag as a reader takes it: entities resolved, invisible characters removed. */
interface ReadTag {
  /** Blanks and slashes between the bracket and the name. */
  readonly gap: string
  readonly name: string
  /** The name is followed by the end of the tag, or by attributes. */
  readonly isComplete: boolean
  readonly hasEnd: boolean
  /** All its letters. */
  readonly letters: string
  /** It has only letters and blanks: `< environment context >`. */
  readonly isSpaced: boolean
  /** An entity is in its name or before it. */
  readonly isHidden: boolean
  /** Its name is not written in the letters of one script. */
  readonly isDisguised: boolean
}

function readTag(rest: string): ReadTag {
  const bare = rest.replace(COMBINING, '')
  const seen = bare.replace(ENTITY, characterOf).replace(/\\(?=[_-])/g, '')
  const end = seen.search(END)
  const inside = end === -1 ? seen : seen.slice(0, end)
  const letters = latinOf(inside)
  const gap = GAP.exec(seen)?.[0] ?? ''
  const name = NAME.exec(seen.slice(gap.length))?.[0] ?? ''
  const after = seen.slice(gap.length + name.length)
  const isSpaced = end !== -1 && letters.length <= MAX_SPACED_NAME_LENGTH && !NOT_SPACED.test(inside)
  return {
    gap,
    name: asRead(name),
    isComplete: COMPLETE.test(after),
    hasEnd: end !== -1,
    letters,
    isSpaced,
    isHidden: HIDDEN_NAME.test(bare),
    isDisguised: /[^\x00-\x7f]/.test(rest) && DISGUISED.test(plainOf(isSpaced ? inside.slice(0, 200) : name)),
  }
}

function characterOf(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? (whole.endsWith(';') ? '' : whole)
  const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16)
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code < 0xe000)) return '\ufffd'
  return String.fromCodePoint(code).replace(INVISIBLES, '')
}

function neutraliseTags(text: string): string {
  const brackets = [...text.matchAll(BRACKET)]
  if (brackets.length === 0) return text
  const tags = brackets.map(({ 0: bracket, index }, number) =>
    readTag(text.slice(index + bracket.length, brackets[number + 1]?.index)),
  )
  const closed = new Set(tags.filter(isClosing).map(({ name }) => name))
  let written = ''
  let from = 0
  brackets.forEach(({ 0: bracket, index }, number) => {
    const tag = tags[number]
    const last = brackets[number - 1]
    const between = text.slice(last === undefined ? 0 : last.index + last[0].length, index)
    if (tag === undefined || !isTaken(tag, { bracket, between, isFirst: number === 0, closed })) return
    written += `${text.slice(from, index)}&lt;`
    from = index + bracket.length
  })
  return written + text.slice(from)
}

function neutraliseRole(role: string, name: string, at: number, whole: string): string {
  const isPair = /^(?:inst|sys)$/.test(latinOf(name))
  const isRole = isPair || /^(?:system|user|assistant|human)$/.test(latinOf(name))
  const before = whole.charAt(at - 1)
  return !isRole || before === '\\' || (!isPair && /\w/.test(before)) ? role : `\\${role}`
}

function isClosing({ gap }: ReadTag): boolean {
  return SLASH.test(gap)
}

interface TagPlace {
  readonly bracket: string
  /** The text since the last bracket, or since the beginning. */
  readonly between: string
  readonly isFirst: boolean
  readonly closed: ReadonlySet<string>
}

function isTaken(tag: ReadTag, { bracket, between, isFirst, closed }: TagPlace): boolean {
  const { gap, name, isComplete, hasEnd, letters, isSpaced, isHidden, isDisguised } = tag
  if (isFenceName(letters)) return true
  const isCertain = CERTAIN_BRACKET.test(bracket)
  if (BAR.test(name)) return isCertain && !gap.includes('\n')
  const isGlued = gap === '' && /[\w$]/.test(between.slice(-1))
  const isTag = isComplete || (hasEnd && !isGlued && (gap === '' || FORWARD_SLASH.test(gap)))
  if (isCertain && (isHidden || (isDisguised && (isTag || isSpaced)))) return true
  const plain = latinOf(name)
  const known = isSpaced ? [plain, letters] : [plain]
  if (known.some(each => TAKEN_NAMES.has(each) || TAKEN_PARTS.test(each)))
    return (isTag || isSpaced || !BLANK.test(gap)) && !(isGlued && /^[A-Z]/.test(name))
  // A quotation mark of another language, a comparison, or an element of a page.
  if (!isCertain || !isTag || HTML_ELEMENTS.has(name.toLowerCase())) return false
  const isOfPair = isClosing(tag) || closed.has(name)
  if (JOINED_NAME.test(name) || CAMEL_NAME.test(name)) return isOfPair || !isGlued || NEVER_TYPE.test(name)
  if (!/^[a-z][a-z\d]*$/.test(name)) return false
  const line = between.slice(between.lastIndexOf('\n') + 1)
  const beginsLine = ONLY_MARKUP.test(line) && (isFirst || line.length < between.length)
  return isOfPair || (isComplete && beginsLine)
}

/** At least half of its letters are known: a sentence of another script is none. */
function isFenceName(letters: string): boolean {
  const name = FENCE_NAME.exec(letters)?.[0] ?? ''
  return name.replaceAll(UNKNOWN, '').length * 2 > name.length
}

function latinOf(name: string): string {
  return plainOf(name)
    .replace(/[^\x00-\x7f]/gu, letter => TWINS[letter] ?? (NO_LETTER.test(letter) ? '' : UNKNOWN))
    .replace(/[^a-z\0]/g, '')
}

function plainOf(name: string): string {
  return name.normalize('NFKD').replace(COMBINING, '').toLowerCase()
}

const ROLES =
  'human|assistant|system|user|developer|ai|model|tool|function|agent|sistema|usuario|assistente|humano'
const TURN_LINE = new RegExp(
  `^[ \\t]{0,8}(?:[>*_#]+[ \\t]{0,4}){0,4}(?:${ROLES}|instruction|response)(?:[ \\t]+(?:prompt|message|instructions?|reminder|note))?[ \\t*_]{0,8}[:：]`,
  'i',
)
const TURN_HEADING = new RegExp(
  `^[ \\t]{0,8}(?:>[ \\t]{0,4})?(?:#{1,6}|\\*\\*|__)[ \\t]{0,8}(?:${ROLES}|instructions?|response)(?:[ \\t]+(?:prompt|message|instructions?|reminder|turn))?[ \\t*_#]*$`,
  'i',
)
/** A line that contains nothing else, with any characters between its letters. */
const FENCE_LINE = /^(?:endof)?(?:the)?(?:memorycontext|projectmemory)$/
/** Our own words outside the fence, and the headings and list items inside it. */
const OWN_LINE =
  /^[ \t]{0,8}(?:#{1,6}[ \t]*(?:memory|project scope)\b[^a-z]*:|(?:#{1,6}[ \t]*)?(?:pinned|project|last session|relevant (?:decisions|lessons|to this prompt)|open tasks|recovering previous session|recent sessions|found in this session by other agents)[ \t]*:?[ \t]*$|- \[[^\]]{1,120} · [^\]]{1,120}\])/i
const MAY_BE_TAKEN_LINE = new RegExp(
  `${ROLES}|instruction|response|memory|project|pinned|session|relevant|open tasks| · |⚠|superseded|系统|用户|助手`,
  'i',
)
/** The same in scripts that have no capital and no small letters. */
const OTHER_TURN_LINE = /^[ \t]{0,8}(?:系统|用户|助手|システム|ユーザー)[ \t]{0,8}[:：]/
/** The marks that we put after an entry. */
const MARK_LINE = /^[ \t]{0,8}\[(?:⚠[ \t]*\w+|superseded)\]/i
/** A longer line is not a heading or a turn marker of its own; the limit also keeps the patterns above fast. */
const MAX_FENCE_LINE_LENGTH = 200

function neutraliseLines(text: string): string {
  if (!MAY_BE_TAKEN_LINE.test(text) && !NEEDS_CLEANING.test(text)) return text
  return text
    .split('\n')
    .map(line => (isTakenLine(line) ? `| ${line}` : line))
    .join('\n')
}

function isTakenLine(line: string): boolean {
  const read = asRead(line)
  if (!MAY_BE_TAKEN_LINE.test(read)) return false
  const isMarked = line.startsWith('| ')
  const whole = read.trim().replace(LONG_GAP, '    ')
  const start = whole.slice(0, MAX_FENCE_LINE_LENGTH)
  if (MARK_LINE.test(start) || OTHER_TURN_LINE.test(start)) return true
  const bare = start.replace(ORNAMENT, '').replace(LIST_MARK, '')
  if (TURN_LINE.test(start) || TURN_LINE.test(bare)) return true
  if (!isMarked && [read, bare].some(form => FENCE_LINE.test(form.replace(/[^a-z0-9]/gi, '').toLowerCase())))
    return true
  return start === whole && [start, bare].some(form => TURN_HEADING.test(form) || OWN_LINE.test(form))
}

/** However many blanks there are, they are one gap. */
const LONG_GAP = /[\s\u2800]{5,}/g
/** List marks, quotes, code marks and simple tags before a role change nothing for a reader. */
const ORNAMENT = /`|(?:<|&lt;)\/?\w{1,10}>/g
/** One blank after it: two are a line of a diff. */
const LIST_MARK = /^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)]) (?! )/

/** How a reader takes it: full-width, styled and foreign letters that are drawn like Latin ones are those, blanks are blanks. */
function asRead(line: string): string {
  if (!NEEDS_CLEANING.test(line) && !line.includes('\u00a0')) return line
  return line.normalize('NFKC').replace(/[^\x00-\x7f]/g, letter => {
    const twin = TWINS[letter.toLowerCase()]
    return twin ?? (/\s/.test(letter) ? ' ' : letter)
  })
}

const CODE_FENCE = /^[ \t]{0,3}(`{3,}|~{3,})/

/** For Markdown: the end of the content is the end of its code. */
export function closeCodeFence(text: string): string {
  let open = ''
  for (const line of text.split('\n')) {
    const mark = CODE_FENCE.exec(line)?.[1] ?? ''
    if (mark === '') continue
    if (open === '') open = mark
    else if (mark.charAt(0) === open.charAt(0) && mark.length >= open.length) open = ''
  }
  return open === '' ? text : `${text}\n${open}`
}

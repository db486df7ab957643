/**
 * Memory is data. What stands between the two lines of a fence is content, and content can neither end the fence, nor
 * open one, nor pass for a turn of the conversation or a word of the system.
 *
 * One rule for characters, one for tags, one for lines; the same in every format, each visible and as small as it can be:
 *
 *   characters   control → its picture (`␛[31m`), bidi override → `[U+202E]`, half a surrogate pair → `�`, invisible
 *                (zero-width, variation selectors, tags) → gone: nothing is left that could hide a word from the other rules
 *   tags         `<` becomes `&lt;` before a name that a host, a model or our own fence uses (`</project_memory>`,
 *                `<system-reminder>`, `<|im_start|>`), and before `!`; `<div>`, `Map<string, T>`, `a < b` stay;
 *                `[INST]` becomes `\[INST]`
 *   lines        a line that reads as a turn or a fence (`Human:`, `### System`, `## MEMORY CONTEXT`), or as one
 *                of our marks (`[⚠ CONFLICT] …`), gets `| ` before it
 *
 * and one rule for each format, for where content stands:
 *
 *   xml          between `<entry …>` and `</entry>`
 *   markdown     in a list item, every line two blanks in: no heading, rule or code fence of the content ends the item, and
 *                a code fence that it opens and does not close is closed for it
 *   plain        the same list, without the code fences' rule
 */

/** Content of any origin, as it may stand in a brief. May have several lines; twice is the same as once. */
export function neutralise(text: string): string {
  return neutraliseLines(neutraliseTags(neutraliseCharacters(text)))
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

const TAG = /[<＜﹤](\s{0,8}[/／\\]?\s{0,8})([|!]|[\w\-.:\u00aa-\uffdc]{1,80})/g
const SPACED_FENCE = /[<＜﹤](?=\s{0,8}[/／\\]?\s{0,8}project\s{1,8}memory)/gi
const BRACKETED_ROLE =
  /(?<!\\)\[(?=\s{0,4}\/?\s{0,4}(?:inst|sys)\s{0,4}\])|(?<![\\\w])\[(?=\s{0,4}\/?\s{0,4}(?:system|user|assistant|human)\s{0,4}\])/gi
/** Whole names that a chat format or our own fence gives a meaning. */
const TAKEN_NAMES = new Set(
  'ai bos developer entry eos function human inst model role s sys system tool turn user'.split(' '),
)
/** A name that has one of these in it, in whatever spelling. */
const TAKEN_PARTS =
  /projectmemory|memorycontext|system|reminder|assistant|instruction|systemprompt|userprompt|hookcontext|sessioncontext|toolresult|tooluse|toolcall|functioncall|functionresult|functionresults|invoke|antml|ofturn|imstart|imend|endoftext|userquery|humanturn/
const FENCE_PARTS = /projectmemory|memorycontext/
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

function neutraliseTags(text: string): string {
  return text
    .replace(BRACKETED_ROLE, '\\[')
    .replace(SPACED_FENCE, '&lt;')
    .replace(TAG, (tag: string, gap: string, name: string, at: number, whole: string) => {
      const rest = `${gap}${name}`
      if (name === '|' || name === '!') return gap.includes('\n') ? tag : `&lt;${rest}`
      const plain = latinOf(name)
      if (!TAKEN_NAMES.has(plain) && !TAKEN_PARTS.test(plain)) return tag
      const isTypeArgument = gap === '' && /^[A-Z]/.test(name) && /[\w$]/.test(whole.charAt(at - 1))
      return isTypeArgument && !FENCE_PARTS.test(plain) ? tag : `&lt;${rest}`
    })
}

function latinOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\x00-\x7f]/g, letter => TWINS[letter] ?? '')
    .replace(/[^a-z]/g, '')
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
const FENCE_LINE =
  /^(?!\| )[^a-z0-9]*(?:end[ \t_-]+of[ \t_-]+)?(?:the[ \t_-]+)?(?:memory[ \t_-]*context|project[ \t_-]*memory)[^a-z0-9]*$/i
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
/** A longer line is no heading and no turn marker of its own; and the patterns above stay quick. */
const LONGEST_FENCE_LINE = 200

function neutraliseLines(text: string): string {
  if (!MAY_BE_TAKEN_LINE.test(text) && !NEEDS_CLEANING.test(text)) return text
  return text
    .split('\n')
    .map(line => (isTakenLine(line) ? `| ${line}` : line))
    .join('\n')
}

function isTakenLine(line: string): boolean {
  const start = line.slice(0, LONGEST_FENCE_LINE)
  const read = asRead(start)
  if (!MAY_BE_TAKEN_LINE.test(read)) return false
  if (MARK_LINE.test(start) || OTHER_TURN_LINE.test(read)) return true
  const bare = read.replace(ORNAMENT, '').replace(LIST_MARK, '')
  if (TURN_LINE.test(read) || TURN_LINE.test(bare)) return true
  return (
    start === line &&
    [read, bare].some(form => TURN_HEADING.test(form) || FENCE_LINE.test(form) || OWN_LINE.test(form))
  )
}

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

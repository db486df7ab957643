import { Marked, type Token, type Tokens } from 'marked'

/** `[[id]]`: a link to another entry. */
export interface WikiToken {
  readonly type: 'wiki'
  readonly raw: string
  readonly id: string
}

export type MarkdownToken = Token | WikiToken

/**
 * Maximum number of characters searched for the end of an emphasis, per text. `_a*_a*_…` makes the search quadratic: 20,000 characters took
 * 5 s without this limit and take 0.1 s with it.
 */
const MAX_EMPHASIS_SCANNED = 1_000_000

let scanned = 0
const lexer = new Marked({
  gfm: true,
  extensions: [
    {
      name: 'wiki',
      level: 'inline',
      start: text => text.indexOf('[['),
      tokenizer(text) {
        const found = /^\[\[([^[\]\n]{1,200})\]\]/.exec(text)
        return found === null ? undefined : { type: 'wiki', raw: found[0], id: found[1] ?? '' }
      },
    },
  ],
  tokenizer: {
    emStrong(text) {
      scanned += text.length
      return scanned > MAX_EMPHASIS_SCANNED ? undefined : false
    },
  },
})

/** The tokens of a Markdown text; `undefined` if it is nested too deep (it is then shown as plain text). */
export function readMarkdown(text: string): readonly MarkdownToken[] | undefined {
  scanned = 0
  try {
    return lexer.lexer(text)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  rarr: '→',
  larr: '←',
  times: '×',
}

/** Decodes entities such as `&lt;`. */
export function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** The address of a link if it is safe: web and mail addresses, nothing that runs or reads in this page. */
export function safeAddress(address: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)/i.test(address)) return undefined
  const parsed = URL.parse(address)
  return parsed !== null && ['http:', 'https:', 'mailto:'].includes(parsed.protocol) ? parsed.href : undefined
}

export type { Tokens }

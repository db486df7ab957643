import { isSilentPrompt } from '../../../kernel/text/silent-prompt.ts'
import { fenceReader, isSaid, readablePart } from './spoken-text.ts'

const DENSE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g
const WORD = /[\p{L}\p{N}'’]+/gu
/** Addresses and mentions of files: they name something, but are not a request. */
const REFERENCE = /@?(?:https?:\/\/|file:\/\/)\S+|(?<![\w.])@\S+(?:\s\(\d+-\d+\))?/g
/** `div#root > div.flex > main`, `top=791px, left=173px`: copied from a browser's inspector. */
const INSPECTED = / > [^>]* > [^>]* > |(?:\w+=\S+,\s*){2}/
/** Longer lines are pasted. */
const MAX_LINE = 4_000
const ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)])\s/
/** From this length, the text after a line that announces it is a document. */
const DOCUMENT_CHARACTERS = 800

/** "Yes, go ahead" is not a request without its context. */
export function isSlight(said: string): boolean {
  const { dense, words } = weightOf(said)
  return dense < 10 && words < 6
}

function weightOf(text: string): { dense: number; words: number } {
  const plain = text.replace(REFERENCE, ' ')
  return { dense: plain.match(DENSE)?.length ?? 0, words: plain.match(WORD)?.length ?? 0 }
}

/**
 * The words that a person typed in a message, on one line: from its beginning to the first pasted text, and the text after it. If the
 * message continues with a document, only the text before it. Empty when the message has no such words.
 */
export function requestWords(text: string): string {
  const blocks = saidBlocks(text)
  const hasDocument = blocks.some(({ kind }) => kind === 'document')
  const said = blocks.filter(({ kind }) => kind === 'said').map(({ text: words }) => words)
  const [first = '', ...rest] = said
  if (blocks[0]?.kind === 'said') {
    const more = isSlight(first) ? rest[0] : hasDocument ? undefined : rest.at(-1)
    return more === undefined ? first : joined(first, more)
  }
  return rest.length > 0 && isSlight(said.at(-1) as string)
    ? said.slice(-2).reduce(joined)
    : (said.at(-1) ?? '')
}

function joined(before: string, after: string): string {
  return `${before}${/[.!?:;,。！？：；，]$/.test(before) ? '' : ';'} ${after}`
}

interface Block {
  readonly kind: 'said' | 'pasted' | 'document'
  /** Consecutive typed lines, joined. */
  readonly text: string
}

/** Adjacent paragraphs belong together: only pasted text or a Markdown heading ends a block. */
function saidBlocks(text: string): Block[] {
  const blocks: Block[] = []
  const fenced = fenceReader()
  let said = ''
  let isAfterBlank = false
  const end = (kind?: 'pasted' | 'document') => {
    if (said !== '') blocks.push({ kind: 'said', text: said.replace(/\s+/g, ' ') })
    if (kind !== undefined) blocks.push({ kind, text: '' })
    said = ''
  }
  const lines = readablePart(text).split('\n')
  for (const [at, raw] of lines.entries()) {
    if (fenced(raw) !== 'no' || raw.length > MAX_LINE) {
      end('pasted')
      continue
    }
    // "… with this content:", an empty line, and the content.
    if (
      isAfterBlank &&
      /[:：]$/.test(said) &&
      !ITEM.test(raw) &&
      lines.slice(at).join('\n').length >= DOCUMENT_CHARACTERS
    ) {
      end('document')
      break
    }
    const plain = afterMarkup(raw)
    if (plain !== raw) end('pasted')
    const line = plain.replace(/\*\*/g, '').trim()
    const { dense, words } = weightOf(line)
    if (/^#{1,6}\s/.test(line)) end('document')
    else if (dense + words > 0) {
      if (!isSaid(line) || INSPECTED.test(line)) end('pasted')
      else {
        const isItem = ITEM.test(line)
        const own = line.replace(/^[-*+•]\s+/, '')
        said = said === '' ? own : isItem || isAfterBlank ? joined(said, own) : `${said} ${own}`
      }
    }
    isAfterBlank = line === ''
  }
  end()
  return blocks
}

/** `<button class="…">Save</button> move it to the left`: the request follows the markup. */
function afterMarkup(line: string): string {
  const close = /^<\/[a-z][\w-]*>/i.exec(line.slice(line.lastIndexOf('</')))
  return close === null ? line : line.slice(line.lastIndexOf('</') + close[0].length)
}

/** Not after a single letter or a number: "e.g. this", "1. that". */
const SENTENCE_END = /(?<=[.!?;])(?<!(?:^|[\s.(])(?:\p{L}|\d{1,2})\.)\s+|(?<=[。！？；])/u

/**
 * A request of at most so many characters: without a leading "Great, looks good.", cut at the end of a sentence or after a word.
 */
export function clippedRequest(request: string, characters: number): string {
  const own = requestWords(request)
  const said = oneLine(own === '' ? request : own).replace(/[\s:：]+$/, '')
  if (said.length <= characters) return said
  const parts = said.replace(LONG_PATH, '$1').split(SENTENCE_END)
  const start = parts.findIndex(part => part.length > PRAISE_CHARACTERS || !isSilentPrompt(part))
  return clip(parts.slice(Math.max(0, start)).join(' '), characters)
}
const PRAISE_CHARACTERS = 24
/** A long path is shortened to its name: `/home/ana/app/src/page.tsx`. */
const LONG_PATH = /(?<!\S)@?(?:[A-Za-z]:|~)?(?:[\w.()[\]-]*[\\/]){3,}([\w.[\]-]+)/g

/** Whole sentences are used if they fill this share of the limit. */
const MIN_KEPT = 0.7

/** The beginning of a text: whole sentences if they nearly fill the limit, otherwise whole words and a mark. */
export function clip(text: string, characters: number): string {
  const line = oneLine(text)
  if (line.length <= characters) return line
  const result = line.slice(0, characters)
  const sentences = result.split(SENTENCE_END).slice(0, -1).join(' ')
  if (sentences.length >= characters * MIN_KEPT) return sentences.replace(/[;；]$/, '')
  const word = result.slice(0, -1).lastIndexOf(' ')
  return `${(word >= characters / 2 ? result.slice(0, word) : result.slice(0, -1)).replace(/[\ud800-\udbff]$|[\s,;:]+$/, '')}…`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The end of a message, at most so many characters: what the agent was about to do. */
export function lastSentences(text: string, characters: number): string {
  const parts = requestWords(text)
    .replace(/[:：]\s*$/, '')
    .split(SENTENCE_END)
  let result = ''
  for (const part of parts.reverse()) {
    const longer = result === '' ? part : `${part} ${result}`
    if (result !== '' && longer.length > characters) break
    result = longer
  }
  return clip(result, characters)
}

/** `B`, `option 2`, `1 we take the first`: one of the offered options. */
const CHOICE = /^(?:(?:\p{L}+\s+)?\(?([A-H]|\d{1,2})\)?(?=$|[\s.,!:])|([a-h])[).]?$)/u

/** The line of the offer that begins with the chosen option. */
export function chosenIn(offer: string, reply: string): string | undefined {
  const found = CHOICE.exec(reply)
  const choice = (found?.[1] ?? found?.[2])?.toLowerCase()
  if (choice === undefined) return undefined
  for (const raw of offer.split('\n')) {
    const line = raw
      .replace(/[*|#`]/g, ' ')
      .replace(/^[\s>-]+/, '')
      .replace(/\s+/g, ' ')
      .trim()
    const named = /^(?:\p{L}+\s)?\(?([A-Ha-h]|\d{1,2})\)?[\s.:)–—-]+(.+)$/u.exec(line)
    if (named?.[1]?.toLowerCase() === choice && named[2] !== undefined) return named[2]
  }
  return undefined
}

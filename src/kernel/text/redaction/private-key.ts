import type { Range, Span } from './placeholder.ts'

/** PEM has five dashes, the SSH2 format four and a space. PGP says BLOCK after KEY. */
const BEGIN = /-{4,5} ?BEGIN ([A-Z0-9 ]{0,40}?(?:KEY(?: BLOCK)?|CERTIFICATE(?: REQUEST)?)) ?-{4,5}/g
const END = /-{4,5} ?END [A-Z0-9 ]{0,50}-{4,5}/g

/** The largest private keys (RSA 16384, armoured) are shorter; an END further away belongs to something else. */
const MAX_BLOCK_LENGTH = 32_768

/**
 * The lines of a key whose END was cut off: base64 and, before it, `Proc-Type:` and the like. The line break may be a real one, `\n` as
 * in JSON, or `\\n` as in JSON inside JSON.
 */
const BREAK = String.raw`(?:\s|\\{1,2}[nr])`
const TRUNCATED_BODY = new RegExp(
  `${BREAK}*(?:(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\\n\\\\]{0,200}${BREAK}+){0,5}` +
    `[A-Za-z0-9+/=]{16,}(?:${BREAK}+[A-Za-z0-9+/=]{16,})*(?:${BREAK}+[A-Za-z0-9+/=]{1,15}(?=["'\`\\s\\\\]*(?:$|-|["'\`\\\\]|\\n)))?`,
  'y',
)
const KEY_MATERIAL = /[A-Za-z0-9+/=]{16}/

/** PuTTY's format has no armour, only a count of base64 lines. */
const PUTTY_PRIVATE =
  /(?<=Private-Lines: \d{1,3}(?:\s|\\[nr]){1,4})[A-Za-z0-9+/=]{16,}(?:(?:\s|\\[nr])+[A-Za-z0-9+/=]{16,})*/g

interface ArmouredBlocks {
  readonly privateKeys: Span[]
  /** Certificates and public keys: not secret, but they look as random as one. */
  readonly publicBlocks: Range[]
}

/** A bare `-----BEGIN PRIVATE KEY-----` in a sentence contains no key and stays. */
export function findArmouredBlocks(text: string): ArmouredBlocks {
  const blocks: ArmouredBlocks = { privateKeys: [], publicBlocks: [] }
  if (text.includes('Private-Lines:')) {
    for (const match of text.matchAll(PUTTY_PRIVATE)) {
      blocks.privateKeys.push({ type: 'private_key', start: match.index, end: match.index + match[0].length })
    }
  }
  if (!text.includes('BEGIN ')) return blocks

  const ends = Array.from(text.matchAll(END), match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
  const begins = Array.from(text.matchAll(BEGIN))
  let nextEnd = 0
  begins.forEach((begin, order) => {
    const bodyStart = begin.index + begin[0].length
    while (nextEnd < ends.length && (ends[nextEnd]?.start ?? 0) < bodyStart) nextEnd += 1
    const limit = Math.min(begins[order + 1]?.index ?? text.length, bodyStart + MAX_BLOCK_LENGTH)
    const close = ends[nextEnd]
    const end = close !== undefined && close.start < limit ? close.end : endOfTruncated(text, bodyStart)
    if (!KEY_MATERIAL.test(text.slice(bodyStart, end))) return
    if (begin[1]?.includes('PRIVATE'))
      blocks.privateKeys.push({ type: 'private_key', start: begin.index, end })
    else blocks.publicBlocks.push({ start: begin.index, end })
  })
  return blocks
}

function endOfTruncated(text: string, bodyStart: number): number {
  TRUNCATED_BODY.lastIndex = bodyStart
  return TRUNCATED_BODY.test(text) ? TRUNCATED_BODY.lastIndex : bodyStart
}

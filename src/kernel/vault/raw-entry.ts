import type { Encoding, Eol } from './vault-file.ts'

// The parts of the text of one entry, for edits.

export function commentOf(raw: string): string | undefined {
  return raw.startsWith('<!--') ? raw.slice(0, raw.indexOf('\n')) : undefined
}

export function headingLineOf(raw: string): string {
  const header = raw.slice(commentOf(raw)?.length ?? 0).trimStart()
  const newline = header.indexOf('\n')
  return (newline < 0 ? header : header.slice(0, newline)).replace(/\r$/, '')
}

export function ended(text: string, eol: Eol): string {
  return text.endsWith('\n') ? text : text + eol
}

export function eolOfRaw(raw: string): Eol {
  return raw[raw.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n'
}

export function encodeText(text: string, encoding: Encoding): string {
  return encoding === 'utf8' ? text : Buffer.from(text, 'utf8').toString('latin1')
}

export function decodeText(raw: string, encoding: Encoding): string {
  return encoding === 'utf8' ? raw : Buffer.from(raw, 'latin1').toString('utf8')
}

import { CairnError } from '../../../kernel/model/errors.ts'
import { parseDuration } from './parse-duration.ts'

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z?)?$/

/** `7d` ago, or a moment in UTC; in milliseconds. */
export function parseSince(text: string, nowMs: number): number {
  if (/^\d+[hdw]$/.test(text)) return nowMs - parseDuration(text)
  const atMs = DATE.test(text) ? Date.parse(text.includes('T') ? text.replace(/Z?$/, 'Z') : text) : Number.NaN
  if (!Number.isNaN(atMs)) return atMs
  throw new CairnError({
    code: 'invalid_input',
    message: `"${text.slice(0, 40)}" is no moment.`,
    hint: 'Give 2026-03-16, 2026-03-16T10:00, or how long ago: 24h, 7d, 2w.',
  })
}

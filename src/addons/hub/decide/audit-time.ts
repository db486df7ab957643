import { CairnError } from '../../../kernel/model/errors.ts'

const HOUR_MS = 60 * 60_000
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS }
const DURATION = /^(\d{1,5})([hdw])$/
const MAX_MS = 10 * 366 * 24 * HOUR_MS

/** `12h`, `90d`, `4w`: in milliseconds. */
export function parseDuration(text: string): number {
  const [, digits = '', unit = ''] = DURATION.exec(text) ?? []
  const durationMs = Number(digits) * (UNITS[unit] ?? Number.NaN)
  if (durationMs > 0 && durationMs <= MAX_MS) return durationMs
  throw new CairnError({
    code: 'invalid_input',
    message: `"${text.slice(0, 40)}" is not a valid lifetime of a token.`,
    hint: 'Give hours, days or weeks, ten years at most: 12h, 90d, 4w.',
  })
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z?)?$/

/** `7d` ago, or a time in UTC; in milliseconds. */
export function parseSince(text: string, nowMs: number): number {
  if (/^\d+[hdw]$/.test(text)) return nowMs - parseDuration(text)
  const atMs = DATE.test(text) ? Date.parse(text.includes('T') ? text.replace(/Z?$/, 'Z') : text) : Number.NaN
  if (!Number.isNaN(atMs)) return atMs
  throw new CairnError({
    code: 'invalid_input',
    message: `"${text.slice(0, 40)}" is not a valid time.`,
    hint: 'Give 2026-03-16, 2026-03-16T10:00, or an age: 24h, 7d, 2w.',
  })
}

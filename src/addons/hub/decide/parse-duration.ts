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
    message: `"${text.slice(0, 40)}" is no time that a token can be good for.`,
    hint: 'Give hours, days or weeks, ten years at most: 12h, 90d, 4w.',
  })
}

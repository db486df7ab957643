import { MONTHS_EN, MONTHS_PT } from './dates.ts'

/** A day or a period that a question names, as the tokens of `dateTokens`: days `20260316`, months `202603`. */
interface DatePhrase {
  readonly tokens: readonly string[]
  /** The phrase in the question, folded. */
  readonly text: string
  /** A weekday alone is as often part of the topic ("may I ship on Friday?") as it is a date. */
  readonly certain: boolean
}

const DAY_MS = 86_400_000
const MAX_SPAN_DAYS = 31

const ISO = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/g
const MONTH = [...MONTHS_EN, ...MONTHS_PT].join('|')
/** `10 June 2026`, `10-11 June`, `10th of June`, `20 de abril de 2026`. */
const DAY_MONTH = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)?(?:\\s*(?:-|to|and|e|a)\\s*(\\d{1,2}))?(?:st|nd|rd|th)?\\s+(?:of |de )?(${MONTH})\\b(?:,? (?:de )?(\\d{4}))?`,
  'g',
)
/** `June 10, 2026`, `June 10th`. */
const MONTH_DAY = new RegExp(`\\b(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4}))?`, 'g')
/** `June 2026`, `junho de 2026`. */
const MONTH_YEAR = new RegExp(`\\b(${MONTH}),? (?:of |de )?(\\d{4})\\b`, 'g')

/** Days relative to today, both ends included. */
const RELATIVE: readonly (readonly [phrase: RegExp, from: number, to: number])[] = [
  [/\b(?:today|hoje)\b/g, 0, 0],
  [/\b(?:yesterday|ontem)\b/g, -1, -1],
  [/\b(?:anteontem|day before yesterday)\b/g, -2, -2],
]
const WEEKS: readonly (readonly [phrase: RegExp, weeksBack: number])[] = [
  [/\b(?:this week|(?:esta|essa|nesta|nessa) semana)\b/g, 0],
  [/\b(?:last week|previous week|semana passada)\b/g, 1],
]
const MONTHS: readonly (readonly [phrase: RegExp, monthsBack: number])[] = [
  [/\b(?:this month|(?:este|esse|neste|nesse) mes)\b/g, 0],
  [/\b(?:last month|previous month|mes passado)\b/g, 1],
]
const WEEKDAY =
  /\b(?:(domingo|sunday)|(segunda|monday)|(terca|tuesday)|(quarta|wednesday)|(quinta|thursday)|(sexta|friday)|(sabado|saturday))\b/g

/** Every phrase contains one of these: most questions need only this one test. */
const DATE_HINTS =
  'day week month hoje ontem semana mes segunda terca quarta quinta sexta sabado domingo 0 1 2 3 4 5 6 7 8 9'.split(
    ' ',
  )

/** `text` is lower case without diacritics. Relative phrases and dates without a year need `now` (`2026-03-16T16:51`). */
export function findDatePhrases(text: string, now?: string): DatePhrase[] {
  const found: DatePhrase[] = []
  if (!DATE_HINTS.some(hint => text.includes(hint))) return found
  const today = now === undefined ? undefined : dayOf(now)
  for (const [phrase, year = '', month = '', day = ''] of text.matchAll(ISO)) {
    found.push(certain(phrase, [year + month + day]))
  }
  for (const [phrase, first = '', last, month = '', year] of text.matchAll(DAY_MONTH)) {
    const days = Number(last ?? first) - Number(first)
    const start = resolveDay(Number(first), month, year, today)
    if (start !== undefined && days >= 0 && days <= MAX_SPAN_DAYS) {
      found.push(certain(phrase, daysBetween(start, start + days * DAY_MS)))
    }
  }
  for (const [phrase, month = '', day = '', year] of text.matchAll(MONTH_DAY)) {
    const start = resolveDay(Number(day), month, year, today)
    if (start !== undefined) found.push(certain(phrase, daysBetween(start, start)))
  }
  for (const [phrase, month = '', year = ''] of text.matchAll(MONTH_YEAR)) {
    found.push(certain(phrase, [year + twoDigits(monthNumber(month))]))
  }
  if (today !== undefined) found.push(...relativePhrases(text, today))
  return found
}

function relativePhrases(text: string, today: number): DatePhrase[] {
  const found: DatePhrase[] = []
  for (const [pattern, from, to] of RELATIVE) {
    for (const [phrase] of text.matchAll(pattern)) {
      found.push(certain(phrase, daysBetween(today + from * DAY_MS, today + to * DAY_MS)))
    }
  }
  const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS
  for (const [pattern, weeksBack] of WEEKS) {
    for (const [phrase] of text.matchAll(pattern)) {
      const start = monday - weeksBack * 7 * DAY_MS
      found.push(certain(phrase, daysBetween(start, start + 6 * DAY_MS)))
    }
  }
  for (const [pattern, monthsBack] of MONTHS) {
    for (const [phrase] of text.matchAll(pattern)) {
      const date = new Date(today)
      found.push(
        certain(phrase, [
          dayToken(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBack, 1)).slice(0, 6),
        ]),
      )
    }
  }
  for (const match of text.matchAll(WEEKDAY)) {
    const weekday = match.slice(1).findIndex(name => name !== undefined)
    const daysBack = (new Date(today).getUTCDay() - weekday + 7) % 7 || 7
    const day = today - daysBack * DAY_MS
    found.push({ tokens: daysBetween(day, day), text: match[0], certain: false })
  }
  return found
}

function certain(text: string, tokens: readonly string[]): DatePhrase {
  return { tokens, text, certain: true }
}

/** The given day; without a year, the latest one that is not after today, and undefined without `now`. */
function resolveDay(
  day: number,
  month: string,
  year: string | undefined,
  today: number | undefined,
): number | undefined {
  if (day < 1 || day > 31) return undefined
  const monthIndex = monthNumber(month) - 1
  if (year !== undefined) return Date.UTC(Number(year), monthIndex, day)
  if (today === undefined) return undefined
  const thisYear = new Date(today).getUTCFullYear()
  const date = Date.UTC(thisYear, monthIndex, day)
  return date <= today ? date : Date.UTC(thisYear - 1, monthIndex, day)
}

function monthNumber(name: string): number {
  const english = MONTHS_EN.indexOf(name)
  return (english >= 0 ? english : MONTHS_PT.indexOf(name)) + 1
}

function daysBetween(from: number, to: number): string[] {
  const tokens: string[] = []
  for (let day = from; day <= to; day += DAY_MS) tokens.push(dayToken(day))
  return tokens
}

function dayToken(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll('-', '')
}

function dayOf(now: string): number | undefined {
  const time = Date.parse(`${now.slice(0, 10)}T00:00Z`)
  return Number.isNaN(time) ? undefined : time
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

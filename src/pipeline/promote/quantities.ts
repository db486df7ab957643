import { LABELS } from './conflict-words.ts'

export interface Quantity {
  /** `time`, `bytes`, `percent`, or the noun beside the number. */
  readonly dimension: string
  readonly amount: number
  /** The concept of the number as it is written: `3.11` is one. */
  readonly written: string
  /** The amount as a person reads it: `30 minutes`, `port 7100`. */
  readonly shown: string
}

/** A word as far as an amount needs it. */
export interface CountedWord {
  /** As it stands in the text. */
  readonly text: string
  readonly folded: string
  readonly concept: string
  readonly amount: number | undefined
  readonly isStop: boolean
  /** What stands between it and the word before. */
  readonly gap: string
}

/** `02:30`, `3pm`. */
const CLOCK = /^(\d{1,2})(?::(\d{2})|(?=[ap]m))(am|pm)?$/

const TIME: ReadonlyMap<string, number> = new Map([
  ['ms', 0.001],
  ['millisecond', 0.001],
  ['milissegundo', 0.001],
  ['s', 1],
  ['sec', 1],
  ['second', 1],
  ['segundo', 1],
  ['min', 60],
  ['minute', 60],
  ['minuto', 60],
  ['h', 3_600],
  ['hour', 3_600],
  ['hora', 3_600],
  ['day', 86_400],
  ['dia', 86_400],
  ['week', 604_800],
  ['semana', 604_800],
  ['month', 2_592_000],
  ['mes', 2_592_000],
  ['meses', 2_592_000],
  ['year', 31_536_000],
  ['ano', 31_536_000],
])
const BYTES: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ['byte', 1],
  ['kb', 1e3],
  ['kib', 1e3],
  ['mb', 1e6],
  ['mib', 1e6],
  ['gb', 1e9],
  ['gib', 1e9],
  ['tb', 1e12],
])
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ['one', 1],
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
  ['six', 6],
  ['seven', 7],
  ['eight', 8],
  ['nine', 9],
  ['ten', 10],
  ['twelve', 12],
  ['dois', 2],
  ['duas', 2],
  ['tres', 3],
  ['quatro', 4],
  ['cinco', 5],
  ['seis', 6],
  ['sete', 7],
  ['oito', 8],
  ['nove', 9],
  ['dez', 10],
])

export function isClock(folded: string): boolean {
  return CLOCK.test(folded)
}

/** As the tables have it, in the singular. */
export function isMeasureName(word: string): boolean {
  return TIME.has(word) || BYTES.has(word)
}

/** `minutes`, `MB`: part of an amount. */
export function isMeasure(folded: string): boolean {
  return scaleOf(folded) !== undefined
}

/** Of a chunk as it stands in the text, and folded. */
export function amountOf(chunk: string, folded: string): number | undefined {
  const named = NUMBER_WORDS.get(folded)
  if (named !== undefined) return named
  const clock = CLOCK.exec(chunk.toLowerCase())
  if (clock !== null) {
    const [, hours = '0', minutes = '0', half] = clock
    return (
      ((Number(hours) % (half === undefined ? 24 : 12)) + (half === 'pm' ? 12 : 0)) * 60 + Number(minutes)
    )
  }
  const match = /^v?(\d[\d.,]*)(k|kb|mb|gb|ms|s|h|min)?$/i.exec(chunk)
  return match === null
    ? undefined
    : Number.parseFloat((match[1] ?? '').replace(/[.,](?=\d{3}(?:\D|$))/g, ''))
}

export function readQuantities(units: readonly CountedWord[]): Quantity[] {
  return units.flatMap((unit, i) => {
    const written = unit.concept
    const scale = scaleOf(unit.folded)
    const before = units[i - 1]
    if (scale !== undefined && (before?.folded === 'in' || before?.folded === 'em'))
      return [{ dimension: 'unit', amount: scale.amount, written, shown: unit.text }]
    if (unit.amount === undefined) return []
    return dimensionsOf(unit, unit.amount, units.slice(0, i), units[i + 1]).map(each => ({
      ...each,
      written,
    }))
  })
}

function dimensionsOf(
  { folded, text }: CountedWord,
  amount: number,
  earlier: readonly CountedWord[],
  next: CountedWord | undefined,
): Omit<Quantity, 'written'>[] {
  if (CLOCK.test(folded)) return [{ dimension: 'clock', amount, shown: text }]
  const attached = /[a-z]+$/.exec(folded)?.[0] ?? ''
  const hasMeasure = !NUMBER_WORDS.has(folded) && attached !== ''
  const near = next !== undefined && /^[ \u00a0-]*$/.test(next.gap) ? next : undefined
  const measure = hasMeasure ? attached : (near?.folded ?? '')
  const withNext = hasMeasure || near === undefined ? text : `${text} ${near.text}`
  const scale = scaleOf(measure)
  if (scale !== undefined)
    return [{ dimension: scale.dimension, amount: amount * scale.amount, shown: withNext }]
  if (next?.gap.startsWith('%') || /^(?:percent|pct|porcento)$/.test(measure))
    return [{ dimension: 'percent', amount, shown: `${text} %` }]
  const before = earlier.findLast(({ isStop }) => !isStop)
  const isBefore = before !== undefined && earlier.at(-1) === before
  if (isBefore && LABELS.has(before.folded)) return []
  const counted =
    near === undefined || near.isStop ? [] : [{ dimension: near.concept, amount, shown: withNext }]
  const named =
    before === undefined
      ? []
      : [{ dimension: before.concept, amount, shown: isBefore ? `${before.text} ${text}` : text }]
  return [...counted, ...named]
}

/** In seconds, or in bytes. */
function scaleOf(measure: string): Pick<Quantity, 'dimension' | 'amount'> | undefined {
  const singular = measure.replace(/s$/, '')
  const seconds = TIME.get(measure) ?? TIME.get(singular)
  if (seconds !== undefined) return { dimension: 'time', amount: seconds }
  const bytes = BYTES.get(measure) ?? BYTES.get(singular)
  return bytes === undefined ? undefined : { dimension: 'bytes', amount: bytes }
}

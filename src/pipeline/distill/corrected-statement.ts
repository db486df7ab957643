import { foldText } from '../../text/fold.ts'
import type { Sentence } from './sentences.ts'

/** A correction seldom reaches further back. */
const TURNS_BACK = 8
const QUANTITY = /(?<![\w.,])~?(\d[\d.,]*)\s?([a-zµ%]+)?/g

/**
 * "no, actually 60 seconds": the sentence that says 30 seconds. Of the same unit and another number, the latest; undefined when nobody said one.
 */
export function correctedStatement(
  text: string,
  before: readonly { readonly sentences: readonly Sentence[] }[],
): string | undefined {
  const mine = quantities(text)
  if (mine.length === 0) return undefined
  for (const turn of before.slice(-TURNS_BACK).reverse()) {
    const said = turn.sentences.findLast(sentence =>
      quantities(sentence.text).some(theirs =>
        mine.some(own => own.unit !== '' && own.unit === theirs.unit && own.value !== theirs.value),
      ),
    )
    if (said !== undefined) return said.text
  }
  return undefined
}

function quantities(text: string): { value: string; unit: string }[] {
  return [...foldText(text).matchAll(QUANTITY)].map(([, value = '', unit = '']) => ({
    value: value.replace(/[.,]+$/, ''),
    // `second`, `seconds` and `s` are one.
    unit: UNITS.get(unit) ?? unit.replace(/s$/, ''),
  }))
}

const UNITS = new Map(
  [
    ['s', 'sec secs second seconds segundo segundos seg'],
    ['min', 'mins minute minutes minuto minutos'],
    ['h', 'hr hrs hour hours hora horas'],
    ['d', 'day days dia dias'],
  ].flatMap(([unit = '', words = '']) => [unit, ...words.split(' ')].map(word => [word, unit] as const)),
)

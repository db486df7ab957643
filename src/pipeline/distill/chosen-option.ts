import { foldText } from '../../text/fold.ts'
import type { Sentence } from './sentences.ts'

export interface ChosenOption {
  /** As it was numbered: `3`, `b`. */
  readonly label: string
  readonly text: string
  /** The line that the options stood under; empty without one. */
  readonly lead: string
}

const NUMBERED =
  /^[*_]{0,2}\(?(?:(?:option|variant|alternative|approach|op[cç][aã]o|variante|alternativa|plano?) )?(\d{1,2}|[a-h])[.):][*_]{0,2}\s+(?=\S)/i
const INSIDE = /(?:^|[\s(])(?:(?:option|op[cç][aã]o) )?\(?(\d|[a-h])[):]\s+(?=\S)/gi

const NAMED =
  /(?:^|[\s(])(?:options?|variant|alternative|choice|approach|number|nr|opcao|variante|alternativa|numero|hipotese|plano?)\s+\(?(\d{1,2}|[a-h])(?![\w-])/
const TH =
  /(?:^|\s)(?:the|a|o|pela|pelo|com a|com o) (first|second|third|fourth|last|primeir[oa]|segund[oa]|terceir[oa]|quart[oa]|ultim[oa])(?: (?:one|option|approach|variant|opcao|alternativa))?(?=$|[\s.,;!])/
const BARE =
  /^(?:(?:ok(?:ay)?|yes|sim|let's|lets|go|going|do|take|use|pick|with|for|vamos|vai|pela|pelo|com|de|a|o|e|prefiro|i prefer|i'd take|quero)[\s,]+){0,4}\(?(\d{1,2}|[a-h])\)?(?:[\s,]+(?:please|then|por favor|entao|it is))?[.!]*$/
const ORDINALS = [
  'first primeiro primeira',
  'second segundo segunda',
  'third terceiro terceira',
  'fourth quarto quarta',
]
const LONGEST_ANSWER = 200

/** "let's go with option 3": what option 3 is, when the message before it lists at least two. */
export function chosenOption(answer: Sentence, asked: readonly Sentence[]): ChosenOption | undefined {
  const { folded } = answer
  if (folded.length > LONGEST_ANSWER || folded.endsWith('?')) return undefined
  const label = (NAMED.exec(folded) ?? BARE.exec(folded))?.[1]
  const ordinal = label === undefined ? TH.exec(folded)?.[1] : undefined
  if (label === undefined && ordinal === undefined) return undefined
  const options = optionsOf(asked)
  if (options.length < 2) return undefined
  if (label !== undefined) return options.find(option => option.label === label)
  if (ordinal === 'last' || ordinal?.startsWith('ultim')) return options.at(-1)
  return options[ORDINALS.findIndex(names => names.split(' ').includes(ordinal ?? ''))]
}

function optionsOf(asked: readonly Sentence[]): ChosenOption[] {
  const items = asked.flatMap(({ text, item, lead }): ChosenOption[] => {
    const own = NUMBERED.exec(text)
    const label = item ?? own?.[1]
    if (label === undefined) return []
    return [{ label: foldText(label), text: text.slice(own?.[0].length ?? 0), lead: leadOf(lead) }]
  })
  if (items.length >= 2) return items
  for (const { text } of [...asked].reverse()) {
    const marks = [...text.matchAll(INSIDE)]
    if (marks.length < 2) continue
    return marks.map((mark, at) => ({
      label: foldText(mark[1] ?? ''),
      text: text
        .slice(mark.index + mark[0].length, marks[at + 1]?.index)
        .replace(/(?:[\s,;.?]|(?:^|\s)(?:or|ou|and|e)$)+$/i, ''),
      lead: '',
    }))
  }
  return []
}

/** Its last sentence, where it says something. */
function leadOf(lead: string): string {
  const last = lead.replace(/^.*[.!?] /, '')
  return last.includes(' ') ? last : ''
}

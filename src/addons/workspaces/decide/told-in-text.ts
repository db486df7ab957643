import type { PlanStatus } from '../../../kernel/model/workspace.ts'

const MAX_DESCRIPTION_LENGTH = 300
/** A line is looked at so far: a pattern must not wait for one that was made to be long. */
const MAX_LINE_LENGTH = 2_000
/** What a line is that belongs to no paragraph: a heading, a list, a quotation, a table, a rule, a comment, a line of facts. */
const NOT_PROSE =
  /^(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|>|\||-{3,}\s*$|\*{3,}\s*$|={3,}\s*$|<|!\[|\*\*[^*]+:\*\*|\*\*[^*]+\*\*:|\w+:\s*$)/
const STATUS_LINE = /^\s*(?:[-*]\s+)?(?:\*\*)?status(?:\*\*)?\s*:(?:\*\*)?\s*(.+?)\s*$/i
/** `Status: done` and its like say a field, not what a plan is about. */
const FACT_LINE = /^(?:status|created|updated|date|author|owner|tags|category)\s*:/i
const CHECKBOX = /^\s*[-*+]\s+\[([ xX])\]\s/

/** Only these words, alone on their line: `not done yet` is none of them. */
const STATUS_WORDS: Readonly<Record<string, PlanStatus>> = {
  new: 'new',
  todo: 'new',
  planned: 'new',
  draft: 'new',
  proposed: 'new',
  'not started': 'new',
  'in progress': 'in_progress',
  wip: 'in_progress',
  active: 'in_progress',
  ongoing: 'in_progress',
  started: 'in_progress',
  partial: 'partial',
  'partially done': 'partial',
  done: 'done',
  complete: 'done',
  completed: 'done',
  finished: 'done',
  implemented: 'done',
  abandoned: 'abandoned',
  cancelled: 'abandoned',
  canceled: 'abandoned',
  dropped: 'abandoned',
  rejected: 'abandoned',
}

/** The first heading of level one. */
export function headingOf(body: string): string | undefined {
  const heading = proseLines(body).find(line => /^#\s+\S/.test(line))
  return (
    heading
      ?.replace(/^#\s+/, '')
      .replace(/\s+#*$/, '')
      .trim() || undefined
  )
}

/** The first paragraph in one line, at most two sentences long where they can be told apart. */
export function firstParagraph(body: string): string | undefined {
  const words: string[] = []
  for (const line of proseLines(body)) {
    const said = line.trim()
    const isProse = said !== '' && !NOT_PROSE.test(said) && !FACT_LINE.test(said)
    if (isProse) words.push(said)
    else if (words.length > 0) break
  }
  const text = words.join(' ').replace(/\s+/g, ' ')
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text === '' ? undefined : text
  const sentence = /^.{40,299}?[.!?](?=\s)/.exec(text)?.[0]
  return sentence ?? `${text.slice(0, MAX_DESCRIPTION_LENGTH - 1).replace(/\s+\S*$/, '')}…`
}

/** How far a plan is by its own text: a line that says so in one word, or its checkboxes. */
export function toldStatus(body: string): { readonly status: PlanStatus; readonly from: string } | undefined {
  const lines = proseLines(body)
  for (const line of lines) {
    const said = STATUS_LINE.exec(line)?.[1]
    const words = said
      ?.toLowerCase()
      .replace(/[_-]+/g, ' ')
      .replace(/[^\p{L}\s]+/gu, '')
      .trim()
    if (words !== undefined && Object.hasOwn(STATUS_WORDS, words))
      return { status: STATUS_WORDS[words] as PlanStatus, from: `its line "${line.trim().slice(0, 60)}"` }
  }
  const boxes = lines.flatMap(line => CHECKBOX.exec(line)?.[1] ?? [])
  const ticked = boxes.filter(box => box !== ' ').length
  if (boxes.length === 0) return undefined
  const status = ticked === boxes.length ? 'done' : ticked > 0 ? 'partial' : 'new'
  return { status, from: `its checkboxes: ${ticked} of ${boxes.length}` }
}

/** Without blocks of code. */
function proseLines(body: string): string[] {
  const lines: string[] = []
  let fence: string | undefined
  for (const whole of body.split(/\r?\n/)) {
    const line = whole.slice(0, MAX_LINE_LENGTH)
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && mark !== undefined) fence = mark
    else if (fence === undefined) lines.push(line)
    else if (mark?.startsWith(fence) && line.trim() === mark) {
      fence = undefined
      lines.push('')
    }
  }
  return lines
}

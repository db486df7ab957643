import { cutToTokens } from '../../../kernel/text/cut-to-tokens.ts'
import { whenNeeded } from '../../../kernel/text/script.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { fenceReader, isSaid } from './spoken-text.ts'

/** What an agent's message reports, in its own words and order. Nothing here is verified. */
export interface Report {
  /** Without the open steps, announcements of the next action, offers and questions. */
  readonly points: readonly Point[]
  /** The text below a heading that announces next steps, and unticked boxes. */
  readonly left: readonly string[]
}

/** A sentence or an item of a list. */
export interface Point {
  readonly text: string
  /** The line above its list. */
  readonly title?: string
  readonly isItem: boolean
}

/** A line that announces next steps, in the languages of the rules: English, Portuguese, Spanish, Chinese. */
const NEXT_STEPS =
  /^(?:what(?:'s| is) )?(?:next|left|remaining|to-?dos?|pending|not (?:done|run|tested|verified)|falta[mn]?)\b.{0,30}$|\b(?:next steps?|follow-?ups?|still to do|pr[oó]xim[oa]s? (?:pas+os?|etapas?)|siguientes? pasos?|pendentes?|pendientes?)\b.{0,30}$|下一步|待办|剩余|后续|未完成/i
/** The agent announces its next action; the text after the last announcement says what it did. */
const ABOUT_TO =
  /^(?:\p{L}+[,.!:]? ){0,2}(?:let me(?! know)|let's|i'll|i will|i'm going to|i need to|vou|preciso|voy a|d[ée]jame|让我|我来|我将)(?!\p{L})/iu
/** Offers to do more; "if it still fails, tell me". */
const OFFER = /^(?:if|se|si|let me know|feel free|just (?:let|tell|say)|如果|如需)(?!\p{L})/iu
/** Does not refer to this session. */
const ANY_MORE = /\b(?:anything|something|what) else\b|\balgo (?:m[áa]s|mais)\b|还有什么/i
/** A shorter text after a plan is an aside. */
const MIN_REPORT_CHARACTERS = 70

const ITEM = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/
const OPEN_BOX = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[ \]|[☐⬜🔲])/u
const ANNOUNCES = /[:：]$/

interface Line {
  readonly kind: 'title' | 'item' | 'text'
  readonly text: string
  readonly isOpen: boolean
  /** A Markdown heading or a line in bold, which paragraphs belong to as well. */
  readonly isHeading: boolean
}

/** Nothing is reworded. */
export function readReport(text: string): Report {
  const points: Point[] = []
  const left: string[] = []
  let title: string | undefined
  let opens: string | undefined
  let isLeft: 'no' | 'list' | 'section' = 'no'
  for (const line of linesOf(text)) {
    if (line.kind === 'title') {
      // The beginning of a message, above other headings, is a statement of its own: "Sign-in repaired".
      if (opens !== undefined && !isShort(opens)) points.push({ text: opens, isItem: false })
      title = line.text
      opens = line.isHeading && points.length === 0 && !NEXT_STEPS.test(title) ? title : undefined
      isLeft = NEXT_STEPS.test(title) ? (line.isHeading ? 'section' : 'list') : 'no'
      continue
    }
    opens = undefined
    if (line.kind === 'item') {
      if (isShort(line.text) || OFFER.test(line.text) || OFFER.test(title ?? '')) continue
      if (isLeft !== 'no' || line.isOpen) left.push(line.text)
      else points.push({ text: line.text, isItem: true, ...(title !== undefined && { title }) })
    } else {
      title = undefined
      if (isLeft === 'list') isLeft = 'no'
      let announcesLeft: boolean = isLeft === 'section'
      for (const sentence of sentencesOf(line.text)) {
        if (ABOUT_TO.test(sentence)) points.push({ text: '', isItem: false })
        else if (ANNOUNCES.test(sentence)) {
          title = bareTitle(sentence)
          announcesLeft = NEXT_STEPS.test(title)
          isLeft = announcesLeft ? 'list' : isLeft
        } else if (isShort(sentence) || OFFER.test(sentence) || /[?？]$/.test(sentence)) continue
        else {
          const step = announcedStep(sentence)
          announcesLeft ||= step !== undefined
          if (announcesLeft) left.push(step ?? sentence)
          else points.push({ text: sentence, isItem: false })
        }
      }
    }
  }
  return { points: sinceLastPlan(points), left }
}

/** `Next: cover the export with tests.` has the announcement and the step in one sentence. */
function announcedStep(sentence: string): string | undefined {
  const [, title, step] = /^((?:[^\s:：]+ ){0,2}[^\s:：]+)[:：]\s*(\S.*)$/u.exec(sentence) ?? []
  return step !== undefined && !isShort(step) && NEXT_STEPS.test(title ?? '') ? step : undefined
}

/** The points after the last announcement; those before it if there are none after it. */
function sinceLastPlan(points: readonly Point[]): Point[] {
  const isReport = (some: readonly Point[]) =>
    some.reduce((sum, { text }) => sum + text.length, 0) >= MIN_REPORT_CHARACTERS
  const after = points.slice(points.findLastIndex(({ text }) => text === '') + 1)
  return (isReport(after) ? after : points).filter(({ text }) => text !== '')
}

/**
 * The beginning and the end of the report, each in half of the budget, with "…" between them; the whole report if it fits. The end is
 * always included, because agents sum up there.
 */
export function endOfReport(points: readonly Point[], tokens: number): string {
  if (points.length === 0) return ''
  const short = points.map(point => ({ ...point, text: cutToTokens(point.text, MAX_POINT_TOKENS, '…') }))
  const costOf = (some: readonly Point[]) => estimateTokens(written(some))
  if (costOf(short) <= tokens) return written(short)
  let from = short.length - 1
  while (from > 1 && costOf(short.slice(from - 1)) <= tokens / 2) from--
  let to = 0
  while (to < from && costOf(short.slice(0, to + 1)) + costOf(short.slice(from)) <= tokens) to++
  const begin = written(short.slice(0, to))
  const gap = to === from ? '' : /…$/.test(begin) ? ' ' : begin === '' ? '' : ' … '
  return `${begin}${gap}${written(short.slice(from))}`
}
const MAX_POINT_TOKENS = 36

/** `Changes: the first; the second. A sentence.` */
function written(points: readonly Point[]): string {
  let text = ''
  for (const [at, { text: said, title, isItem }] of points.entries()) {
    const before = points[at - 1]
    const goesOn = isItem && before?.isItem === true && before.title === title
    if (goesOn) text = `${text.replace(/[.;]$/, '')}; ${said}`
    else text = `${text}${text === '' ? '' : ' '}${title === undefined ? '' : `${title}: `}${said}`
    const next = points[at + 1]
    const isListed = isItem && next?.isItem === true && next.title === title
    if (!isListed && !/[.!?…。！？]$/.test(text)) text += '.'
  }
  return text
}

function linesOf(text: string): Line[] {
  const fenced = fenceReader()
  const raws = text
    .split('\n')
    .filter(raw => fenced(raw) === 'no' && !/^\s*(?:\||[-=*_]{3,}\s*$|>)/.test(raw) && raw.trim() !== '')
  return raws.flatMap((raw, at): Line[] => {
    const mark = ITEM.exec(raw)?.[0]
    const line = bare(mark === undefined ? raw : raw.slice(mark.length))
    if (line === '' || !isSaid(line) || CODE.test(line)) return []
    const isHeading =
      mark === undefined && (/^\s*#{1,6}\s/.test(raw) || /^\s*\*\*[^*]+\*\*:?[^\p{L}]*$/u.test(raw))
    const isTitle =
      isHeading ||
      (line.length <= 80 &&
        ITEM.test(raws[at + 1] ?? '') &&
        (mark === undefined ? !/[.!?…。！？]$/.test(line) : ANNOUNCES.test(line)))
    if (isTitle) return [{ kind: 'title', text: bareTitle(line), isOpen: false, isHeading }]
    return [{ kind: mark === undefined ? 'text' : 'item', text: line, isOpen: OPEN_BOX.test(raw), isHeading }]
  })
}

function bareTitle(line: string): string {
  return line.replace(/^\d{1,2}[.)]\s*/, '').replace(/[\s:：!]+$/, '')
}

/** Code outside a fence. */
const CODE = /=>|=\{|[=!]==|\);|\{\{|&&|\|\||^[^\p{L}`"'“(\d.[]|,$/u

const pictures = whenNeeded(
  () => /(?:\p{Extended_Pictographic}|\ufe0f|\u200d|\ufffd)+|\[(?:OK|EMOJI|ERRO)\]/gu,
)

/** Without Markdown marks and images. */
function bare(line: string): string {
  return line
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/\*\*|__/g, '')
    .replace(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
    .replace(pictures(), ' ')
    .replace(/^\s*\[[ xX]\]\s+/, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s·–—-]+/, '')
    .trim()
}

function sentencesOf(line: string): string[] {
  return line
    .split(/(?<=[.!?])\s+(?=[\p{Lu}`"“(\d])|(?<=:)\s+(?=\p{Lu})|(?<=[。！？：])/u)
    .map(sentence => sentence.trim())
}

/** Fewer than three words, or than five characters in a script without spaces. */
export function isShort(text: string): boolean {
  const dense = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  const words = text.match(/[\p{L}\p{N}_`'./-]+/gu)?.length ?? 0
  return dense < 5 && words < 3
}

/**
 * The question to the user that ends the message, before or after a list of choices. An offer of more help does not count.
 * "Go?" includes the sentence before it.
 */
export function openQuestion(text: string): string | undefined {
  const said = text
    .trim()
    .split('\n')
    .filter(line => line.trim() !== '' && !ITEM.test(line))
  const last = said.at(-1)
  if (last === undefined || last.length > 600) return undefined
  const sentences = sentencesOf(bare(last))
  const at = sentences.findLastIndex(sentence => /[?？]$/.test(sentence))
  const question = sentences[at]
  if (question === undefined || ANY_MORE.test(question)) return undefined
  if (!isShort(question)) return question
  const before = sentences[at - 1] ?? sentencesOf(bare(said.at(-2) ?? '')).at(-1) ?? ''
  return isShort(before) || !isSaid(before) ? undefined : `${before} ${question}`
}

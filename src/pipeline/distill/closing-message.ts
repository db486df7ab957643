import { whenNeeded } from '../../text/script.ts'
import { fenceReader, isSaid } from './spoken-text.ts'

/** What an agent's closing message says, split by its own headings, lists and sentences. */
export interface ClosingMessage {
  /** What it says, in its order, without what is left. Nothing here is verified. */
  readonly claims: readonly Point[]
  /** What it says is still to do, not run or not known. */
  readonly left: readonly Point[]
  /** The one line that says what was done: a title or the agent's own "I have …". */
  readonly headline: string | undefined
}

/** A heading, an item of a list or the first sentence of a paragraph, and what stands below or after it. */
export interface Point {
  readonly kind: 'heading' | 'item' | 'sentence'
  readonly text: string
  readonly details: readonly string[]
  /** "When the flag is set:" says nothing without its details. */
  readonly needsDetail: boolean
}

type Section = 'claims' | 'left' | 'ignored'

interface ReadPoint extends Point {
  readonly section: Section
  readonly details: string[]
  /** The agent says what it did: "I have added …". */
  readonly isOwnAct: boolean
}

/** Headings under which an agent lists what is left, in the languages of the rules: English, Portuguese, Spanish, Chinese. */
const LEFT_HEADING =
  /^next\b(?! time)|\b(?:next (?:steps?|up|actions?|tasks?)|what's next|remaining|outstanding|to-?dos?|pending|follow-?ups?|left|not (?:done|yet|verified|tested)|unverified|still (?:open|to do)|known (?:issues|limitations|gaps)|open (?:questions?|points|items)|blockers?|blocked|pr[oó]xim[oa]s? (?:passos?|etapas?)|pendentes?|pend[êe]ncias?|pendientes?|siguientes? pasos?|pr[oó]ximos pasos|recommend\w*|recomend\w*|testing (?:tips|suggestions|instructions|steps)|how to (?:test|verify)|como testar|c[oó]mo probar)\b|下一步|建议|如何测试|待办|剩余|后续|未完成|遗留/i
/** Headings of what is not a claim: how to use it, why it is good, examples, what it was like before. */
const IGNORED_HEADING =
  /^(?:if|se|si|caso)\b|\b(?:how (?:to|it)|usage|examples?|benefits?|advantages?|why|technical (?:highlights|details)|troubleshooting|commands?|options?|tips?|notes? on|before|original (?:error|problem)|what this means|how can|expected|como usar|benef[ií]cios|erro original|ejemplos?)\b|技术亮点|如果|使用方法|优势/i
/** A heading that only announces. */
const PLAIN_HEADING =
  /^(?:(?:final |quick |brief |the )?(?:summary|recap|overview|results?|changes?|fixes|status|details?(?: of .*)?|done|completed|what (?:i|was|we|changed|has).*|resumo.*|resumen.*|cambios.*|o que foi.*|mudan[çc]as.*|verified|validation|valida[çc][ãa]o)(?: (?:of|made|applied|and).*)?|here(?:'s| is| are)\b.*|key changes|.*总结|.*概述|已完成.*|修改内容)$/i
/** A sentence that says something is not finished. */
const LEFT_SENTENCE =
  /\b(?:not (?:yet |been )?(?:run|tested|verified|committed|pushed|deployed|implemented|finished|covered)|i (?:couldn't|could not|was not able to)|unable to (?:run|test|verify|check|push|commit)|still (?:needs?|fails?|failing|missing|open|to be|broken)|remains? (?:to|open|undone|unresolved|untested|unverified)|remaining \w+ \w*|left (?:uncommitted|open|to do|as is|untouched)|next steps? (?:is|are|would)|needs? (?:your|a manual|manual)|(?:is|are) (?:still )?pending|blocked (?:by|on)|waiting (?:for|on)|ainda (?:n[ãa]o|falta|precisa)|faltam?|falta(?:n)? por|queda(?:n)? por|a[úu]n no|todav[ií]a no|no (?:ejecut[ée]|prob[ée]|corr[ií]))\b|尚未|还需要|还没|未测试|未提交|需要您|待确认/i
/** A cause that was found, not something that is left. */
const EXPLAINED =
  /^(?:the )?(?:(?:real |main |root )?(?:issue|problem|error|cause|reason|bug|failure)) (?:was|is|occurred|came|happened)\b/i
/** Words of completion, in a heading or at the start of an item. */
const DONE_WORDS =
  /\b(?:complete[d]?|fixed|resolved|passing|done|added|created|updated|removed|implemented|refactored|renamed|moved|merged|migrated|configured|committed|pushed|deployed|installed|verified|validated|written|rewrote|replaced|improved|enhanced|cleaned|success\w*|corrigid\w+|conclu[ií]d\w+|criad\w+|implementad\w+|resolvid\w+|adicionad\w+|atualizad\w+|sucesso|agregad\w+|cread\w+|actualizad\w+|eliminad\w+|completad\w+|corregid\w+|listo)\b|完成|修复|解决|已[\u4e00-\u9fff]|成功|更新|创建|新增|添加/i
/** A box that is not ticked, work under way. */
const OPEN_MARK = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[ \]|[☐⬜🔲⏳🚧])/u
const CHECKED_MARK = /[✅✓✔☑]|\[(?:OK|x)\]/i
/** The agent speaks of what it did, under whatever heading. */
const OWN_ACT =
  /^(?:i(?:'ve| have)|we(?:'ve| have)|i (?:also )?\w+ed|added|built|created|updated|removed|fixed|implemented|refactored|renamed|merged|replaced|moved) |^(?:criei|adicionei|corrigi|implementei|atualizei|modifiquei|agregu[ée]|cre[ée]|actualic[ée]|remov[ií])\b/i

/** Talk of the moment: what the agent is about to do, praise, offers. */
const NARRATION =
  /^(?:(?:ok(?:ay)?|now|first|next|then|so|good|great|perfect|excellent|alright|done)[,.!: ]+)*(?:let me|let's|i'll|i will|i'm going to|i am going to|i need to|i can see|i see|now i|let us|vou |agora (?:vou|preciso)|voy a|d[ée]jame|让我|我来|现在我|我将)/i
const EMPTY_TALK =
  /^(?:(?:perfect|great|excellent|awesome|done|ok(?:ay)?|sure|yes|no|absolutely|perfeito|[óo]timo|pronto|listo|perfecto|great question|good question|(?:you're|you are|you were) (?:absolutely |completely )?(?:right|correct)|there you go)\b[^\p{L}]*)+$/iu
const OFFER =
  /^(?:(?:if|se|si)\b|would you like|do you want|want me to|let me know|feel free|happy to|is there anything|anything else|just (?:let|tell|say)|quer que|deseja|gostaria|quieres que|如果|如需|需要我)/i
/** Asks for nothing that this session is about. */
const ANY_MORE =
  /\b(?:anything|something|what) else\b|\bany (?:other|more|further|questions)\b|\b(?:mais alguma|algo m[áa]s|algo mais|alguna otra)\b|其他|还有什么/i
const ANNOUNCES = /[:：]$/
/** Leads that an agent puts before what it did. */
const FILLER_LEAD_WORD =
  /^(?:(?:perfect|great|excellent|done|perfeito|[óo]timo|pronto|listo|perfecto|yes|awesome|ok(?:ay)?)[!.,]+\s+)+/i
const FILLER_LEAD = /^(?:i(?:'ve| have)|we(?:'ve| have)) (?:successfully |now |just |also )?/i

const pictures = whenNeeded(
  () => /(?:\p{Extended_Pictographic}|\ufe0f|\u200d|\ufffd)+|\[(?:OK|EMOJI|ERRO)\]/gu,
)

/** Pure text work, in the order of the message; nothing is reworded. */
export function readClosingMessage(text: string): ClosingMessage {
  const points = pointsOf(text).flatMap(point => {
    if (!point.needsDetail || point.details.length > 0) return [point]
    return point.kind === 'heading' && DONE_WORDS.test(point.text) ? [{ ...point, needsDetail: false }] : []
  })
  const claims = points.filter(({ section }) => section === 'claims')
  const open = points.filter(({ section }) => section === 'left')
  const hasList = open.some(({ kind }) => kind !== 'sentence')
  const headline = claims.find(
    ({ kind, text: said, isOwnAct }) => isOwnAct || (kind !== 'item' && DONE_WORDS.test(said)),
  )
  return {
    claims,
    left: open.filter(({ kind, text: said }) => kind !== 'sentence' || !hasList || saysLeft(said)),
    headline: headline?.text,
  }
}

function saysLeft(text: string): boolean {
  return LEFT_SENTENCE.test(text) && !EXPLAINED.test(text)
}

function pointsOf(text: string): ReadPoint[] {
  const points: ReadPoint[] = []
  const fenced = fenceReader()
  let section: Section = 'claims'
  /** Of the heading that opened the section: deeper ones belong to it. */
  let level = 0
  /** The section around a list that a short line announced: a paragraph after the list is in it again. */
  let around: Section | undefined
  let label: ReadPoint | undefined
  let item: ReadPoint | undefined
  const add = (point: Pick<ReadPoint, 'kind' | 'text'> & Partial<ReadPoint>): ReadPoint => {
    const added = { section, details: [], needsDetail: false, isOwnAct: false, ...point }
    points.push(added)
    return added
  }
  for (const raw of text.split('\n')) {
    if (fenced(raw) !== 'no' || /^\s*(?:\||[-=*_]{3,}\s*$|>)/.test(raw)) continue
    const indent = /^\s*/.exec(raw)?.[0].length ?? 0
    const marked = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+/.exec(raw)
    const line = bare(marked === null ? raw : raw.slice(marked[0].length))
    if (line === '' || !isSaid(line) || CODE.test(line)) continue
    const ownLevel = marked === null ? headingLevel(raw, line) : undefined
    if (ownLevel !== undefined) {
      const isNumbered = /^\d{1,2}[.)]\s/.test(line)
      const heading = line.replace(/^(?:step )?\d{1,2}[.):]\s*/i, '').replace(/[\s:：!]+$/, '')
      const named = LEFT_HEADING.test(heading)
        ? 'left'
        : IGNORED_HEADING.test(heading) || OFFER.test(heading)
          ? 'ignored'
          : undefined
      around = ownLevel === ANNOUNCING ? (around ?? section) : undefined
      if (named !== undefined || section === 'claims' || ownLevel <= level) {
        section = named ?? 'claims'
        level = ownLevel
      }
      item = undefined
      label = undefined
      if (
        named === undefined &&
        !PLAIN_HEADING.test(heading) &&
        !isShort(heading) &&
        !NARRATION.test(heading)
      ) {
        const says = !ANNOUNCES.test(line) && (isNumbered || CHECKED_MARK.test(raw))
        label = add({ kind: ownLevel === ANNOUNCING ? 'item' : 'heading', text: heading, needsDetail: !says })
      }
    } else if (marked !== null) {
      const said = line.replace(/[:：]$/, '')
      if (isShort(said) || OFFER.test(said) || EMPTY_TALK.test(said)) continue
      const isOpen = OPEN_MARK.test(raw) || (section === 'claims' && saysLeft(said))
      const owner = indent > 1 ? item : label
      if (isOpen) add({ kind: 'item', text: said, section: 'left' })
      else if (owner !== undefined && said === line) owner.details.push(said)
      else if (indent <= 1 || item !== undefined)
        item = add({ kind: 'item', text: said, needsDetail: said !== line })
    } else {
      if (around !== undefined && (item !== undefined || label !== undefined)) {
        section = around
        around = undefined
      }
      item = undefined
      if (label?.needsDetail === true) label = undefined
      let paragraph: ReadPoint | undefined
      for (const sentence of sentencesOf(line)) {
        if (!isTelling(sentence)) continue
        const isOwnAct = OWN_ACT.test(sentence.replace(FILLER_LEAD_WORD, ''))
        const own: Section = isOwnAct && section === 'ignored' ? 'claims' : section
        const said = unled(sentence)
        if (own === 'claims' && saysLeft(said)) add({ kind: 'sentence', text: said, section: 'left' })
        else if (paragraph === undefined || paragraph.section !== own)
          paragraph = add({ kind: 'sentence', text: said, section: own, isOwnAct })
        else paragraph.details.push(said)
      }
    }
  }
  return points
}

/** A line that ends with a colon, below all real headings. */
const ANNOUNCING = 8

/** 1 to 6 for a heading of Markdown, 7 for a line in bold, 8 for a short line that announces what follows. */
function headingLevel(raw: string, line: string): number | undefined {
  const marks = /^\s*(#{1,6})\s/.exec(raw)?.[1]
  if (marks !== undefined) return marks.length
  if (/^\s*\*\*[^*]+\*\*:?[^\p{L}]*$/u.test(raw)) return 7
  return ANNOUNCES.test(line) && line.length <= 60 ? ANNOUNCING : undefined
}

/** Code that stands outside a fence. */
const CODE = /=>|=\{|[=!]==|\);|\{\{|&&|\|\||^[^\p{L}`"'“(\d.[]|,$/u

/** Without Markdown's marks and pictures. */
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
  return line.split(/(?<=[.!?:])\s+(?=[\p{Lu}`"“(\d])|(?<=[。！？：])/u).map(sentence => sentence.trim())
}

function isTelling(sentence: string): boolean {
  if (isShort(sentence) || ANNOUNCES.test(sentence) || /[?？]$/.test(sentence)) return false
  return !NARRATION.test(sentence) && !EMPTY_TALK.test(sentence) && !OFFER.test(sentence)
}

function unled(sentence: string): string {
  const rest = sentence.replace(FILLER_LEAD_WORD, '').replace(FILLER_LEAD, '')
  return rest === '' ? sentence : rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** Fewer than three words, or than five characters of a script without blanks. */
export function isShort(text: string): boolean {
  const dense = text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0
  const words = text.match(/[\p{L}\p{N}_`'./-]+/gu)?.length ?? 0
  return dense < 5 && words < 3
}

/** A question to the user with which the message ends, before a list of what to choose from or after it; not a mere offer of more. */
export function openQuestion(text: string): string | undefined {
  const last = text
    .trim()
    .split('\n')
    .findLast(line => line.trim() !== '' && !/^\s*(?:[-*+•]|\d{1,2}[.)])\s/.test(line))
  if (last === undefined || last.length > 600) return undefined
  const question = sentencesOf(bare(last)).findLast(sentence => /[?？]$/.test(sentence))
  return question === undefined || ANY_MORE.test(question) || isShort(question) ? undefined : question
}

import type { Category, Kind } from '../../model/category.ts'
import { foldWord } from '../../text/fold.ts'
import { stopWords } from '../../text/stop-words.ts'
import { scanChunks } from '../../text/words.ts'
import { AFFIRMED, OPENERS, POINTS_BACK, PROPOSAL, REFERS, TASK } from './cues.ts'
import { countSpecifics, type Judged, judgeSentence, MIN_POINTS, type Verdict } from './judge-sentence.ts'
import type { Sentence } from './sentences.ts'

/** What one side said in one message. */
export interface Turn {
  readonly message: number
  readonly speaker: 'user' | 'agent'
  readonly sentences: readonly Sentence[]
  readonly afterFailure: boolean
}

/** A finding before it is merged, ranked and furnished. */
export interface Draft {
  readonly text: string
  readonly message: number
  readonly category: Category
  readonly kind: Kind
  readonly points: number
  readonly specifics: number
  readonly speaker: 'user' | 'agent'
  readonly hasReason: boolean
  readonly isHedged: boolean
  readonly isConfirmed: boolean
  readonly lacksSubject: boolean
  readonly wanted: boolean
}

export const LONGEST_TEXT = 500
/** With its neighbours a finding stays a remark, not a page. */
const LONGEST_WITH_NEIGHBOURS = 320
/** "I see the issue now." says nothing more. */
const LEAST_NEIGHBOUR_POINTS = 0.2
const LONGEST_CONTEXT = 200
/** A second finding of one paragraph, of another category, has to be this plain. */
const SECOND_POINTS = 1.7
const REMEMBER = /(^|[\s(])#remember(?![\w-]):?/gi

interface Seen {
  readonly sentence: Sentence
  readonly verdict: Verdict
}

/** The findings of one message, given what was said before it. */
export function composeFindings(turn: Turn, before: readonly Turn[]): Draft[] {
  const answered = lastOfOther(turn, before)
  const proposal = turn.speaker === 'user' && answered !== undefined ? proposalOf(answered) : undefined
  const statedWords = new Set(
    turn.speaker === 'user' ? answered?.sentences.flatMap(each => contentWords(each.text)) : [],
  )
  const opening = turn.sentences[0]?.folded ?? ''
  const affirms = proposal !== undefined && AFFIRMED.test(opening)
  const seen = turn.sentences.map(sentence => ({
    sentence,
    verdict: judgeSentence(sentence, {
      speaker: turn.speaker,
      isFirst: before.length === 0,
      takesUp: takenUp(sentence.text, proposal?.words ?? statedWords) * (proposal === undefined ? 0.5 : 1),
      affirms,
      afterFailure: turn.afterFailure,
    }),
  }))
  const wanted = turn.speaker === 'user' ? wantedOf(turn, seen) : undefined
  if (wanted !== undefined) return wanted

  const drafts = blocksOf(seen).flatMap(block => draftsOfBlock(block, turn, answered, affirms))
  if (drafts.length > 0 || proposal === undefined) return drafts
  const agreed = agreement(turn, proposal, seen)
  return agreed === undefined ? [] : [agreed]
}

function lastOfOther(turn: Turn, before: readonly Turn[]): Turn | undefined {
  const last = before.at(-1)
  return last !== undefined && last.speaker !== turn.speaker ? last : undefined
}

function blocksOf(seen: readonly Seen[]): Seen[][] {
  const blocks = new Map<number, Seen[]>()
  for (const each of seen) {
    const block = blocks.get(each.sentence.block)
    if (block === undefined) blocks.set(each.sentence.block, [each])
    else block.push(each)
  }
  return [...blocks.values()]
}

function draftsOfBlock(
  block: readonly Seen[],
  turn: Turn,
  answered: Turn | undefined,
  isConfirmed: boolean,
): Draft[] {
  const drafts: Draft[] = []
  const taken = new Set<number>()
  for (;;) {
    const best = bestOf(block, taken)
    if (best === undefined) return drafts
    const { at, judged } = best
    if (drafts.length > 0) {
      const isOther = drafts.every(draft => draft.category !== judged.category)
      if (!isOther || judged.points < SECOND_POINTS) return drafts
    }
    const { text, from, to, lacksSubject } = withNeighbours(block, at, taken, answered)
    for (let each = from; each <= to; each++) taken.add(each)
    drafts.push({
      text: clip(text, LONGEST_TEXT),
      message: turn.message,
      category: judged.category,
      kind: judged.kind,
      points: judged.points,
      specifics: judged.specifics,
      speaker: turn.speaker,
      hasReason: judged.hasReason,
      isHedged: judged.isHedged,
      isConfirmed: isConfirmed && judged.category === 'decisions',
      lacksSubject,
      wanted: false,
    })
  }
}

function bestOf(block: readonly Seen[], taken: ReadonlySet<number>) {
  let best: { at: number; judged: Judged } | undefined
  block.forEach(({ verdict }, at) => {
    if (!verdict.kept || taken.has(at)) return
    if (best === undefined || verdict.judged.points > best.judged.points)
      best = { at, judged: verdict.judged }
  })
  if (best === undefined) return undefined
  const points = best.judged.points + support(block, best.at, best.judged.category)
  return points < MIN_POINTS ? undefined : { at: best.at, judged: { ...best.judged, points } }
}

/** What the sentences beside it say in the same vein. */
function support(block: readonly Seen[], at: number, category: Category): number {
  let points = 0
  for (const each of [at - 1, at + 1]) {
    const verdict = block[each]?.verdict
    if (verdict?.kept && verdict.judged.category === category && verdict.judged.points > 0.2)
      points += 0.3 * verdict.judged.points
  }
  return Math.min(0.3, points)
}

/** The sentence with those beside it that are statements too: there the reason stands, and the subject. */
function withNeighbours(
  block: readonly Seen[],
  at: number,
  taken: ReadonlySet<number>,
  answered: Turn | undefined,
) {
  let from = at
  let to = at
  let text = bareText(block[at]?.sentence.text ?? '')
  const folded = block[at]?.sentence.folded.replace(OPENERS, '') ?? ''
  const fits = (each: number) => {
    const neighbour = block[each]
    if (neighbour === undefined || taken.has(each) || !neighbour.verdict.kept) return false
    const { points, specifics, hasReason } = neighbour.verdict.judged
    if (points < LEAST_NEIGHBOUR_POINTS && specifics === 0 && !hasReason) return false
    return text.length + neighbour.sentence.text.length < LONGEST_WITH_NEIGHBOURS
  }
  const pointsBack = POINTS_BACK.test(folded)
  if (fits(at - 1)) {
    from = at - 1
    text = `${bareText(block[from]?.sentence.text ?? '')} ${text}`
  }
  while (fits(to + 1)) {
    to++
    text = `${text} ${bareText(block[to]?.sentence.text ?? '')}`
  }
  const lead = block[at]?.sentence.lead ?? ''
  if (lead !== '') text = `${lead}: ${text}`
  const refers = pointsBack || (folded.length < 80 && REFERS.test(folded))
  if (!refers || from < at) return { text, from, to, lacksSubject: false }
  const context = answered === undefined ? undefined : subjectOf(answered)
  if (context === undefined) return { text, from, to, lacksSubject: true }
  return { text: `${text} (about: ${clip(context, LONGEST_CONTEXT)})`, from, to, lacksSubject: false }
}

/** The last statement of the message that is answered, when it names something. */
function subjectOf({ sentences, speaker }: Turn): string | undefined {
  for (const sentence of sentences.slice(-3).reverse()) {
    if (countSpecifics(sentence.text) === 0) continue
    const around = { speaker, isFirst: false, takesUp: 0, affirms: false, afterFailure: false }
    if (judgeSentence(sentence, around).kept) return bareText(sentence.text)
  }
  return undefined
}

interface Proposal {
  readonly text: string
  readonly words: ReadonlySet<string>
  readonly isChoice: boolean
}

const ASKS = /^(?:(?:shall|should) (?:i|we)|do you want(?: me to)?|want me to|quer que eu|devo|posso)\s+/i

/** What the agent laid before the user: its last sentence that proposes. */
function proposalOf({ sentences }: Turn): Proposal | undefined {
  const proposing = sentences.slice(-4).filter(({ folded }) => PROPOSAL.test(folded))
  const last = proposing.at(-1)
  if (last === undefined) return undefined
  const words = new Set(proposing.flatMap(({ text }) => contentWords(text)))
  const text = bareText(last.text).replace(ASKS, '').replace(/\?+$/, '')
  return { text, words, isChoice: / (?:or|ou) /i.test(last.text) }
}

function takenUp(text: string, words: ReadonlySet<string>): number {
  const own = new Set(contentWords(text))
  let shared = 0
  for (const word of own) if (words.has(word)) shared++
  return own.size === 0 ? 0 : Math.min(1, shared / 2)
}

const PLAIN_YES =
  /^(?:yes|yep|yeah|agreed|do (?:it|that|so)|go ahead|sounds good|makes sense|please do|sim|isso|concordo|pode(?: ser| fazer)?|fechado|combinado|faz(?: isso| assim| sentido)?|bora)\b/
const PASSING =
  /^(?:merge|commit|push|run|open|continue|deploy|start|proceed|restart|check|rerun|roda|rodar|commitar|subir|abrir|continuar)\b/i

/** "yes, do that": the decision is what the agent had proposed. */
function agreement(turn: Turn, proposal: Proposal, seen: readonly Seen[]): Draft | undefined {
  const folded = turn.sentences[0]?.folded ?? ''
  if (!PLAIN_YES.test(folded) || proposal.isChoice || PASSING.test(proposal.text)) return undefined
  const specifics = countSpecifics(proposal.text)
  if (specifics < 2 || seen.some(({ verdict }) => !verdict.kept && verdict.why === 'negated'))
    return undefined
  const isTask = turn.sentences.some(sentence => TASK.test(sentence.folded))
  return {
    text: clip(`Agreed: ${proposal.text}`, LONGEST_TEXT),
    message: turn.message,
    category: isTask ? 'tasks' : 'decisions',
    kind: isTask ? 'task_progress' : 'decision',
    points: MIN_POINTS + 0.1 * specifics,
    specifics,
    speaker: 'user',
    hasReason: false,
    isHedged: false,
    isConfirmed: true,
    lacksSubject: false,
    wanted: false,
  }
}

/** `#remember` beside a sentence keeps the sentence; by itself, the message. */
function wantedOf(turn: Turn, seen: readonly Seen[]): Draft[] | undefined {
  const marked = seen.filter(({ sentence }) => hasRemember(sentence.text))
  if (marked.length === 0) return undefined
  const isWhole = marked.some(({ sentence }) => contentWords(withoutRemember(sentence.text)).length === 0)
  const groups = isWhole ? [seen] : marked.map(each => [each])
  return groups.flatMap(group => {
    const text = withoutRemember(group.map(({ sentence }) => sentence.text).join(' '))
    if (text === '') return []
    const judged = group.flatMap(({ verdict }) => (verdict.kept ? [verdict.judged] : []))
    const best = judged.sort((a, b) => b.points - a.points)[0]
    const isPlain = best === undefined || best.points < MIN_POINTS / 2
    return {
      text: clip(text, LONGEST_TEXT),
      message: turn.message,
      category: isPlain ? 'lessons' : best.category,
      kind: isPlain ? 'lesson' : best.kind,
      points: (best?.points ?? 0) + MIN_POINTS,
      specifics: best?.specifics ?? 0,
      speaker: turn.speaker,
      hasReason: best?.hasReason ?? false,
      isHedged: false,
      isConfirmed: false,
      lacksSubject: false,
      wanted: true,
    }
  })
}

function hasRemember(text: string): boolean {
  return text.search(REMEMBER) >= 0
}

function withoutRemember(text: string): string {
  return text
    .replace(REMEMBER, '$1')
    .replace(/\s+(?=[\s.,;:!?])/g, '')
    .trim()
}

function contentWords(text: string): string[] {
  return scanChunks(text)
    .map(chunk => foldWord(chunk.text))
    .filter(word => word.length > 2 && !stopWords('en').has(word) && !stopWords('pt').has(word))
}

/** Without "ok, " and "btw " before it. The openers are folded, so they are looked for in the folded text of equal length. */
function bareText(text: string): string {
  const lower = text.toLowerCase()
  const opener = lower.length === text.length ? (OPENERS.exec(lower)?.[0].length ?? 0) : 0
  const rest = text.slice(opener)
  return rest.length >= 3 ? rest : text
}

function clip(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')
  const blank = cut.lastIndexOf(' ')
  return `${(blank > most / 2 ? cut.slice(0, blank) : cut).trimEnd()}…`
}

import type { Category, Kind } from '../../model/category.ts'
import { foldWord } from '../../text/fold.ts'
import { stopWords } from '../../text/stop-words.ts'
import { scanChunks } from '../../text/words.ts'
import { AFFIRMED, OPENERS, POINTS_BACK, PROPOSAL, REFERS, TASK } from './cues.ts'
import { countSpecifics, type Judged, judgeSentence, MIN_POINTS, type Verdict } from './judge-sentence.ts'
import { type Sentence, splitSentences } from './sentences.ts'
import { saidLines } from './spoken-text.ts'
import { hasRemember, withoutRemember } from './wanted-parts.ts'

/** What one side said in one message. */
export interface Turn {
  readonly message: number
  readonly speaker: 'user' | 'agent'
  readonly sentences: readonly Sentence[]
  /** What the user marked at the beginning of a line, as it stands. */
  readonly wanted: readonly string[]
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
/** What a person wants kept is theirs to shape. */
export const LONGEST_WANTED = 16_000
/** With its neighbours a finding stays a remark, not a page. */
const LONGEST_WITH_NEIGHBOURS = 320
/** "I see the issue now." says nothing more. */
const LEAST_NEIGHBOUR_POINTS = 0.2
const LONGEST_CONTEXT = 200
/** A second finding of one paragraph, of another category, has to be this plain. */
const SECOND_POINTS = 1.7
/** Of a long part, so many sentences say what it is. */
const JUDGED_OF_PART = 40

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
  const taken = new Set<Sentence>()
  const wanted = turn.speaker === 'user' ? wantedOf(turn, seen, answered, taken) : []
  const drafts = [
    ...wanted,
    ...blocksOf(seen).flatMap(block => draftsOfBlock(block, turn, answered, affirms, taken)),
  ]
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
  takenBefore: ReadonlySet<Sentence>,
): Draft[] {
  const drafts: Draft[] = []
  const taken = new Set(block.flatMap(({ sentence }, at) => (takenBefore.has(sentence) ? [at] : [])))
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
  const fits = (each: number) => {
    const neighbour = block[each]
    if (neighbour === undefined || taken.has(each) || !neighbour.verdict.kept) return false
    const { points, specifics, hasReason } = neighbour.verdict.judged
    if (points < LEAST_NEIGHBOUR_POINTS && specifics === 0 && !hasReason) return false
    return text.length + neighbour.sentence.text.length < LONGEST_WITH_NEIGHBOURS
  }
  if (fits(at - 1)) {
    from = at - 1
    text = `${bareText(block[from]?.sentence.text ?? '')} ${text}`
  }
  while (fits(to + 1)) {
    to++
    text = `${text} ${bareText(block[to]?.sentence.text ?? '')}`
  }
  return { ...withSubject(text, block, from, answered, from < at), from, to }
}

/** With the line that it stands under, and with what it speaks of where it only points there. */
function withSubject(
  text: string,
  block: readonly Seen[],
  at: number,
  answered: Turn | undefined,
  isNamed = false,
): { text: string; lacksSubject: boolean } {
  const { lead = '', folded: whole = '' } = block[at]?.sentence ?? {}
  const folded = whole.replace(OPENERS, '')
  const led = lead === '' ? text : `${lead}: ${text}`
  const refers = POINTS_BACK.test(folded) || (folded.length < 80 && REFERS.test(folded))
  if (!refers || isNamed) return { text: led, lacksSubject: false }
  const context = answered === undefined ? undefined : subjectOf(answered)
  if (context === undefined) return { text: led, lacksSubject: true }
  return { text: `${led} (about: ${clip(context, LONGEST_CONTEXT)})`, lacksSubject: false }
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

/**
 * What the user marked: whole parts, and sentences with a mark in them. A mark at the start of a sentence takes the rest of its paragraph, one after the full
 * stop the paragraph before it.
 */
function wantedOf(
  turn: Turn,
  seen: readonly Seen[],
  answered: Turn | undefined,
  taken: Set<Sentence>,
): Draft[] {
  const drafts = turn.wanted.map(part => {
    const sentences = splitSentences(saidLines(part.slice(0, LONGEST_TEXT * JUDGED_OF_PART)))
    const around = { speaker: turn.speaker, isFirst: false, takesUp: 0, affirms: false, afterFailure: false }
    const verdicts = sentences.slice(0, JUDGED_OF_PART).map(sentence => judgeSentence(sentence, around))
    return wantedDraft(turn, part, verdicts)
  })
  for (const block of blocksOf(seen)) {
    block.forEach(({ sentence }, at) => {
      if (!hasRemember(sentence.text) || taken.has(sentence)) return
      const own = withoutRemember(sentence.text).trim()
      const isAlone = contentWords(own).length === 0
      const isAhead = !isAlone && /^#remember/i.test(sentence.text)
      const from = isAlone ? 0 : at
      const to = isAhead ? block.length - 1 : at
      const group = block.slice(from, to + 1)
      for (const each of group) taken.add(each.sentence)
      const text = withoutRemember(group.map(each => bareText(each.sentence.text)).join(' ')).trim()
      if (contentWords(text).length === 0) return
      const { text: whole } = withSubject(bareText(text), block, from, answered)
      drafts.push(
        wantedDraft(
          turn,
          whole,
          group.map(({ verdict }) => verdict),
        ),
      )
    })
  }
  return drafts
}

function wantedDraft(turn: Turn, text: string, verdicts: readonly Verdict[]): Draft {
  const judged = verdicts.flatMap(verdict => (verdict.kept ? [verdict.judged] : []))
  const best = judged.sort((a, b) => b.points - a.points)[0]
  const isPlain = best === undefined || best.points < MIN_POINTS / 2
  return {
    text: clip(text, LONGEST_WANTED),
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

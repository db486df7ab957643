import type { Category, Kind } from '../../model/category.ts'
import { foldWord } from '../../text/fold.ts'
import { stopWords } from '../../text/stop-words.ts'
import { scanChunks } from '../../text/words.ts'
import { ASKS as ASKS_NOW, CORRECTION, REFUSED } from './answer-cues.ts'
import { type ChosenOption, chosenOption } from './chosen-option.ts'
import { correctedStatement } from './corrected-statement.ts'
import { AFFIRMED, OPENERS, POINTS_BACK, PROPOSAL, REFERS, TASK } from './cues.ts'
import { DOUBT, OVERRIDES } from './doubt-cues.ts'
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
  /** It takes the place of something said before: of the sentence that is named, or of what has its subject. */
  readonly replaces?: { readonly statement: string | undefined }
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
const LONGEST_DOUBT = 90
const MEANT_POINTS = 1

const ALONE = {
  isFirst: false,
  takesUp: 0,
  affirms: false,
  refuses: false,
  isDoubted: false,
  afterFailure: false,
}

interface Seen {
  readonly sentence: Sentence
  readonly verdict: Verdict
}

/** What a short answer means, by what it answers. */
type Meant =
  | { readonly what: 'option'; readonly option: ChosenOption }
  | { readonly what: 'correction'; readonly statement: string | undefined }

/** What the sentences of a message are read with. */
interface Reading {
  readonly turn: Turn
  readonly answered: Turn | undefined
  readonly affirms: boolean
  readonly meant: ReadonlyMap<Sentence, Meant>
  /** Part of a finding already. */
  readonly taken: Set<Sentence>
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
  const refuses = turn.speaker === 'user' && REFUSED.test(opening)
  const commands = turn.sentences.some(({ folded }) => OVERRIDES.test(folded))
  const meant = turn.speaker === 'user' ? meantBy(turn, answered, before) : new Map<Sentence, Meant>()
  const seen = turn.sentences.map((sentence, at): Seen => {
    if (commands) return { sentence, verdict: { kept: false, why: 'commands the reader' } }
    const verdict = judgeSentence(sentence, {
      speaker: turn.speaker,
      isFirst: before.length === 0,
      takesUp: takenUp(sentence.text, proposal?.words ?? statedWords) * (proposal === undefined ? 0.5 : 1),
      affirms,
      refuses,
      isDoubted: turn.speaker === 'user' && isDoubt(turn.sentences[at + 1], sentence),
      afterFailure: turn.afterFailure,
    })
    return { sentence, verdict: meant.has(sentence) ? asDecision(sentence, verdict) : verdict }
  })
  const reading: Reading = { turn, answered, affirms, meant, taken: new Set() }
  const drafts = [
    ...(turn.speaker === 'user' ? wantedOf(seen, reading) : []),
    ...blocksOf(seen).flatMap(block => draftsOfBlock(block, reading)),
  ]
  if (drafts.length > 0 || proposal === undefined || commands) return drafts
  const agreed = agreement(turn, proposal, seen)
  return agreed === undefined ? [] : [agreed]
}

function meantBy(turn: Turn, answered: Turn | undefined, before: readonly Turn[]): Map<Sentence, Meant> {
  const meant = new Map<Sentence, Meant>()
  for (const sentence of turn.sentences) {
    const option = answered === undefined ? undefined : chosenOption(sentence, answered.sentences)
    if (option !== undefined) {
      meant.set(sentence, { what: 'option', option })
      continue
    }
    const corrects = CORRECTION.test(sentence.folded)
    if (!corrects && !REFUSED.test(sentence.folded)) continue
    const statement = correctedStatement(sentence.text, before)
    if (corrects || statement !== undefined)
      meant.set(sentence, {
        what: 'correction',
        statement: statement === undefined ? undefined : bareText(statement),
      })
  }
  return meant
}

/** Too short to be judged by itself: what it answers says the rest. */
function asDecision(sentence: Sentence, verdict: Verdict): Verdict {
  if (
    verdict.kept
      ? verdict.judged.category === 'decisions' && verdict.judged.points >= MEANT_POINTS
      : verdict.why !== 'too short'
  )
    return verdict
  const judged = verdict.kept ? verdict.judged : undefined
  return {
    kept: true,
    judged: {
      category: 'decisions',
      kind: 'decision',
      points: Math.max(MEANT_POINTS, judged?.points ?? 0),
      specifics: judged?.specifics ?? countSpecifics(sentence.text),
      hasReason: judged?.hasReason ?? false,
      isHedged: judged?.isHedged ?? false,
    },
  }
}

/** "not sure that's true": takes back the sentence before it. */
function isDoubt(next: Sentence | undefined, sentence: Sentence): boolean {
  return (
    next !== undefined &&
    next.block === sentence.block &&
    next.text.length < LONGEST_DOUBT &&
    DOUBT.test(next.folded)
  )
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

function draftsOfBlock(block: readonly Seen[], reading: Reading): Draft[] {
  const { turn, affirms, meant } = reading
  const drafts: Draft[] = []
  const taken = new Set(block.flatMap(({ sentence }, at) => (reading.taken.has(sentence) ? [at] : [])))
  for (;;) {
    const best = bestOf(block, taken)
    if (best === undefined) return drafts
    const { at, judged } = best
    if (drafts.length > 0) {
      const isOther = drafts.every(draft => draft.category !== judged.category)
      if (!isOther || judged.points < SECOND_POINTS) return drafts
    }
    const { text, from, to, lacksSubject } = withNeighbours(block, at, taken, reading)
    for (let each = from; each <= to; each++) taken.add(each)
    const answer = meant.get(block[at]?.sentence as Sentence)
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
      isConfirmed: affirms && judged.category === 'decisions',
      lacksSubject,
      wanted: false,
      ...(answer?.what === 'correction' && { replaces: { statement: answer.statement } }),
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
  { answered, meant }: Reading,
) {
  let from = at
  let to = at
  let text = bareText(block[at]?.sentence.text ?? '')
  const fits = (each: number) => {
    const neighbour = block[each]
    if (neighbour === undefined || taken.has(each) || !neighbour.verdict.kept) return false
    const { points, specifics, hasReason } = neighbour.verdict.judged
    if (points < MIN_POINTS && ASKS_NOW.test(neighbour.sentence.folded)) return false
    if (points < LEAST_NEIGHBOUR_POINTS && specifics === 0 && !hasReason) return false
    return text.length + neighbour.sentence.text.length < LONGEST_WITH_NEIGHBOURS
  }
  const previous = block[at - 1]
  if (previous !== undefined && !taken.has(at - 1) && isShortNo(previous)) {
    from = at - 1
    text = `${previous.sentence.text} ${text}`
  } else if (fits(at - 1)) {
    from = at - 1
    text = `${bareText(block[from]?.sentence.text ?? '')} ${text}`
  }
  while (fits(to + 1)) {
    to++
    text = `${text} ${bareText(block[to]?.sentence.text ?? '')}`
  }
  const answer = meant.get(block[at]?.sentence as Sentence)
  if (answer?.what === 'option')
    return { text: withOption(text, answer.option), from, to, lacksSubject: false }
  const statement = answer?.statement
  if (statement !== undefined)
    return {
      text: `${text} (about: ${clip(statement, LONGEST_CONTEXT)})`,
      from,
      to,
      lacksSubject: false,
    }
  return { ...withSubject(text, block, at, answered, from < at), from, to }
}

function withOption(text: string, { label, text: option, lead }: ChosenOption): string {
  const about = lead === '' ? '' : `; about: ${clip(lead, LONGEST_CONTEXT)}`
  return `${text} (${label}: ${clip(option, LONGEST_CONTEXT)}${about})`
}

/** "No, don't skip them.": says what the next sentence is instead of. */
function isShortNo({ sentence, verdict }: Seen): boolean {
  return !verdict.kept && verdict.why === 'too short' && REFUSED.test(sentence.folded)
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
    if (judgeSentence(sentence, { ...ALONE, speaker }).kept) return bareText(sentence.text)
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
function wantedOf(seen: readonly Seen[], { turn, answered, taken }: Reading): Draft[] {
  const drafts = turn.wanted.map(part => {
    const sentences = splitSentences(saidLines(part.slice(0, LONGEST_TEXT * JUDGED_OF_PART)))
    const around = { ...ALONE, speaker: turn.speaker }
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

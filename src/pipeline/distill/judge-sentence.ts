import type { Category, Kind } from '../../model/category.ts'
import { foldText } from '../../text/fold.ts'
import * as answer from './answer-cues.ts'
import * as cue from './cues.ts'
import * as doubt from './doubt-cues.ts'
import type { Sentence } from './sentences.ts'

export type Rejection =
  | 'question'
  | 'hypothetical'
  | 'negated'
  | 'of the moment'
  | 'chatter'
  | 'too short'
  | 'hearsay'
  | 'not ours'
  | 'wording'
  | 'commands the reader'

export interface Surroundings {
  readonly speaker: 'user' | 'agent'
  /** The first thing said is what is wanted, not what is known. */
  readonly isFirst: boolean
  /** How much the sentence takes up of what it answers, 0 to 1; of a proposal, twice as much as of a statement. */
  readonly takesUp: number
  /** It starts with a yes to that proposal. */
  readonly affirms: boolean
  /** The message starts with a no: what follows is what is wanted instead. */
  readonly refuses: boolean
  /** The sentence after it says that it may not be true. */
  readonly isDoubted: boolean
  /** The tool run before it failed: what follows is a cause or a fix. */
  readonly afterFailure: boolean
}

export interface Judged {
  readonly category: Category
  readonly kind: Kind
  /** What speaks for it, in points; `MIN_POINTS` make a finding. */
  readonly points: number
  readonly specifics: number
  readonly hasReason: boolean
  readonly isHedged: boolean
}

export type Verdict =
  | { readonly kept: true; readonly judged: Judged }
  | { readonly kept: false; readonly why: Rejection }

export const MIN_POINTS = 0.75

const FEWEST_WORDS = 4
/** `a.b`, `a/b`, `a_b`, `aB`, `AB`, `x=1`, `f()`, `#12`, backticks: how things are called in code. */
const NAME = /\w[./:=_@]\w|[a-z][A-Z]|^[A-Z]{2}|^`|\w\(|^#\d|^\/\w/
const NUMBER = /^~?\d/
const PROPER = /^[A-Z][a-z]{2}/
const EDGES = /^["'([“]+|[.,;:!?)\]"'”]+$/g
const MOST_SPECIFICS = 5

export function judgeSentence(sentence: Sentence, around: Surroundings): Verdict {
  const { folded } = sentence
  const bare = folded.replace(cue.OPENERS, '')
  const lead = sentence.lead === '' ? '' : foldText(sentence.lead)
  const why = rejectionOf(folded, bare, around) ?? rejectionByLead(lead)
  if (why !== undefined) return { kept: false, why }

  const specifics = countSpecifics(sentence.text)
  const hasReason = cue.REASON.test(folded) || cue.COMMA_SO.test(folded)
  const scores = {
    decisions: decisionPoints(folded, bare, around, /\d/.test(sentence.text)),
    lessons: lessonPoints(folded, around),
    tasks: taskPoints(folded, around),
  }
  if (lead !== '') addLead(lead, scores)
  if (hasReason) {
    scores.decisions += 0.2
    scores.lessons += 0.4
  }
  const length = lengthPoints(bare, scores.decisions >= 0.8)
  const isReport = cue.DONE.test(bare) || cue.FIGURES.test(folded) || cue.LOCATES.test(folded)
  if (around.speaker === 'user') addAddress(bare, folded, scores)
  const report = around.speaker === 'agent' && isReport ? -0.6 : 0
  const laughter = cue.LAUGHTER.test(folded) ? -1 : 0
  // Who hands over a secret sets something up.
  const secret = sentence.text.includes('[redacted:') ? -0.6 : 0
  const concrete = 0.06 * Math.min(specifics, MOST_SPECIFICS)
  const category = bestOf(scores)
  const first = around.isFirst ? firstPoints(category, folded, bare) : 0
  const repeated = cue.REPEATED.test(folded) ? -0.6 : 0
  const points =
    scores[category] +
    concrete +
    length +
    (category === 'tasks' ? 0 : report) +
    first +
    laughter +
    secret +
    repeated
  return {
    kept: true,
    judged: {
      category,
      kind: kindOf(category, folded, around),
      points,
      specifics,
      hasReason,
      isHedged: cue.HEDGE.test(folded),
    },
  }
}

function rejectionOf(
  folded: string,
  bare: string,
  { speaker, isDoubted }: Surroundings,
): Rejection | undefined {
  if (doubt.COMMANDS_READER.test(folded)) return 'commands the reader'
  if (speaker === 'user') {
    if (doubt.WORDING.test(bare)) return 'wording'
    if (isDoubted || doubt.DOUBT.test(folded) || doubt.HEARSAY.test(folded)) return 'hearsay'
    if (doubt.ELSEWHERE.test(folded) && !cue.AUTHORITY.test(folded)) return 'not ours'
  }
  if (cue.QUESTION.test(folded) || cue.QUESTION.test(bare)) return 'question'
  if (cue.NEGATED.test(folded)) return 'negated'
  if (cue.HYPOTHETICAL.test(folded)) return 'hypothetical'
  if (speaker === 'agent' ? cue.isOfTheMoment(bare) : cue.MOMENT.test(bare)) return 'of the moment'
  const words = countWords(bare)
  if (words < 2) return 'too short'
  if (words < FEWEST_WORDS && countSpecifics(bare) === 0 && !cue.CHOICE.test(folded)) return 'too short'
  if (doubt.LAUGHS_FIRST.test(folded)) return 'chatter'
  if (cue.LAUGHTER.test(folded) && !cue.CAUSE.test(folded) && !cue.CHOICE.test(folded)) return 'chatter'
  return undefined
}

/** Under `Options:` nothing is decided, under `What I changed:` nothing is news, unless it says what is left. */
function rejectionByLead(lead: string): Rejection | undefined {
  if (lead === '' || cue.TASK_LEAD.test(lead) || cue.LESSON_LEAD.test(lead) || cue.DECISION_LEAD.test(lead))
    return undefined
  if (cue.OPTIONS_LEAD.test(lead)) return 'hypothetical'
  return cue.REPORT_LEAD.test(lead) ? 'of the moment' : undefined
}

/** A person's word makes a rule; an agent's only when it says that one was made. */
function decisionPoints(folded: string, bare: string, around: Surroundings, hasValue: boolean): number {
  let points = 0
  if (cue.RULE.test(folded)) points += 0.9
  if (cue.CHOICE.test(folded)) points += 0.8
  if (cue.PREFERENCE.test(folded)) points += 0.8
  else if (cue.WISH.test(folded)) points += 0.5
  if (cue.AUTHORITY.test(folded)) points += 0.6
  if (cue.OURS.test(folded)) points += 0.5
  if (cue.SCOPE.test(folded)) points += 0.25
  if (cue.IMPERATIVE.test(bare)) points += 0.4
  if (around.speaker === 'agent') return points * 0.5
  if (around.affirms || around.refuses) points += 0.4
  points += 0.5 * around.takesUp
  // Told without being asked, a value is a wish: `two retries, 5 s apart`.
  if (hasValue && !around.isFirst && !cue.BEHAVIOUR.test(folded) && !answer.PLACED.test(folded)) points += 0.3
  if (answer.CORRECTION.test(folded)) points += 0.9
  if (cue.NOW_ONLY.test(bare)) points -= 0.4
  if (cue.TEMPORARY.test(folded)) points -= 0.4
  return points
}

function lessonPoints(folded: string, { speaker, afterFailure }: Surroundings): number {
  let points = 0
  if (cue.CAUSE.test(folded)) points += 0.7
  if (cue.CONDITION.test(folded)) points += 0.35
  if (cue.BEHAVIOUR.test(folded)) points += 0.4
  if (cue.WARNING.test(folded)) points += 0.4
  if (cue.FIX.test(folded)) points += 0.5
  if (cue.TRIED.test(folded)) points += 0.5
  if (points > 0 && afterFailure) points += 0.15
  if (speaker === 'user') {
    if (answer.EXPLAINS.test(folded)) points += 0.35
    if (answer.PLACED.test(folded)) points += 0.9
  }
  // How we do things is a person's to say, and then it is no discovery.
  if (speaker === 'user') return points * 0.8 - (cue.OURS.test(folded) ? 0.3 : 0)
  return points + (cue.WEIGHS.test(folded) ? -0.2 : 0.15)
}

function taskPoints(folded: string, { speaker }: Surroundings): number {
  if (cue.TASK.test(folded)) return /^(?:todo|to-do|pendente|por fazer|a fazer)\b/.test(folded) ? 1.7 : 1.1
  if (speaker === 'agent' && cue.HAS_TO_BE.test(folded)) return 0.9
  return cue.DAY.test(folded) ? 0.8 : 0
}

/** "Warning: …", "Remember that …": said to be kept in mind, whatever it is. */
function addAddress(bare: string, folded: string, scores: Scores): void {
  if (answer.WARNS.test(bare)) {
    scores.lessons += 0.9
    scores.decisions *= 0.5
  }
  if (!answer.REMINDS.test(bare)) return
  if (cue.RULE.test(folded) || cue.OURS.test(folded)) scores.decisions += 0.5
  else scores.lessons += 0.5
}

/** Who starts a talk tells what is wrong and what to do; a plain statement among it is one all the same. */
function firstPoints(category: Category, folded: string, bare: string): number {
  if (category === 'decisions')
    return cue.DECLARED.test(folded) || answer.REMINDS.test(bare) || answer.CORRECTION.test(folded) ? 0 : -0.3
  const isTold = answer.WARNS.test(bare) || answer.REMINDS.test(bare)
  return isTold || answer.EXPLAINS.test(folded) || answer.PLACED.test(folded) ? 0 : -0.7
}

type Scores = Record<'decisions' | 'lessons' | 'tasks', number>

function addLead(lead: string, scores: Scores): void {
  if (cue.TASK_LEAD.test(lead)) scores.tasks += 1.1
  if (cue.LESSON_LEAD.test(lead)) scores.lessons += 0.6
  if (cue.DECISION_LEAD.test(lead)) scores.decisions += 1.2
}

function bestOf(scores: Readonly<Scores>) {
  if (scores.tasks >= 1 && scores.tasks >= scores.decisions - 0.3) return 'tasks'
  if (scores.tasks > 0 && scores.tasks >= Math.max(scores.decisions, scores.lessons)) return 'tasks'
  return scores.decisions >= scores.lessons ? 'decisions' : 'lessons'
}

function kindOf(category: Category, folded: string, { afterFailure }: Surroundings): Kind {
  if (category === 'decisions') return cue.PREFERENCE.test(folded) ? 'preference' : 'decision'
  if (category === 'tasks') return 'task_progress'
  if (cue.WARNING.test(folded) || answer.WARNS.test(folded.replace(cue.OPENERS, ''))) return 'warning'
  return afterFailure && cue.FIX.test(folded) ? 'error' : 'discovery'
}

/** What is said in a few words says little by itself; what takes a paragraph says too much. */
function lengthPoints(bare: string, isRule: boolean): number {
  const words = countWords(bare)
  if (words < FEWEST_WORDS) return -0.5
  if (words < 6) return isRule ? -0.1 : -0.3
  return words > 60 ? -0.3 : words >= 10 ? 0.1 : 0
}

/** How many names and numbers a text has. A capital at the start of a sentence makes no name. */
export function countSpecifics(text: string): number {
  const found = new Set<string>()
  let startsSentence = true
  for (const word of text.split(' ')) {
    const bare = word.replace(EDGES, '')
    if (NAME.test(bare) || NUMBER.test(bare) || (!startsSentence && PROPER.test(bare))) {
      found.add(bare)
      if (found.size >= MOST_SPECIFICS) break
    }
    startsSentence = /[.!?]$/.test(word)
  }
  return found.size
}

export function countWords(text: string): number {
  let words = 0
  let inWord = false
  for (let at = 0; at < text.length; at++) {
    const isBlank = text.charCodeAt(at) === 32
    if (!isBlank && !inWord) words++
    inWord = !isBlank
  }
  return words
}

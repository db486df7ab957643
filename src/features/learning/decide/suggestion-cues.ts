import type { Kind } from '../../../kernel/model/category.ts'
import { findMentions } from '../../../kernel/text/entities/find-entities.ts'
import type { Sentence } from './sentences.ts'

/** What a rule sees in one sentence that may be worth keeping. A person decides. */
export interface SuggestionCue {
  readonly kind: Kind
  readonly importance: number
  readonly confidence: number
}

/** Seed A analyses lines of more than 15 characters. Short ones are archived by the preset, with the reason. */
const MIN_CHARACTERS = 16
const MAX_CHARACTERS = 300
/** Below what the balanced preset shows. */
const UNSHOWN = 0.2

/** Seed A, section 3: ten patterns for decisions, ten for lessons, on what agents say. Folded text has no accents. */
export const DECISION_PATTERNS: readonly RegExp[] = [
  /\bdecid/,
  /\bchose\b/,
  /\bwill use\b/,
  /\bdecisao/,
  /\bescolh/,
  /\boptamos/,
  /\badotamos/,
  /\bvamos usar\b/,
  /\bwent with\b/,
  /\bsettled on\b/,
]
export const LESSON_PATTERNS: readonly RegExp[] = [
  /\blearned\b/,
  /\bimportant/,
  /\bnote:/,
  /\baprendemos/,
  /\bimportante/,
  /\blicao/,
  /\bdiscovery/,
  /\binsight/,
  /\bdescobr/,
  /\bobserv/,
]

/** An agent that tells what it is doing, offers, asks or praises. */
const NARRATION =
  /^(?:\W|now|next|then|first|ok(?:ay)?|perfect|great|good|excellent|let me|let's|lets|i|i'm|i've|i'll|you|your|would|do|does|can|could|should|shall|if you|agora|vou|deixe|perfeito|otimo|eu|voce|quer|posso)\b|\b(?:i'll|i will|i'm|i am|i've|let me|i need|i can|i decided|vou|deixe-me|eu)\b|\?\s*$|:\s*$/
/** What may be so, or is about to change. */
const DOUBT =
  /\b(?:might|maybe|perhaps|probably|likely|seems?|appears?|could be|may be|suggests?|still|again|not sure|talvez|provavelmente|parece)\b/
/**
 * The forms of the seed's patterns that are shown: a sentence whose grammar says that it states a decision, or a person's lesson. Other
 * sentences that match a pattern are stored below the importance filter, and `cairn review --archived` lists them. Lessons of agents
 * ("Note: …", "Important: …") are among these: a blind judge found 3 of 27 good.
 */
const PLAIN_DECISION =
  /\b(?:we(?:'ve)?|(?:the )?team) (?:have |had )?(?:decided|chose|chosen|settled on|went with)\b|^(?:chose|went with|settled on|decided (?:to|that|on|against)) |\b(?:foi|ficou) (?:decidid|escolhid)[oa]\b|\bwe(?:'ll| will) use\b|\b(?:decidimos|escolhemos|optamos|adotamos|vamos usar)\b|^\W*a decisao (?:foi|e) /
/** A label, by which agents often mean what they just did: it counts in what a person writes. */
const DECISION_LABEL = /^\W*(?:decision|decisao)\W*: ?\W*\w(?!.*\bou\b)/
const PLAIN_LESSON =
  /^\W*(?:important|importante|note|nota|lesson(?: learned)?|licao(?: aprendida)?|discovery|descoberta|(?:key )?insight|observation|observacao)\W{0,3}: ?\W*\w|\bwe (?:have |'ve )?(?:learned|observed) that\b|\b(?:aprendemos|descobrimos|observamos) que\b/
/** A person's statement about how the project is or should be. */
const PERSON_NOTE =
  /^(?:please |also |and |but |so |ok[, ]+)*(?:keep in mind|reminder|fyi|note that|bear in mind|for context|lembrete|lembre-se|tenha em mente|ten en cuenta)\b/
const PERSON_WISH =
  /\b(?:i|we) (?:don't|do not) want\b|\b(?:i|we)(?:'d| would) (?:rather|prefer)\b|\b(?:i|we) prefer\b|\bi want to avoid\b|\bi'd like to avoid\b|\b(?:prefiro|preferimos|nao quero|nao queremos|prefiero)\b/
const PERSON_USE =
  /\bwe(?:'re| are) (?:not |only |no longer |already )?using\b|\bwe (?:only |no longer |don't |do not )?use\b|\b(?:usamos|estamos usando|nao usamos|so usamos)\b|\bdo(?:n't| not) (?:change|switch) the (?:model|version|database|framework)\b/
const OF_NOW =
  /\b(?:now|right now|for now|yet|today|this time|here|above|below|attached|agora|hoje|ainda|aqui)\b|\?|^(?:can|could|would|let's|lets|help|try|yes|no)\b/
const UNNAMED = /\b(?:this|these|those|it|them|isso|isto|esse|essa)\b/

export function agentCue({ text, folded }: Sentence): SuggestionCue | undefined {
  if (!isReadable(text) || NARRATION.test(folded) || DOUBT.test(folded)) return undefined
  if (PLAIN_DECISION.test(folded) && (isConcrete(text) || !UNNAMED.test(folded)))
    return { kind: 'decision', importance: 0.6, confidence: 0.5 }
  if (DECISION_PATTERNS.some(pattern => pattern.test(folded)))
    return { kind: 'decision', importance: UNSHOWN, confidence: 0.5 }
  if (LESSON_PATTERNS.some(pattern => pattern.test(folded)))
    return { kind: 'lesson', importance: UNSHOWN, confidence: 0.4 }
  return undefined
}

export function personCue({ text, folded }: Sentence): SuggestionCue | undefined {
  if (!isReadable(text) || /\?\s*$/.test(text)) return undefined
  if (PERSON_NOTE.test(folded)) return { kind: 'discovery', importance: 0.75, confidence: 0.6 }
  if (OF_NOW.test(folded) || DOUBT.test(folded) || UNNAMED.test(folded)) return undefined
  if (PLAIN_DECISION.test(folded) || DECISION_LABEL.test(folded))
    return { kind: 'decision', importance: 0.7, confidence: 0.6 }
  if (PLAIN_LESSON.test(folded)) return { kind: 'lesson', importance: 0.6, confidence: 0.6 }
  if (PERSON_WISH.test(folded)) return { kind: 'preference', importance: 0.7, confidence: 0.6 }
  if (PERSON_USE.test(folded) && isConcrete(text))
    return { kind: 'decision', importance: 0.7, confidence: 0.6 }
  return undefined
}

function isReadable(text: string): boolean {
  return text.length >= MIN_CHARACTERS && text.length <= MAX_CHARACTERS
}

/** It names something: a file, a package, code, a term of the project. */
function isConcrete(text: string): boolean {
  return /`[^`]+`|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}\b|\w\.\w{2,4}\b/.test(text) || findMentions(text).length > 0
}

import type { Kind } from '../../../kernel/model/category.ts'
import { findMentions } from '../../../kernel/text/entities/find-entities.ts'
import { foldText } from '../../../kernel/text/fold.ts'
import { kindOfText } from '../../../kernel/text/kind-of-text.ts'
import type { Sentence } from './sentences.ts'

/** A sentence that a rule considers worth storing. A person decides. */
interface SuggestionCue {
  readonly kind: Kind
  readonly importance: number
  readonly confidence: number
}

/** Seed A analyses lines of more than 15 characters. Short ones are archived by the preset, with the reason. */
const MIN_CHARACTERS = 16
const MAX_CHARACTERS = 300
/** Below the threshold of the balanced preset. */
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

/** An agent that narrates its work, offers, asks or praises. */
const NARRATION =
  /^(?:\W|now|next|then|first|ok(?:ay)?|perfect|great|good|excellent|let me|let's|lets|i|i'm|i've|i'll|you|your|would|do|does|can|could|should|shall|if you|agora|vou|deixe|perfeito|otimo|eu|voce|quer|posso)\b|\b(?:i'll|i will|i'm|i am|i've|let me|i need|i can|i decided|vou|deixe-me|eu)\b|\?\s*$|:\s*$/
/** A possibility, or a state that is about to change. */
const DOUBT =
  /\b(?:might|maybe|perhaps|probably|likely|seems?|appears?|could be|may be|suggests?|still|again|not sure|talvez|provavelmente|parece)\b/
/**
 * The forms of the seed's patterns that are shown: a sentence whose grammar states a decision, or a person's lesson. Other matching
 * sentences are stored below the importance filter, and `cairn review --archived` lists them. Lessons of agents ("Note: …",
 * "Important: …") are among these: a blind judge found 3 of 27 good.
 */
const PLAIN_DECISION =
  /\b(?:we(?:'ve)?|(?:the )?team) (?:have |had )?(?:decided|chose|chosen|settled on|went with)\b|^(?:chose|went with|settled on|decided (?:to|that|on|against)) |\b(?:foi|ficou) (?:decidid|escolhid)[oa]\b|\bwe(?:'ll| will) use\b|\b(?:decidimos|escolhemos|optamos|adotamos|vamos usar)\b|^\W*a decisao (?:foi|e) /
/** A label that agents often use for what they just did: it counts only in a person's text. */
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

/** It names a file, a package, code or a term of the project. */
function isConcrete(text: string): boolean {
  return /`[^`]+`|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}\b|\w\.\w{2,4}\b/.test(text) || findMentions(text).length > 0
}

/** A longer message is a detailed task or was pasted: no rule is read from it. */
export const MAX_OWN_MESSAGE = 1_000
const MIN_RULE = 12
const MAX_RULE = 400

const OFTEN = '(?:always|never|sempre|nunca|jamais|siempre|jamas)'
const MODAL =
  "(?:should|shouldn't|must|mustn't|shall|has to|have to|needs? to|ought to|deve|devem|deveria|tem que|tem de|precisa|precisam|debe|deben|tiene que|hay que)"
const VERB_LIST =
  'add|answer|ask|assume|avoid|build|bump|call|change|check|commit|confirm|copy|create|delete|deploy|do|document|edit|ensure|explain|fetch|follow|format|generate|give|hardcode|hard-code|import|include|install|keep|leave|link|log|make|merge|mock|modify|name|open|overwrite|prefer|print|push|put|read|rebase|remove|reply|respond|restart|review|run|save|send|show|skip|start|stop|store|suggest|take|tell|test|touch|trust|try|update|use|validate|verify|wait|work|write'
const IMPERATIVE = `(?:${VERB_LIST})`

/** Folded text at the start of a sentence, after an address ("please", "and", "ok,"). */
const RULES: readonly RegExp[] = [
  // Always run …  /  Never commit …  /  Sempre rode …  (a past tense or an -ing form describes what happens)
  /^(?:always|never)(?: ever)? (?!mind\b|again\b|been\b|had\b|got\b|seen\b|saw\b|knew\b|the less\b|\w+ed\b|\w+ing\b)[a-z]/,
  /^(?:sempre|siempre|nunca|jamais|jamas) (?!que\b|mais\b|mas\b|foi\b|fue\b|vi\b|vem\b|volta\b|da\b|esta\b|aparece\b)\w+/,
  /^(?:don't|do not|dont|no) ever (?!mind)\w/,
  // … should never …, … must always be …, never should
  new RegExp(String.raw`\b${MODAL}(?: \w+)? ${OFTEN}\b|\b${OFTEN} ${MODAL}\b`),
  // do not touch the seeds, never update them …
  new RegExp(String.raw`[,;:] (?:please )?(?:always|never) ${IMPERATIVE}\b`),
  // You always … / we never …: a rule if the verb is one that people use in orders
  new RegExp(String.raw`\b(?:you|we|let's|lets|please)[, ]+(?:always|never) ${IMPERATIVE}\b`),
  /\bi (?:\w+ly )?(?:always|never) want\b|\bi (?:don't|do not|never) (?:ever )?want\b.{0,120}\b(?:ever|again|anymore)\b|\b(?:quero|quiero) que (?:\w+ ){0,3}(?:sempre|nunca|siempre)\b/,
  // From now on …
  /^(?:from now on|going forward|from here on(?: out)?|henceforth|a partir de agora|daqui (?:pra|para|em) (?:a )?(?:frente|diante)|de agora em diante|a partir de ahora|de ahora en adelante|en adelante)\b.{8,}/,
  // From the beginning of a line: a search at every character would take quadratic time.
  /(?:^|[\n\r\u2028\u2029]).{8,}\b(?:from now on|going forward|from here on(?: out)?|daqui (?:pra|para|em) (?:a )?(?:frente|diante)|de agora em diante|a partir de agora|a partir de ahora|de ahora en adelante)[.!]*$/,
  new RegExp(
    String.raw`^(?:in (?:the )?future|no futuro|next time),? (?:please|always|never|don't|do not|make sure|you (?:should|must|can)|we should|${IMPERATIVE})\b`,
  ),
  // Whenever you change …, run …
  new RegExp(
    String.raw`^(?:every time|everytime|each time|whenever|any ?time|toda vez que|sempre que|cada vez que|siempre que)\b.{4,120}, (?:please |then |also |you (?:should|must|need to|have to) |always |never |don't |do not )?${IMPERATIVE}\b`,
  ),
  /^(?:toda vez que|sempre que|cada vez que|siempre que) .{4,120}, \w+/,
  new RegExp(
    String.raw`^(?:whenever|every time|each time|if) you(?:'re| are)? (?:not sure|unsure|in doubt|stuck)\b.{0,120}\b${IMPERATIVE}\b`,
  ),
  /\b(?:i want|i'd like|i would like|please|you (?:should|must)|must|should)\b.{4,120}\b(?:each time|every time|everytime|at all times|each and every time)[.!]*$/,
  /^before (?:you )?(?:\w+ing|commit|push|start|write|change|edit|deploy|run)\b.{2,80}, (?:please |always |you (?:should|must) |i (?:want|need)(?: you)? to |i'd like (?:you )?to )\w+.{0,80}\b(?:each time|every time|always)\b/,
  /\bno matter what\b.{0,60}\b(?:do not|don't|never|always|must)\b/,
  /\b(?:you|u) (?:can|may|don't need to|do not need to) .{3,100}\b(?:whenever you want|any ?time|without asking)\b/,
  /\b(?:as a rule(?! of)|the rule is|house rule|by convention|our convention is|a regra e|como regra)\b.{8,}/,
  // Every test must …: a rule about code and work; "all columns should be sortable" is a feature.
  /(?:^|\bthat |: )(?:all|every|each|any|todo|toda|todos|todas|cada|qualquer) (?:\S+ ){0,3}(?:code|tests?|commits?|functions?|endpoints?|quer(?:y|ies)|migrations?|modules?|classes|comments?|docs?|prs?|pull requests?|branch(?:es)?|variables?|secrets?|logs?|routes?|imports?|codigo|testes?|filtros?|consultas?|fun(?:cao|coes)|rotas?|migracoes|componentes?)\b(?: \S+){0,6}? (?:must|should|has to|have to|needs? to|deve|devem|tem que|precisa|precisam|debe|deben)\b/,
  // Chinese: from now on, always, never
  /^(?:以后|今后|从现在(?:起|开始)|从今以后|往后).{4,}|(?:以后|今后)(?:都|请|要|不要|不准|必须|别|每次).{2,}|永远不要|永远都|绝对不(?:要|能|可以)|(?:必须|都要|要|请)(?:一直|始终|总是)|(?:始终|总是|一律)(?:要|使用|用|不)/,
]

/** How a person introduces a sentence. */
const LEAD =
  /^(?:(?:please|pls|ok(?:ay)?|yes|yeah|no(?=[,.!])|also|and|but|so|well|hey|btw|by the way|fyi|note|this is (?:very |super |really )?important|important|importante|remember|reminder|rule|regra|just|again|por favor|e|mas|ah|entao|sim|nao(?=[,.!])|tambem|lembra|obs|y|pero)\b[,.:! -]*|[-*•]\s+|\d+[.)]\s+)+/

/** A question, or an order for now. */
const QUESTION =
  /\?["')\]]*$|^(?:can|could|would|will|do|does|did|is|are|was|were|why|what|when|where|which|who|how|should|shall|have|has|pode|poderia|por ?que|como|qual|quando|onde|devo|puedes|podrias|que|para que|sera que)\b(?! not\b).{0,300}\?|[吗呢？]$/
const ONE_OFF =
  /^(?:can|could|would) you\b|^(?:let's|lets|let us) (?!always|never|not ever)|\b(?:for now|right now|just this once|this time|por enquanto|dessa vez|desta vez|por ahora|yet)\b|^(?:fix|implement|create|add|update|refactor|debug|investigate|crie|corrija|adicione|implemente) /
/** A report of an observation: "it never loads", "sempre volta". */
const REPORT =
  /\b(?:it|this|that|they|he|she|there|which|isso|ele|ela|eles|esto|eso)(?:'s| is| was| are| has| have)? (?:still |just )?(?:always|never|sempre|nunca|siempre)\b|\bi (?:always|never) (?!want)|\b(?:always|never) (?:get|gets|got|see|sees|happens|happened|shows|showed|returns|returned|loads|loaded|works|worked|fails|failed|comes|came|goes|went|seems|looks|been)\b|\b(?:eu|eles?|elas?|isso) (?:sempre|nunca)\b|\b(?:should|must|deve) have (?:always|never)\b|\b(?:i think|i guess|maybe|probably|acho que|talvez|creo que|quizas)\b/

/** A description of a page: a feature to build, not a way to work. */
const FEATURE =
  /\b(?:always|never|sempre|nunca|siempre) (?:be )?(?:show|shows|shown|display|displayed|render|hide|hidden|highlight|stretch|scroll|visible|mostr\w+|exib\w+|aparec\w+)\b|\b(?:button|column|columns|cols|modal|popup|tooltip|dropdown|icon|sidebar|navbar|chart|graph|font|color|colour|bot[aã]o|coluna|tela|[ií]cone)\b/

/** Its subject is in another sentence. */
const POINTS_BACK =
  /^(?:it|this|that|these|those|they|them|he|she|isso|isto|esse|essa|ele|ela|eles|elas|esto|eso)\b(?! (?:project|repo|repository|app|application|file|folder|branch|page|code|codebase|team|projeto|arquivo|repositorio|proyecto))/
const BARE_OBJECT =
  /^(?:please |pls )?(?:always|never|don't ever|do not ever|sempre|nunca|siempre|from now on,?|a partir de agora,?|in (?:the )?future,?)\s+(?:always |never |please |don't |do not )*(?:\w+ ){1,2}(?:it|this|that|them|these|those|so|again|isso|isto|assim|esto|eso)(?: (?:again|way|ever|now|please|like this))*[.! ]*$/

const UNNAMED_SUBJECT =
  /\b(?:this|that|these|those) (?:\S+ ){0,4}(?:state|issue|issues|error|errors|problem|problems|bug|bugs|thing|things|situation|mistake)\b|\b(?:it|them|those|these|that|this|isso|isto|eso|esto)[.! ]*$|^all of (?:that|this|it)\b|\b(?:those|these) \w+/

interface StandingRule {
  readonly kind: Kind
  /** False: its subject is in another sentence, which a reader of this one does not have. */
  readonly isSelfContained: boolean
}

/** A rule that a person stated for all later work, in one sentence of a short message of their own. */
export function readStandingRule(sentence: string): StandingRule | undefined {
  const text = sentence.trim()
  const isHan = /[\u4e00-\u9fff]/.test(text)
  if (text.length < (isHan ? 6 : MIN_RULE) || text.length > MAX_RULE) return undefined
  const folded = foldText(text)
    .replace(/[’‘]/g, "'")
    .replace(/[*_`"“”]+/g, '')
    .trim()
  const bare = folded.replace(LEAD, '')
  if (
    QUESTION.test(folded) ||
    QUESTION.test(bare) ||
    ONE_OFF.test(bare) ||
    REPORT.test(bare) ||
    FEATURE.test(bare)
  )
    return undefined
  if (!RULES.some(rule => rule.test(bare))) return undefined
  return {
    kind: ruleKind(text),
    isSelfContained:
      !POINTS_BACK.test(bare) &&
      !BARE_OBJECT.test(bare) &&
      !UNNAMED_SUBJECT.test(bare) &&
      wordsIn(bare) >= (isHan ? 1 : 4),
  }
}

/** A rule is a preference unless its words say that it is a warning or a decision. */
function ruleKind(text: string): Kind {
  const kind = kindOfText(text.replace(/^(?:please|and|also|but|so|ok|important|note)[,: ]+/i, ''))
  return kind === 'warning' || kind === 'decision' ? kind : 'preference'
}

function wordsIn(text: string): number {
  return text.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length
}

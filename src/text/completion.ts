import {
  CONDITION,
  FINISHED,
  GUESS,
  IRREGULAR_PAST,
  NO_LONGER,
  OVERCOME,
  SHARE,
  TAKES_BACK,
  UNDONE,
  UNFINISHED,
} from './completion-words.ts'
import { foldText, foldWord } from './fold.ts'
import type { Language } from './language.ts'
import { voteLanguage } from './language-vote.ts'
import { stemWord } from './stem.ts'
import { stopWords } from './stop-words.ts'
import { scanChunks } from './words.ts'

/**
 * Whether a text says that a step is finished. Told by words alone, and in doubt it does not:
 *
 *   "The keys are rotated, the docs are not done yet."
 *
 *   clauses   [The keys are rotated]        a past form, nothing against it     → a report of {key, rotat}
 *             [the docs are not done yet]   `not`, `yet`                        → none
 *
 *   finishes  the report has the step's own verb in the past, or a word that says so (done, pronto), and
 *             covered = shared words ÷ words of the step      >= 0.8, or >= 0.5 where the report speaks of nothing else
 */
export interface Report {
  readonly language: Language
  /** Stems of what the clause speaks of. */
  readonly words: ReadonlySet<string>
  /** Stems of words that stand in the past. */
  readonly past: ReadonlySet<string>
  /** It has a word that says finished. */
  readonly isPlain: boolean
  /** It says what became of something: "the keys are rotated". */
  readonly isPassive: boolean
  /** It says that something was made: what was missing is there. */
  readonly isMade: boolean
  /** It says how things are now. */
  readonly isNow: boolean
  readonly isNoLonger: boolean
  /** It says that trouble is over. */
  readonly isOvercome: boolean
}

/** What a step, or a trouble, speaks of, stemmed as each language does: a short text does not tell which it is. */
export type Topic = Readonly<Record<Language, TopicWords>>

interface TopicWords {
  readonly words: ReadonlySet<string>
  /** Those that are no past form: its verb is among them. */
  readonly base: ReadonlySet<string>
  /** It says what is not so: "the dashboard does not show it". */
  readonly isDenied: boolean
}

export const COVERED = { beside: 0.8, alone: 0.5, fewest: 2 } as const
const READ_CHARACTERS = 4_000
const LONGEST_SENTENCE = 600

export function reportsIn(text: string): Report[] {
  const folded = foldText(text.slice(0, READ_CHARACTERS))
    .replace(/[‘’]/g, "'")
    .replace(/\ball but\b/g, 'almost')
  const sentences = sentencesIn(folded)
  return sentences.flatMap((sentence, at) => {
    if (sentence.length > LONGEST_SENTENCE || sentence.includes('?')) return []
    const next = sentences[at + 1]
    // "The keys are rotated. No wait, not all of them."
    if (next !== undefined && (TAKES_BACK.test(next) || UNDONE.test(next.slice(0, LONGEST_SENTENCE))))
      return []
    // "The keys were rotated but it broke, so I reverted it."
    if (UNDONE.test(sentence)) return []
    return reportsOf(sentence)
  })
}

/** Whether what is said is that something is finished, not that it is to be done. */
export function saysFinished(text: string): boolean {
  const reports = reportsIn(text)
  return (
    reports.some(({ isPlain, isPassive }) => isPlain || isPassive) ||
    (reports.length > 0 && startsInPast(text))
  )
}

export function topicOf(text: string): Topic {
  const folded = foldText(text.slice(0, READ_CHARACTERS)).replace(/[‘’]/g, "'")
  return { en: topicIn(folded, 'en'), pt: topicIn(folded, 'pt') }
}

function topicIn(folded: string, language: Language): TopicWords {
  const isDenied = DENIED.test(folded)
  const all = contentWords(folded, language)
  // "The migration is not finished yet" is about the migration.
  const about = all.filter(({ isCue }) => !isCue)
  const found = about.length > 0 ? about : all
  return {
    words: new Set(found.map(({ stem }) => stem)),
    // "I have not removed it": the verb stands in the past there.
    base: new Set(found.filter(({ pastOf }) => isDenied || pastOf === undefined).map(({ stem }) => stem)),
    isDenied,
  }
}

export function finishes(report: Report, step: Topic): boolean {
  const topic = step[report.language]
  const ownVerb = [...report.past].some(stem => topic.base.has(stem))
  // "The importer tests are still missing": whoever has written them need not say that they are done.
  const isThere = report.isMade && [...topic.words].every(word => report.words.has(word))
  const isSoNow = report.isNow && topic.isDenied
  return (report.isPlain || ownVerb || isThere || isSoNow) && covers(report, topic)
}

/** For a trouble: that it is fixed, gone, or no longer so. */
export function overcomes(report: Report, trouble: Topic): boolean {
  return report.isOvercome && covers(report, trouble[report.language])
}

function covers(report: Report, { words }: TopicWords): boolean {
  const shared = [...words].filter(word => report.words.has(word) || report.past.has(word)).length
  if (shared < Math.min(COVERED.fewest, words.size) || shared === 0) return false
  const isAlone = [...report.words].every(word => words.has(word))
  return shared / words.size >= (isAlone ? COVERED.alone : COVERED.beside)
}

/** With their end marks, so that a question is known. */
function sentencesIn(folded: string): string[] {
  return folded
    .split(/\n+|(?<=[.!?…])\s+(?=\S)|;\s+/)
    .map(sentence => sentence.trim())
    .filter(sentence => sentence !== '')
}

const TICKED = /^(?:[-*+]\s*)?(?:\[x\]|✅|✔️?|☑)\s*/
const OPEN_BOX = /^(?:[-*+]\s*)?(?:\[ \]|❌|⬜|☐)/
/** A list of what is finished. */
const DONE_LIST = /^\W*(?:done|finished|completed|feito|pronto|concluido|terminado)\s*(?::|[-–—])\s+/
const DONE_THEN_HOW =
  /\b(done|finished|complete|fixed|pront[oa]s?|feit[oa]s?|concluid[oa]s?|resolvid[oa]s?): /g
const CLAUSE_BREAK =
  /\s*(?:,|;|\s[-–—]\s)\s*|\s+(?=(?:and|but|while|so|however|e|mas|porem|enquanto|porque|because)\s)/
const JOINT = /^(?:and|e)\s+/
const DETERMINED = /^(?:(?:and|e)\s+)?(?:the|a|an|our|all|both|its|their|o|a|os|as|nosso|nossa|todos|todas)\s/
const MOST_JOINED_WORDS = 6

function reportsOf(sentence: string): Report[] {
  if (OPEN_BOX.test(sentence)) return []
  const languages = languagesOf(sentence)
  return languages.flatMap(language => reportsAs(language, sentence, languages))
}

/** `languages`: those whose words may speak against it. */
function reportsAs(language: Language, sentence: string, languages: readonly Language[]): Report[] {
  if (hits(sentence, GUESS, languages) || SHARE.test(sentence)) return []
  const isTicked = TICKED.test(sentence)
  const isList = isTicked || DONE_LIST.test(sentence)
  // "Paging is done: 50 rows a page" says first that it is done, and then how.
  const body = sentence.replace(TICKED, '').replace(DONE_LIST, '').replace(DONE_THEN_HOW, '$1, ')
  const clauses = body.split(CLAUSE_BREAK).filter(clause => clause.trim() !== '')
  const reports: Report[] = []
  let waiting = ''
  let offset = 0
  for (const [at, clause] of clauses.entries()) {
    const before = body.slice(0, Math.max(0, body.indexOf(clause, offset)))
    offset = before.length + clause.length
    const isAgainst = hits(clause, UNFINISHED, languages) && !NO_LONGER.test(clause)
    const cue = isList ? 0 : cueAt(clause, language)
    const isPlan = hits(`${before} ${clause.slice(0, cue ?? clause.length)}`, CONDITION, languages)
    if (isAgainst || isPlan) {
      waiting = ''
      continue
    }
    if (cue === undefined) {
      // "the export and the import are done": what stands before belongs to it; and so does what follows, "… and the import".
      if (isJoined(clause) && reports.length > 0 && (JOINT.test(clause) || at > 0) && waiting === '')
        reports.push(reportOf(clause, { language, isPlain: true, isOvercome: true }))
      waiting = isJoined(clause) && reports.length === 0 ? `${waiting} ${clause}` : ''
      continue
    }
    const isPlain = isList || FINISHED[language].test(clause)
    const isOvercome = isTicked || OVERCOME[language].test(clause) || NO_LONGER.test(clause)
    if (waiting !== '') reports.push(reportOf(waiting, { language, isPlain, isOvercome }))
    waiting = ''
    reports.push(reportOf(clause, { language, isPlain, isOvercome }))
  }
  return reports
}

/** A thing by itself, without a verb of its own that we would know. */
function isJoined(clause: string): boolean {
  return DETERMINED.test(`${clause} `) && clause.split(/\s+/).length <= MOST_JOINED_WORDS
}

function reportOf(
  clause: string,
  { language, isPlain, isOvercome }: { language: Language; isPlain: boolean; isOvercome: boolean },
): Report {
  const found = contentWords(clause, language)
  // "está no ar" says that it is out, and nothing of air.
  const said = contentWords(clause.replace(FINISHED[language], ' '), language)
  return {
    language,
    words: new Set(said.filter(({ isCue }) => !isCue).map(({ stem }) => stem)),
    past: new Set(found.flatMap(({ pastOf }) => (pastOf === undefined ? [] : [pastOf]))),
    isPlain,
    isPassive: PASSIVE.test(clause),
    isMade: MADE.test(clause),
    isNow: NOW.test(clause),
    isNoLonger: NO_LONGER.test(clause),
    isOvercome,
  }
}

const NOW = /\b(?:now|agora)\b/
const DENIED = /\b(?:not|never|cannot|nao|nunca)\b|n't\b/
const MADE =
  /\b(?:wrote|written|added|built|created|made|provided|introduced|escrev[ie]\w*|escrit[oa]s?|adicionad[oa]s?|adicionei|criad[oa]s?|criei|incluid[oa]s?|inclui)\b/
const PASSIVE =
  /\b(?:is|are|was|were|been|got|foi|foram|esta|estao|ficou|ficaram)\s+(?:(?:now|all|already|fully|finally|completely|ja|tod[oa]s?)\s+)*[a-z-]+(?:[^e]ed|itten|aken|uilt|ad[oa]s?|id[oa]s?)\b/

/** Where the first word stands that says finished, or that stands in the past. */
function cueAt(clause: string, language: Language): number | undefined {
  const places = [FINISHED[language], OVERCOME[language], NO_LONGER, NOW].flatMap(
    cue => cue.exec(clause)?.index ?? [],
  )
  const past = contentWords(clause, language).find(({ pastOf }) => pastOf !== undefined)
  if (past !== undefined) places.push(past.start)
  return places.length === 0 ? undefined : Math.min(...places)
}

/** "Migrated the invoices", "we've moved it", "migrei as faturas": a report, unless it goes on to say what is needed. */
function startsInPast(text: string): boolean {
  const folded = foldText(text.slice(0, READ_CHARACTERS)).replace(/[‘’]/g, "'")
  const languages = languagesOf(folded)
  if (hits(folded, CONDITION, languages) || hits(folded, UNFINISHED, languages)) return false
  const bare = folded.replace(/^\W*(?:(?:i|we|i've|we've|eu|nos|a gente|ja)\s+)*/, '')
  const [first] = scanChunks(bare)
  if (first === undefined) return false
  const word = foldWord(first.text)
  if (languages.includes('en') && /[^e]ed$/.test(word)) return true
  return Object.hasOwn(IRREGULAR_PAST, word) || (languages.includes('pt') && /(?:ei|amos|imos)$/.test(word))
}

interface ContentWord {
  readonly stem: string
  readonly start: number
  /** The stem of the verb that this is the past of. */
  readonly pastOf: string | undefined
  /** Says finished, and nothing of what. */
  readonly isCue: boolean
}

function contentWords(folded: string, language: Language): ContentWord[] {
  return scanChunks(folded).flatMap(({ text, start }) =>
    text.split(/[/\\]/).flatMap(part => {
      const word = foldWord(part.replace(/'s$/, ''))
      if (word.length < 2 || GENERIC.has(word)) return []
      if (stopWords('en').has(word) || stopWords('pt').has(word)) return []
      const pastOf = pastStem(word, language)
      const isCue = FINISHED[language].test(word) || OVERCOME[language].test(word)
      // `migração` is what `migrar` does.
      const deed = language === 'pt' ? /^([a-z]{3,}?)ac(?:ao|oes)$/.exec(word)?.[1] : undefined
      const stem = pastOf ?? (deed === undefined ? stemWord(word, language) : portugueseRoot(deed))
      return [{ stem, start, pastOf, isCue }]
    }),
  )
}

/** Words that any step may have. */
const GENERIC = new Set(
  (
    'add adding implement implementing create creating introduce adicionar criar incluir todo next step steps need needs needed still left missing task tasks finish finishing complete completing remaining work works working now today ' +
    'then also first last half part yet already finally fully completely all everything both again ok okay green pass passes passing passed soon later ' +
    'have has had been being got get getting is are was were we i you it they this that there here ' +
    'proximo proxima passo passos falta faltam tarefa terminar concluir acabar finalizar ainda hoje agora tudo todos todas ja fica ficou ficaram foi foram esta estao sendo metade parte precisa precisamos preciso temos tem que'
  ).split(' '),
)

/** Of a word in the past, the stem of its verb. */
function pastStem(word: string, language: Language): string | undefined {
  const irregular = Object.hasOwn(IRREGULAR_PAST, word) ? IRREGULAR_PAST[word] : undefined
  if (irregular !== undefined) return stemWord(irregular, language)
  if (language === 'en') return /^[a-z]{2,}[^e]ed$/.test(word) ? stemWord(word, 'en') : undefined
  const [, root] =
    /^([a-z]{3,}?)(?:ad[oa]s?|id[oa]s?|ei|ou|amos|emos|imos|aram|eram|iram|eu|iu)$/.exec(word) ?? []
  return root === undefined ? undefined : portugueseRoot(root)
}

/** `migrado`, `migrei` and `migrar` have one root. */
function portugueseRoot(root: string): string {
  return stemWord(`${root.replace(/qu$/, 'c').replace(/gu$/, 'g')}ar`, 'pt')
}

function hits(
  text: string,
  cues: Readonly<Record<Language, RegExp>>,
  languages: readonly Language[],
): boolean {
  return languages.some(language => cues[language].test(text))
}

/** The language of the sentence; both where its words do not tell, so that what is against it in either counts. */
function languagesOf(folded: string): readonly Language[] {
  const votes = voteLanguage(scanChunks(folded).map(({ text }) => foldWord(text)))
  return votes.pt > votes.en ? ['pt'] : votes.en > votes.pt ? ['en'] : ['en', 'pt']
}

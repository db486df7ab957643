import { findAgentInstruction } from '../../../kernel/text/agent-instructions.ts'

const MIN_STATEMENT_CHARACTERS = 20
const MAX_STATEMENT_CHARACTERS = 500
/** A fact with its circumstances fits in this many sentences. */
const MAX_SENTENCES = 4

const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s+\S/gm
const SENTENCE_END = /[.!?](?=\s+["'`(]?\p{Lu})/gu
/** A pronoun without an antecedent. "This project uses …" names its subject; "This is …" does not. */
const NO_SUBJECT =
  /^(?:(?:it|they|he|she|isso|isto|ele|ela|eles|elas)\b(?!-)|(?:this|that|these|those)(?:'s|\s+(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|should|must|may|might|means|makes|works|fails|breaks|happens|needs|causes|caused|only|also|no longer|doesn't|isn't|didn't|won't|can't))\b)/i

/**
 * Why an agent's statement is refused, in one line that says what to do; undefined: it can be stored. The caller checks for secrets
 * and duplicates, which need more than the text.
 */
export function refusalOf(statement: string, why = ''): string | undefined {
  const text = statement.trim()
  if (text.length < MIN_STATEMENT_CHARACTERS)
    return `Too short (${text.length} of at least ${MIN_STATEMENT_CHARACTERS} characters): write a whole sentence that names what it is about.`
  if (text.length > MAX_STATEMENT_CHARACTERS)
    return `Too long (${text.length} of at most ${MAX_STATEMENT_CHARACTERS} characters): one fact, with its reason in \`why\`.`
  if (why.length > MAX_STATEMENT_CHARACTERS)
    return `\`why\` is too long (${why.length} of at most ${MAX_STATEMENT_CHARACTERS} characters): give the reason in one or two sentences.`
  if (isSeveralFacts(text)) return 'Several facts in one entry: save each as an entry of its own.'
  const pronoun = NO_SUBJECT.exec(text)
  if (pronoun !== null)
    return `Begins with "${pronoun[0]}": name the subject, since a later session does not know what it refers to.`
  const instruction = findAgentInstruction(`${text}\n${why}`)
  if (instruction !== undefined)
    return `Reads as an instruction to an agent ("${instruction.slice(0, 60)}"): state the fact or the project's rule instead.`
  return undefined
}

function isSeveralFacts(text: string): boolean {
  return (text.match(LIST_ITEM)?.length ?? 0) >= 2 || (text.match(SENTENCE_END)?.length ?? 0) >= MAX_SENTENCES
}

/** The text of an entry: the statement, and the reason on a separate line unless the statement includes it. */
export function withReason(statement: string, why: string | undefined): string {
  const text = statement.trim()
  const reason = why?.trim().replace(/^(?:why|reason)\s*:\s*/i, '') ?? ''
  if (reason === '' || text.toLowerCase().includes(reason.toLowerCase())) return text
  return `${text}\n${REASON}${reason}`
}

const REASON = 'Why: '

/** The statement of a text that `withReason` made; other texts unchanged. */
export function statementOf(content: string): string {
  const at = content.indexOf(`\n${REASON}`)
  return at === -1 ? content : content.slice(0, at)
}

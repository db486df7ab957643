import type { FoundAcross, MetBefore } from '../../../kernel/model/across.ts'
import { essentialPart } from '../../../kernel/text/essential-part.ts'
import { foldText } from '../../../kernel/text/fold.ts'
import { mainError } from '../../../kernel/text/runs/main-error.ts'

/** The error or the decision that the caller has met. */
interface MetQuestion {
  readonly sort: 'error' | 'statement'
  /** The search query: the words that do not vary between occurrences. */
  readonly query: string
  /** Its code, its class, its constant. Empty for a statement. */
  readonly names: readonly string[]
}

const READ_CHARACTERS = 64_000
const MAX_NAMES = 8
const MAX_QUOTED_LENGTH = 60
/** Maximum tokens of the query: the first lines of an error say what it is. */
const MAX_TOKENS = 64

const ANSI = /\u001b\[[0-9;?]*[A-Za-z]/g
const NAMES: readonly RegExp[] = [
  // TypeError, java.lang.NullPointerException
  /\b[A-Z]\w{0,60}(?:Error|Exception|Panic|Failure|Timeout)\b/g,
  // ERR_MODULE_NOT_FOUND, MODULE_NOT_FOUND, CERT_HAS_EXPIRED
  /\b[A-Z][A-Z\d]{1,30}(?:_[A-Z\d]{1,30}){1,6}\b/g,
  // ECONNREFUSED
  /\bE[A-Z]{4,20}\b/g,
  // TS2345, error[E0382], CS0103, LNK2019, ORA-00942, P2002, SQLSTATE 42P01
  /\b(?:TS|CS|LNK|C|E|P|SQLSTATE )\d{3,5}\b|\bORA-\d{4,5}\b|\b(?:0[0-9A-Z]|2[2-8]|4[02]|5[3-8])[0-9A-Z]\d{2}\b(?<=[A-Z]\d{2})/g,
]
/** Words that every error begins with. */
const EVERY_ERROR = /^(?:(?:uncaught|unhandled|fatal|error|erro)\b:?\s*)+/i
/** Words in capitals that are not the name of an error. */
const NOT_NAMES = /^(?:ERROR|EXCEPTION|FAILURE|EXPECTED|ENGLISH|EXAMPLE|EXECUTE|EVENTS?|ENABLED?|EMPTY)$/
const ERROR_LINE =
  /(?:^|[\s.:[(])\w{0,80}(?:error|exception|panic|erro|exceção)(?:\[\w{1,12}\]|\s[A-Z]{1,4}\d{1,6})?:|^\s*(?:fatal|panic|failed|falha|uncaught|unhandled|npm err!|caused by|traceback)\b|panicked at|segmentation fault|command not found|no such file or directory/im

/**
 * Removes what varies between machines, runs and projects, and preserves the words of the error itself:
 *
 *   [10:02:11] Error: Cannot find module '/app/node_modules/sharp/lib/x.js'      Cannot find module sharp
 *       at Function._resolve (node:internal/…:1048:15)                      →    MODULE_NOT_FOUND
 *     code: 'MODULE_NOT_FOUND'
 */
export function readMet(text: string): MetQuestion {
  const plain = ends(text).replace(ANSI, '')
  const names = namesIn(plain)
  const telling = mainError(plain)
  const isError = telling !== undefined && (names.length > 0 || ERROR_LINE.test(plain))
  if (!isError)
    return { sort: 'statement', query: withoutVarying(essentialPart(plain, MAX_TOKENS)), names: [] }
  const line = withoutVarying(telling.line).replace(EVERY_ERROR, '')
  const beside = names.filter(name => !line.includes(name))
  return { sort: 'error', query: [line, ...beside].join(' ').trim(), names }
}

/** Of a long log its beginning and its end. */
function ends(text: string): string {
  if (text.length <= READ_CHARACTERS) return text
  return `${text.slice(0, READ_CHARACTERS / 2)}\n${text.slice(-READ_CHARACTERS / 2)}`
}

function namesIn(text: string): string[] {
  const names = new Set<string>()
  for (const pattern of NAMES)
    for (const [name] of text.matchAll(pattern))
      if (names.size < MAX_NAMES && !NOT_NAMES.test(name)) names.add(name.replace(/^SQLSTATE /, ''))
  // `Error` alone is not specific.
  names.delete('Error')
  return [...names]
}

const MOMENT =
  /\[?\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?[\d.,]*(?:Z|[+-]\d\d:?\d\d)?)?\]?|\[?\b\d\d:\d\d:\d\d[\d.,]*\]?/g
const ID =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{12,}\b/gi
/** The path of a package has its name; any other path is local. */
const PACKAGE_PATH =
  /\S*(?:node_modules|site-packages|dist-packages)[/\\]((?:@[\w.-]+[/\\])?[\w.-]+)[^\s'"`)]*/g
const PATH =
  /(?:file:\/\/|[A-Za-z]:[\\/]|(?<![\w:/])(?:\.{1,2}|~)?\/)[^\s'"`()<>]*[^\s'"`()<>,.:;]|(?<![\w@/])(?:(?:[\w.-]+\/){2,}[\w.-]+|(?:[\w.-]+\/)+[\w-]+\.[a-z]{1,4}\b)/g
const PLACE = /:\d+(?::\d+)?(?=[\s)\]]|$)|\(\d+,\d+\)|\b(?:line|linha|col|column|coluna)\s*\d+/gi
const ADDRESS = /\b(?:\d{1,3}\.){3}\d{1,3}(?::(\d{2,5}))?|\blocalhost:(\d{2,5})|\[?::1\]?:(\d{2,5})/g
const LONE_NUMBER =
  /(?<![\w.:\u0001-])(?<!port\s)(?<!porta\s)(?<!status\s)(?<!code\s)\d[\d.,]*(?:ms|s|m|h|kb|mb|gb|b|%)?(?![\w-])/gi
/** Words before a number that is preserved. */
const KEPT = '\u0001'
const QUOTES = /["'`‘’“”«»]/g

export function withoutVarying(text: string): string {
  return text
    .replace(MOMENT, ' ')
    .replace(ID, ' ')
    .replace(PACKAGE_PATH, (_, name: string) => name.replaceAll('\\', '/'))
    .replace(/(["'`])([^"'`\n]{1,400})\1/g, (_, __, quoted: string) =>
      quoted.length > MAX_QUOTED_LENGTH ? ' ' : ` ${quoted} `,
    )
    .replace(ADDRESS, (_, ...ports: unknown[]) => {
      const port = ports.slice(0, 3).find(each => typeof each === 'string')
      return typeof port === 'string' ? ` ${KEPT}${port}` : ' '
    })
    .replace(PATH, ' ')
    .replace(PLACE, ' ')
    .replace(LONE_NUMBER, ' ')
    .replaceAll(KEPT, '')
    .replace(QUOTES, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\s+([:;,.)\]])/g, '$1')
    .trim()
}

/** Kinds of entries that describe a solution or a decision. Others only mention it. */
const TELLING_KINDS: ReadonlySet<string> = new Set([
  'decision',
  'architecture',
  'pattern',
  'preference',
  'lesson',
  'warning',
  'error',
])

export const MET = {
  /** Floor for an entry that does not name the error: it must match other words. */
  unnamedShare: 0.5,
  /** Entries without a solution are skipped next to entries with one, unless they match this much better. */
  mentionShare: 0.75,
  /** Candidates that are considered. */
  found: { leastScore: 0.04, leastShareOfBest: 0.1 },
  leastScore: 0.12,
  /** An entry that names the error is relevant, however few other words match. */
  leastNamed: 0.04,
  leastShareOfBest: 0.4,
} as const

const MAX_SENTENCE_LENGTH = 280
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-ZÀ-Ý"'`(])|\n+/
/** On folded text. Strong: a word that reports an action. */
const STRONG =
  /\b(?:fix(?:ed|es)?|solved|resolved|solution|workaround|root cause|the cause|turned out|decided|decision|we chose|corrig\w+|resolv\w+|solucao|contorn\w+|a causa|decid\w+|escolhemos)\b/
const FAINT =
  /\b(?:because|instead|must|use|used|set|pin(?:ned)?|upgraded?|downgraded?|added|removed|switch(?:ed)?|rather than|so that|never|always|porque|em vez|deve|usar|use|definir|fixar|atualiz\w+|adicion\w+|remov\w+|trocar|sempre|nunca)\b/

/** The sentence of an entry that describes the solution or the decision. */
export function solutionIn(content: string): string | undefined {
  let best: { readonly sentence: string; readonly points: number } | undefined
  for (const raw of content.split(SENTENCE_END)) {
    const sentence = raw.replace(/^[\s>*#-]+/, '').trim()
    if (sentence.length < 8) continue
    const folded = foldText(sentence)
    const points = (STRONG.test(folded) ? 2 : 0) + (FAINT.test(folded) ? 1 : 0)
    if (points > (best?.points ?? 0)) best = { sentence, points }
  }
  if (best === undefined) return undefined
  const { sentence } = best
  return sentence.length <= MAX_SENTENCE_LENGTH
    ? sentence
    : `${sentence.slice(0, MAX_SENTENCE_LENGTH - 1).trimEnd()}…`
}

/** The results in the order for "who else has met this?": solutions first. */
export function tellMet(found: readonly FoundAcross[], { names }: MetQuestion, limit: number): MetBefore[] {
  const folded = names.map(name => foldText(name))
  const named = new Set<MetBefore>()
  const judged = found.map((hit): MetBefore => {
    const text = foldText(hit.content)
    const isNamed = folded.length === 0 || folded.some(name => text.includes(name))
    const says = solutionIn(hit.content)
    const tells = TELLING_KINDS.has(hit.kind) || says !== undefined ? 'solution' : 'mention'
    const share = (isNamed ? 1 : MET.unnamedShare) * (tells === 'solution' ? 1 : MET.mentionShare)
    const score = Math.round(hit.score * share * 10_000) / 10_000
    const met: MetBefore = { ...hit, score, ...(says && { says }), tells }
    if (isNamed && folded.length > 0) named.add(met)
    return met
  })
  const best = Math.max(0, ...judged.map(({ score }) => score))
  const least = Math.max(MET.leastScore, MET.leastShareOfBest * best)
  const order = { solution: 0, mention: 1 } as const
  // Stable: equal results keep the order of the search.
  return judged
    .filter(met => met.score >= (named.has(met) ? MET.leastNamed : least))
    .sort((a, b) => order[a.tells] - order[b.tells] || b.score - a.score)
    .slice(0, limit)
}

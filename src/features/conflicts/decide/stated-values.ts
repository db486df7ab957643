import type { Entry } from '../../../kernel/model/entry.ts'
import { foldText } from '../../../kernel/text/fold.ts'

/**
 * Finds two entries that literally give one thing two values (SPEC: `<subject> <attribute> is|=|: <value>`):
 *
 *   "The staging database port is 5433."   key "database port staging", value 5433
 *   "Staging database port: 5434"          key "database port staging", value 5434   → a conflict
 *
 * The key has every word of the left side and of a condition behind the value ("30s for uploads"), in one order, without articles. A sentence
 * that denies, asks, lists, hedges or names something indefinite states no value. Nothing here knows what a word means, apart from units.
 */
interface StatedValue {
  readonly key: string
  readonly value: string
  /** As the entry has it. */
  readonly written: string
}

interface ValueConflict {
  /** The words of the subject and attribute. */
  readonly about: string
  readonly older: string
  readonly newer: string
}

type Stating = Pick<Entry, 'content' | 'category' | 'kind' | 'files'>

const REPORTS: ReadonlySet<string> = new Set(['file_change', 'task_progress', 'task', 'handoff', 'error'])

/** Tasks, handoffs and reports describe one moment, so they do not conflict. */
export function mayConflict({ kind, category }: Pick<Entry, 'kind' | 'category'>): boolean {
  return category !== 'tasks' && category !== 'handoffs' && !REPORTS.has(kind)
}

export function findValueConflict(older: Stating, newer: Stating): ValueConflict | undefined {
  if (!mayConflict(older) || !mayConflict(newer)) return undefined
  if (older.category !== newer.category && !older.files.some(file => newer.files.includes(file)))
    return undefined
  const statedNow = statedValues(newer.content)
  // An entry that gives one key two values is a list: it contradicts no other entry.
  const valuesOf = (all: readonly StatedValue[], key: string) => all.filter(one => one.key === key)
  const before = statedValues(older.content)
  for (const now of statedNow) {
    const [was, ...more] = valuesOf(before, now.key)
    if (was === undefined || more.length > 0 || valuesOf(statedNow, now.key).length > 1) continue
    if (!isRefinement(was.value, now.value)) return { about: now.key, older: was.written, newer: now.written }
  }
  return undefined
}

const MAX_KEY_WORDS = 8
/** More is a listing, of one environment or one file, which it rarely names. */
const MAX_STATED = 2
const MAX_CHARACTERS = 4_000
const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g
const SENTENCE = /\n+|(?<=[.!?;])\s+/
const STATEMENT =
  /^(?:[-*•]\s+)?(.{2,90}?)(?:\s*(==?)\s*|\s*(:)\s+|\s+(is|are|é|são)\s+)(?:(?:now|currently|set to|called|named|agora|atualmente|chamad[ao])\s+)?((?:(?:at most|at least|up to|no maximo|no máximo|pelo menos)\s+)?)(.+)$/i
const IDENTIFIER = /^`?(?:\w+(?:[_./]\w+)+|[a-z]+[A-Z]\w*)`?$/
/** No code: `const x`, `echo "done`, `page.find('a')`. */
const READABLE_LEFT =
  /^(?!(?:const|let|var|export|await|echo|return|import|set|def|self)\b)[\wÀ-ÿ\s'’`./,-]+$/
const DENIAL = /\b(?:not|no|never|none|without|cannot|nao|nunca|nem|sem|nenhuma?)\b|n't\b/
/** Points into a conversation, or names one of many. */
const VAGUE_START =
  /^(?:this|that|these|those|it|its|there|here|what|which|who|when|if|i|we|you|he|they|my|your|one|some|any|each|every|another|isso|isto|esse|essa|este|esta|aqui|ele|ela|um|uma|cada|se|quando)\b/
const TALK =
  /\b(?:issue|problem|bug|cause|reason|fix|solution|goal|result|error|answer|question|step|phase|plan|idea|difference|task|status|note|example|option|rule|todo|problema|causa|motivo|erro|passo|fase|etapa|tarefa|regra|exemplo)s?\b/
const IGNORED: ReadonlySet<string> = new Set(
  'the a an our of s for in on to at current value o os as do da dos das de no na nos nas em para atual valor nosso nossa'.split(
    ' ',
  ),
)
const SCOPE =
  /\s(?:for|in|on|when|if|with|during|at|per|under|unless|except|until|before|while|only|outside|inside|within|from|by|para|em|no|na|nos|nas|quando|se|com|por|durante|exceto|ate)\s.*$/i
const END =
  /(?:[,;–—]|\s[-(]\s?|\s(?:because|since|so|after|due|as of|instead|rather|which|porque|pois|desde|em vez)\b|\s(?:and|e)\s(?=.*(?:\s(?:is|are|é|são)\s|=))).*$/i

/** The values that the text literally states, each with a key that does not depend on the order of the words. */
export function statedValues(text: string): readonly StatedValue[] {
  const plain = text.slice(0, MAX_CHARACTERS).replace(CODE_BLOCK, '\n')
  // Lines under "On the CI machine:" are true only there.
  if (/:\s*$/m.test(plain)) return []
  const stated = plain.split(SENTENCE).flatMap(sentence => statedIn(sentence.trim()) ?? [])
  return stated.length > MAX_STATED ? [] : stated
}

function statedIn(whole: string): StatedValue | undefined {
  const sentence = whole.replace(/^([-*•]\s+)?`([^`]+)`\.?$/, '$2')
  if (/[?,{]$/.test(sentence)) return undefined
  const [, left = '', equals, colon, verb, bound = '', right = ''] = STATEMENT.exec(sentence) ?? []
  const written = readValue(right)
  if (left === '' || written === undefined || !READABLE_LEFT.test(left)) return undefined
  const subject = foldText(left)
  const isPortuguese = /^(?:é|são)$/i.test(verb ?? '')
  if (DENIAL.test(`${subject} ${foldText(written.text)}`) || TALK.test(subject)) return undefined
  if (VAGUE_START.test(subject) || (!isPortuguese && /^(?:an?)\s/.test(subject))) return undefined
  const words = wordsOf(left)
  const isName = words.length === 1 && IDENTIFIER.test(left.trim())
  if ((words.length < 2 && !isName) || words.length > MAX_KEY_WORDS) return undefined
  const form = equals === undefined ? (colon === undefined ? formOf(verb) : ':') : '='
  const head =
    wordsOf(subject.replace(/\s(?:of|for|in|on|do|da|dos|das|de|no|na|em|para)\s.*$/, '')).at(-1) ?? ''
  if (
    !isValue(written.text, {
      form,
      isName,
      isSetting: isName && /^[A-Z][A-Z0-9_]+$/.test(left.trim()),
      hasAttribute: ATTRIBUTES.has(head),
    })
  )
    return undefined
  return {
    key: [...words, ...wordsOf(`${bound}${written.scope}`)].sort().join(' '),
    value: normalised(written.text),
    written: written.text,
  }
}

function formOf(verb: string | undefined): 'is' | 'are' {
  return /^(?:are|são)$/i.test(verb ?? '') ? 'are' : 'is'
}

/** The value with the condition behind it; undefined where there is a list or a sentence instead. */
function readValue(right: string): { readonly text: string; readonly scope: string } | undefined {
  const whole = right.replace(/[.!;\s]+$/, '')
  const cut = whole.replace(END, '')
  const dropped = whole.slice(cut.length)
  const scope = SCOPE.exec(cut)?.[0] ?? ''
  const text = cut.slice(0, cut.length - scope.length).trim()
  // A condition may also follow a comma: "30s, except for uploads".
  const later = SCOPE.exec(dropped.replace(/^[,;(–—]/, ' '))?.[0] ?? ''
  return text === '' ? undefined : { text, scope: `${scope} ${later}` }
}

const NUMBER = /^(?:~|<=?|>=?)?(?:[$€£]|R\$)?\s?\d[\d.,_]*(?:\s?%|\s?[a-zµ]+(?:\/[a-z]+)?)?$/i
const QUOTED = /^[`"'][^`"']{1,60}[`"']$/
const SWITCH = /^(?:true|false|on|off|yes|enabled|disabled)$/i
const SETTING = /^[\w.:/@-]+$/
const TOKEN = /^(?:\S*[\d_/@#]\S*|\S+[.:-]\S+|[a-z]+[A-Z]\w*|[A-Z]{2,}\w*)$/
const NAME = /^[A-ZÀ-Þ][\w.+#-]*(?:\s[A-ZÀ-Þ\d][\w.+#-]*){0,2}$/
const PLAIN = /^[a-zà-ÿ][\w-]*$/
/** Code, and placeholder text. */
const UNREADABLE = /[()[\]{}$<>|\\]|\.\.\.|\b(?:your|xxx+|todo|tbd|placeholder)/i
/** Says how something is, not what. */
const JUDGEMENT =
  /^(?:fine|correct|wrong|ok(?:ay)?|good|bad|clean|clear|required|optional|missing|broken|unknown|different|same|important|available|ready|done|resolved|valid|invalid|empty|unused|complete|used|needed|stable|outdated|correto|correta|errado|errada|certo|certa|limpo|claro|pronto|pronta|obrigatorio|opcional)$/
/** A setting has another value in each environment. */
const ENVIRONMENT = /\b(?:production|prod|staging|dev|development|test|testing|local|localhost|ci)\b/i
/** What has one value at a time: "the default branch is main", and not "the login page is slow". */
const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'port version timeout limit branch name url host hostname region zone format encoding locale language engine driver framework library provider ' +
    'vendor owner maintainer runner linter formatter bundler manager license timezone currency mode level strategy protocol algorithm prefix suffix ' +
    'separator extension size interval frequency day style type scheme ttl count path ' +
    'porta versao limite ramo nome regiao formato idioma biblioteca provedor dono responsavel licenca fuso moeda modo nivel estrategia padrao ' +
    'tamanho intervalo frequencia protocolo algoritmo prefixo sufixo dia estilo tipo caminho'
  ).split(' '),
)

interface Statement {
  readonly form: 'is' | 'are' | '=' | ':'
  /** The left side is one identifier: `API_TIMEOUT`. */
  readonly isName: boolean
  /** The identifier is in capitals, as in an environment file. */
  readonly isSetting: boolean
  readonly hasAttribute: boolean
}

function isValue(text: string, { form, isName, isSetting, hasAttribute }: Statement): boolean {
  if (text.length > 60 || UNREADABLE.test(text) || /\s(?:or|and|to|e|ou)\s/i.test(text)) return false
  // A label of a report looks the same ("Spec updated: …"): a colon counts only after a name or an attribute.
  if (form === ':' && !isName && !hasAttribute) return false
  if (NUMBER.test(text)) return true
  if (form === 'are' || JUDGEMENT.test(foldText(text)) || ENVIRONMENT.test(text)) return false
  // The right side of a name may be another variable.
  if (isName || form === '=')
    return QUOTED.test(text) || SWITCH.test(text) || (isSetting && SETTING.test(text))
  if (QUOTED.test(text) || TOKEN.test(text) || NAME.test(text)) return true
  return PLAIN.test(text) && hasAttribute
}

function wordsOf(text: string): string[] {
  return (foldText(text).match(/[a-z0-9]+(?:[_./:-][a-z0-9]+)*/g) ?? []).filter(word => !IGNORED.has(word))
}

/** Factors to milliseconds and bytes: 2 min is 120 s. */
const UNITS: Readonly<Record<string, readonly [kind: string, factor: number]>> = {
  ...units('time', {
    ms: 1,
    millisecond: 1,
    s: 1e3,
    sec: 1e3,
    second: 1e3,
    segundo: 1e3,
    m: 6e4,
    min: 6e4,
    minute: 6e4,
    minuto: 6e4,
  }),
  ...units('time', {
    h: 3.6e6,
    hr: 3.6e6,
    hour: 3.6e6,
    hora: 3.6e6,
    d: 8.64e7,
    day: 8.64e7,
    dia: 8.64e7,
    week: 6.048e8,
    semana: 6.048e8,
  }),
  ...units('size', {
    b: 1,
    byte: 1,
    kb: 1024,
    kib: 1024,
    mb: 1_048_576,
    mib: 1_048_576,
    gb: 1_073_741_824,
    gib: 1_073_741_824,
  }),
}

function units(
  kind: string,
  factors: Readonly<Record<string, number>>,
): Record<string, readonly [string, number]> {
  return Object.fromEntries(
    Object.entries(factors).flatMap(([unit, factor]) => [
      [unit, [kind, factor] as const],
      ...(unit.length > 2 ? [[`${unit}s`, [kind, factor] as const]] : []),
    ]),
  )
}

function normalised(text: string): string {
  const plain = foldText(text)
    .replace(/["'`]/g, '')
    .replace(/^(?:the|a|an|o|os|as)\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const [, amount = '', unit = ''] = /^(\d[\d_]*(?:\.\d+)?)\s?([a-z]+)$/.exec(plain) ?? []
  const known = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
  return known === undefined
    ? plain.replace(/^v(?=\d)/, '')
    : `${Number(amount.replaceAll('_', '')) * known[1]} ${known[0]}`
}

/** "Postgres" and "Postgres 16", "3.11" and "3.11.2", "30" and "30s" agree. */
function isRefinement(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (
    short === long ||
    long.startsWith(`${short} `) ||
    long.startsWith(`${short}.`) ||
    long.endsWith(` ${short}`)
  )
    return true
  return long.split(/[\s/]/).includes(short)
}

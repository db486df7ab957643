import { BUNDLE_SECTIONS, type Bundle, type BundleSection } from '../../../kernel/model/bundle.ts'
import { foldText } from '../../../kernel/text/fold.ts'
import { FENCES, NOTICE } from '../../../kernel/text/memory-context-lines.ts'
import { estimateTokens } from '../../../kernel/text/token-estimate.ts'
import { cutLine, markdownLine } from './markdown-line.ts'

/** The sources of an answer: the state, the vault, events, earlier states. */
export const QUERY_SOURCES = ['bundle', 'entries', 'events', 'checkpoints'] as const
export type QuerySource = (typeof QUERY_SOURCES)[number]

export interface Answer {
  readonly source: QuerySource
  /** The id of the entry, event or checkpoint; for the state the position: `nextSteps[2]`. */
  readonly id: string
  /** From 0 to 1, the same scale for every source. */
  readonly score: number
  readonly text: string
  readonly section?: BundleSection
  /** Of an entry. */
  readonly kind?: string
  readonly agent?: string
  /** UTC: known since then. */
  readonly date?: string
  /** For a checkpoint: when the state last had it. */
  readonly until?: string
  readonly files: readonly string[]
  /** The evidence of a statement of the state: `entry:<id>`, `event:<id>`. */
  readonly sources: readonly string[]
  /** Notes: superseded, in conflict, drifted. */
  readonly notes?: readonly string[]
}

/** Results that are not in the answer, and why. */
export interface LeftOut {
  readonly what: string
  readonly count: number
  readonly why: string
}

const SECTION_TITLES: Readonly<Record<BundleSection, string>> = {
  project: 'Project',
  projectMap: 'Project map',
  currentFocus: 'Current focus',
  gotchas: 'Gotchas',
  nextSteps: 'Next steps',
  validationCommands: 'Checks',
}

const ONE: Readonly<Record<BundleSection, string>> = {
  project: 'project',
  projectMap: 'project map',
  currentFocus: 'current focus',
  gotchas: 'gotcha',
  nextSteps: 'next step',
  validationCommands: 'check',
}

/** `next step · since 2026-03-16` · `decision · shared · 2026-03-16 · 1773…` · `gotcha · until 2026-03-01 · checkpoint …` */
export function labelOf({ source, id, section, kind, agent, date, until }: Answer): string {
  const day = date?.slice(0, 10)
  const what = section === undefined ? (kind ?? 'event') : ONE[section]
  switch (source) {
    case 'bundle':
      return [what, ...(day === undefined ? [] : [`since ${day}`])].join(' · ')
    case 'checkpoints':
      return [what, `until ${until?.slice(0, 10) ?? '?'}`, `checkpoint ${id}`].join(' · ')
    case 'events':
      return ['event', ...(day === undefined ? [] : [day]), id].join(' · ')
    case 'entries':
      return [what, agent, day, id].filter(part => part !== undefined).join(' · ')
  }
}

/** A statement of a bundle as text that can be searched and shown. */
export interface BundleText {
  readonly section: BundleSection
  readonly text: string
  /** UTC ISO; absent where the bundle does not date it. */
  readonly since?: string
  readonly files: readonly string[]
  readonly sources: readonly string[]
}

/** Section after section, in the order of the bundle. */
export function bundleTexts(
  bundle: Bundle,
  sections: readonly BundleSection[] = BUNDLE_SECTIONS,
): BundleText[] {
  return sections.flatMap(section => textsOf(bundle, section))
}

function textsOf(bundle: Bundle, section: BundleSection): BundleText[] {
  switch (section) {
    case 'project': {
      const { name, description } = bundle.project
      return [plain(section, description === undefined ? name : `${name}: ${description}`)]
    }
    case 'projectMap':
      return mapTexts(bundle)
    case 'validationCommands':
      return bundle.validationCommands.map(({ command, lastOutcome, lastRunAt, sources }) => ({
        section,
        text: lastOutcome === undefined ? command : `${command}: ${lastOutcome}`,
        ...(lastRunAt !== undefined && { since: lastRunAt }),
        files: [],
        sources,
      }))
    default:
      return bundle[section].map(({ text, since, files = [], sources }) => ({
        section,
        text,
        since,
        files,
        sources,
      }))
  }
}

function mapTexts({ projectMap }: Bundle): BundleText[] {
  const { languages, packages, entryPoints, scripts, folders } = projectMap
  const files = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`
  const words = [
    ...languages.map(({ name, files: count }) => `language ${name}: ${files(count)}`),
    ...packages.map(({ name, path, kind }) => `package ${name} (${kind}) in ${path}`),
    ...entryPoints.map(({ path, what }) => `entry point ${path}: ${what}`),
    ...scripts.map(({ name, command, path }) => `script ${name} in ${path}: ${command}`),
    ...folders.map(({ path, files: count }) => `folder ${path}: ${files(count)}`),
  ]
  return words.map(text => plain('projectMap', text))
}

function plain(section: BundleSection, text: string): BundleText {
  return { section, text, files: [], sources: [] }
}

export const QUERY_OUTPUTS = ['text', 'markdown', 'json', 'prompt'] as const
export type QueryOutput = (typeof QUERY_OUTPUTS)[number]

/** As much as the brief of a new session. */
export const PROMPT_BUDGET_TOKENS = 2_000

/** The answer to render. Its texts are clean. */
export interface Rendered {
  /** undefined: the whole state was requested. */
  readonly question: string | undefined
  readonly projectName: string | undefined
  /** UTC ISO: the time of the state. */
  readonly stateAt: string | undefined
  readonly texts: readonly BundleText[]
  readonly answers: readonly Answer[]
}

const MAX_LENGTH = 1_000
const NOTHING = 'No memory answers this question.'

export function renderText({ question, stateAt, texts, answers }: Rendered): string {
  if (question !== undefined)
    return answers.length === 0
      ? `${NOTHING}\n`
      : answers
          .flatMap(answer => [
            `${answer.score.toFixed(2)}  ${labelOf(answer)}`,
            `      ${oneLine(answer.text)}`,
            ...(answer.notes ?? []).map(note => `      (${note})`),
          ])
          .map(line => `${line}\n`)
          .join('')
  const lines: string[] = []
  for (const { title, items } of textsBySection(texts)) {
    lines.push(...(lines.length === 0 ? [] : ['']), title)
    for (const { text, since } of items) lines.push(`  ${oneLine(text)}${dated(since)}`)
  }
  if (stateAt !== undefined) lines.push('', `State of ${stateAt.slice(0, 16).replace('T', ' ')} UTC`)
  return lines.map(line => `${line}\n`).join('')
}

export function renderMarkdown({ question, projectName, stateAt, texts, answers }: Rendered): string {
  const lines =
    question === undefined
      ? [
          `# ${markdownLine(projectName ?? 'Project memory', 80)}`,
          ...textsBySection(texts).flatMap(({ title, items }) => [
            '',
            `## ${title}`,
            '',
            ...items.map(({ text, since }) => `- ${markdownLine(text, MAX_LENGTH)}${dated(since)}`),
          ]),
        ]
      : [
          `# ${markdownLine(question, 200)}`,
          '',
          ...(answers.length === 0 ? [NOTHING] : answers.map(answer => markdownItem(answer))),
        ]
  if (stateAt !== undefined) lines.push('', `State of ${stateAt.slice(0, 16).replace('T', ' ')} UTC.`)
  return `${lines.join('\n')}\n`
}

/**
 * Ready to paste: instructions, then the memory inside the fence of a brief, so that an agent treats it as data and distillation of that
 * session recognises it. Within the budget; `left` counts what did not fit.
 */
export function renderPrompt(
  rendered: Rendered,
  {
    instructions,
    budgetTokens,
  }: { readonly instructions: string | undefined; readonly budgetTokens: number },
): { readonly text: string; readonly left: readonly LeftOut[] } {
  const { open, close } = FENCES.markdown
  const { question, texts, answers } = rendered
  const head = [
    ...(instructions === undefined ? [] : [instructions, '']),
    open,
    NOTICE,
    ...(question === undefined ? [] : [`Asked: ${markdownLine(question, 300)}`]),
  ]
  const groups =
    question === undefined
      ? textsBySection(texts).map(({ title, items }) => ({
          title,
          items: items.map(({ text, since }) => `- ${markdownLine(text, MAX_LENGTH)}${dated(since)}`),
        }))
      : [{ title: 'Answers', items: answers.map(answer => markdownItem(answer)) }]
  let spent = estimateTokens([...head, close].join('\n'))
  let left = 0
  const body: string[] = []
  for (const { title, items } of groups) {
    const heading = `### ${title}`
    let isOpen = false
    for (const item of items) {
      const cost = estimateTokens(`\n${item}`) + (isOpen ? 0 : estimateTokens(`\n${heading}`))
      if (spent + cost > budgetTokens) {
        left += 1
        continue
      }
      if (!isOpen) body.push(heading)
      isOpen = true
      spent += cost
      body.push(item)
    }
  }
  if (body.length === 0) body.push(left > 0 ? 'Nothing fits the budget.' : NOTHING)
  const text = `${[...head, ...body, close].join('\n')}\n`
  return {
    text,
    left: left === 0 ? [] : [{ what: 'items', count: left, why: 'over the budget of the prompt' }],
  }
}

function markdownItem(answer: Answer): string {
  const notes = (answer.notes ?? []).map(note => ` (${markdownLine(note, 200)})`).join('')
  return `- [${labelOf(answer).replace(/[[\]`\\<>]/g, '_')}] ${markdownLine(answer.text, MAX_LENGTH)}${notes}`
}

function textsBySection(texts: readonly BundleText[]) {
  return BUNDLE_SECTIONS.map(section => ({
    title: SECTION_TITLES[section],
    items: texts.filter(text => text.section === section),
  })).filter(({ items }) => items.length > 0)
}

function oneLine(text: string): string {
  return cutLine(text.replace(/\s+/g, ' ').trim(), MAX_LENGTH)
}

function dated(since: string | undefined): string {
  return since === undefined ? '' : ` (${since.slice(0, 10)})`
}

/**
 * The cues of the sections. "What is left to do?" shares no word with "Move sessions to Redis", but asks for its section. English and
 * Portuguese, on folded text (no accents, no capitals).
 */
const CUES: readonly (readonly [BundleSection, RegExp])[] = [
  [
    'nextSteps',
    /\b(?:left to (?:do|be done)|to-?dos?|next steps?|(?:what(?:'?s| is| comes) )next|do next|still (?:open|missing|to do)|remaining|unfinished|outstanding|backlog|open (?:tasks?|items?|points?|work)|falta(?:m|ndo)?(?: fazer)?|proximos? passos?|pendentes?|pendencias?|por fazer)\b/,
  ],
  [
    'gotchas',
    /\b(?:gotchas?|pitfalls?|watch out|careful|caveats?|traps?|beware|known (?:issues?|problems?|bugs?)|should (?:i|we) (?:not|avoid)|to avoid|cuidados?|armadilhas?|pegadinhas?|problemas conhecidos|evitar)\b/,
  ],
  [
    'currentFocus',
    /\b(?:focus|working on|in progress|currently|right now|at the moment|where (?:do|did|are) we (?:stand|stop|leave off|at)|left off|going on|state of (?:the )?project|foco|trabalhando|em andamento|neste momento|onde (?:paramos|estamos))\b/,
  ],
  [
    'validationCommands',
    /\b(?:how (?:do|can|should|to) (?:i |we )?(?:test|build|lint|check|validate|verify|run)|(?:which|what) commands?|(?:test|build|lint|check|validation) commands?|run (?:the )?(?:tests?|checks?|build|linter)|como (?:testar|rodar|compilar|validar)|comandos?)\b/,
  ],
  [
    'projectMap',
    /\b(?:project map|(?:project|repo(?:sitory)?|code) (?:structure|layout)|how is (?:the|this) (?:project|repo(?:sitory)?|code) (?:structured|organi[sz]ed|laid out)|(?:which|what) (?:packages?|languages?|folders?|scripts?|entry ?points?)|entry ?points?|estrutura|pastas?|pacotes?|linguagens?)\b/,
  ],
  [
    'project',
    /\b(?:what is this (?:project|repo(?:sitory)?)|(?:this|the) project about|o que e (?:este|esse|o) projeto|sobre o projeto)\b/,
  ],
]

const READ_CHARACTERS = 1_000

export function askedSections(question: string): BundleSection[] {
  const text = foldText(question.slice(0, READ_CHARACTERS))
  return CUES.filter(([, cue]) => cue.test(text)).map(([section]) => section)
}

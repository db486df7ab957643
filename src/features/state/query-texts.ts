import type { Memory } from '../../kernel/memory.ts'
import type { Bundle, BundleSection } from '../../kernel/model/bundle.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { MemoryEvent } from '../../kernel/model/event.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import { essentialPart } from '../../kernel/text/essential-part.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { foldText } from '../../kernel/text/fold.ts'
import { LANGUAGES } from '../../kernel/text/language.ts'
import { analyseQuery } from '../../kernel/text/query-terms.ts'
import type { DocumentPorts, MeaningPorts, Measured, VectorIndex } from '../search/decide/ports.ts'
import { candidateOf, type TextToIndex } from '../search/decide/text-index.ts'
import { meaningOf } from '../search/meaning.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { bundleTexts, type LeftOut, type QuerySource } from './decide/answer.ts'
import type { StatePorts } from './decide/ports.ts'
import { safeBundle } from './safe-state.ts'

/** A text that can answer and is not an entry. */
export interface QueryText extends TextToIndex {
  readonly source: Exclude<QuerySource, 'entries'>
  /** Its name in the answer. */
  readonly name: string
  readonly section?: BundleSection
  readonly since?: string
  readonly until?: string
  readonly sources: readonly string[]
}

export interface Gathered {
  readonly texts: readonly QueryText[]
  /** Texts without a word of the question, which were not analysed. */
  readonly unanalysed: number
  readonly left: readonly LeftOut[]
  readonly problems: readonly Problem[]
}

export function bundleQueryTexts(
  bundle: Bundle,
  sections: readonly BundleSection[] | undefined,
): QueryText[] {
  const atBySection = new Map<BundleSection, number>()
  return bundleTexts(bundle, sections).map(({ section, text, since, files, sources }) => {
    const at = atBySection.get(section) ?? 0
    atBySection.set(section, at + 1)
    const name = section === 'project' ? section : `${section}[${at}]`
    return {
      id: `bundle:${name}`,
      source: 'bundle',
      name,
      section,
      content: text,
      files,
      kind: section,
      date: since ?? '',
      sources,
      ...(since !== undefined && { since }),
    }
  })
}

/** How many of the newest checkpoints are searched: older ones say much the same. */
const MAX_CHECKPOINTS = 20
const STATEMENTS: readonly BundleSection[] = ['currentFocus', 'gotchas', 'nextSteps']

/** Statements that the state no longer has, each from the last checkpoint that has it. */
export async function checkpointTexts(
  memory: Memory & StatePorts,
  {
    current,
    sections = STATEMENTS,
    before,
    clean,
  }: {
    readonly current: Bundle | undefined
    readonly sections?: readonly BundleSection[] | undefined
    /** UTC ISO: only older checkpoints. */
    readonly before?: string | undefined
    readonly clean: (text: string) => string
  },
): Promise<Gathered> {
  const wanted = STATEMENTS.filter(section => sections.includes(section))
  const said = new Set(
    current === undefined ? [] : bundleTexts(current, STATEMENTS).map(({ text }) => fingerprint(text)),
  )
  const files = (await memory.state.checkpoints()).filter(
    ({ createdAt }) => before === undefined || createdAt < before,
  )
  const texts: QueryText[] = []
  const problems: Problem[] = []
  for (const { id, createdAt } of files.slice(0, MAX_CHECKPOINTS)) {
    const reading = await memory.state.readCheckpoint(id)
    if (reading === undefined) continue
    if (reading.kind === 'damaged') {
      problems.push(reading.problem)
      continue
    }
    const bundle = await safeBundle(memory, reading.checkpoint.bundle, clean)
    bundleTexts(bundle, wanted).forEach(({ section, text, since, files: named, sources }, at) => {
      const print = fingerprint(text)
      if (said.has(print)) return
      said.add(print)
      texts.push({
        id: `checkpoint:${id}:${at}`,
        source: 'checkpoints',
        name: id,
        section,
        content: text,
        files: named,
        kind: section,
        date: since ?? '',
        ...(since !== undefined && { since }),
        until: createdAt,
        sources,
      })
    })
  }
  const older = files.length - MAX_CHECKPOINTS
  const left = older > 0 ? [{ what: 'checkpoints', count: older, why: 'older than those searched' }] : []
  return { texts, unanalysed: 0, left, problems }
}

/** All events are read; this many are analysed and ranked: those with most words of the question, then the newest. */
const MAX_EVENTS = 500
const NEEDLE_LETTERS = 4
const MAX_PROBLEMS = 10

export async function eventTexts(
  memory: Memory & SessionPorts,
  question: string,
  { until, clean }: { readonly until?: string | undefined; readonly clean: (text: string) => string },
): Promise<Gathered> {
  const needles = await needlesOf(memory, question)
  const problems: Problem[] = []
  const found: { event: MemoryEvent; has: number; at: number }[] = []
  let seen = 0
  for await (const event of memory.events.read(problem => problems.push(problem))) {
    if (until !== undefined && event.createdAt > until) continue
    seen += 1
    const text = folded(`${contentOf(event)} ${event.signals.keyPaths.join(' ')}`)
    const has = needles === 'any' ? 1 : needles.filter(needle => text.includes(needle)).length
    if (has > 0) found.push({ event, has, at: seen })
  }
  const kept = found.sort((a, b) => b.has - a.has || b.at - a.at).slice(0, MAX_EVENTS)
  const others = found.length - kept.length
  return {
    texts: kept.map(({ event }) => ({
      id: `event:${event.id}`,
      source: 'events' as const,
      name: event.id,
      content: clean(contentOf(event)),
      files: event.signals.keyPaths.map(clean),
      kind: event.kind,
      date: event.createdAt.slice(0, 16),
      since: event.createdAt,
      sources: [],
    })),
    unanalysed: seen - kept.length,
    left:
      others > 0 ? [{ what: 'events', count: others, why: 'match less of the question, or are older' }] : [],
    problems:
      problems.length <= MAX_PROBLEMS
        ? problems
        : [...problems.slice(0, MAX_PROBLEMS - 1), moreProblems(problems.length - MAX_PROBLEMS + 1)],
  }
}

function moreProblems(count: number): Problem {
  return {
    code: 'event_damaged',
    path: 'history/events.jsonl',
    message: `${count} more lines cannot be read.`,
    hint: '`cairn events --json` lists them all.',
  }
}

/** Of a session only its summary: signals that rules found in its messages are suggestions. */
function contentOf({ kind, summary, signals }: MemoryEvent): string {
  return kind === 'tool_run' ? [summary, ...signals.gotchas].join('\n') : summary
}

function folded(text: string): string {
  return foldText(text).normalize('NFC')
}

/** The first letters of the words of the question, in every form of the analyser and the aliases; a date may match any event. */
async function needlesOf(memory: Memory, question: string): Promise<readonly string[] | 'any'> {
  const now = utcMinute(memory.clock.nowMs())
  const asked = analyseQuery(question, { languages: new Set(LANGUAGES), now })
  if (asked.some(({ source }) => source === 'date')) return 'any'
  const terms = asked.filter(({ source }) => source === 'word' || source === 'identifier')
  const tokens = new Set(terms.flatMap(({ variants }) => variants.map(({ token }) => token)))
  const aliases = await memory.aliases()
  for (const word of folded(question).split(/[^a-z0-9]+/))
    for (const meaning of Object.hasOwn(aliases, word) ? (aliases[word] ?? []) : []) tokens.add(meaning)
  return [...new Set([...tokens].map(token => token.slice(0, NEEDLE_LETTERS)))].filter(
    needle => needle.length > 1,
  )
}

/** Each text costs a few milliseconds and its vector is not stored: as many tokens as a statement has. */
const TEXT_TOKENS = 64

/**
 * Measures the meaning of the question against texts that are not entries, around the mean of the vault. undefined: words alone decide, as
 * for entries without vectors; no text is sent to a server.
 */
export async function meaningOfTexts(
  memory: Memory & MeaningPorts & DocumentPorts,
  question: string,
  texts: readonly TextToIndex[],
): Promise<{ vector: Float32Array; index: VectorIndex } | undefined> {
  if (texts.length === 0 || (await memory.semantics.isRemote())) return undefined
  const asked = await meaningOf(memory, essentialPart(question))
  const vault = asked?.index
  const embedder = vault && (await memory.semantics.embedder())
  if (asked === undefined || vault === undefined || embedder === undefined) return undefined
  const vectors = await embedOrNote(memory, () =>
    embedder.embed(
      texts.map(({ content }) => content),
      { maxTokens: TEXT_TOKENS },
    ),
  )
  if (vectors === undefined) return undefined
  const { vector } = asked
  const { mean, count } = await vault.mean()
  const measuredById = new Map(
    texts.map(({ id }, at): [string, Measured] => {
      const own = vectors[at] as Float32Array
      return [id, { cosine: dot(own, vector), toMean: dot(own, mean) }]
    }),
  )
  const index: VectorIndex = {
    ...vault,
    findNearest: async () => texts.map(candidateOf),
    measure: async () => ({ measuredById, mean, count }),
  }
  return { vector, index }
}

async function embedOrNote(
  memory: MeaningPorts,
  embed: () => Promise<readonly Float32Array[]>,
): Promise<readonly Float32Array[] | undefined> {
  try {
    return await embed()
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    memory.semantics.note({ code: error.code, message: `${error.message} Words alone decided.` })
    return undefined
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

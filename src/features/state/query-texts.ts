import type { Memory } from '../../kernel/memory.ts'
import type { Bundle, BundleSection } from '../../kernel/model/bundle.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { MemoryEvent } from '../../kernel/model/event.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { foldText } from '../../kernel/text/fold.ts'
import { LANGUAGES } from '../../kernel/text/language.ts'
import { analyseQuery } from '../../kernel/text/query-terms.ts'
import { tellingPart } from '../../kernel/text/telling-part.ts'
import type { MeaningPorts, ShelfPorts } from '../search/decide/ports.ts'
import { candidateOf, type TextToIndex } from '../search/decide/text-index.ts'
import type { Measured, VectorShelf } from '../search/decide/vector-index.ts'
import { meaningOf } from '../search/meaning.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { bundleTexts, type LeftOut, type QuerySource } from './decide/answer.ts'
import type { StatePorts } from './decide/ports.ts'
import { safeBundle } from './safe-state.ts'

/** Something that can answer and is no entry. */
export interface QueryText extends TextToIndex {
  readonly source: Exclude<QuerySource, 'entries'>
  /** As the answer names it. */
  readonly name: string
  readonly section?: BundleSection
  readonly since?: string
  readonly until?: string
  readonly sources: readonly string[]
}

export interface Gathered {
  readonly texts: readonly QueryText[]
  /** Looked at, and not worth analysing: they have no word of the question. */
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

/** Older snapshots of the state are many and say much the same. */
const MAX_CHECKPOINTS = 20
const STATEMENTS: readonly BundleSection[] = ['currentFocus', 'gotchas', 'nextSteps']

/** What the state said before and does not say any more, each statement by the last snapshot that has it. */
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
    /** UTC ISO: only snapshots from before. */
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
  const left = older > 0 ? [{ what: 'checkpoints', count: older, why: 'older than those looked at' }] : []
  return { texts, unanalysed: 0, left, problems }
}

/** All are read; so many, those that have most of what is asked for and then the newest, are analysed and ranked. */
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
      others > 0 ? [{ what: 'events', count: others, why: 'have less of the question, or are older' }] : [],
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
    hint: '`cairn events --json` names them all.',
  }
}

/** Of a session only its summary: what rules found in its talk are suggestions. */
function contentOf({ kind, summary, signals }: MemoryEvent): string {
  return kind === 'tool_run' ? [summary, ...signals.gotchas].join('\n') : summary
}

function folded(text: string): string {
  return foldText(text).normalize('NFC')
}

/** The first letters of what the question asks for, in every form that the analyser and the aliases know; a date may be in any event. */
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

/** Each text costs a few milliseconds, and nobody keeps their vectors: as much of it as a statement has. */
const TEXT_TOKENS = 64

/**
 * What the question means, measured against texts that are no entries, around the mean of the vault. undefined: words alone decide,
 * as they do for entries that have no vectors; nothing is sent to a server for it.
 */
export async function meaningOfTexts(
  memory: Memory & MeaningPorts & ShelfPorts,
  question: string,
  texts: readonly TextToIndex[],
): Promise<{ vector: Float32Array; index: VectorShelf } | undefined> {
  if (texts.length === 0 || (await memory.semantics.isRemote())) return undefined
  const asked = await meaningOf(memory, tellingPart(question))
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
  const index: VectorShelf = {
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

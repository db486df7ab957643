import type { Memory } from '../../kernel/memory.ts'
import type { Bundle, BundleSection } from '../../kernel/model/bundle.ts'
import { isSuggestion } from '../../kernel/model/entry.ts'
import type { Degradation, Hit, Problem } from '../../kernel/model/search.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import type { DocumentPorts, FullSearchPorts, MeaningPorts, SearchPorts } from '../search/decide/ports.ts'
import { retrieve } from '../search/decide/retrieve.ts'
import { textIndex } from '../search/decide/text-index.ts'
import { search } from '../search/search-memory.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import { checkpointNotFound, findCheckpointId } from './checkpoints.ts'
import { type Answer, askedSections, type LeftOut, QUERY_SOURCES, type QuerySource } from './decide/answer.ts'
import { MAX_CHARACTERS } from './decide/clean-bundle.ts'
import { cutLine } from './decide/markdown-line.ts'
import { EMPTY_BUNDLE } from './decide/plan-recall.ts'
import type { StatePorts } from './decide/ports.ts'
import {
  bundleQueryTexts,
  checkpointTexts,
  eventTexts,
  type Gathered,
  meaningOfTexts,
  type QueryText,
} from './query-texts.ts'
import { openSteps } from './recall-entries.ts'
import { readSafeState, safeBundle, textSafety } from './safe-state.ts'

interface QueryInput {
  /** Without a question the state is the answer. */
  readonly question?: string | undefined
  /** Only these sections of the state and its checkpoints; entries and events then answer only with `sources`. */
  readonly sections?: readonly BundleSection[] | undefined
  readonly sources?: readonly QuerySource[] | undefined
  readonly limit: number
  /** As of this checkpoint: its id, the start of an id, or `latest`. */
  readonly checkpoint?: string | undefined
  readonly reader?: string | undefined
}

interface QueriedState {
  readonly bundleHash: string
  /** UTC ISO. */
  readonly at: string
  /** null: the state as it is now. */
  readonly checkpoint: string | null
}

export interface QueryResult {
  /** null: there is none, or it cannot be used. */
  readonly state: QueriedState | null
  /** Without a question. */
  readonly bundle: Bundle | null
  readonly answers: readonly Answer[]
  readonly left: readonly LeftOut[]
  readonly problems: readonly Problem[]
  readonly degraded: readonly Degradation[]
}

/**
 * How much a source counts for an answer. A section that the question asks for answers it even without a common word; old statements count
 * less than current ones, and events less than statements made from them.
 *
 *   score = min(1, relevance · share + asked)
 */
const QUERY_WEIGHTS = {
  asked: 0.35,
  /** If a section answers, an answer below this share of the best score is noise: it shares only a filler word with the question. */
  minShareWhenAsked: 0.3,
  share: { bundle: 1, entries: 1, events: 0.85, checkpoints: 0.7 },
} as const

export async function query(
  memory: Memory & FullSearchPorts & SessionPorts & StatePorts,
  input: QueryInput,
): Promise<QueryResult> {
  const now = await stateAsked(memory, input.checkpoint)
  const { question } = input
  const noState: Degradation[] =
    now.state === null && now.problem === undefined
      ? [
          {
            code: 'state_not_found',
            message: 'There is no state of the project yet; `cairn recall` makes one.',
          },
        ]
      : []
  const problems = now.problem === undefined ? [] : [now.problem]
  const { state, bundle } = now
  if (question === undefined) {
    const degraded = [...noState, ...memory.store.takeDegraded()]
    return { state, bundle: bundle ?? null, answers: [], left: [], problems, degraded }
  }
  const asked = await answer(memory, { ...input, question }, { bundle, until: now.until })
  return {
    state,
    bundle: null,
    answers: asked.answers,
    left: asked.left,
    problems: [...problems, ...asked.problems],
    degraded: [...noState, ...asked.degraded],
  }
}

async function answer(
  memory: Memory & FullSearchPorts & SessionPorts & StatePorts,
  input: QueryInput & { readonly question: string },
  { bundle, until }: { readonly bundle: Bundle | undefined; readonly until: string | undefined },
) {
  const { question, limit, sections } = input
  const sources = new Set(
    input.sources ?? (sections === undefined ? QUERY_SOURCES : ['bundle', 'checkpoints']),
  )
  const clean = await textSafety(memory)
  const nothing: Gathered = { texts: [], unanalysed: 0, left: [], problems: [] }
  const current =
    sources.has('bundle') && until === undefined && asksForSteps(question)
      ? { ...(bundle ?? EMPTY_BUNDLE), nextSteps: await openSteps(memory, bundle?.nextSteps ?? [], clean) }
      : bundle
  const known = bundle === undefined ? (['nextSteps'] as const) : sections
  const statements = current !== undefined && sources.has('bundle') ? bundleQueryTexts(current, known) : []
  const earlier = sources.has('checkpoints')
    ? await checkpointTexts(memory, { current: bundle, sections, before: until, clean })
    : nothing
  const events = sources.has('events') ? await eventTexts(memory, question, { until, clean }) : nothing
  const ofTexts = await rankTexts(memory, question, {
    texts: [...statements, ...earlier.texts, ...events.texts],
    unanalysed: events.unanalysed,
    wanted: limit,
  })
  const found = sources.has('entries')
    ? await search(memory, question, {
        filter: {
          ...(input.reader !== undefined && { reader: input.reader }),
          ...(until !== undefined && { until: until.slice(0, 16) }),
        },
        limit: Math.min(MAX_HITS, limit * 2),
        documents: {},
      })
    : { hits: [], degraded: [] }
  const trusted = found.hits.filter(({ entry, document }) => document !== undefined || !isSuggestion(entry))
  const suggested = found.hits.length - trusted.length
  const { shown, more, repeated } = choose(
    aboveNoise([...ofTexts, ...trusted.map(hit => entryAnswer(hit, clean))], question),
    { limit, areStepsFirst: asksForSteps(question) },
  )
  return {
    answers: shown,
    left: [
      ...(more > 0 ? [{ what: 'answers', count: more, why: 'beyond the limit' }] : []),
      ...(repeated > 0 ? [{ what: 'entries', count: repeated, why: 'already in the state' }] : []),
      ...(suggested > 0 ? [{ what: 'suggestions', count: suggested, why: 'waiting for review' }] : []),
      ...earlier.left,
      ...events.left,
    ],
    problems: [...earlier.problems, ...events.problems],
    degraded: [...found.degraded, ...memory.store.takeDegraded(), ...memory.semantics.takeDegraded()],
  }
}

const MAX_HITS = 100

function aboveNoise(answers: readonly Answer[], question: string): readonly Answer[] {
  const isAsked = askedSections(question).length > 0 && answers.some(({ source }) => source === 'bundle')
  if (!isAsked) return answers
  const minScore = QUERY_WEIGHTS.minShareWhenAsked * Math.max(...answers.map(({ score }) => score))
  return answers.filter(({ score }) => score >= minScore)
}

function asksForSteps(question: string): boolean {
  return askedSections(question).includes('nextSteps')
}

/** A smaller difference of relevance does not change the order of the state: open tasks stay before steps of a handoff. */
const SAME_RELEVANCE = 0.2

/**
 * Best first; for "what is left to do?" the next steps come first. A statement of the state replaces the entries that it cites, with the
 * best of their scores.
 */
function choose(
  answers: readonly Answer[],
  { limit, areStepsFirst }: { readonly limit: number; readonly areStepsFirst: boolean },
) {
  const isStep = ({ source, section }: Answer) => source === 'bundle' && section === 'nextSteps'
  const rank = (answer: Answer) =>
    areStepsFirst && isStep(answer) ? 2 + Math.round(answer.score / SAME_RELEVANCE) : answer.score
  const scoreByEntry = new Map(
    answers.flatMap(({ source, id, score }): [string, number][] =>
      source === 'entries' ? [[`entry:${id}`, score]] : [],
    ),
  )
  const cited = new Set(answers.flatMap(({ source, sources }) => (source === 'bundle' ? sources : [])))
  const chosen = answers
    .filter(({ source, id }) => source !== 'entries' || !cited.has(`entry:${id}`))
    .map(one =>
      one.source === 'bundle'
        ? { ...one, score: Math.max(one.score, ...one.sources.map(name => scoreByEntry.get(name) ?? 0)) }
        : one,
    )
    .sort(
      (a, b) =>
        rank(b) - rank(a) ||
        QUERY_SOURCES.indexOf(a.source) - QUERY_SOURCES.indexOf(b.source) ||
        (a.source === 'bundle' ? 0 : byAge(a, b)),
    )
  return {
    shown: chosen.slice(0, limit),
    more: Math.max(0, chosen.length - limit),
    repeated: answers.length - chosen.length,
  }
}

/** The newer first. */
function byAge(a: Answer, b: Answer): number {
  const [mine, other] = [a, b].map(({ until, date }) => until ?? date ?? '') as [string, string]
  return mine === other ? 0 : mine > other ? -1 : 1
}

async function rankTexts(
  memory: Memory & SearchPorts & MeaningPorts & DocumentPorts,
  question: string,
  given: {
    readonly texts: readonly QueryText[]
    readonly unanalysed: number
    readonly wanted: number
  },
): Promise<Answer[]> {
  const { texts } = given
  if (texts.length === 0) return []
  await memory.store.refresh()
  const index = textIndex(texts, memory.search, given.unanalysed)
  const asked = {
    query: question,
    filter: {},
    wanted: given.wanted,
    aliases: await memory.aliases(),
    now: utcMinute(memory.clock.nowMs()),
  }
  const byWords = await retrieve(index, asked)
  const meaning = await meaningOfTexts(memory, question, worthEmbedding(texts, byWords.ranked))
  const { ranked } = meaning === undefined ? byWords : await retrieve(index, { ...asked, meaning })
  const relevance = new Map(ranked.map(({ id, score }) => [id, score]))
  const sections = new Set(askedSections(question))
  return texts.flatMap((text): Answer[] => {
    const isAsked = text.source === 'bundle' && text.section !== undefined && sections.has(text.section)
    const share = QUERY_WEIGHTS.share[text.source]
    const score = (relevance.get(text.id) ?? 0) * share + (isAsked ? QUERY_WEIGHTS.asked : 0)
    if (score <= 0) return []
    const { source, name, content, section, since, until, files, sources } = text
    return [
      {
        source,
        id: name,
        score: rounded(score),
        text: cutLine(content, MAX_CHARACTERS),
        ...(section !== undefined && { section }),
        ...(since !== undefined && { date: since }),
        ...(until !== undefined && { until }),
        files,
        sources,
      },
    ]
  })
}

const MAX_STATEMENTS_EMBEDDED = 48
const MAX_EVENTS_EMBEDDED = 16

/** Statements may answer without a common word; of the many events only the best by words are embedded. */
function worthEmbedding(
  texts: readonly QueryText[],
  ranked: readonly { readonly id: string }[],
): QueryText[] {
  const textById = new Map(texts.map(text => [text.id, text]))
  const events = ranked.flatMap(({ id }) => {
    const text = textById.get(id)
    return text?.source === 'events' ? [text] : []
  })
  const statements = texts.filter(({ source }) => source !== 'events')
  return [...statements.slice(0, MAX_STATEMENTS_EMBEDDED), ...events.slice(0, MAX_EVENTS_EMBEDDED)]
}

function entryAnswer(
  { id, score, entry, document, marks, freshness }: Hit,
  clean: (text: string) => string,
): Answer {
  const notes = [
    ...(marks?.supersededBy === undefined ? [] : [`superseded by ${marks.supersededBy}`]),
    ...(marks?.conflictsWith === undefined ? [] : [`in conflict with ${marks.conflictsWith.id}`]),
    ...(freshness === undefined ? [] : ['its files changed since']),
  ]
  return {
    source: 'entries',
    id,
    score: rounded(score * QUERY_WEIGHTS.share.entries),
    text: cutLine(clean(entry.content), MAX_CHARACTERS),
    kind: clean(entry.kind),
    agent: entry.agent,
    date: entry.date,
    files: (document === undefined ? entry.files : [document.path]).map(clean),
    sources: [],
    ...(notes.length > 0 && { notes }),
  }
}

function rounded(score: number): number {
  return Math.round(Math.min(1, score) * 10_000) / 10_000
}

interface StateAsked {
  readonly state: QueriedState | null
  readonly bundle?: Bundle
  /** UTC ISO: newer texts do not answer. */
  readonly until?: string
  readonly problem?: Problem
}

async function stateAsked(memory: Memory & StatePorts, checkpoint: string | undefined): Promise<StateAsked> {
  if (checkpoint !== undefined) {
    const id = await findCheckpointId(memory, checkpoint)
    const reading = await memory.state.readCheckpoint(id)
    if (reading === undefined) throw checkpointNotFound(checkpoint)
    if (reading.kind === 'damaged') return { state: null, problem: reading.problem }
    const { bundle, bundleHash, createdAt } = reading.checkpoint
    return {
      state: { bundleHash, at: createdAt, checkpoint: id },
      bundle: await safeBundle(memory, bundle),
      until: createdAt,
    }
  }
  const safe = await readSafeState(memory)
  if (safe.kind === 'none') return { state: null }
  if (safe.kind === 'unusable') return { state: null, problem: safe.problem }
  return {
    state: { bundleHash: safe.bundleHash, at: safe.state.generatedAt, checkpoint: null },
    bundle: safe.bundle,
  }
}

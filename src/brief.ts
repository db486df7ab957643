import type { Engine } from './engine-parts.ts'
import { askPrompt, findFittingEntries, look } from './fitting-entries.ts'
import type { Config } from './model/config.ts'
import type { DocumentReference } from './model/document-reference.ts'
import type { Entry } from './model/entry.ts'
import { CairnError } from './model/errors.ts'
import type { Preference } from './model/preference.ts'
import type { Degradation, EntryFilter } from './model/search.ts'
import type { Brief, BriefFormat, MarkedEntry, Marks, TierName } from './model/selection.ts'
import { totalBudget } from './pipeline/brief/allocate.ts'
import type { GivenBrief } from './pipeline/brief/brief-log.ts'
import { documentExcerpt } from './pipeline/brief/document-excerpt.ts'
import { buildPromptBrief } from './pipeline/brief/prompt-brief.ts'
import { buildStartBrief, type ProjectScope, START_BRIEF_TOKENS } from './pipeline/brief/start-brief.ts'
import { DEFAULT_PROFILE } from './pipeline/retrieve/profiles.ts'
import type { Considered } from './pipeline/retrieve/select.ts'
import { addSample, assess, limitsFor, type SloState } from './pipeline/retrieve/slo.ts'
import { type CurrentEntries, onlyCurrent } from './superseded.ts'
import { fingerprint } from './text/fingerprint.ts'
import { namedFiles } from './text/named-files.ts'
import { tellingPart } from './text/telling-part.ts'

/** Hosts differ in what they read best and in how much they take (HOSTS.md has what was seen). */
const HOST_FORMATS: Readonly<Record<string, { format: BriefFormat; mostCharacters?: number }>> = {
  'claude-code': { format: 'xml', mostCharacters: 9_500 },
  codex: { format: 'plain', mostCharacters: 9_500 },
  gemini: { format: 'markdown' },
  opencode: { format: 'plain' },
  copilot: { format: 'plain' },
  cursor: { format: 'plain' },
}
export const BRIEF_HOSTS = Object.keys(HOST_FORMATS)
const DEFAULT_FORMAT = { format: 'markdown' as const }

const MOST_PINNED = 5
/** Of the time a brief has: so much may go into reading documents that are new. What is left over waits for the next. */
const TAKE_IN_SHARE = 0.4
const LOGGED_PROMPT_TOKENS = 60
const READ_FROM_START = 16_000
const READ_FROM_END = 8_000
export interface BriefInput {
  readonly host?: string
  readonly format?: BriefFormat
  /** Reads its own vault, `shared` and `private`; without one, every vault is read. */
  readonly agent?: string
  readonly session?: string
  /** Tokens left in the model's context, where the host tells. */
  readonly remainingContext?: number
  /** Keep it in the log and count it as sent: for briefs that a host receives. */
  readonly isGiven?: boolean
  /** Time that is left, where whoever waits has less than `brief.deadlineMs`. */
  readonly withinMs?: number
}

export interface PromptBriefInput extends BriefInput {
  readonly prompt: string
  /** Open in the editor. */
  readonly files?: readonly string[]
  /** What the task is; without it the prompt tells. */
  readonly profile?: string
  /** Tokens of the same budget that are spent already: a start brief in the same breath. */
  readonly spentTokens?: number
}

export interface BriefAnswer {
  readonly brief: Brief
  readonly considered: readonly Considered[]
  /** Those of them that are documents of workspaces, by id. */
  readonly documentById: ReadonlyMap<string, DocumentReference>
  readonly floor: number
  /** What it may take in all. */
  readonly budgetTokens: number
  readonly isGeneral: boolean
  /** What the task was taken for. */
  readonly profile: string
  readonly files: readonly string[]
  /** The user's own that were thought of, best first. */
  readonly preferences: readonly Preference[]
  readonly degraded: readonly Degradation[]
  readonly ms: number
}

/** prompt ▶ retrieve ▶ factors ▶ select ▶ budget ▶ format */
export async function promptBrief(engine: Engine, input: PromptBriefInput): Promise<BriefAnswer> {
  const startMs = engine.clock.nowMs()
  await engine.store.refresh()
  const config = await engine.config()
  const { samplesMs, state } = await engine.briefs.latencies()
  const slo = assess(samplesMs, state as SloState | undefined)
  const files = [...new Set([...(input.files ?? []), ...namedFiles(input.prompt)])]
  const notes: Degradation[] = []
  if (slo.state === 'degraded') {
    notes.push({
      code: 'slo_degraded',
      message: `The last retrievals were slow (p95 ${Math.round(slo.p95 ?? 0)} ms), so fewer entries are looked at.`,
    })
  }
  const withinMs = Math.min(config['brief.deadlineMs'], input.withinMs ?? Number.POSITIVE_INFINITY)
  const deadlineMs = startMs + withinMs
  const cut: string[] = []
  const inTime = async <T>(what: string, work: (isTimeUp: () => boolean) => Promise<T>) => {
    let wasCut = false
    const isTimeUp = () => {
      wasCut ||= engine.clock.nowMs() >= deadlineMs
      return wasCut
    }
    const answer = await beforeDeadline(engine, deadlineMs, () => work(isTimeUp))
    if (answer === undefined || wasCut) cut.push(what)
    return answer
  }
  const found = await inTime('the entries', () =>
    findFittingEntries(engine, {
      prompt: input.prompt,
      openFiles: input.files ?? [],
      activeFiles: files,
      filter: readerOf(input),
      profile: input.profile,
      topK: limitsFor(slo.state).topK,
      takeInUntilMs: startMs + TAKE_IN_SHARE * withinMs,
    }),
  )
  const { session } = input
  const contextBridge =
    session === undefined
      ? []
      : await inTime('what other agents found', isTimeUp =>
          engine.sources.contextBridge(session, ownAgent(engine, config, input), isTimeUp),
        )
  const sessionSummaries = await inTime('earlier sessions', () =>
    engine.sources.sessionSummaries(input.agent ?? '', input.prompt),
  )
  if (cut.length > 0) {
    notes.push({
      code: 'deadline',
      message: `Only what was ready after ${Math.round(withinMs)} ms is told; missing: ${cut.join(', ')}.`,
    })
  }
  const considered = found?.considered ?? []
  const chosen = considered.filter(item => item.cut === undefined)
  const { told: pinned, left: retired } = await pinnedEntries(engine, readerOf(input))
  const documentById = found?.documentById ?? new Map<string, DocumentReference>()
  const marks = await engine.sources.marks(
    [...pinned, ...chosen.map(item => item.entry)].map(({ id }) => id).filter(id => !documentById.has(id)),
    input.agent,
  )
  const preferences = await preferencesFor(engine, config, input, notes)
  const told = ({ entry, score }: Considered): MarkedEntry => {
    const document = documentById.get(entry.id)
    if (document === undefined) return { ...marked(entry, marks.get(entry.id)), score }
    const content = documentExcerpt(entry.content, found?.snippetOf ?? (() => ''))
    return { entry: { ...entry, content }, document, score }
  }
  const { format, mostCharacters } = formatOf(input)
  const budgetTokens = Math.max(
    0,
    totalBudget({
      ...(input.remainingContext !== undefined && { remainingContext: input.remainingContext }),
      configuredDefault: config['brief.contextTokens'],
      mostTokens: config['brief.maxTokens'],
    }) - (input.spentTokens ?? 0),
  )
  const built = buildPromptBrief(
    {
      preferences,
      alwaysInject: pinned.map(entry => marked(entry, marks.get(entry.id))),
      contextBridge: contextBridge ?? [],
      retrieval: chosen.map(told),
      sessionSummaries: sessionSummaries ?? [],
      alreadySent: session === undefined ? new Set() : await engine.briefs.sentIn(sessionKeyOf(session)),
    },
    {
      format,
      totalTokens: budgetTokens,
      ...(mostCharacters !== undefined && { mostCharacters }),
    },
  )
  const brief = withLeft(built, retired, 'always-inject')
  const ms = engine.clock.nowMs() - startMs
  const degraded = [
    ...engine.store.takeDegraded(),
    ...engine.shelf.takeDegraded(),
    ...engine.semantics.takeDegraded(),
    ...notes,
  ]
  const answer = {
    brief,
    considered,
    documentById,
    floor: found?.floor ?? 0,
    budgetTokens,
    isGeneral: found?.isGeneral ?? false,
    profile: found?.profile ?? DEFAULT_PROFILE,
    files,
    preferences,
    degraded,
    ms,
  }
  if (input.isGiven === true) await keep(engine, 'prompt', input, answer, { samplesMs, state: slo.state })
  return answer
}

/** What a session begins with. */
export async function startBrief(
  engine: Engine,
  input: BriefInput & {
    readonly prompt?: string
    readonly projectScope?: ProjectScope
    /** Its context is there again: what the session was told is not told a second time. */
    readonly isResumed?: boolean
  },
): Promise<BriefAnswer> {
  const startMs = engine.clock.nowMs()
  await engine.store.refresh()
  const config = await engine.config()
  const agent = ownAgent(engine, config, input)
  const notes: Degradation[] = []
  const filter = readerOf(input)
  const sent: ReadonlySet<string> =
    input.isResumed === true && input.session !== undefined
      ? await engine.briefs.sentIn(sessionKeyOf(input.session))
      : new Set()
  const isNews = ({ id }: { readonly id: string }) => !sent.has(id)
  const newest = async (category: 'handoffs' | 'tasks', limit: number) =>
    (await engine.search.listEntries({ filter: { ...filter, category }, limit, offset: 0 })).entries
  const relevant = async (category: 'decisions' | 'lessons', limit: number) => {
    const listed = await engine.search.listEntries({ filter: { ...filter, category }, limit, offset: 0 })
    if (input.prompt === undefined || input.prompt.trim() === '') return listed.entries
    const narrowed = { ...filter, category }
    const asked = await askPrompt(engine, { prompt: input.prompt, filter: narrowed })
    const { ranked } = await look(engine, asked, narrowed, limit)
    const entryById = await engine.search.loadEntries(ranked.slice(0, limit).map(({ id }) => id))
    return ranked.flatMap(({ id }) => entryById.get(id) ?? [])
  }
  const [handoff] = (await newest('handoffs', 1)).filter(isNews)
  const openTasks = (await newest('tasks', 200)).filter(
    entry => isNews(entry) && OPEN_TASK.test(entry.content),
  )
  const { told: decisions, left: oldDecisions } = await onlyCurrent(
    engine,
    await relevant('decisions', LISTED),
    input.agent,
  )
  const { told: lessons, left: oldLessons } = await onlyCurrent(
    engine,
    await relevant('lessons', LISTED),
    input.agent,
  )
  const { told: pinned, left: oldPinned } = await pinnedEntries(engine, filter)
  const marks = await engine.sources.marks(
    [...pinned, ...decisions, ...lessons, ...(handoff ? [handoff] : []), ...openTasks].map(({ id }) => id),
    input.agent,
  )
  const isKnown = sent.size > 0
  const project = isKnown ? undefined : await engine.projectText()
  const preferences = (await preferencesFor(engine, config, input, notes)).filter(isNews)
  const { format, mostCharacters } = formatOf(input)
  const built = buildStartBrief(
    {
      agent,
      preferences,
      withInstructions: !isKnown,
      ...(project !== undefined && { project }),
      ...(handoff !== undefined && { handoff: marked(handoff, marks.get(handoff.id)) }),
      pinned: pinned.filter(isNews).map(entry => marked(entry, marks.get(entry.id))),
      openTasks: openTasks.map(entry => marked(entry, marks.get(entry.id))),
      decisions: decisions.filter(isNews).map(entry => marked(entry, marks.get(entry.id))),
      lessons: lessons.filter(isNews).map(entry => marked(entry, marks.get(entry.id))),
      recovery: isKnown ? [] : await engine.sources.recovery(agent, input.session),
      ...(input.projectScope !== undefined && { projectScope: input.projectScope }),
    },
    { format, ...(mostCharacters !== undefined && { mostCharacters }) },
  )
  const brief = withLeft(
    withLeft(withLeft(built, oldDecisions, 'decisions'), oldLessons, 'lessons'),
    oldPinned,
    'always-inject',
  )
  const degraded = [...engine.store.takeDegraded(), ...engine.semantics.takeDegraded(), ...notes]
  const ms = engine.clock.nowMs() - startMs
  const answer = {
    brief,
    considered: [],
    documentById: new Map(),
    floor: 0,
    budgetTokens: START_BRIEF_TOKENS,
    isGeneral: false,
    profile: DEFAULT_PROFILE,
    files: [],
    preferences,
    degraded,
    ms,
  }
  if (input.isGiven === true) await keep(engine, 'start', { prompt: '', ...input }, answer)
  return answer
}

/** More than are told, so that what is left out can be named. */
const LISTED = 10
const OPEN_TASK = /^\s*[-*] \[ \] /m

/** Names what was superseded among what was left out. */
function withLeft(brief: Brief, entries: readonly Entry[], tier: TierName): Brief {
  if (entries.length === 0) return brief
  const left = entries.map(({ id }) => ({ id, tier, reason: 'superseded' as const }))
  return { ...brief, left: [...brief.left, ...left] }
}

async function pinnedEntries(engine: Engine, filter: EntryFilter): Promise<CurrentEntries> {
  const { entries } = await engine.search.listEntries({
    filter: { ...filter, status: 'pinned' },
    limit: 50,
    offset: 0,
  })
  const { told, left } = await onlyCurrent(engine, entries, filter.reader)
  return { told: [...told].sort((a, b) => b.importance - a.importance).slice(0, MOST_PINNED), left }
}

/** What belongs to the person. A project can do without; that it could not be read is said, and the rest is told. */
async function preferencesFor(
  engine: Engine,
  config: Config,
  { agent }: BriefInput,
  notes: Degradation[],
): Promise<readonly Preference[]> {
  if (!config['brief.userMemory'] || engine.isUserMemory) return []
  try {
    const { preferences, left } = await engine.sources.preferences(agent)
    for (const why of left)
      notes.push({ code: 'user_memory_unavailable', message: `Your own memory: ${why}` })
    return preferences
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    notes.push({ code: 'user_memory_unavailable', message: error.message })
    return []
  }
}

function formatOf(input: BriefInput): { format: BriefFormat; mostCharacters?: number } {
  const byHost = HOST_FORMATS[input.host ?? ''] ?? DEFAULT_FORMAT
  return input.format === undefined ? byHost : { ...byHost, format: input.format }
}

function marked(entry: Entry, marks: Marks | undefined): MarkedEntry {
  return marks === undefined ? { entry } : { entry, marks }
}

/** The answer, or undefined when the time is up: whoever waits for a prompt must not wait for us. */
async function beforeDeadline<T>(
  engine: Engine,
  deadlineMs: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (engine.clock.nowMs() >= deadlineMs) return undefined
  const alarm = engine.clock.alarm(Math.max(1, deadlineMs - engine.clock.nowMs()))
  const working = work()
  // What comes after the deadline is nobody's any more, its failure included.
  working.catch(() => undefined)
  try {
    return await Promise.race([working, alarm.passed.then(() => undefined)])
  } finally {
    alarm.cancel()
  }
}

/** Stands for a session in the index: its name comes from outside and may be anything. */
export function sessionKeyOf(session: string): string {
  return fingerprint(session)
}

/** As much of a prompt as is read for its telling part. */
function endsOf(prompt: string): string {
  if (prompt.length <= READ_FROM_START + READ_FROM_END) return prompt
  return `${prompt.slice(0, READ_FROM_START)}\n${prompt.slice(-READ_FROM_END)}`
}

async function keep(
  engine: Engine,
  kind: GivenBrief['kind'],
  input: BriefInput & { readonly prompt: string; readonly files?: readonly string[] },
  { brief, profile, degraded, ms }: Omit<BriefAnswer, 'considered' | 'documentById'>,
  slo?: { readonly samplesMs: readonly number[]; readonly state: SloState },
): Promise<void> {
  const { redact } = await import('./text/redaction/redact.ts')
  const clean = (text: string) => redact(text).text
  // Freed of secrets before it is cut: half a key is no longer known for one.
  const prompt = clean(endsOf(input.prompt))
  try {
    const given: GivenBrief = {
      id:
        engine.clock.nowMs().toString(36).padStart(9, '0') +
        engine.clock
          .random(36 ** 4)
          .toString(36)
          .padStart(4, '0'),
      at: new Date(engine.clock.nowMs()).toISOString(),
      kind,
      host: clean(input.host ?? engine.actor.host),
      ...(input.session !== undefined && { session: clean(input.session) }),
      ...(input.agent !== undefined && { agent: clean(input.agent) }),
      profile: clean(profile),
      prompt: tellingPart(prompt, LOGGED_PROMPT_TOKENS),
      files: [...new Set([...(input.files ?? []).map(clean), ...namedFiles(prompt)])],
      tokens: brief.tokens,
      ms,
      included: brief.included.map(({ id, tier, tokens, score }) => ({
        ...(id !== undefined && { id }),
        tier,
        tokens,
        ...(score !== undefined && { score }),
      })),
      left: brief.left,
      degraded: degraded.map(({ code }) => code),
    }
    const samplesMs = slo && addSample(slo.samplesMs, ms)
    await engine.briefs.record(
      given,
      input.session && sessionKeyOf(input.session),
      samplesMs && { samplesMs, state: assess(samplesMs, slo?.state).state },
    )
  } catch (error) {
    // The host has its brief; that it could not be noted down must not take it away.
    if (!(error instanceof CairnError)) throw error
  }
}

/** Who asks, where the brief is not for a named agent: the same that its session is kept under. */
function ownAgent(engine: Engine, config: Config, { agent }: BriefInput): string {
  return (agent ?? engine.actor.agent ?? config['vault.defaultAgent']).toLowerCase()
}

function readerOf({ agent }: BriefInput): EntryFilter {
  return agent === undefined ? {} : { reader: agent }
}

import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import { type Entry, isSuggestion } from '../../kernel/model/entry.ts'
import type { Degradation } from '../../kernel/model/search.ts'
import type { MarkedEntry } from '../../kernel/model/selection.ts'
import type { DocumentReference } from '../../kernel/model/workspace.ts'
import { namedFiles } from '../../kernel/text/named-files.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { isSilentPrompt } from '../../kernel/text/silent-prompt.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { DEFAULT_PROFILE } from '../search/decide/profiles.ts'
import { assess, limitsFor, type SloState } from '../search/decide/slo.ts'
import {
  type BriefAnswer,
  type BriefInput,
  formatOf,
  injectable,
  lastHandoff,
  logBrief,
  marked,
  openTasksOf,
  ownAgent,
  pinnedEntries,
  preferencesFor,
  readerOf,
  sessionKeyOf,
  withLeft,
} from './brief-parts.ts'
import { totalBudget } from './decide/allocate.ts'
import { documentExcerpt } from './decide/compose-brief.ts'
import { isTaskQuestion, leftToDo, withOpenBoxes } from './decide/open-tasks.ts'
import type { BriefPorts, PromptPorts } from './decide/ports.ts'
import { buildPromptBrief } from './decide/prompt-brief.ts'
import type { Considered } from './decide/select.ts'
import { findFittingEntries } from './fitting-entries.ts'

export { BRIEF_HOSTS, type BriefAnswer, type BriefInput, sessionKeyOf } from './brief-parts.ts'
export { startBrief } from './session-start.ts'

/** The share of the deadline that may go into reading new documents. The others wait for the next brief. */
const READING_SHARE = 0.4
const LISTED_OF_SESSION = 20

export interface PromptBriefInput extends BriefInput {
  readonly prompt: string
  /** Open in the editor. */
  readonly files?: readonly string[]
  /** The task profile; detected from the prompt if absent. */
  readonly profile?: string
  /**
   * Set where a person or a program asks outside a session that it names (`cairn why --brief`). Without it, a session or a host says that
   * the prompt is part of one.
   */
  readonly isInSession?: boolean
  /** Tokens of the same budget that are already spent, for example by a start brief sent together with this one. */
  readonly spentTokens?: number
}

/** prompt ▶ retrieve ▶ factors ▶ select ▶ budget ▶ format */
export async function promptBrief(
  memory: Memory & PromptPorts,
  input: PromptBriefInput,
): Promise<BriefAnswer> {
  const startMs = memory.clock.nowMs()
  const asksForTasks = isTaskQuestion(input.prompt)
  if (!asksForTasks && isSilentPrompt(input.prompt, { hasOpenFiles: (input.files ?? []).length > 0 }))
    return emptyAnswer(memory, input, startMs)
  await memory.store.refresh()
  const config = await memory.config()
  const { samplesMs, state } = await memory.briefs.latencies()
  const slo = assess(samplesMs, state as SloState | undefined)
  const notes: Degradation[] = []
  if (slo.state === 'degraded') {
    notes.push({
      code: 'slo_degraded',
      message: `The last retrievals were slow (p95 ${Math.round(slo.p95 ?? 0)} ms), so fewer entries are considered.`,
    })
  }
  const withinMs = Math.min(config['brief.deadlineMs'], input.withinMs ?? Number.POSITIVE_INFINITY)
  const deadlineMs = startMs + withinMs
  const cut: string[] = []
  const inTime = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    const answer = await beforeDeadline(memory, deadlineMs, async () => ({ value: await work() }))
    if (answer === undefined) cut.push(what)
    return answer?.value
  }
  const { session } = input
  const agent = ownAgent(memory, config, input)
  const edited =
    session === undefined
      ? []
      : await inTime('the edited files', () => memory.sources.editedFiles(session, agent))
  const openFiles = [...new Set([...(input.files ?? []), ...(edited ?? [])])]
  const files = [...new Set([...openFiles, ...namedFiles(input.prompt)])]
  const found = await inTime('the entries', () =>
    findFittingEntries(memory, {
      prompt: input.prompt,
      openFiles,
      activeFiles: files,
      filter: injectable(input),
      profile: input.profile,
      topK: limitsFor(slo.state).topK,
      floor:
        (input.isInSession ?? (session !== undefined || input.host !== undefined)) ? 'session' : 'question',
      readUntilMs: startMs + READING_SHARE * withinMs,
    }),
  )
  const bridged =
    session === undefined
      ? []
      : await inTime('what other agents saved', () => savedByOthers(memory, session, agent))
  const tasks = asksForTasks
    ? ((await inTime('the open tasks', () => openTasksOf(memory, injectable(input)))) ?? [])
    : []
  const handoff =
    session === undefined
      ? undefined
      : await inTime('the last handoff', () => leftFromLastSession(memory, input, session))
  if (cut.length > 0) {
    notes.push({
      code: 'deadline',
      message: `The brief has only what was ready after ${Math.round(withinMs)} ms; missing: ${cut.join(', ')}.`,
    })
  }
  const considered = found?.considered ?? []
  const chosen = considered.filter(item => item.cut === undefined)
  const { current: pinned, left: superseded } = await pinnedEntries(memory, readerOf(input))
  const documentById = found?.documentById ?? new Map<string, DocumentReference>()
  const shown = [...pinned, ...(bridged ?? []), ...tasks, ...chosen.map(item => item.entry)]
  const marks = await memory.sources.marks(
    shown.map(({ id }) => id).filter(id => !documentById.has(id)),
    input.agent,
  )
  const withMarks = (entry: Entry) => marked(entry, marks.get(entry.id))
  const preferences = await preferencesFor(memory, config, input, notes)
  const fitting = ({ entry, score }: Considered): MarkedEntry => {
    const document = documentById.get(entry.id)
    if (document === undefined) return { ...withMarks(entry), score }
    const content = documentExcerpt(entry.content, found?.snippetOf ?? (() => ''))
    return { entry: { ...entry, content }, document, score }
  }
  const { format, maxCharacters } = formatOf(input)
  const budgetTokens = budgetOf(config, input)
  const built = buildPromptBrief(
    {
      preferences,
      alwaysInject: pinned.map(withMarks),
      contextBridge: (bridged ?? []).map(withMarks),
      retrieval: [...tasks.map(task => withMarks(withOpenBoxes(task))), ...chosen.map(fitting)],
      leftToDo: handoff && { entry: handoff },
      alreadySent: session === undefined ? new Set() : await memory.briefs.sentIn(sessionKeyOf(session)),
    },
    {
      format,
      redaction: redactionOptions(config),
      totalTokens: budgetTokens,
      ...(maxCharacters !== undefined && { maxCharacters }),
    },
  )
  const brief = withLeft(built, superseded, 'always-inject')
  const ms = memory.clock.nowMs() - startMs
  const degraded = [
    ...memory.store.takeDegraded(),
    ...memory.documentSearch.takeDegraded(),
    ...memory.semantics.takeDegraded(),
    ...notes,
  ]
  const answer = {
    brief,
    considered,
    documentById,
    floor: found?.floor.relevance ?? 0,
    budgetTokens,
    isGeneral: found?.isGeneral ?? false,
    profile: found?.profile ?? DEFAULT_PROFILE,
    files,
    preferences,
    degraded,
    ms,
  }
  if (input.isDelivered === true)
    await logBrief(memory, 'prompt', input, answer, { samplesMs, state: slo.state })
  return answer
}

/** The answer to a prompt that needs no memory: no entry is read for it. */
async function emptyAnswer(
  memory: Memory & BriefPorts,
  input: PromptBriefInput,
  startMs: number,
): Promise<BriefAnswer> {
  const answer: BriefAnswer = {
    brief: { text: '', tokens: 0, included: [], left: [] },
    considered: [],
    documentById: new Map(),
    floor: 0,
    budgetTokens: budgetOf(await memory.config(), input),
    isGeneral: false,
    profile: input.profile ?? DEFAULT_PROFILE,
    files: input.files ?? [],
    preferences: [],
    degraded: [],
    ms: memory.clock.nowMs() - startMs,
  }
  if (input.isDelivered === true) await logBrief(memory, 'prompt', input, answer)
  return answer
}

function budgetOf(config: Config, { remainingContext, spentTokens = 0 }: PromptBriefInput): number {
  const total = totalBudget({
    ...(remainingContext !== undefined && { remainingContext }),
    configuredDefault: config['brief.contextTokens'],
    maxTokens: config['brief.maxTokens'],
  })
  return Math.max(0, total - spentTokens)
}

/** What the other agents of this session saved on purpose, newest first. */
async function savedByOthers(memory: SearchPorts, session: string, agent: string): Promise<readonly Entry[]> {
  const { entries } = await memory.search.listEntries({
    filter: { session, exceptSuggestions: true },
    limit: LISTED_OF_SESSION,
    offset: 0,
  })
  return entries.filter(
    entry =>
      entry.agent !== agent &&
      entry.category !== 'handoffs' &&
      !isSuggestion(entry) &&
      (entry.origin === 'agent' || entry.status !== 'candidate'),
  )
}

/** With the first prompt of a session that had no start brief. Its id counts as sent, so that later prompts do not repeat it. */
async function leftFromLastSession(
  memory: SearchPorts & BriefPorts,
  input: PromptBriefInput,
  session: string,
): Promise<Entry | undefined> {
  if (await memory.briefs.hasStartBrief(sessionKeyOf(session))) return undefined
  const handoff = await lastHandoff(memory, input)
  return handoff === undefined || handoff.session === session ? undefined : leftToDo(handoff)
}

/** The answer, or undefined after the deadline: a prompt must not wait for a brief. */
async function beforeDeadline<T>(
  memory: Memory,
  deadlineMs: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  if (memory.clock.nowMs() >= deadlineMs) return undefined
  const alarm = memory.clock.alarm(Math.max(1, deadlineMs - memory.clock.nowMs()))
  const working = work()
  // Nothing waits for a result after the deadline, so its failure is ignored too.
  working.catch(() => undefined)
  try {
    return await Promise.race([working, alarm.passed.then(() => undefined)])
  } finally {
    alarm.cancel()
  }
}

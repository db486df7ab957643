import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import type { BriefResult, Conflict, Entry, Memory, Proposal } from '../src/api.ts'
import type { Library } from './bench.ts'
import {
  type AgentAnswer,
  questionFor,
  type SavedAnswer,
  type SessionQuestion,
  saveAsAgent,
} from './replay-answers.ts'
import type { ReplayMessage, ReplaySession } from './replay-data.ts'
import { choosePrompts, elementsOf } from './replay-match.ts'

export interface InjectedItem {
  readonly id: string | undefined
  readonly tier: string
  readonly text: string
}

export interface ReplayedBrief {
  readonly project: string
  readonly session: string
  /** -1 for the start brief, otherwise the number of the prompt. */
  readonly prompt: number
  readonly promptText: string
  /** The last messages of the user before this one. */
  readonly before: readonly string[]
  readonly text: string
  readonly tokens: number
  readonly items: readonly InjectedItem[]
  /** The codes of what could not be used. */
  readonly degraded: readonly string[]
}

export interface ReplayedSession {
  readonly project: string
  readonly session: string
  readonly firstRequest: string
  readonly lastMessages: readonly string[]
  readonly start: ReplayedBrief
  readonly prompts: readonly ReplayedBrief[]
  /** The ids of the entries that were stored before this session. */
  readonly storedBefore: ReadonlySet<string>
  /** The review queue after this session. */
  readonly waiting: number
  readonly saved: SavedAnswer | undefined
  readonly question: SessionQuestion | undefined
  readonly errors: readonly string[]
}

export interface ReplayedProject {
  readonly project: string
  readonly sessions: readonly ReplayedSession[]
  /** Every entry that was stored at the end of a session, as it was last seen. */
  readonly entries: readonly Entry[]
  /** The ids of those that are still stored at the end. */
  readonly atEnd: ReadonlySet<string>
  readonly suggestions: readonly Proposal[]
  /** Every pair that was reported after a session. */
  readonly conflicts: readonly Conflict[]
  readonly state: readonly { readonly section: 'focus' | 'gotcha' | 'next step'; readonly text: string }[]
  /** Lines that git would commit after the replay, beyond those that setting Cairn up committed. */
  readonly trackedLines: number
}

export interface ReplayRun {
  readonly library: Library
  /** Sets Cairn up in the new repository, as a user does once. */
  readonly setUp: (root: string) => void
  readonly maxPrompts: number
  readonly answers: ReadonlyMap<string, AgentAnswer>
  readonly progress: (message: string) => void
}

const HOST = 'claude-code'
const PAGE = 100
const BATCH = 50
const DAY_MS = 86_400_000
const MAX_QUOTE = 400

/** A temporary HOME for the whole run: neither the user's memory nor their settings have a part in it. */
export async function withTemporaryHome<T>(use: () => Promise<T>): Promise<T> {
  const home = await mkdtemp(path.join(tmpdir(), 'cairn-replay-home-'))
  const { HOME, CAIRN_HOME } = process.env
  process.env.HOME = home
  delete process.env.CAIRN_HOME
  try {
    return await use()
  } finally {
    if (HOME === undefined) delete process.env.HOME
    else process.env.HOME = HOME
    if (CAIRN_HOME !== undefined) process.env.CAIRN_HOME = CAIRN_HOME
    await rm(home, { recursive: true, force: true })
  }
}

/**
 * Feeds the sessions of one project to the library the way a host does, in a git repository at `root`:
 *
 *   start brief ▶ { prompt brief ▶ user message ▶ agent's messages, tool runs } … ▶ agent's answer ▶ close ▶ embed ▶ recall
 *
 * and upkeep once a simulated day. Work in the background is off, so that a run does not depend on how fast it is.
 */
export async function replayProject(
  run: ReplayRun,
  sessions: readonly ReplaySession[],
  root: string,
): Promise<ReplayedProject> {
  const [{ project } = { project: '' }] = sessions
  execFileSync('git', ['-C', root, 'init', '-q'])
  run.setUp(root)
  commitAll(root)
  const clock = simulatedClock()
  const seen = new Map<string, Entry>()
  const conflicts = new Map<string, Conflict>()
  const replayed: ReplayedSession[] = []
  let lastUpkeepMs = 0
  let atEnd: readonly Entry[] = []
  let suggestions: readonly Proposal[] = []
  let state: ReplayedProject['state'] = []
  for (const [number, session] of sessions.entries()) {
    clock.moveTo(Date.parse(session.startedAt))
    const memory = await run.library.openMemory({
      root,
      now: clock.now,
      actor: { host: HOST },
      vectors: 'never',
      upkeep: 'never',
      recall: 'never',
    })
    try {
      const storedBefore = new Set(atEnd.map(({ id }) => id))
      const errors: string[] = []
      const attempt = attemptInto(errors)
      const fed = await feedSession(run, { memory, clock, session, seen, attempt })
      clock.moveTo(Date.parse(session.messages.at(-1)?.at ?? session.startedAt) + 60_000)
      const question = await attempt('question', () => questionFor(memory, session.id))
      const answer = run.answers.get(`${project}|${session.id}`)
      const saved = answer && (await saveAsAgent(memory, session.id, answer))
      await attempt('close', () => memory.sessions.close(session.id))
      await attempt('embed', () => memory.embed())
      await attempt('recall', () => memory.recall({}))
      if (clock.now() - lastUpkeepMs > DAY_MS) {
        lastUpkeepMs = clock.now()
        await attempt('upkeep', () => memory.compact({}))
      }
      for (const conflict of (await attempt('conflicts', () => memory.conflicts({ all: true })))?.conflicts ??
        [])
        conflicts.set(conflict.id, conflict)
      atEnd = await allEntries(memory)
      for (const entry of atEnd) seen.set(entry.id, entry)
      suggestions = await allSuggestions(memory)
      state = stateLines(await memory.state())
      replayed.push({
        project,
        session: session.id,
        firstRequest: clip(session.messages.find(({ role }) => role === 'user')?.text ?? ''),
        lastMessages: session.messages
          .filter(({ run, text }) => run === undefined && text.trim() !== '')
          .slice(-6)
          .map(({ role, text }) => `${role}: ${clip(text, 1200)}`),
        ...fed,
        storedBefore,
        waiting: suggestions.length,
        saved,
        question,
        errors,
      })
      run.progress(
        `replay: ${project} ${number + 1}/${sessions.length}, ${atEnd.length} entries, ${suggestions.length} waiting${errors.length > 0 ? `, ${errors.join('; ')}` : ''}`,
      )
    } finally {
      await memory.close()
    }
  }
  return {
    project,
    sessions: replayed,
    entries: [...seen.values()],
    atEnd: new Set(atEnd.map(({ id }) => id)),
    suggestions,
    conflicts: [...conflicts.values()],
    state,
    trackedLines: changedLines(root),
  }
}

function commitAll(root: string): void {
  execFileSync('git', ['-C', root, 'add', '-A'])
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com']
  execFileSync('git', ['-C', root, ...who, 'commit', '-q', '--allow-empty', '-m', 'set up'])
}

/** Added and removed. */
function changedLines(root: string): number {
  execFileSync('git', ['-C', root, 'add', '-A'])
  const stats = execFileSync('git', ['-C', root, 'diff', '--cached', '--numstat'], { encoding: 'utf8' })
  return [...stats.matchAll(/^(\d+)\t(\d+)\t/gm)].reduce(
    (sum, [, added, removed]) => sum + Number(added) + Number(removed),
    0,
  )
}

interface Feeding {
  readonly memory: Memory
  readonly clock: SimulatedClock
  readonly session: ReplaySession
  readonly seen: ReadonlyMap<string, Entry>
  readonly attempt: Attempt
}

async function feedSession(
  run: ReplayRun,
  { memory, clock, session, seen, attempt }: Feeding,
): Promise<Pick<ReplayedSession, 'start' | 'prompts'>> {
  const briefOf = (
    given: BriefResult | undefined,
    at: Pick<ReplayedBrief, 'prompt' | 'promptText' | 'before'>,
  ): ReplayedBrief => ({
    project: session.project,
    session: session.id,
    ...at,
    text: given?.text ?? '',
    tokens: given?.tokens ?? 0,
    items: given === undefined ? [] : itemsOf(given, seen),
    degraded: given?.degraded.map(({ code }) => code) ?? [],
  })
  const start = briefOf(
    await attempt('start brief', () => memory.brief({ start: true, host: HOST, session: session.id })),
    { prompt: -1, promptText: '', before: [] },
  )
  await attempt('start', () => memory.sessions.start({ session: session.id, host: HOST, chat: session.id }))
  const said: string[] = []
  const prompts: ReplayedBrief[] = []
  const chosen = choosePrompts(session.messages.filter(({ role }) => role === 'user').length, run.maxPrompts)
  let batch: ReplayMessage[] = []
  const flush = async () => {
    const sent = batch
    batch = []
    const [first] = sent
    if (first === undefined) return
    if (first.run === undefined) {
      const messages = sent.map(({ role, text, at }) => ({ role, text, at }))
      await attempt('append', () => memory.sessions.append(session.id, messages))
    } else {
      const runs = sent.flatMap(message => message.run ?? [])
      await attempt('record', () => memory.sessions.record(session.id, runs))
    }
  }
  for (const message of session.messages) {
    const isUser = message.role === 'user'
    const isOtherKind = batch[0] !== undefined && (batch[0].run === undefined) !== (message.run === undefined)
    if (isUser || isOtherKind || batch.length >= BATCH) await flush()
    clock.moveTo(Date.parse(message.at))
    if (isUser) {
      const prompt = said.length
      if (chosen.has(prompt)) {
        const given = await attempt('brief', () =>
          memory.brief({ prompt: message.text, host: HOST, session: session.id }),
        )
        const before = said.slice(-3).map(text => clip(text))
        prompts.push(briefOf(given, { prompt, promptText: message.text, before }))
      }
      said.push(message.text)
    }
    batch.push(message)
  }
  await flush()
  return { start, prompts }
}

/** What stands in the text, and what the brief says it includes without an element of its own. */
function itemsOf({ text, included }: BriefResult, seen: ReadonlyMap<string, Entry>): InjectedItem[] {
  const tierById = new Map(
    included.flatMap(({ id, tier }) => (id === undefined ? [] : [[id, tier] as const])),
  )
  const items = elementsOf(text).map(({ id, kind, text: body }) => ({
    id,
    tier: (id === undefined ? undefined : tierById.get(id)) ?? kind ?? 'other',
    text: body,
  }))
  const shown = new Set(items.map(({ id }) => id))
  const others = included.flatMap(({ id, tier }) =>
    id === undefined || shown.has(id) ? [] : [{ id, tier, text: seen.get(id)?.content ?? '' }],
  )
  return [...items, ...others]
}

async function allEntries(memory: Memory): Promise<readonly Entry[]> {
  return allPages(async offset => (await memory.list({ limit: PAGE, offset })).entries)
}

async function allSuggestions(memory: Memory): Promise<readonly Proposal[]> {
  return allPages(async offset => (await memory.review.list({ limit: PAGE, offset })).proposals)
}

async function allPages<T>(read: (offset: number) => Promise<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = []
  for (;;) {
    const page = await read(all.length)
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

function stateLines(state: Awaited<ReturnType<Memory['state']>>): ReplayedProject['state'] {
  const { currentFocus = [], gotchas = [], nextSteps = [] } = state?.bundle ?? {}
  return [
    ...currentFocus.map(({ text }) => ({ section: 'focus' as const, text })),
    ...gotchas.map(({ text }) => ({ section: 'gotcha' as const, text })),
    ...nextSteps.map(({ text }) => ({ section: 'next step' as const, text })),
  ]
}

type Attempt = <T>(what: string, call: () => Promise<T>) => Promise<T | undefined>

/** A call that fails is reported with the figures; the session goes on, as a host's would. */
function attemptInto(errors: string[]): Attempt {
  return async (what, call) => {
    try {
      return await call()
    } catch (error) {
      errors.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
}

interface SimulatedClock {
  readonly now: () => number
  /** Never backwards: a session may begin before the last one ended. */
  readonly moveTo: (ms: number) => void
}

/** What each reading of the clock adds. Waiting for a timeout still ends, after a hundred thousand readings for 5 s. */
const TICK_MS = 0.05

/**
 * Stands at the time of the message. It does not go on in real time: on a busy machine deadlines and latency goals would
 * change what a brief has.
 */
function simulatedClock(): SimulatedClock {
  let ms = 0
  return {
    now() {
      ms += TICK_MS
      return Math.floor(ms)
    },
    moveTo(target) {
      ms = Math.max(ms, target)
    },
  }
}

export function clip(text: string, length = MAX_QUOTE): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= length ? line : `${line.slice(0, length)}…`
}

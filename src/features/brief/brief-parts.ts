import { HOSTS } from '../../hosts/hosts.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { HOST_IDS, isHostId } from '../../kernel/model/host.ts'
import type { Preference } from '../../kernel/model/preference.ts'
import type { Degradation, EntryFilter } from '../../kernel/model/search.ts'
import type { Brief, BriefFormat, MarkedEntry, Marks, TierName } from '../../kernel/model/selection.ts'
import type { DocumentReference } from '../../kernel/model/workspace.ts'
import { essentialPart } from '../../kernel/text/essential-part.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { namedFiles } from '../../kernel/text/named-files.ts'
import { withoutPrivate } from '../../kernel/text/private-parts.ts'
import type { ConflictPorts } from '../conflicts/decide/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { addSample, assess, type SloState } from '../search/decide/slo.ts'
import { type CurrentEntries, onlyCurrent } from '../search/superseded.ts'
import { isOpenTask } from './decide/open-tasks.ts'
import type { BriefPorts, LoggedBrief } from './decide/ports.ts'
import type { Considered } from './decide/select.ts'

export const BRIEF_HOSTS = HOST_IDS
const DEFAULT_FORMAT = { format: 'markdown' as const }

/** More than a brief injects, so that it can name the ones that it left out. */
const LISTED_PINNED = 50
const LISTED_TASKS = 200
const LOGGED_PROMPT_TOKENS = 60
const READ_FROM_START = 16_000
const READ_FROM_END = 8_000

export interface BriefInput {
  readonly host?: string
  readonly format?: BriefFormat
  /** Reads its own vault, `shared` and `private`; without one, every vault is read. */
  readonly agent?: string
  readonly session?: string
  /** Tokens left in the model's context, if the host reports them. */
  readonly remainingContext?: number
  /** Log the brief and count it as sent: for briefs that a host receives. */
  readonly isDelivered?: boolean
  /** Time left, if the caller can wait less than `brief.deadlineMs`. */
  readonly withinMs?: number
}

export interface BriefAnswer {
  readonly brief: Brief
  readonly considered: readonly Considered[]
  /** Those of them that are documents of workspaces, by id. */
  readonly documentById: ReadonlyMap<string, DocumentReference>
  /** The relevance that each item needs. */
  readonly floor: number
  /** What it may take in all. */
  readonly budgetTokens: number
  readonly isGeneral: boolean
  /** The detected task profile. */
  readonly profile: string
  readonly files: readonly string[]
  /** The user's own preferences that were considered, best first. */
  readonly preferences: readonly Preference[]
  readonly degraded: readonly Degradation[]
  readonly ms: number
}

/** Entries that may be injected to this reader. */
export function injectable(input: Pick<BriefInput, 'agent'>): EntryFilter {
  return { ...readerOf(input), exceptSuggestions: true }
}

/** The open tasks that a person or an agent created, newest first. */
export async function openTasksOf(memory: SearchPorts, filter: EntryFilter): Promise<readonly Entry[]> {
  const { entries } = await memory.search.listEntries({
    filter: { ...filter, category: 'tasks' },
    limit: LISTED_TASKS,
    offset: 0,
  })
  return entries.filter(isOpenTask)
}

export async function lastHandoff(memory: SearchPorts, input: BriefInput): Promise<Entry | undefined> {
  const { entries } = await memory.search.listEntries({
    filter: { ...readerOf(input), category: 'handoffs' },
    limit: 1,
    offset: 0,
  })
  return entries[0]
}

/** Adds the superseded entries to the list of omitted items. */
export function withLeft(brief: Brief, entries: readonly Entry[], tier: TierName): Brief {
  if (entries.length === 0) return brief
  const left = entries.map(({ id }) => ({ id, tier, reason: 'superseded' as const }))
  return { ...brief, left: [...brief.left, ...left] }
}

/** Most important first; more than a brief injects, so that the rest can be named. */
export async function pinnedEntries(
  memory: SearchPorts & ConflictPorts,
  filter: EntryFilter,
): Promise<CurrentEntries> {
  const { entries } = await memory.search.listEntries({
    filter: { ...filter, status: 'pinned' },
    limit: LISTED_PINNED,
    offset: 0,
  })
  const { current, left } = await onlyCurrent(memory, entries, filter.reader)
  return { current: [...current].sort((a, b) => b.importance - a.importance), left }
}

/** The user's own preferences. A project works without them: if they cannot be read, the brief says so and has the rest. */
export async function preferencesFor(
  memory: Memory & BriefPorts,
  config: Config,
  { agent }: BriefInput,
  notes: Degradation[],
): Promise<readonly Preference[]> {
  if (!config['brief.userMemory'] || memory.isUserMemory) return []
  try {
    const { preferences, left } = await memory.sources.preferences(agent)
    for (const why of left)
      notes.push({ code: 'user_memory_unavailable', message: `Your own memory: ${why}` })
    return preferences
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    notes.push({ code: 'user_memory_unavailable', message: error.message })
    return []
  }
}

export function formatOf(input: BriefInput): { format: BriefFormat; maxCharacters?: number } {
  const { host = '' } = input
  const byHost = isHostId(host) ? HOSTS[host].brief : DEFAULT_FORMAT
  return input.format === undefined ? byHost : { ...byHost, format: input.format }
}

export function marked(entry: Entry, marks: Marks | undefined): MarkedEntry {
  return marks === undefined ? { entry } : { entry, marks }
}

/** Identifies a session in the index. The session's own name comes from outside and may contain anything. */
export function sessionKeyOf(session: string): string {
  return fingerprint(session)
}

/** The part of a prompt that is searched for its query. */
function endsOf(prompt: string): string {
  if (prompt.length <= READ_FROM_START + READ_FROM_END) return prompt
  return `${prompt.slice(0, READ_FROM_START)}\n${prompt.slice(-READ_FROM_END)}`
}

export async function logBrief(
  memory: Memory & BriefPorts,
  kind: LoggedBrief['kind'],
  input: BriefInput & { readonly prompt: string; readonly files?: readonly string[] },
  { brief, profile, files, degraded, ms }: Omit<BriefAnswer, 'considered' | 'documentById'>,
  slo?: { readonly samplesMs: readonly number[]; readonly state: SloState },
): Promise<void> {
  const { redact } = await import('../../kernel/text/redaction/redact.ts')
  const clean = (text: string) => redact(text).text
  // Private parts and secrets are removed before the text is cut: half a key is no longer recognised.
  const prompt = clean(endsOf(withoutPrivate(input.prompt)))
  const named = new Set(namedFiles(input.prompt))
  const open = [...(input.files ?? []), ...files.filter(file => !named.has(file))]
  try {
    const given: LoggedBrief = {
      id:
        memory.clock.nowMs().toString(36).padStart(9, '0') +
        memory.clock
          .random(36 ** 4)
          .toString(36)
          .padStart(4, '0'),
      at: new Date(memory.clock.nowMs()).toISOString(),
      kind,
      host: clean(input.host ?? memory.actor.host),
      ...(input.session !== undefined && { session: clean(input.session) }),
      ...(input.agent !== undefined && { agent: clean(input.agent) }),
      profile: clean(profile),
      prompt: essentialPart(prompt, LOGGED_PROMPT_TOKENS),
      files: [...new Set([...open.map(clean), ...namedFiles(prompt)])],
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
    await memory.briefs.record(
      given,
      input.session && sessionKeyOf(input.session),
      samplesMs && { samplesMs, state: assess(samplesMs, slo?.state).state },
    )
  } catch (error) {
    // The host has its brief; that it could not be noted down must not take it away.
    if (!(error instanceof CairnError)) throw error
  }
}

/** The agent that asks. Without a named agent, the one under which its session is stored. */
export function ownAgent(memory: Memory, config: Config, { agent }: BriefInput): string {
  return (agent ?? memory.actor.agent ?? config['vault.defaultAgent']).toLowerCase()
}

export function readerOf({ agent }: BriefInput): EntryFilter {
  return agent === undefined ? {} : { reader: agent }
}

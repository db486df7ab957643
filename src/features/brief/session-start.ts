import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Degradation, EntryFilter } from '../../kernel/model/search.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { DEFAULT_PROFILE } from '../search/decide/profiles.ts'
import { onlyCurrent } from '../search/superseded.ts'
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
  withLeft,
} from './brief-parts.ts'
import type { PromptPorts } from './decide/ports.ts'
import { type Considered, SELECTION_LIMITS } from './decide/select.ts'
import { buildStartBrief, type ProjectScope, START_BRIEF_TOKENS } from './decide/start-brief.ts'
import { findFittingEntries } from './fitting-entries.ts'

const RULE_KINDS = ['preference', 'warning'] as const
/** More than are injected, so that the most important can be chosen and the rest named. */
const LISTED_RULES = 40

interface StartInput extends BriefInput {
  /** The subject of the session, if known. */
  readonly prompt?: string
  readonly projectScope?: ProjectScope
}

/** What a session begins with. */
export async function startBrief(memory: Memory & PromptPorts, input: StartInput): Promise<BriefAnswer> {
  const startMs = memory.clock.nowMs()
  await memory.store.refresh()
  const config = await memory.config()
  const agent = ownAgent(memory, config, input)
  const notes: Degradation[] = []
  const filter = injectable(input)
  const handoff = await lastHandoff(memory, input)
  const openTasks = await openTasksOf(memory, filter)
  const rules = await onlyCurrent(memory, await standingRules(memory, filter), input.agent)
  const { considered, floor, profile } = await matching(memory, input, filter)
  const pinned = await pinnedEntries(memory, readerOf(input))
  const matched = (category: 'decisions' | 'lessons') =>
    considered.filter(item => fits(item) && item.entry.category === category).map(({ entry }) => entry)
  const lists = {
    pinned: pinned.current,
    rules: rules.current,
    openTasks: openTasks,
    decisions: matched('decisions'),
    lessons: matched('lessons'),
    handoff: handoff === undefined ? [] : [handoff],
  }
  const marks = await memory.sources.marks(
    Object.values(lists).flatMap(entries => entries.map(({ id }) => id)),
    input.agent,
  )
  const withMarks = (entries: readonly Entry[]) => entries.map(entry => marked(entry, marks.get(entry.id)))
  const project = await memory.projectText()
  const preferences = await preferencesFor(memory, config, input, notes)
  const { format, maxCharacters } = formatOf(input)
  const [last] = withMarks(lists.handoff)
  const { agentSaves } = config as { readonly agentSaves?: string }
  const built = buildStartBrief(
    {
      preferences,
      withInstructions: agentSaves !== 'off',
      ...(project !== undefined && { project }),
      ...(last !== undefined && { handoff: last }),
      pinned: withMarks(lists.pinned),
      rules: withMarks(lists.rules),
      openTasks: withMarks(lists.openTasks),
      decisions: withMarks(lists.decisions),
      lessons: withMarks(lists.lessons),
      recovery: await memory.sources.recovery(agent, input.session),
      ...(input.projectScope !== undefined && { projectScope: input.projectScope }),
    },
    {
      format,
      redaction: redactionOptions(config),
      ...(maxCharacters !== undefined && { maxCharacters }),
    },
  )
  const brief = withLeft(withLeft(built, rules.left, 'rules'), pinned.left, 'always-inject')
  const answer = {
    brief,
    considered,
    documentById: new Map(),
    floor,
    budgetTokens: START_BRIEF_TOKENS,
    isGeneral: false,
    profile,
    files: [],
    preferences,
    degraded: [...memory.store.takeDegraded(), ...memory.semantics.takeDegraded(), ...notes],
    ms: memory.clock.nowMs() - startMs,
  }
  if (input.isDelivered === true) await logBrief(memory, 'start', { prompt: '', ...input }, answer)
  return answer
}

/** The decisions and lessons that match the command, and the reasons for the omitted ones. Empty without a command. */
async function matching(
  memory: Memory & PromptPorts,
  { prompt = '' }: StartInput,
  filter: EntryFilter,
): Promise<{ readonly considered: readonly Considered[]; readonly floor: number; readonly profile: string }> {
  if (prompt.trim() === '') return { considered: [], floor: 0, profile: DEFAULT_PROFILE }
  const found = await findFittingEntries(memory, {
    prompt,
    openFiles: [],
    activeFiles: [],
    filter,
    topK: SELECTION_LIMITS.topK,
    floor: 'command',
    withoutDocuments: true,
  })
  const considered = found.considered.filter(({ entry }) => ['decisions', 'lessons'].includes(entry.category))
  return { considered, floor: found.floor.relevance, profile: found.profile }
}

/** The start brief has limits of its own for each kind. */
function fits({ cut }: Considered): boolean {
  return cut === undefined || cut === 'beyond the best 3' || cut === 'enough of its session'
}

/** Preferences and warnings: those of a person or confirmed by one first, then what agents saved; the most important and newest first. */
async function standingRules(memory: SearchPorts, filter: EntryFilter): Promise<readonly Entry[]> {
  const found: Entry[] = []
  for (const kind of RULE_KINDS) {
    const { entries } = await memory.search.listEntries({
      filter: { ...filter, kind },
      limit: LISTED_RULES,
      offset: 0,
    })
    found.push(...entries)
  }
  const trust = ({ status, origin, kind }: Entry) =>
    status === 'confirmed' || origin === 'person' ? 2 : origin === 'agent' && kind === 'preference' ? 1 : 0
  return found
    .filter(entry => entry.status !== 'pinned' && trust(entry) > 0)
    .sort((a, b) => trust(b) - trust(a) || b.importance - a.importance || (a.date < b.date ? 1 : -1))
}

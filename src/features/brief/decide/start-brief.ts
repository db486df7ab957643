import type { Preference } from '../../../kernel/model/preference.ts'
import {
  type Brief,
  type BriefItem,
  type LeftItem,
  MAX_PINNED,
  type MarkedEntry,
  START_TIERS,
  type StartTierName,
  type Tier,
} from '../../../kernel/model/selection.ts'
import { cutToTokens } from '../../../kernel/text/cut-to-tokens.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { leftOut } from './allocate.ts'
import {
  type BriefLimits,
  composeBrief,
  conflictOnce,
  countItem,
  itemOf,
  PREFERENCE_TOKENS,
  preferenceItems,
} from './compose-brief.ts'
import { neutraliseName } from './fence.ts'
import { withOpenBoxes } from './open-tasks.ts'

/** Seed A, section 5. The usual brief has 300 to 700 tokens; only pinned entries, rules and open tasks may bring it up to this. */
export const START_BRIEF_TOKENS = 2_000
const HANDOFF_TOKENS = 300
const PROJECT_TOKENS = 250
const MAX_RULES = 8
const MAX_DECISIONS = 3
const MAX_LESSONS = 2
const MAX_MESSAGES = 3

/** What a tier may take before the others had their turn: no long list of tasks silences the rest. */
const SOFT_LIMITS: Readonly<Record<Exclude<StartTierName, 'always-inject'>, number>> = {
  preferences: PREFERENCE_TOKENS,
  rules: 400,
  handoff: HANDOFF_TOKENS,
  tasks: 400,
  decisions: 300,
  lessons: 200,
  recovery: 200,
  project: PROJECT_TOKENS,
}

export interface StartSources {
  /** The text of `_project.md`. */
  readonly project?: string
  /** Most important first. */
  readonly pinned?: readonly MarkedEntry[]
  /** The user's own, best first. */
  readonly preferences?: readonly Preference[]
  /** Standing rules: preferences and warnings, best first. */
  readonly rules?: readonly MarkedEntry[]
  /** The latest one. */
  readonly handoff?: MarkedEntry
  readonly openTasks: readonly MarkedEntry[]
  /** Those that match the command, best first; none where it is not known. */
  readonly decisions: readonly MarkedEntry[]
  readonly lessons: readonly MarkedEntry[]
  /** The last messages of a session that ended without a handoff. */
  readonly recovery?: readonly { readonly role: string; readonly text: string }[]
  readonly projectScope?: ProjectScope
  /** False where agents are not asked to save, or the session has the line already. */
  readonly withInstructions?: boolean
}

export interface ProjectScope {
  readonly name: string
  readonly workspace: string
}

/**
 * What a session starts with. Pinned entries are shown first, the rest in the order of seed A's text block. Filled by priority: pinned,
 * rules, handoff, open tasks, decisions, lessons, recovery, project.
 */
export function buildStartBrief(
  sources: StartSources,
  limits: Omit<BriefLimits, 'totalTokens'> & Partial<Pick<BriefLimits, 'totalTokens'>>,
): Brief {
  const { format, redaction } = limits
  const clean = (text: string) => redact(text, redaction).text
  const left: LeftItem[] = []
  const seen = new Set<string>()
  const markOf = conflictOnce()
  const entries = (
    list: readonly MarkedEntry[],
    tier: StartTierName,
    { max = Number.POSITIVE_INFINITY, mayCut = true }: { max?: number; mayCut?: boolean } = {},
  ): BriefItem[] => {
    const chosen: BriefItem[] = []
    for (const marked of list) {
      const { id } = marked.entry
      if (seen.has(id)) continue
      if (chosen.length >= max) {
        const reason =
          tier === 'always-inject'
            ? 'more than 5 entries are pinned: unpin one'
            : 'over the limit of its kind'
        left.push(leftOut({ id }, tier, reason))
        continue
      }
      seen.add(id)
      chosen.push(itemOf(markOf(marked), tier, { format, redaction, mayCut }))
    }
    return chosen
  }
  const totalTokens = limits.totalTokens ?? START_BRIEF_TOKENS
  const preferences = preferenceItems(sources.preferences ?? [], { format, redaction, totalTokens })
  const pinned = entries(sources.pinned ?? [], 'always-inject', { max: MAX_PINNED })
  const itemsByTier: Record<StartTierName, readonly BriefItem[]> = {
    'always-inject': pinned,
    preferences: preferences.items,
    rules: entries(sources.rules ?? [], 'rules', { max: MAX_RULES }),
    handoff: entries(sources.handoff === undefined ? [] : [shortened(sources.handoff, clean)], 'handoff'),
    tasks: entries(
      sources.openTasks.map(marked => ({ ...marked, entry: withOpenBoxes(marked.entry) })),
      'tasks',
      { mayCut: false },
    ),
    decisions: entries(sources.decisions, 'decisions', { max: MAX_DECISIONS }),
    lessons: entries(sources.lessons, 'lessons', { max: MAX_LESSONS }),
    project: sources.project?.trim()
      ? [
          countItem(
            // Redacted before it is cut: half a key is no longer recognised.
            { tier: 'project', text: cutToTokens(clean(sources.project), PROJECT_TOKENS) },
            { format, redaction, mayCut: true },
          ),
        ]
      : [],
    recovery: (sources.recovery ?? [])
      .slice(-MAX_MESSAGES)
      .map(({ role, text }) =>
        countItem(
          { tier: 'recovery', text, provenance: { kind: role, date: '', agent: '' } },
          { format, redaction, mayCut: true },
        ),
      ),
  }
  const tiers = START_TIERS.map((name): Tier => {
    const items = itemsByTier[name]
    // Pinned entries take what they need before any other tier gets a token.
    const softLimit =
      name === 'always-inject' ? items.reduce((sum, { tokens }) => sum + tokens, 0) : SOFT_LIMITS[name]
    return { name, softLimit, items }
  })
  const after = [
    sources.projectScope === undefined ? '' : projectScopeBlock(sources.projectScope),
    sources.withInstructions === false ? '' : memoryInstructions(),
  ]
  return composeBrief(
    { tiers, left: [...preferences.left, ...left], after: after.filter(part => part !== '').join('\n\n') },
    { totalTokens: START_BRIEF_TOKENS, ...limits },
  )
}

function shortened(marked: MarkedEntry, clean: (text: string) => string): MarkedEntry {
  const content = cutToTokens(clean(marked.entry.content), HANDOFF_TOKENS)
  return { ...marked, entry: { ...marked.entry, content } }
}

/** Our own words, outside the fence: they contain nothing from the memory. */
export function memoryInstructions(): string {
  return [
    '## MEMORY: To save something that lasts (a rule, a decision, a proven cause), call the `remember` tool of Cairn.',
    'One fact per entry, with its reason. Do not edit the files in .memory/ by hand.',
  ].join('\n')
}

/** For an agent that runs in a folder inside the project it works on. */
function projectScopeBlock({ name, workspace }: ProjectScope): string {
  return [
    `## PROJECT SCOPE: ${neutraliseName(name)}`,
    `Work on the project at ${neutraliseName(workspace, 300)}. The memory tools and .memory/ are infrastructure, not the subject.`,
  ].join('\n')
}

import type { Preference } from '../../model/preference.ts'
import type { Brief, BriefItem, MarkedEntry, StartTierName, Tier } from '../../model/selection.ts'
import { START_TIERS } from '../../model/selection.ts'
import { leftOut } from './allocate.ts'
import { type BriefLimits, composeBrief, countItem, itemOf } from './compose-brief.ts'
import { neutraliseName } from './fence.ts'
import { PREFERENCE_TOKENS, preferenceItems } from './preference-items.ts'

/** Seed A, section 5. */
export const START_BRIEF_TOKENS = 2_000
const MOST_DECISIONS = 3
const MOST_LESSONS = 2
const MOST_MESSAGES = 3

/**
 * What a tier may take before the others had their turn: no long handoff and no heap of tasks silences the rest. The
 * project text comes last and takes what is left.
 */
const SOFT_LIMITS: Readonly<Record<StartTierName, number>> = {
  'always-inject': 400,
  preferences: PREFERENCE_TOKENS,
  handoff: 600,
  tasks: 600,
  decisions: 400,
  lessons: 200,
  recovery: 200,
  project: START_BRIEF_TOKENS,
}

export interface StartSources {
  /** The reader: whose files the memory instructions name. */
  readonly agent: string
  /** The text of `_project.md`. */
  readonly project?: string
  /** What is told whatever the session is about, most important first. */
  readonly pinned?: readonly MarkedEntry[]
  /** The user's own, best first. */
  readonly preferences?: readonly Preference[]
  /** The latest one. */
  readonly handoff?: MarkedEntry
  readonly openTasks: readonly MarkedEntry[]
  /** Best first; the seed takes three. */
  readonly decisions: readonly MarkedEntry[]
  /** Best first; the seed takes two. */
  readonly lessons: readonly MarkedEntry[]
  /** The last messages of a session that ended without a handoff. */
  readonly recovery?: readonly { readonly role: string; readonly text: string }[]
  readonly projectScope?: ProjectScope
  /** False where the host has the memory instructions from elsewhere (an entry block, a skill). */
  readonly withInstructions?: boolean
}

export interface ProjectScope {
  readonly name: string
  readonly workspace: string
}

/**
 * What a session starts with. Shown in the order of seed A's text block; filled by priority: pinned, handoff, open tasks,
 * decisions, lessons, recovery, project.
 */
export function buildStartBrief(
  sources: StartSources,
  limits: Omit<BriefLimits, 'totalTokens'> & Partial<BriefLimits>,
): Brief {
  const { format } = limits
  const entries = (list: readonly MarkedEntry[], tier: StartTierName, mayCut = false) =>
    list.map(marked => itemOf(marked, tier, { format, mayCut }))
  const pinnedIds = new Set((sources.pinned ?? []).map(({ entry }) => entry.id))
  const others = (list: readonly MarkedEntry[]) => list.filter(({ entry }) => !pinnedIds.has(entry.id))
  const totalTokens = limits.totalTokens ?? START_BRIEF_TOKENS
  const preferences = preferenceItems(sources.preferences ?? [], { format, totalTokens })
  const itemsByTier: Record<StartTierName, readonly BriefItem[]> = {
    'always-inject': entries(sources.pinned ?? [], 'always-inject', true),
    preferences: preferences.items,
    handoff: entries(sources.handoff === undefined ? [] : [sources.handoff], 'handoff', true),
    tasks: entries(sources.openTasks, 'tasks'),
    decisions: entries(others(sources.decisions).slice(0, MOST_DECISIONS), 'decisions', true),
    lessons: entries(others(sources.lessons).slice(0, MOST_LESSONS), 'lessons', true),
    project: sources.project?.trim()
      ? [countItem({ tier: 'project', text: sources.project }, { format, mayCut: true })]
      : [],
    recovery: (sources.recovery ?? [])
      .slice(-MOST_MESSAGES)
      .map(({ role, text }) =>
        countItem(
          { tier: 'recovery', text, provenance: { kind: role, date: '', agent: '' } },
          { format, mayCut: true },
        ),
      ),
  }
  const tiers = START_TIERS.map(
    (name): Tier => ({ name, softLimit: SOFT_LIMITS[name], items: itemsByTier[name] }),
  )
  const left = [
    ...preferences.left,
    ...others(sources.decisions)
      .slice(MOST_DECISIONS)
      .map(({ entry }) => leftOut(entry, 'decisions', 'over the limit of its kind')),
    ...others(sources.lessons)
      .slice(MOST_LESSONS)
      .map(({ entry }) => leftOut(entry, 'lessons', 'over the limit of its kind')),
  ]
  const after = [
    sources.projectScope === undefined ? '' : projectScopeBlock(sources.projectScope),
    sources.withInstructions === false ? '' : memoryInstructions(sources.agent),
  ]
  return composeBrief(
    { tiers, left, after: after.filter(part => part !== '').join('\n\n') },
    { totalTokens: START_BRIEF_TOKENS, ...limits },
  )
}

/** Our own words, outside the fence: no content of the memory is in them. */
export function memoryInstructions(agent: string): string {
  return [
    "## MEMORY: When asked to save/learn/remember, WRITE to files (don't just say you will).",
    `Shared: .memory/_project.md | Personal: .memory/${neutraliseName(agent)}/{decisions,lessons,tasks,handoffs}.md`,
  ].join('\n')
}

/** For an agent that runs in a folder inside the project it works on. */
export function projectScopeBlock({ name, workspace }: ProjectScope): string {
  return [
    `## PROJECT SCOPE: ${neutraliseName(name)}`,
    `Work on the project at ${neutraliseName(workspace, 300)}. The memory tools and .memory/ are infrastructure, not the subject.`,
  ].join('\n')
}

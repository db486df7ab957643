import * as v from 'valibot'
import { LAYOUT } from '../../../kernel/layout.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { MAX_SOURCES, sourceList } from '../../../kernel/model/import-source.ts'
import { isObject, parseJson } from '../../../kernel/model/json-value.ts'
import type { Degradation, Problem } from '../../../kernel/model/search.ts'
import { noticeCode } from '../../../verbs/operation.ts'
import type { ConflictPorts } from '../../conflicts/decide/ports.ts'
import { openConflicts } from '../../conflicts/resolve-conflicts.ts'
import { sessionsLeft } from '../../learning/closing.ts'
import type { LearningPorts } from '../../learning/decide/ports.ts'
import { countProposals } from '../../learning/review-queue.ts'
import type { ReviewPorts } from '../../review/decide/ports.ts'
import type { SearchPorts } from '../../search/decide/ports.ts'
import type { SessionPorts } from '../../sessions/decide/ports.ts'
import type { StateView } from '../../state/verbs/state-view.ts'
import type { UpkeepPorts } from '../../upkeep/decide/ports.ts'
import { countUpgrade } from '../../upkeep/upgrade.ts'
import { countWords, PROJECT_WORDS } from '../../validate/decide/judge-documents.ts'
import type { ValidatePorts } from '../../validate/decide/ports.ts'
import { SURROUNDING_CODES } from './surroundings-view.ts'

const MAX_SOURCES_BYTES = 4 * 1_048_576

export const sourceViewSchema = v.object({
  id: v.string(),
  type: v.string(),
  lastSyncedAt: v.nullable(v.string()),
  lastSyncStatus: v.nullable(v.string()),
  lastImportedCount: v.nullable(v.number()),
})

export type SourceHealth = v.InferOutput<typeof sourceViewSchema>

/** The import sources and the results of their last syncs; empty without a readable registry. */
export async function sourcesView(memory: ValidatePorts): Promise<SourceHealth[]> {
  const read = await memory.memoryTree.readEnd(LAYOUT.sources.path, MAX_SOURCES_BYTES)
  if (read?.isWhole !== true) return []
  const list = sourceList(parseJson(new TextDecoder().decode(read.bytes))) ?? []
  return list.slice(0, MAX_SOURCES).flatMap(source => {
    if (!isObject(source) || typeof source.id !== 'string' || typeof source.type !== 'string') return []
    const { id, type, lastSyncedAt, lastSyncStatus, lastImportedCount } = source
    return [
      {
        id,
        type,
        lastSyncedAt: typeof lastSyncedAt === 'string' ? lastSyncedAt : null,
        lastSyncStatus: typeof lastSyncStatus === 'string' ? lastSyncStatus : null,
        lastImportedCount: typeof lastImportedCount === 'number' ? lastImportedCount : null,
      },
    ]
  })
}

/** The word count of `_project.md`; 0 if it does not exist. */
export async function projectWords(memory: Memory): Promise<number> {
  return countWords((await memory.projectText()) ?? '')
}

export function projectTextProblems(words: number): Problem[] {
  if (words <= PROJECT_WORDS) return []
  return [
    {
      code: 'project_text_long',
      path: '_project.md',
      message: `_project.md has ${words} words. Briefs cut it after ${PROJECT_WORDS}.`,
      hint: 'Keep what every agent must know, and store the rest as entries.',
    },
  ]
}

const HEALTH_CAUSES = [
  'read_only',
  'problems',
  'upkeep_failed',
  'not_recalled',
  'bundle_edited',
  'sources_failed',
  'hooks_failed',
  'conflicts_open',
  'sessions_left',
  'project_text_long',
  ...SURROUNDING_CODES,
  'degraded',
] as const

export const healthSchema = v.object({
  state: v.pipe(
    v.picklist(['well', 'attention', 'trouble']),
    v.description('trouble: a part cannot be read or written; attention: items wait for you'),
  ),
  reasons: v.pipe(v.array(v.string()), v.description('Short texts')),
  causes: v.pipe(
    v.array(
      v.object({
        code: v.picklist(HEALTH_CAUSES),
        count: v.exactOptional(v.number()),
        notice: v.pipe(v.exactOptional(noticeCode), v.description('With `degraded`: its code')),
      }),
    ),
    v.description('The reasons as data, in the same order'),
  ),
})

export type Health = v.InferOutput<typeof healthSchema>

/** A summary of the most urgent problems. */
export function healthOf(status: {
  readonly problems: readonly Problem[]
  readonly readOnly: { readonly code: string } | null
  readonly degraded: readonly Degradation[]
  readonly upkeep: { readonly failure: unknown }
  readonly state: StateView
  readonly sources: readonly SourceHealth[]
  readonly waiting: { readonly sessionsLeft: number; readonly conflicts: number }
  readonly hooks: { readonly failures: readonly unknown[] }
}): Health {
  const { problems, readOnly, degraded, upkeep, state, sources, waiting, hooks } = status
  const has = (wanted: string) => problems.some(({ code }) => code === wanted)
  const minor = problems.filter(({ code }) => code === 'project_text_long' || isSurrounding(code)).length
  const trouble = [
    ...(readOnly === null ? [] : [cause('read_only', 'read-only')]),
    ...some('problems', problems.length - minor, count => counted(count, 'problem')),
    ...(upkeep.failure === null ? [] : [cause('upkeep_failed', 'upkeep failed')]),
  ]
  const failed = sources.filter(({ lastSyncStatus }) => lastSyncStatus === 'failed').length
  const backlog = state.backlog.isOver ? state.backlog.events : 0
  const attention = [
    ...some('not_recalled', backlog, count => `${counted(count, 'event')} not recalled`),
    ...(state.handEdited ? [cause('bundle_edited', 'the bundle was edited by hand')] : []),
    ...some('sources_failed', failed, count => `${counted(count, 'import source')} failed`),
    ...some('hooks_failed', hooks.failures.length, count => `${counted(count, 'hook')} failed recently`),
    ...some('conflicts_open', waiting.conflicts, count => counted(count, 'open conflict')),
    ...some('sessions_left', waiting.sessionsLeft, count => `${counted(count, 'session')} left open`),
    ...(has('project_text_long') ? [cause('project_text_long', '_project.md is long')] : []),
    ...SURROUNDING_CODES.filter(has).map(code => cause(code, SURROUNDING_WORDS[code])),
    ...degraded.map(({ code }) => cause('degraded', code.replaceAll('_', ' '), { notice: code })),
  ]
  const all = [...trouble, ...attention]
  return {
    state: trouble.length > 0 ? 'trouble' : attention.length > 0 ? 'attention' : 'well',
    reasons: all.map(({ reason }) => reason),
    causes: all.map(({ reason: _, ...data }) => data),
  }
}

const SURROUNDING_WORDS: Readonly<Record<(typeof SURROUNDING_CODES)[number], string>> = {
  memory_not_ignored: 'git does not ignore all local parts',
  entry_block_missing: 'the entry block is missing',
  rules_over_budget: 'rule files are over their budget',
}

function isSurrounding(code: string): boolean {
  return SURROUNDING_CODES.some(each => each === code)
}

type Cause = Health['causes'][number] & { readonly reason: string }

function cause(code: Cause['code'], reason: string, facts: Pick<Cause, 'count' | 'notice'> = {}): Cause {
  return { code, reason, ...facts }
}

function some(code: Cause['code'], count: number, reason: (count: number) => string): Cause[] {
  return count > 0 ? [cause(code, reason(count), { count })] : []
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

/** Counts of waiting items, for `status` and `doctor`. */
export const waitingSchema = v.object({
  review: v.pipe(v.number(), v.description('Candidates and suggestions that `cairn review` lists')),
  conflicts: v.pipe(v.number(), v.description('Undecided pairs of entries')),
  sessionsLeft: v.pipe(v.number(), v.description('Open sessions that are no longer used')),
  upgrade: v.pipe(v.number(), v.description('Entries of version 0.1.0 that `cairn migrate` would change')),
})

export type Waiting = v.InferOutput<typeof waitingSchema>

/** Counts only: closed sessions are not opened. */
export async function waitingView(
  memory: Memory & SearchPorts & SessionPorts & LearningPorts & ConflictPorts & UpkeepPorts & ReviewPorts,
): Promise<Waiting> {
  return {
    review: await countProposals(memory),
    conflicts: (await openConflicts(memory)).length,
    sessionsLeft: (await sessionsLeft(memory)).length,
    upgrade: await countUpgrade(memory),
  }
}

import * as v from 'valibot'
import type { Engine } from '../engine-parts.ts'
import type { Problem } from '../model/search.ts'
import { countWords, PROJECT_WORDS } from '../pipeline/validate/project-text.ts'
import { listedSources } from '../pipeline/validate/source-registry.ts'
import type { StateView } from './state-view.ts'

const MOST_SOURCES_BYTES = 4 * 1_048_576

export const sourceViewSchema = v.object({
  id: v.string(),
  type: v.string(),
  lastSyncedAt: v.nullable(v.string()),
  lastSyncStatus: v.nullable(v.string()),
  lastImportedCount: v.nullable(v.number()),
})

export type SourceView = v.InferOutput<typeof sourceViewSchema>

/** The import sources and how their last sync went; none where there is no registry, or none that can be read. */
export async function sourcesView(engine: Engine): Promise<SourceView[]> {
  const read = await engine.memoryTree.readEnd('sources.json', MOST_SOURCES_BYTES)
  return read?.isWhole === true ? listedSources(read.bytes) : []
}

/** Words of `_project.md`; 0 without one. */
export async function projectWords(engine: Engine): Promise<number> {
  return countWords((await engine.projectText()) ?? '')
}

export function projectTextProblems(words: number): Problem[] {
  if (words <= PROJECT_WORDS) return []
  return [
    {
      code: 'project_text_long',
      path: '_project.md',
      message: `_project.md has ${words} words; above ${PROJECT_WORDS} every brief cuts it.`,
      hint: 'Keep what every agent must know, and make entries of the rest.',
    },
  ]
}

export const healthSchema = v.object({
  state: v.pipe(
    v.picklist(['well', 'attention', 'trouble']),
    v.description('trouble: something cannot be read or written; attention: something waits for you'),
  ),
  reasons: v.pipe(v.array(v.string()), v.description('In a few words each')),
})

export type Health = v.InferOutput<typeof healthSchema>

/** Everything in one line: what a person should look at first. */
export function healthOf(status: {
  readonly problems: readonly Problem[]
  readonly readOnly: { readonly code: string } | null
  readonly degraded: readonly { readonly code: string }[]
  readonly upkeep: { readonly failure: unknown }
  readonly state: StateView
  readonly sources: readonly SourceView[]
  readonly waiting: { readonly sessionsLeft: number; readonly conflicts: number }
  readonly hooks: { readonly failures: readonly unknown[] }
}): Health {
  const { problems, readOnly, degraded, upkeep, state, sources, waiting, hooks } = status
  const minor = problems.filter(({ code }) => code === 'project_text_long').length
  const trouble = [
    ...(readOnly === null ? [] : ['read-only']),
    ...(problems.length > minor ? [counted(problems.length - minor, 'problem')] : []),
    ...(upkeep.failure === null ? [] : ['upkeep failed']),
  ]
  const failed = sources.filter(({ lastSyncStatus }) => lastSyncStatus === 'failed').length
  const attention = [
    ...(state.backlog.isOver ? [`${counted(state.backlog.events, 'event')} not recalled`] : []),
    ...(state.handEdited ? ['the bundle was edited by hand'] : []),
    ...(failed > 0 ? [`${counted(failed, 'import source')} failed`] : []),
    ...(hooks.failures.length > 0 ? [`${counted(hooks.failures.length, 'hook')} failed lately`] : []),
    ...(waiting.conflicts > 0 ? [counted(waiting.conflicts, 'open conflict')] : []),
    ...(waiting.sessionsLeft > 0 ? [`${counted(waiting.sessionsLeft, 'session')} left open`] : []),
    ...(minor > 0 ? ['_project.md is long'] : []),
    ...degraded.map(({ code }) => code.replaceAll('_', ' ')),
  ]
  return {
    state: trouble.length > 0 ? 'trouble' : attention.length > 0 ? 'attention' : 'well',
    reasons: [...trouble, ...attention],
  }
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

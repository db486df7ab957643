import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import type { DistrustReason, KnownProjects, ResolvedProject } from '../../../kernel/model/project.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { OperationContext } from '../../../verbs/operation.ts'
import { knownProjectsFile, readKnownProjects } from '../known-projects.ts'
import { projectAt, resolveProject } from '../resolve-project.ts'

export const distrustReasonSchema = v.pipe(
  v.nullable(v.picklist(['unknown', 'withdrawn', 'replaced', 'registry'])),
  v.description(
    'Why it is not trusted: the user never allowed it, the permission was withdrawn, another memory replaced the trusted one, or the list of projects cannot be read',
  ),
)

/** The project of a memory: its folder, and whether agents may read it. */
export const projectViewSchema = v.object({
  checkout: v.pipe(v.string(), v.description('The folder whose agents use the memory')),
  by: v.pipe(
    v.picklist(['folder', 'worktree', 'sharing', 'hub']),
    v.description(
      'The memory is in this folder, in the main checkout of this worktree, in the clone that shares it, or on a hub',
    ),
  ),
  standing: v.picklist(['trusted', 'untrusted', 'none']),
  why: distrustReasonSchema,
})
export type ProjectView = v.InferOutput<typeof projectViewSchema>

export function projectView(
  memory: Memory,
  { from }: OperationContext,
): { readonly view: ProjectView; readonly problems: readonly Problem[] } {
  if (memory.place.kind === 'hub') {
    // The caller has a token for it, which is the consent.
    const view = {
      checkout: memory.place.project.name,
      by: 'hub' as const,
      standing: 'trusted' as const,
      why: null,
    }
    return { view, problems: [] }
  }
  const known = readKnownProjects()
  const { checkout, by, standing, why = null } = resolvedFor(memory, from, known)
  return { view: { checkout, by, standing, why }, problems: registryProblems(known) }
}

function resolvedFor(
  memory: Memory,
  from: OperationContext['from'],
  known: KnownProjects | 'damaged',
): ResolvedProject {
  return from === undefined || from.isNamed
    ? projectAt(memoryFolderOf(memory).root, known)
    : resolveProject(from.folder, known)
}

/** While the registry cannot be read, no project is trusted and all hooks are silent, so the reason must be shown. */
export function registryProblems(known: KnownProjects | 'damaged'): Problem[] {
  if (known !== 'damaged') return []
  const file = knownProjectsFile()
  return [
    {
      code: 'registry_damaged',
      path: file,
      message: `${file} cannot be read, so no project is trusted and agents cannot read any memory.`,
      hint: 'Repair it, or run `cairn init` in each project again. The damaged file is saved next to the new one.',
    },
  ]
}

export const DISTRUST_WORDS: Readonly<Record<DistrustReason, string>> = {
  unknown: 'you have not trusted it on this machine',
  withdrawn: 'you stopped trusting it',
  replaced: 'another memory was trusted in this folder',
  registry: 'the list of your projects cannot be read',
}

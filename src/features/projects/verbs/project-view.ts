import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import type { DistrustReason, KnownProjects, ResolvedProject } from '../../../kernel/model/project.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { OperationContext } from '../../../verbs/operation.ts'
import { whySchema } from '../../brief/verbs/why-untrusted.ts'
import { knownProjectsFile, readKnownProjects } from '../known-projects.ts'
import { projectAt, resolveProject } from '../resolve-project.ts'

/** Whose memory it is, where it lies, and whether agents may be told of it. */
export const projectViewSchema = v.object({
  checkout: v.pipe(v.string(), v.description('The folder whose agents use the memory')),
  by: v.pipe(
    v.picklist(['folder', 'worktree', 'sharing', 'hub']),
    v.description(
      'It lies there, in the main checkout of this worktree, in the clone that shares it, or on a hub',
    ),
  ),
  standing: v.picklist(['trusted', 'untrusted', 'none']),
  why: whySchema,
})
export type ProjectView = v.InferOutput<typeof projectViewSchema>

export function projectView(
  memory: Memory,
  { from }: OperationContext,
): { readonly view: ProjectView; readonly problems: readonly Problem[] } {
  if (memory.place.kind === 'hub') {
    // Whoever asks has a token for it: that is the yes.
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

/** While the list cannot be read nothing is trusted: hooks are silent everywhere, and somebody must say why. */
export function registryProblems(known: KnownProjects | 'damaged'): Problem[] {
  if (known !== 'damaged') return []
  const file = knownProjectsFile()
  return [
    {
      code: 'registry_damaged',
      path: file,
      message: `${file} cannot be read, so no project is trusted and agents are told nothing.`,
      hint: 'Put it right, or run `cairn init` in each project again: the damaged file is kept beside the new one.',
    },
  ]
}

export const DISTRUST_WORDS: Readonly<Record<DistrustReason, string>> = {
  unknown: 'you have not trusted it on this machine',
  withdrawn: 'you stopped trusting it',
  replaced: 'another memory was trusted in this place',
  registry: 'the list of your projects cannot be read',
}

import * as path from 'node:path'
import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { KnownProject, KnownProjects } from '../../../kernel/model/project.ts'
import { defineOperation, flag, problemsSchema, text } from '../../../verbs/operation.ts'
import { dryRun, fromOf } from '../../setup/verbs/setup-fields.ts'
import { knownProjectsFile } from '../known-projects.ts'
import { projectAt } from '../resolve-project.ts'
import { registryProblems } from './project-view.ts'

const viewSchema = v.object({
  id: v.string(),
  name: v.string(),
  root: v.string(),
  state: v.pipe(
    v.picklist(['trusted', 'untrusted', 'replaced', 'missing']),
    v.description('replaced: the folder now has another memory; missing: it no longer has one'),
  ),
  trustedAt: v.nullable(v.string()),
  trustedBy: v.nullable(v.string()),
  isOwn: v.pipe(v.boolean(), v.description('A worktree or clone with its own memory')),
  sharedBy: v.pipe(v.array(v.string()), v.description('Other clones whose agents use it')),
  firstSeenAt: v.string(),
  lastSeenAt: v.string(),
})
type View = v.InferOutput<typeof viewSchema>

export const projectsOperation = defineOperation({
  name: 'projects',
  group: 'Set up',
  agent: 'reads',
  route: { at: 'GET /api/projects', access: 'read' },
  runs: 'checkout',
  summary: 'List your projects with a memory on this machine',
  description:
    'A project is added by `cairn init`, by `cairn trust`, or when you create its memory. Agents can read only trusted projects.',
  positionals: [],
  input: v.object({}),
  output: v.object({ projects: v.array(viewSchema), file: v.string(), problems: problemsSchema }),
  examples: [{ command: 'cairn projects', does: 'name, folder, trust and last use' }],
  async run(memory) {
    const known = await memory.projects.read()
    return { projects: viewsOf(known), file: knownProjectsFile(), problems: registryProblems(known) }
  },
})

export const projectsForgetOperation = defineOperation({
  name: 'projects forget',
  group: 'Set up',
  agent: 'free',
  runs: 'checkout',
  summary: 'Remove a project from the list; its memory is not changed',
  description: 'Agents cannot read it until you run `cairn init` or `cairn trust`.',
  positionals: ['project'],
  input: v.object({
    project: v.optional(text('Its name, id or folder')),
    missing: v.optional(flag('All projects whose memory no longer exists')),
    dryRun,
  }),
  output: v.object({ forgotten: v.array(viewSchema), isDryRun: v.boolean() }),
  examples: [
    { command: 'cairn projects forget old-api', does: 'one project, by name' },
    { command: 'cairn projects forget --missing', does: 'all projects without a memory' },
  ],
  async run(memory, { project, missing = false, dryRun: isDry = false }, context) {
    const known = await memory.projects.read()
    const views = viewsOf(known)
    if ((project === undefined) === !missing) {
      throw new CairnError({
        code: 'invalid_input',
        message: 'cairn projects forget needs a project, or --missing.',
        hint: '`cairn projects` lists them.',
      })
    }
    const chosen = missing
      ? views.filter(({ state }) => state === 'missing')
      : [chooseProject(views, project as string, fromOf(memory, context).folder)]
    if (!isDry && chosen.length > 0) await memory.projects.forget(chosen.map(({ id }) => id))
    return { forgotten: chosen, isDryRun: isDry }
  },
})

function chooseProject(views: readonly View[], named: string, from: string): View {
  const folder = path.resolve(from, named)
  const exact = views.filter(({ id, root }) => id === named || root === folder)
  const found = exact.length > 0 ? exact : views.filter(({ name }) => name === named)
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw new CairnError(
    only === undefined
      ? {
          code: 'project_not_found',
          message: `There is no project "${named.slice(0, 80)}" in the list.`,
          hint: '`cairn projects` lists them.',
        }
      : {
          code: 'ambiguous_match',
          message: `${found.length} projects are called "${named.slice(0, 80)}".`,
          hint: `Give the folder instead: ${found.map(({ root }) => root).join(', ')}.`,
        },
  )
}

function viewsOf(known: KnownProjects | 'damaged'): View[] {
  if (known === 'damaged') return []
  return [...known.projects]
    .sort((a, b) => (a.lastSeenAt < b.lastSeenAt ? 1 : -1))
    .map(project => viewOf(project, known))
}

function viewOf(project: KnownProject, known: KnownProjects): View {
  const { standing, why } = projectAt(project.root, known)
  const state =
    standing === 'none' ? 'missing' : why === 'replaced' || why === 'unknown' ? 'replaced' : standing
  return {
    id: project.id,
    name: project.name,
    root: project.root,
    state,
    trustedAt: project.trustedAt ?? null,
    trustedBy: project.trustedBy ?? null,
    isOwn: project.isOwn === true,
    sharedBy: (project.sharedBy ?? []).map(({ root }) => root),
    firstSeenAt: project.firstSeenAt,
    lastSeenAt: project.lastSeenAt,
  }
}

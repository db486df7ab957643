import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import { flag } from '../../../verbs/operation.ts'
import { defineHubOperation, hubProjectSchema, hubText } from './hub-operation.ts'
import { projectView } from './hub-views.ts'

const project = hubText('The name of the project on the hub')
const one = v.object({ project: hubProjectSchema })

export const hubProjectsOperation = defineHubOperation({
  name: 'hub projects',
  group: 'Hub',
  agent: 'reads',
  hubRoute: { at: 'GET /api/hub/projects', scope: 'admin' },
  summary: 'List the projects of a hub, including archived ones',
  positionals: [],
  input: v.object({}),
  output: v.object({ projects: v.array(hubProjectSchema) }),
  examples: [{ command: 'cairn hub projects', does: 'names, creation times, archived or not' }],
  async runOn(desk) {
    return { projects: (await desk.projects()).map(projectView) }
  },
})

export const hubAddProjectOperation = defineHubOperation({
  name: 'hub add-project',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/projects', scope: 'admin' },
  summary: 'Add a project to a hub, with an empty memory',
  positionals: ['project'],
  input: v.object({ project }),
  output: one,
  examples: [
    { command: 'cairn hub add-project payments-api', does: 'served at /p/payments-api/ from now on' },
  ],
  async runOn(desk, input) {
    return { project: projectView(await desk.addProject(input.project)) }
  },
})

export const hubRenameOperation = defineHubOperation({
  name: 'hub rename',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/projects/:project/rename', scope: 'admin' },
  summary: 'Rename a project of a hub; tokens keep their grants',
  positionals: ['project', 'to'],
  input: v.object({ project, to: hubText('Its new name') }),
  output: one,
  examples: [{ command: 'cairn hub rename pay payments-api', does: 'its address changes with it' }],
  async runOn(desk, input) {
    return { project: projectView(await desk.renameProject(input.project, input.to)) }
  },
})

export const hubArchiveOperation = defineHubOperation({
  name: 'hub archive',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/projects/:project/archive', scope: 'admin' },
  summary: 'Archive a project of a hub: it becomes unreachable, and nothing is deleted',
  description: '`cairn hub restore` brings it back as it was.',
  positionals: ['project'],
  input: v.object({ project }),
  output: one,
  examples: [
    { command: 'cairn hub archive old-api', does: 'its address answers as if the project did not exist' },
  ],
  async runOn(desk, input) {
    return { project: projectView(await desk.archiveProject(input.project)) }
  },
})

export const hubRestoreOperation = defineHubOperation({
  name: 'hub restore',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'POST /api/hub/projects/:project/restore', scope: 'admin' },
  summary: 'Bring an archived project of a hub back',
  positionals: ['project'],
  input: v.object({ project }),
  output: one,
  examples: [{ command: 'cairn hub restore old-api', does: 'as it was before `cairn hub archive`' }],
  async runOn(desk, input) {
    return { project: projectView(await desk.restoreProject(input.project)) }
  },
})

export const hubRemoveOperation = defineHubOperation({
  name: 'hub remove',
  group: 'Hub',
  agent: 'free',
  hubRoute: { at: 'DELETE /api/hub/projects/:project', scope: 'admin' },
  summary: 'Permanently remove an archived project of a hub with all of its data',
  description:
    'This cannot be undone: only a backup can restore it. The project must be archived first. Its audit records stay.',
  positionals: ['project'],
  input: v.object({ project, yes: v.optional(flag('Confirm: do not ask')) }),
  output: v.object({
    removed: v.string(),
    entries: v.pipe(v.number(), v.description('Number of removed entries')),
  }),
  examples: [{ command: 'cairn hub remove old-api --yes', does: 'entries, sessions, journal: all of it' }],
  async runOn(desk, input) {
    if (input.yes !== true)
      throw new CairnError({
        code: 'not_confirmed',
        message: `Removing "${input.project.slice(0, 100)}" cannot be undone.`,
        hint: 'Add --yes to confirm. `cairn hub archive` hides a project and can be undone.',
      })
    const { entries } = await desk.removeProject(input.project)
    return { removed: input.project, entries }
  },
})

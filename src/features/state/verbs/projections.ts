import * as v from 'valibot'
import { defineOperation, degradedSchema, flag, problemsSchema } from '../../../verbs/operation.ts'
import { PROJECTION_STATES } from '../decide/plan-projections.ts'
import {
  type ProjectionReport,
  projectionStatus,
  removeProjections,
  writeProjections,
} from '../projecting.ts'

const fileSchema = v.object({
  path: v.string(),
  state: v.pipe(
    v.picklist(PROJECTION_STATES),
    v.description(
      'absent, current, behind (of an older bundle), edited (by hand), foreign (not ours), newer (of a newer Cairn), unreadable, or unknown (there is no state to compare with). Before anything was changed',
    ),
  ),
  diff: v.exactOptional(
    v.pipe(
      v.array(v.string()),
      v.readonly(),
      v.description('Of what a person changed: what would go (-) and come (+)'),
    ),
  ),
  why: v.exactOptional(v.string()),
})

const changes = {
  changed: v.pipe(
    v.array(v.string()),
    v.readonly(),
    v.description('Paths that were changed; with --dry-run, that would be'),
  ),
  isDryRun: v.boolean(),
  record: v.pipe(v.nullable(v.string()), v.description('What `cairn undo` takes back')),
}
const files = v.pipe(v.array(fileSchema), v.readonly())
const changed = v.object({ folder: v.string(), files, ...changes, degraded: degradedSchema })

const dryRun = v.optional(flag('Tell what would be done, and change nothing'))

export const projectionsOperation = defineOperation({
  name: 'projections',
  group: 'Project state',
  agent: 'reads',
  summary: 'Show how the Markdown files made of the state stand',
  description:
    'The state of the project (`cairn recall`) can be read as Markdown in docs/agent-memory (`projections.folder`): by people, by agents without Cairn, in a pull request. The files are written by `cairn projections write`, and kept up to date by recall where `projections.auto` is on.',
  positionals: [],
  input: v.object({}),
  output: v.object({ folder: v.string(), files, problems: problemsSchema, degraded: degradedSchema }),
  examples: [{ command: 'cairn projections', does: 'the five files and how each stands' }],
  async run(memory) {
    const { folder, files, problems } = await projectionStatus(memory)
    return { folder, files, problems, degraded: memory.store.takeDegraded() }
  },
})

export const projectionsWriteOperation = defineOperation({
  name: 'projections write',
  group: 'Project state',
  agent: 'free',
  summary: 'Write the state of the project as Markdown files',
  description:
    'The same state gives the same bytes. A file that somebody edited, or that Cairn did not write, is shown with what would be lost, and nothing is written unless --overwrite is given.',
  positionals: [],
  input: v.object({
    dryRun,
    overwrite: v.optional(flag('Also where a person edited a file, or it is not ours')),
  }),
  output: changed,
  examples: [
    { command: 'cairn projections write --dry-run', does: 'see which files would be written' },
    { command: 'cairn projections write', does: 'write those that are missing or behind' },
  ],
  async run(memory, input) {
    return answer(await writeProjections(memory, input), input.dryRun, memory.store.takeDegraded())
  },
})

export const projectionsRemoveOperation = defineOperation({
  name: 'projections remove',
  group: 'Project state',
  agent: 'free',
  summary: 'Remove the Markdown files that were made of the state',
  description: 'Only files that are ours. One that somebody edited stays, unless --overwrite is given.',
  positionals: [],
  input: v.object({ dryRun, overwrite: v.optional(flag('Also where a person edited a file of ours')) }),
  output: changed,
  examples: [{ command: 'cairn projections remove', does: 'take them away; `cairn undo` brings them back' }],
  async run(memory, input) {
    return answer(await removeProjections(memory, input), input.dryRun, memory.store.takeDegraded())
  },
})

function answer<T>(report: ProjectionReport, isDry: boolean | undefined, degraded: T) {
  const { problems: _, ...done } = report
  return { ...done, isDryRun: isDry === true, degraded }
}

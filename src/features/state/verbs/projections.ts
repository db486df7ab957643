import * as v from 'valibot'
import { defineOperation, degradedSchema, flag, list, problemsSchema } from '../../../verbs/operation.ts'
import { BLOCK_STATES } from '../decide/plan-entry-block.ts'
import { PROJECTION_STATES } from '../decide/projection.ts'
import {
  type EntryBlockReport,
  entryBlockStatus,
  removeEntryBlock,
  writeEntryBlock,
} from '../entry-blocks.ts'
import {
  type ProjectionReport,
  projectionStatus,
  removeProjections,
  writeProjections,
} from '../projections.ts'

const lines = v.pipe(v.array(v.string()), v.readonly())

const fileSchema = v.object({
  path: v.string(),
  state: v.pipe(
    v.picklist(PROJECTION_STATES),
    v.description(
      'absent, current, behind (of an older bundle), edited (by hand), foreign (not ours), newer (of a newer Cairn), unreadable, or unknown (there is no state to compare with). Before anything was changed',
    ),
  ),
  diff: v.exactOptional(
    v.pipe(lines, v.description('Of what a person changed: what would go (-) and come (+)')),
  ),
  why: v.exactOptional(v.string()),
})

const changes = {
  changed: v.pipe(lines, v.description('Paths that were changed; with --dry-run, that would be')),
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

function answer<R extends ProjectionReport | EntryBlockReport, T>(
  report: R,
  isDry: boolean | undefined,
  degraded: T,
) {
  const { problems: _, ...done } = report
  return { ...done, isDryRun: isDry === true, degraded }
}

const blockFiles = v.pipe(
  v.array(
    v.object({
      path: v.string(),
      role: v.pipe(
        v.picklist(['entry', 'import']),
        v.description('Has the block, or imports the file that does'),
      ),
      state: v.pipe(
        v.picklist(BLOCK_STATES),
        v.description(
          'absent (no such file), none (no block in it), current, behind (an older block of Cairn, or one of agent-memory), edited (by hand, between the markers), broken (its markers cannot be made out), newer (of a newer Cairn), imports (by itself), linked (to the file with the block), unreadable, or unknown (answered by 0.1.0 where there was no state). Before anything was changed',
        ),
      ),
      line: v.exactOptional(v.pipe(v.number(), v.description('Of its start marker'))),
      why: v.exactOptional(v.string()),
      diff: v.exactOptional(lines),
      otherBlocks: v.exactOptional(
        v.pipe(
          v.array(v.number()),
          v.readonly(),
          v.description('Lines with a block of agent-memory; `entry-block write` puts ours in its place'),
        ),
      ),
    }),
  ),
  v.readonly(),
)
const changedBlocks = v.object({ files: blockFiles, ...changes, degraded: degradedSchema })

export const entryBlockOperation = defineOperation({
  name: 'entry-block',
  group: 'Project state',
  agent: 'reads',
  summary: 'Show how the lines in AGENTS.md stand that lead agents in',
  description:
    'A few lines between two markers: what the memory is, and how an agent searches it and saves to it. The text is the same in every project and every clone, so branches that write it do not conflict. It stands in AGENTS.md, which most hosts read; CLAUDE.md and GEMINI.md import it. What is outside the markers is never touched.',
  positionals: [],
  input: v.object({}),
  output: v.object({ files: blockFiles, problems: problemsSchema, degraded: degradedSchema }),
  examples: [{ command: 'cairn entry-block', does: 'which files have it, and whether it is up to date' }],
  async run(memory) {
    const { files, problems } = await entryBlockStatus(memory)
    return { files, problems, degraded: memory.store.takeDegraded() }
  },
})

export const entryBlockWriteOperation = defineOperation({
  name: 'entry-block write',
  group: 'Project state',
  agent: 'free',
  summary: 'Write the block into AGENTS.md, and its import into CLAUDE.md and GEMINI.md',
  description:
    'Into CLAUDE.md, .claude/CLAUDE.md and GEMINI.md only where they exist or are named with --file. A block of 0.1.0 or of agent-memory (`agent-memory:entry version=3`) is replaced. Nothing else rewrites a block. One that somebody edited is shown with what would be lost, and nothing is written unless --overwrite is given.',
  positionals: [],
  input: v.object({
    file: v.optional(
      list('Also this file, though it does not exist yet: CLAUDE.md, .claude/CLAUDE.md, GEMINI.md'),
    ),
    dryRun,
    overwrite: v.optional(flag('Also where a person edited the block')),
  }),
  output: changedBlocks,
  examples: [
    { command: 'cairn entry-block write --dry-run', does: 'see which files would change' },
    {
      command: 'cairn entry-block write --file CLAUDE.md',
      does: 'also for Claude Code, which then imports it',
    },
  ],
  async run(memory, { file, ...options }) {
    const report = await writeEntryBlock(memory, { ...options, files: file })
    return answer(report, options.dryRun, memory.store.takeDegraded())
  },
})

export const entryBlockRemoveOperation = defineOperation({
  name: 'entry-block remove',
  group: 'Project state',
  agent: 'free',
  summary: 'Take the block out again; each file is as it was before',
  description: 'A file that had nothing but the block is deleted.',
  positionals: [],
  input: v.object({
    file: v.optional(list('Only from these files')),
    dryRun,
    overwrite: v.optional(flag('Also where a person edited the block')),
  }),
  output: changedBlocks,
  examples: [{ command: 'cairn entry-block remove', does: 'from every file; `cairn undo` brings it back' }],
  async run(memory, { file, ...options }) {
    const report = await removeEntryBlock(memory, { ...options, files: file })
    return answer(report, options.dryRun, memory.store.takeDegraded())
  },
})

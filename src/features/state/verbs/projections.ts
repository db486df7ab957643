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
      'absent, current, behind (of an older bundle), edited (by hand), foreign (not written by Cairn), newer (written by a newer Cairn), unreadable, or unknown (there is no state to compare with). The state before the change',
    ),
  ),
  diff: v.exactOptional(
    v.pipe(lines, v.description('For an edited file: lines that would be removed (-) and added (+)')),
  ),
  why: v.exactOptional(v.string()),
})

const changes = {
  changed: v.pipe(lines, v.description('Changed paths; with --dry-run, paths that would change')),
  isDryRun: v.boolean(),
  record: v.pipe(v.nullable(v.string()), v.description('The record that `cairn undo` reverts')),
}
const files = v.pipe(v.array(fileSchema), v.readonly())
const changed = v.object({ folder: v.string(), files, ...changes, degraded: degradedSchema })

const dryRun = v.optional(flag('Show what would change, and change nothing'))

export const projectionsOperation = defineOperation({
  name: 'projections',
  group: 'Project state',
  agent: 'reads',
  summary: 'Show the state of the Markdown projections',
  description:
    'The state of the project (`cairn recall`) can be read as Markdown in docs/agent-memory (`projections.folder`): by people, by agents without Cairn, in a pull request. The files are written by `cairn projections write`, and kept up to date by recall where `projections.auto` is on.',
  positionals: [],
  input: v.object({}),
  output: v.object({ folder: v.string(), files, problems: problemsSchema, degraded: degradedSchema }),
  examples: [{ command: 'cairn projections', does: 'the five files and the state of each' }],
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
    'The same state gives the same bytes. A file that was edited, or that Cairn did not write, is shown with the lines that would be lost, and nothing is written without --overwrite.',
  positionals: [],
  input: v.object({
    dryRun,
    overwrite: v.optional(flag('Also files that a person edited, or that Cairn did not write')),
  }),
  output: changed,
  examples: [
    { command: 'cairn projections write --dry-run', does: 'see which files would be written' },
    { command: 'cairn projections write', does: 'write those that are missing or out of date' },
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
  description: 'Only files that Cairn wrote. An edited file stays, unless --overwrite is given.',
  positionals: [],
  input: v.object({ dryRun, overwrite: v.optional(flag('Also files that a person edited')) }),
  output: changed,
  examples: [{ command: 'cairn projections remove', does: 'remove them; `cairn undo` brings them back' }],
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
        v.description('entry: has the block; import: imports the file with the block'),
      ),
      state: v.pipe(
        v.picklist(BLOCK_STATES),
        v.description(
          'absent (no such file), none (no block in it), current, behind (an older block of Cairn, or one of agent-memory), edited (by hand, between the markers), broken (its markers are damaged), newer (written by a newer Cairn), imports (already imports the file), linked (to the file with the block), unreadable, or unknown (only from 0.1.0). The state before the change',
        ),
      ),
      line: v.exactOptional(v.pipe(v.number(), v.description('The line of its start marker'))),
      why: v.exactOptional(v.string()),
      diff: v.exactOptional(lines),
      otherBlocks: v.exactOptional(
        v.pipe(
          v.array(v.number()),
          v.readonly(),
          v.description('Lines with a block of agent-memory; `entry-block write` replaces it'),
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
  summary: 'Show the state of the entry block in AGENTS.md, which points agents to the memory',
  description:
    'A few lines between two markers: what the memory is, and how an agent searches it and saves to it. The text is the same in every project and every clone, so branches that write it do not conflict. It is in AGENTS.md, which most hosts read; CLAUDE.md and GEMINI.md import it. Text outside the markers is never changed.',
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
    'Into CLAUDE.md, .claude/CLAUDE.md and GEMINI.md only where they exist or are named with --file. A block of 0.1.0 or of agent-memory (`agent-memory:entry version=3`) is replaced. No other command rewrites a block. An edited block is shown with the lines that would be lost, and nothing is written without --overwrite.',
  positionals: [],
  input: v.object({
    file: v.optional(
      list('Also this file, though it does not exist yet: CLAUDE.md, .claude/CLAUDE.md, GEMINI.md'),
    ),
    dryRun,
    overwrite: v.optional(flag('Also blocks that a person edited')),
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
  summary: 'Remove the block; each file is as it was before',
  description: 'A file that had nothing but the block is deleted.',
  positionals: [],
  input: v.object({
    file: v.optional(list('Only from these files')),
    dryRun,
    overwrite: v.optional(flag('Also blocks that a person edited')),
  }),
  output: changedBlocks,
  examples: [{ command: 'cairn entry-block remove', does: 'from every file; `cairn undo` brings it back' }],
  async run(memory, { file, ...options }) {
    const report = await removeEntryBlock(memory, { ...options, files: file })
    return answer(report, options.dryRun, memory.store.takeDegraded())
  },
})

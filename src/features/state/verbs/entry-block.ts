import * as v from 'valibot'
import { defineOperation, degradedSchema, flag, list, problemsSchema } from '../../../verbs/operation.ts'
import { BLOCK_STATES } from '../decide/plan-entry-block.ts'
import {
  type EntryBlockReport,
  entryBlockStatus,
  removeEntryBlock,
  writeEntryBlock,
} from '../entry-blocks.ts'

const lines = v.pipe(v.array(v.string()), v.readonly())
const files = v.pipe(
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
const changed = v.object({
  files,
  changed: v.pipe(lines, v.description('Paths that were changed; with --dry-run, that would be')),
  isDryRun: v.boolean(),
  record: v.pipe(v.nullable(v.string()), v.description('What `cairn undo` takes back')),
  degraded: degradedSchema,
})
const dryRun = v.optional(flag('Tell what would be done, and change nothing'))

export const entryBlockOperation = defineOperation({
  name: 'entry-block',
  group: 'Project state',
  agent: 'reads',
  summary: 'Show how the lines in AGENTS.md stand that lead agents in',
  description:
    'A few lines between two markers: what the memory is, and how an agent searches it and saves to it. The text is the same in every project and every clone, so branches that write it do not conflict. It stands in AGENTS.md, which most hosts read; CLAUDE.md and GEMINI.md import it. What is outside the markers is never touched.',
  positionals: [],
  input: v.object({}),
  output: v.object({ files, problems: problemsSchema, degraded: degradedSchema }),
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
  output: changed,
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
  output: changed,
  examples: [{ command: 'cairn entry-block remove', does: 'from every file; `cairn undo` brings it back' }],
  async run(memory, { file, ...options }) {
    const report = await removeEntryBlock(memory, { ...options, files: file })
    return answer(report, options.dryRun, memory.store.takeDegraded())
  },
})

function answer<T>(report: EntryBlockReport, isDry: boolean | undefined, degraded: T) {
  const { problems: _, ...done } = report
  return { ...done, isDryRun: isDry === true, degraded }
}

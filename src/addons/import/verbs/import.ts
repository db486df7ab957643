import * as v from 'valibot'
import type { DocumentPorts, MeaningPorts } from '../../../features/search/decide/ports.ts'
import { type EmbedReport, embedWaiting } from '../../../features/search/meaning.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import {
  count,
  defineOperation,
  degradedSchema,
  flag,
  noticeCode,
  type OperationContext,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import { importFrom } from '../import-from.ts'
import { MAX_REPORTED } from '../import-items.ts'
import { defaultPlace } from '../sources/default-places.ts'
import { detectFormat } from '../sources/detect-format.ts'
import { SOURCE_FORMATS, type SourceFormat } from '../sources/source.ts'

/** The time limit for embedding a small import; `cairn embed` does the rest. */
const EMBEDDING_MS = 10_000
const MAX_EMBEDDED = 2_000

const troubleSchema = v.object({
  file: v.string(),
  line: v.exactOptional(v.number()),
  code: noticeCode,
  message: v.string(),
})

export const importOperation = defineOperation({
  name: 'import',
  group: 'Import, export and sync',
  agent: 'person',
  runs: 'checkout',
  worksForUser: true,
  withoutWords: 'import discover',
  summary: 'Take in what another tool, another project or an older memory left',
  description: [
    'What a file or a folder is shows by its names and how it begins; --from says it where that does not do.',
    'jsonl: each line is {"text": …, "metadata": {category, kind, tags, files, date, session, agent, importance, status, origin, confidence, anchors, commit}}, and only the text is needed.',
    "flat: an agent's memory in one Markdown file. conversations: files with an agentId and messages. project: a project.json with entries, aliases and conflicts. agent-memory: a folder .agent-memory. transcript: any JSON or JSONL with messages.",
    'git: fixes, reverts and changes of course whose commit says why. instructions: CLAUDE.md, AGENTS.md and GEMINI.md. cursor-rules, adr: as they lie in a project. claude-code-memory, claude-mem, basic-memory, mcp-memory: what other tools remember. obsidian: a vault, or a folder in one.',
    'Rules and decisions that people wrote are confirmed, all else waits as candidates. `cairn import` alone shows what can be imported here, and `cairn undo` takes an import back.',
    'Items that cannot be imported are reported with file and line; the rest is imported. Secrets are removed, dates stay. Importing the same source again adds nothing. Files without a place of their own go to archive/import-….',
  ].join(' '),
  positionals: ['file'],
  input: v.object({
    file: v.optional(
      text('The file or folder; - reads lines from standard input (default: where --from usually is)'),
    ),
    from: v.optional(
      v.pipe(
        v.picklist(SOURCE_FORMATS, `one of ${SOURCE_FORMATS.join(', ')}`),
        v.description('What it is (default: seen from the file)'),
      ),
    ),
    agent: v.optional(text('The vault for what names no agent')),
    since: v.optional(
      text('For a git history: skip older commits, for example 2026-01-01 or "6 months ago"'),
    ),
    limit: v.optional(count('Of a git history: how many entries at most (default 200)', 5_000)),
    project: v.optional(text('Of a store of claude-mem: its project (default: the name of this folder)')),
    dryRun: v.optional(flag('Check everything without writing')),
  }),
  output: v.object({
    from: v.picklist(SOURCE_FORMATS),
    dryRun: v.pipe(
      v.boolean(),
      v.description('True: nothing was written; `added` counts what would be added'),
    ),
    read: v.number(),
    added: v.number(),
    duplicates: v.pipe(v.number(), v.description('What was known already')),
    redacted: v.pipe(v.number(), v.description('Secrets that were removed')),
    failed: v.number(),
    failures: v.pipe(
      v.array(troubleSchema),
      v.readonly(),
      v.description(`What could not be taken; the first ${MAX_REPORTED}`),
    ),
    remarks: v.pipe(
      v.array(troubleSchema),
      v.readonly(),
      v.description(`What was taken otherwise than it stood; the first ${MAX_REPORTED}`),
    ),
    went: v.pipe(
      v.array(v.object({ what: v.string(), to: v.string(), count: v.number() })),
      v.readonly(),
      v.description('How much of what went where; in a dry run, would go'),
    ),
    vectors: v.pipe(
      v.object({ made: v.number(), waiting: v.number() }),
      v.description('What is waiting is found by its words; `cairn embed` makes the rest'),
    ),
    record: v.pipe(
      recordSchema,
      v.description(
        'The journal record: `cairn undo` with it undoes the whole import; null: nothing was changed',
      ),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn import notes.jsonl', does: 'with a progress bar on a terminal' },
    { command: 'cairn import notes.jsonl --dry-run --json', does: 'check first' },
    { command: 'cairn import ../old/.agent-memory', does: 'import the memory of another tool' },
    { command: 'cairn import --from git --since 2026-01-01 --dry-run', does: 'what the history teaches' },
    { command: 'cairn import CLAUDE.md', does: 'the rules in it' },
    { command: 'cairn import ~/vault/projects/shop', does: 'notes of Obsidian' },
    { command: 'cairn import talk.jsonl --from transcript --agent dev', does: 'a conversation of dev' },
  ],
  async run(memory, { file: given, from, agent, since, limit, project, dryRun }, context) {
    const file = given ?? defaultPlace(from, memoryFolderOf(memory).root)
    const found = from === undefined ? detectFormat(file) : { format: from, path: file }
    refuseUnfit(found.format, { since, limit, project })
    const options = {
      agent,
      dryRun: dryRun === true,
      onProgress: context.onProgress,
      ...(since !== undefined && { since }),
      ...(limit !== undefined && { mostEntries: limit }),
      ...(project !== undefined && { project }),
    }
    const report = await importFrom(
      memory,
      { ...found, path: found.format === 'jsonl' ? file : found.path },
      options,
    )
    const { embedded, waiting } =
      dryRun === true ? { embedded: 0, waiting: 0 } : await embedImported(memory, context)
    return {
      from: found.format,
      dryRun: options.dryRun,
      ...report,
      vectors: { made: embedded, waiting },
      degraded: [...memory.store.takeDegraded(), ...memory.semantics.takeDegraded()],
    }
  },
})

/** Refuses an option that would have no effect. */
function refuseUnfit(
  format: SourceFormat,
  {
    since,
    limit,
    project,
  }: { since: string | undefined; limit: number | undefined; project: string | undefined },
): void {
  const unfit = [
    ...(since === undefined || format === 'git' ? [] : ['--since']),
    ...(limit === undefined || format === 'git' ? [] : ['--limit']),
    ...(project === undefined || format === 'claude-mem' ? [] : ['--project']),
  ]
  if (unfit.length === 0) return
  throw new CairnError({
    code: 'invalid_input',
    message: `${unfit.join(' and ')} has no effect for ${format}.`,
    hint: '--since and --limit are for git, --project is for claude-mem: leave it out, or say another --from.',
  })
}

/** Embeds a small import immediately. A large one would take much longer than the import itself, so it waits. */
async function embedImported(
  memory: Memory & MeaningPorts & DocumentPorts,
  { onProgress }: OperationContext,
): Promise<EmbedReport> {
  const { waiting } = await memory.semantics.vectors.state()
  if (waiting > MAX_EMBEDDED) return { embedded: 0, waiting }
  return embedWaiting(memory, {
    deadlineMs: memory.clock.nowMs() + EMBEDDING_MS,
    ...(onProgress && { onProgress: (done, total) => onProgress(done, total, 'vectors') }),
  })
}

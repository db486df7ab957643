import * as v from 'valibot'
import type { Composed } from '../compose.ts'
import { type EmbedReport, embedWaiting } from '../meaning.ts'
import { CairnError } from '../model/errors.ts'
import { detectFormat } from '../sources/detect-format.ts'
import { SOURCE_FORMATS, type Source, type SourceFormat, type SourceOptions } from '../sources/source.ts'
import { errnoOf } from '../system/disk.ts'
import { type Line, type LinePlace, LONGEST_LINE_BYTES, openLines } from '../system/read-lines.ts'
import { type ImportItem, importItems, MOST_REPORTED, parseLine } from './import-items.ts'
import { keepSession } from './keep-session.ts'
import { defineOperation, degradedSchema, flag, type OperationContext, text } from './operation.ts'
import { takeIn } from './take-in.ts'
import type { TakenIn } from './tally.ts'

/** How long an import makes vectors, if they are few enough; `cairn embed` makes the rest. */
const EMBEDDING_MS = 10_000
const MOST_EMBEDDED = 2_000

const troubleSchema = v.object({
  file: v.string(),
  line: v.exactOptional(v.number()),
  code: v.string(),
  message: v.string(),
})

export const importOperation = defineOperation({
  name: 'import',
  summary: 'Take in what another tool, another project or an older memory left',
  description: [
    'What a file or a folder is shows by its names and how it begins; --from says it where that does not do.',
    'jsonl: each line is {"text": …, "metadata": {category, kind, tags, files, date, session, agent, importance, status, origin, confidence, anchors, commit}}, and only the text is needed.',
    "flat: an agent's memory in one Markdown file. conversations: files with an agentId and messages. project: a project.json with entries, aliases and conflicts. agent-memory: a folder .agent-memory. transcript: any JSON or JSONL with messages.",
    'What cannot be taken is reported with its file and line, and the rest is. Secrets are removed, dates are kept. Importing the same again adds nothing. What has no place of its own goes to archive/import-….',
  ].join(' '),
  positionals: ['file'],
  input: v.object({
    file: text('The file or folder; - reads lines from standard input'),
    from: v.optional(
      v.pipe(
        v.picklist(SOURCE_FORMATS, `one of ${SOURCE_FORMATS.join(', ')}`),
        v.description('What it is (default: seen from the file)'),
      ),
    ),
    agent: v.optional(text('The vault for what names no agent')),
    dryRun: v.optional(flag('Check everything and write nothing')),
  }),
  output: v.object({
    from: v.picklist(SOURCE_FORMATS),
    dryRun: v.pipe(v.boolean(), v.description('True: nothing was written, and `added` is what would be')),
    read: v.number(),
    added: v.number(),
    duplicates: v.pipe(v.number(), v.description('What was known already')),
    redacted: v.pipe(v.number(), v.description('Secrets that were removed')),
    failed: v.number(),
    failures: v.pipe(
      v.array(troubleSchema),
      v.readonly(),
      v.description(`What could not be taken; the first ${MOST_REPORTED}`),
    ),
    remarks: v.pipe(
      v.array(troubleSchema),
      v.readonly(),
      v.description(`What was taken otherwise than it stood; the first ${MOST_REPORTED}`),
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
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn import notes.jsonl', does: 'with a progress bar on a terminal' },
    { command: 'cairn import notes.jsonl --dry-run --json', does: 'check first' },
    { command: 'cairn import ../old/.agent-memory', does: 'everything another tool kept' },
    { command: 'cairn import talk.jsonl --from transcript --agent dev', does: 'a conversation of dev' },
  ],
  async run(engine, { file, from, agent, dryRun }, context) {
    const found = from === undefined ? detectFormat(file) : { format: from, path: file }
    const options = { agent, dryRun: dryRun === true, context }
    const report = await importFrom(
      engine,
      { ...found, path: found.format === 'jsonl' ? file : found.path },
      options,
    )
    const { embedded, waiting } =
      dryRun === true ? { embedded: 0, waiting: 0 } : await embedImported(engine, context)
    return {
      from: found.format,
      dryRun: options.dryRun,
      ...report,
      vectors: { made: embedded, waiting },
      degraded: [...engine.store.takeDegraded(), ...engine.semantics.takeDegraded()],
    }
  },
})

export interface ImportOptions extends Partial<Pick<SourceOptions, 'isKnown' | 'onTaken' | 'sourceId'>> {
  readonly agent: string | undefined
  readonly dryRun: boolean
  readonly context: OperationContext
  /** Of a file of lines: everything before this place is taken already. */
  readonly linesFrom?: LinePlace
}

/** Takes in what a file or folder of this format holds, but for what the options say is known. */
export async function importFrom(
  engine: Composed,
  { format, path }: { readonly format: SourceFormat; readonly path: string },
  options: ImportOptions,
): Promise<TakenIn> {
  return format === 'jsonl' ? importLines(engine, path, options) : importSource(engine, format, path, options)
}

async function importLines(
  engine: Composed,
  file: string,
  { agent, dryRun, context, linesFrom }: ImportOptions,
): Promise<TakenIn> {
  const { bytes, lines } = await openLines(file, LONGEST_LINE_BYTES, linesFrom)
  const entries = async function* (): AsyncIterable<ImportItem> {
    for await (const line of readable(file, lines)) {
      if (line.text.trim() === '') continue
      yield {
        line: line.number,
        done: line.bytesRead,
        input: () => parseLine(wholeLine(line), agent ?? engine.actor.agent),
      }
    }
  }
  const {
    ids: _ids,
    known: _known,
    refused: _refused,
    failures,
    ...report
  } = await importItems(engine, entries(), {
    dryRun,
    ...(context.onProgress && { onProgress: done => context.onProgress?.(done, bytes, 'bytes') }),
  })
  return {
    ...report,
    failures: failures.map(failure => ({ file, ...failure })),
    remarks: [],
    went: report.added === 0 ? [] : [{ what: 'entries', to: 'vault', count: report.added }],
  }
}

function wholeLine({ text: line, cut }: Line): string {
  if (cut === undefined) return line
  throw new CairnError({
    code: 'content_too_long',
    message: `This line has ${cut} bytes; of one line ${line.length} are read.`,
    hint: 'Put the long text into a document of the project and import one sentence that points to it.',
  })
}

const SOURCES: Readonly<Record<Exclude<SourceFormat, 'jsonl'>, () => Promise<Source>>> = {
  flat: async () => (await import('../sources/flat-source.ts')).flatSource,
  conversations: async () => (await import('../sources/conversation-source.ts')).conversationSource,
  transcript: async () => (await import('../sources/conversation-source.ts')).transcriptSource,
  project: async () => (await import('../sources/project-source.ts')).projectSource,
  'agent-memory': async () => (await import('../sources/agent-memory-source.ts')).agentMemorySource,
}

async function importSource(
  engine: Composed,
  format: Exclude<SourceFormat, 'jsonl'>,
  path: string,
  { agent, dryRun, context, isKnown, onTaken, sourceId }: ImportOptions,
): Promise<TakenIn> {
  const config = await engine.config()
  const source = await SOURCES[format]()
  const items = source({
    path,
    agent: agent ?? engine.actor.agent ?? config['vault.defaultAgent'],
    agentIsNamed: agent !== undefined,
    nowMs: engine.clock.nowMs(),
    maxEntryBytes: config['vault.maxEntryBytes'],
    memory: engine.paths.memory,
    ...(isKnown && { isKnown }),
    ...(onTaken && { onTaken }),
    ...(sourceId !== undefined && { sourceId }),
  })
  return takeIn(engine, items, {
    dryRun,
    from: format,
    sourceId,
    keepSession: keepSession(engine, config),
    ...(context.onProgress && { onProgress: context.onProgress }),
  })
}

/** The vectors of a small import are made with it. Those of a large one would take much longer than all else: they wait. */
async function embedImported(engine: Composed, { onProgress }: OperationContext): Promise<EmbedReport> {
  const { waiting } = await engine.semantics.vectors.state()
  if (waiting > MOST_EMBEDDED) return { embedded: 0, waiting }
  return embedWaiting(engine, {
    deadlineMs: engine.clock.nowMs() + EMBEDDING_MS,
    ...(onProgress && { onProgress: (done, total) => onProgress(done, total, 'vectors') }),
  })
}

/** The lines; a folder shows only when it is read. */
async function* readable<T>(file: string, lines: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* lines
  } catch (cause) {
    if (errnoOf(cause) !== 'EISDIR') throw cause
    throw new CairnError({
      code: 'invalid_input',
      message: `${file} is a folder, and lines are read from a file.`,
      hint: 'Name a file of lines like {"text": "…"}; - reads from standard input.',
      cause,
    })
  }
}

import type { FreshnessPorts } from '../../features/freshness/decide/ports.ts'
import type { ClosingPorts } from '../../features/learning/decide/ports.ts'
import type { UpkeepPorts } from '../../features/upkeep/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { errnoOf } from '../../kernel/system/disk.ts'
import { memoryPaths } from '../../kernel/system/paths.ts'
import { type Line, type LinePlace, MAX_LINE_BYTES, openLines } from '../../kernel/system/read-lines.ts'
import type { ImportPorts } from './decide/ports.ts'
import { type ImportItem, importItems, parseLine } from './import-items.ts'
import { sessionImporter } from './session-importer.ts'
import type { Source, SourceFormat, SourceOptions } from './sources/source.ts'
import { storeSourceItems } from './take-in.ts'
import type { ImportCounts, OnProgress } from './tally.ts'

interface ImportOptions
  extends Partial<
    Pick<SourceOptions, 'isKnown' | 'onTaken' | 'sourceId' | 'since' | 'mostEntries' | 'project'>
  > {
  readonly agent: string | undefined
  readonly dryRun: boolean
  readonly onProgress?: OnProgress | undefined
  /** For a file of lines: everything before this position was imported before. */
  readonly linesFrom?: LinePlace
}

/** Imports a file or folder of this format. The options name what was imported before. */
export async function importFrom(
  memory: Memory & ClosingPorts & UpkeepPorts & ImportPorts,
  { format, path }: { readonly format: SourceFormat; readonly path: string },
  options: ImportOptions,
): Promise<ImportCounts> {
  return format === 'jsonl' ? importLines(memory, path, options) : importSource(memory, format, path, options)
}

async function importLines(
  memory: Memory & FreshnessPorts,
  file: string,
  { agent, dryRun, onProgress, linesFrom }: ImportOptions,
): Promise<ImportCounts> {
  const { bytes, lines } = await openLines(file, MAX_LINE_BYTES, linesFrom)
  const entries = async function* (): AsyncIterable<ImportItem> {
    for await (const line of readable(file, lines)) {
      if (line.text.trim() === '') continue
      yield {
        line: line.number,
        done: line.bytesRead,
        input: () => parseLine(wholeLine(line), agent ?? memory.actor.agent),
      }
    }
  }
  const {
    ids: _ids,
    known: _known,
    refused: _refused,
    failures,
    ...report
  } = await importItems(memory, entries(), {
    dryRun,
    ...(onProgress && { onProgress: done => onProgress(done, bytes, 'bytes') }),
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
    message: `This line has ${cut} bytes; the maximum is ${line.length}.`,
    hint: 'Put the long text into a document of the project and import one sentence that points to it.',
  })
}

const SOURCES: Readonly<Record<Exclude<SourceFormat, 'jsonl'>, () => Promise<Source>>> = {
  flat: async () => (await import('./sources/flat-source.ts')).flatSource,
  conversations: async () => (await import('./sources/conversation-source.ts')).conversationSource,
  transcript: async () => (await import('./sources/conversation-source.ts')).transcriptSource,
  project: async () => (await import('./sources/project-source.ts')).projectSource,
  'agent-memory': async () => (await import('./sources/agent-memory-source.ts')).agentMemorySource,
  git: async () => (await import('./sources/git-source.ts')).gitSource,
  instructions: async () => (await import('./sources/instruction-source.ts')).instructionSource,
  'cursor-rules': async () => (await import('./sources/cursor-source.ts')).cursorSource,
  adr: async () => (await import('./sources/adr-source.ts')).adrSource,
  'claude-code-memory': async () =>
    (await import('./sources/claude-code-memory-source.ts')).claudeCodeMemorySource,
  obsidian: async () => (await import('./sources/obsidian-source.ts')).obsidianSource,
  'basic-memory': async () => (await import('./sources/basic-memory-source.ts')).basicMemorySource,
  'claude-mem': async () => (await import('./sources/claude-mem-source.ts')).claudeMemSource,
  'mcp-memory': async () => (await import('./sources/mcp-memory-source.ts')).mcpMemorySource,
}

async function importSource(
  memory: Memory & ClosingPorts & UpkeepPorts & ImportPorts,
  format: Exclude<SourceFormat, 'jsonl'>,
  path: string,
  { agent, dryRun, onProgress, isKnown, onTaken, sourceId, since, mostEntries, project }: ImportOptions,
): Promise<ImportCounts> {
  const config = await memory.config()
  const source = await SOURCES[format]()
  const items = source({
    path,
    agent: agent ?? memory.actor.agent ?? config['vault.defaultAgent'],
    agentIsNamed: agent !== undefined,
    nowMs: memory.clock.nowMs(),
    maxEntryBytes: config['vault.maxEntryBytes'],
    memory: memoryPaths(memoryFolderOf(memory).root).memory,
    ...(isKnown && { isKnown }),
    ...(onTaken && { onTaken }),
    ...(sourceId !== undefined && { sourceId }),
    ...(since !== undefined && { since }),
    ...(mostEntries !== undefined && { mostEntries }),
    ...(project !== undefined && { project }),
    databases: memory.foreignDatabases,
    ...(onProgress && { onProgress }),
  })
  return storeSourceItems(memory, items, {
    dryRun,
    from: format,
    sourceId,
    sessionImporter: sessionImporter(memory, config),
    ...(onProgress && { onProgress }),
  })
}

/** Reads the lines. Reading is also what reveals that the path is a folder. */
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

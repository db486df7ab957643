import * as path from 'node:path'
import { CairnError } from '../../../kernel/model/errors.ts'
import { isObject, parseJson } from '../../../kernel/model/json-value.ts'
import { openRandomAccessFile } from '../../../kernel/system/random-access-file.ts'
import { MEMORY_INDEX } from './claude-code-memory-source.ts'
import { CURSOR_RULE } from './cursor-source.ts'
import { isChatFile } from './default-places.ts'
import { INSTRUCTION_FILE } from './instruction-source.ts'
import { findNotes } from './note-files.ts'
import { SOURCE_FORMATS, type SourceFormat } from './source.ts'
import { exists, filesBelow, isFolder } from './source-files.ts'

const LOOKED_AT_BYTES = 64 * 1024

/** Detects the format of a file or folder by its names and its beginning. */
export function detectFormat(source: string): { format: SourceFormat; path: string } {
  if (source === '-') return { format: 'jsonl', path: source }
  if (!exists(source)) {
    throw new CairnError({
      code: 'file_not_found',
      message: `File not found: ${source}.`,
      hint: 'Check the path; - reads from standard input.',
    })
  }
  return isFolder(source) ? formatOfFolder(source) : { format: formatOfFile(source), path: source }
}

function formatOfFolder(folder: string): { format: SourceFormat; path: string } {
  const has = (name: string) => exists(path.join(folder, name))
  if (has('.agent-memory')) return { format: 'agent-memory', path: path.join(folder, '.agent-memory') }
  if (has('project.json') && formatOfFile(path.join(folder, 'project.json')) === 'project')
    return { format: 'project', path: folder }
  if (has('history/events.jsonl') && !has('.vault')) return { format: 'agent-memory', path: folder }
  if (has('state.json') && has('sources.json') && !has('.vault'))
    return { format: 'agent-memory', path: folder }
  if (has('conversations')) return { format: 'conversations', path: path.join(folder, 'conversations') }
  const own = formatOfNotes(folder)
  if (own !== undefined) return { format: own, path: folder }
  if (has('.git')) throw isProject(folder)
  const files = filesBelow(folder, 1)
  const formats = new Set(
    files.filter(file => /\.(?:md|jsonl?)$/.test(file)).map(file => formatOfFile(path.join(folder, file))),
  )
  for (const format of ['conversations', 'transcript', 'flat'] as const)
    if (formats.has(format)) return { format, path: folder }
  throw unknownSource(folder)
}

/** Folders of notes that people or other tools maintain. */
function formatOfNotes(folder: string): SourceFormat | undefined {
  const has = (name: string) => exists(path.join(folder, name))
  if (isBasicMemory(folder)) return 'basic-memory'
  if (has('.obsidian')) return 'obsidian'
  if (has('claude-mem.db')) return 'claude-mem'
  if (has(MEMORY_INDEX)) return 'claude-code-memory'
  if (has('memory.jsonl') && formatOfFile(path.join(folder, 'memory.jsonl')) === 'mcp-memory')
    return 'mcp-memory'
  if (/(?:^|\/)(?:adrs?|decisions)$/i.test(folder.replaceAll('\\', '/').replace(/\/+$/, ''))) return 'adr'
  if (has('.cursor/rules') && !has('.git')) return 'cursor-rules'
  const names = filesBelow(folder, 0)
  if (names.some(name => name.endsWith('.mdc'))) return 'cursor-rules'
  if (names.filter(name => /^\d{3,4}[-_].+\.md$/i.test(name)).length > 1) return 'adr'
  return undefined
}

const LOOKED_AT_NOTES = 20

/** Every note of basic-memory has its own permalink in the front matter. */
function isBasicMemory(folder: string): boolean {
  const notes = findNotes(folder, { isWanted: name => /\.md$/i.test(name) }).files.slice(0, LOOKED_AT_NOTES)
  const own = notes.filter(name => hasPermalink(startOf(path.join(folder, name))))
  return own.length > 0 && own.length * 2 >= notes.length
}

function hasPermalink(start: string): boolean {
  return /^\ufeff?---\r?\n/.test(start) && /^permalink:/m.test(start.split(/\n---/)[0] ?? '')
}

/** A project contains several sources, so the caller must say which one to import. */
function isProject(folder: string): CairnError {
  return new CairnError({
    code: 'source_unreadable',
    message: `${folder} is a project, in which several things can be imported.`,
    hint: 'Choose one with --from (git, instructions, cursor-rules, adr); `cairn import discover` lists what is there.',
  })
}

function unknownSource(folder: string): CairnError {
  return new CairnError({
    code: 'source_unreadable',
    message: `${folder} does not contain a format that Cairn can import.`,
    hint: `Say what it is with --from (${SOURCE_FORMATS.join(', ')}), or name a file.`,
  })
}

function formatOfFile(file: string): SourceFormat {
  const name = file.replaceAll('\\', '/')
  if (isChatFile(file)) return 'conversations'
  if (INSTRUCTION_FILE.test(name)) return 'instructions'
  if (CURSOR_RULE.test(name)) return 'cursor-rules'
  if (/\/(?:adrs?|decisions)\/\d+[^/]*\.md$/i.test(path.resolve(file).replaceAll('\\', '/'))) return 'adr'
  if (path.basename(name) === MEMORY_INDEX) return 'claude-code-memory'
  if (/\.(?:md|markdown|md\.bak)$/i.test(file)) return hasPermalink(startOf(file)) ? 'basic-memory' : 'flat'
  const beginning = startOf(file)
  if (beginning.startsWith('SQLite format 3\0')) return 'claude-mem'
  const start = beginning.replace(/^\ufeff/, '').trimStart()
  if (/\.json$/i.test(file)) return formatOfJson(file, start)
  for (const line of start.split('\n').slice(0, 50)) {
    const json = parseJson(line)
    if (isObject(json)) return formatOfLine(json)
    // The line is longer than the part that was read; its first field names are enough.
    if (line.length > 1_000 && /^\{"(?:role|type|parentUuid|sessionId)"/.test(line)) return 'transcript'
  }
  return start.startsWith('[') && /"(?:role|author)"/.test(start) ? 'transcript' : 'jsonl'
}

function formatOfLine(line: Record<string, unknown>): SourceFormat {
  if (line.type === 'entity' && Array.isArray(line.observations)) return 'mcp-memory'
  if (line.type === 'relation' && typeof line.relationType === 'string') return 'mcp-memory'
  if (typeof line.contentHash === 'string' && isObject(line.signals)) return 'agent-memory'
  if (typeof line.role === 'string' || isObject(line.message) || typeof line.author === 'string')
    return 'transcript'
  // Hosts begin with a line about the session.
  return typeof line.type === 'string' && line.text === undefined ? 'transcript' : 'jsonl'
}

function formatOfJson(file: string, start: string): SourceFormat {
  if (/^\{[\s\S]*"entries"\s*:\s*\[/.test(start)) return 'project'
  if (path.basename(file) === 'state.json' && /"bundle"\s*:/.test(start)) return 'agent-memory'
  if (/^\{[\s\S]*"messages"\s*:\s*\[/.test(start))
    return /"agentId"\s*:/.test(start) ? 'conversations' : 'transcript'
  return start.startsWith('[')
    ? 'transcript'
    : /"version"\s*:[\s\S]*"(?:aliases|conflicts)"\s*:/.test(start)
      ? 'project'
      : 'jsonl'
}

function startOf(file: string): string {
  const opened = openRandomAccessFile(file)
  if (opened === undefined) return ''
  try {
    const bytes = new Uint8Array(Math.min(LOOKED_AT_BYTES, opened.size))
    opened.read(bytes, 0)
    return new TextDecoder().decode(bytes)
  } finally {
    opened.close()
  }
}

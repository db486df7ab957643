import * as path from 'node:path'
import { KIND_HOME } from '../../../kernel/model/category.ts'
import { isObject, parseJson } from '../../../kernel/model/json-value.ts'
import type { NewEntry } from '../../../kernel/model/new-entry.ts'
import { openLines } from '../../../kernel/system/read-lines.ts'
import { dateAt } from './note-files.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'
import { changedMs, isFolder } from './source-files.ts'

const MIN_LENGTH = 8
/** A relation that only says that two things are related. */
export const VAGUE_RELATION = /^(?:relates?[_ ]to|related[_ ]to|links?[_ ]to|see[_ ]also|references?)$/i

/**
 * The graph of the MCP reference memory server (`memory.jsonl`): entities with observations, and relations. A model wrote them,
 * so they become candidates; the file has no dates.
 */
export const mcpMemorySource: Source = async function* (options) {
  const full = isFolder(options.path) ? path.join(options.path, 'memory.jsonl') : options.path
  const file = path.basename(full)
  const date = dateAt(changedMs(full) ?? 0, options.nowMs)
  const { bytes, lines } = await openLines(full)
  for await (const line of lines) {
    options.onProgress?.(line.bytesRead, bytes, 'bytes')
    if (line.text.trim() === '') continue
    const at = { file, line: line.number }
    const json = line.cut === undefined ? parseJson(line.text) : undefined
    if (isObject(json) && json.type === 'entity') yield* observationsOf(json, at, { ...options, date })
    else if (isObject(json) && json.type === 'relation') yield* relationOf(json, at, { ...options, date })
    else yield refused(at, 'it is neither an entity nor a relation')
  }
}

type Dated = SourceOptions & { readonly date: string }
type At = { readonly file: string; readonly line: number }

function* observationsOf(entity: Record<string, unknown>, at: At, options: Dated): Iterable<SourceItem> {
  const { name, entityType, observations } = entity
  if (typeof name !== 'string' || !Array.isArray(observations))
    return yield refused(at, 'the entity has no name, or no observations')
  const type = typeof entityType === 'string' ? entityType : ''
  for (const said of observations) {
    if (typeof said !== 'string' || said.trim().length < MIN_LENGTH) continue
    // An observation that already contains the name does not need it in front.
    const isNamed = said.toLowerCase().includes(name.toLowerCase())
    yield entry(at, name, options, {
      content: isNamed ? said.trim() : `${name}: ${said.trim()}`,
      kind: kindOf(type),
      tags: type === '' ? [] : [type],
    })
  }
}

function* relationOf(relation: Record<string, unknown>, at: At, options: Dated): Iterable<SourceItem> {
  const { from, to, relationType } = relation
  if (typeof from !== 'string' || typeof to !== 'string' || typeof relationType !== 'string')
    return yield refused(at, 'the relation names no two entities')
  if (VAGUE_RELATION.test(relationType)) return
  yield entry(at, from, options, {
    content: `${from} ${relationType.replaceAll('_', ' ')} ${to}.`,
    kind: 'discovery',
    tags: ['relation'],
  })
}

function entry(
  at: At,
  id: string,
  options: Dated,
  said: Pick<NewEntry, 'content' | 'kind' | 'tags'>,
): SourceItem {
  return {
    what: 'entry',
    at,
    input: {
      ...said,
      agent: options.agent,
      date: options.date,
      status: 'candidate',
      origin: 'machine',
      provenance: { tool: 'mcp-memory', file: at.file, id },
    },
  }
}

/** Maps another tool's word for a type to a kind. */
export function kindOf(type: string): string {
  const word = type
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  if (Object.hasOwn(KIND_HOME, word) && word !== 'task' && word !== 'handoff') return word
  if (/prefer|style|convention|rule/.test(word)) return 'preference'
  if (/decision|choice/.test(word)) return 'decision'
  if (/design|architect|component|service|module|system|tech/.test(word)) return 'architecture'
  if (/bug|issue|problem|fix/.test(word)) return 'error'
  if (/warn|gotcha|risk|caution/.test(word)) return 'warning'
  return /pattern|practice|technique|method/.test(word) ? 'pattern' : 'discovery'
}

function refused(at: At, message: string): SourceItem {
  return { what: 'refused', trouble: { ...at, code: 'json_damaged', message } }
}

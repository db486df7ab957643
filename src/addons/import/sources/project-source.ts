import * as path from 'node:path'
import { DEFAULT_IMPORTANCE, STATUSES, type Status } from '../../../kernel/model/entry.ts'
import { isObject, parseJson } from '../../../kernel/model/json-value.ts'
import type { NewEntry } from '../../../kernel/model/new-entry.ts'
import type { SessionFinding, SessionMemory } from '../../../kernel/model/session.ts'
import { contentHash } from '../../../kernel/system/content-hash.ts'
import { jsonElements } from '../../../kernel/system/json-elements.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import type { Source, SourceItem, SourceOptions, SourcePlace } from './source.ts'
import { exists, filesBelow, isFolder, readText } from './source-files.ts'

const CONFLICT_TYPES = ['contradictory', 'superseded', 'ambiguous'] as const

/**
 * Seed C, section 4: `project.json` with its backup, and the sessions beside it.
 *
 *   entries → entries   aliases, conflicts → curation.json   sessions/*.memory.json → sessions/
 *   autoMemoryEnabled, configPreset → config.json, where nothing is set
 *   project.json itself, with its counters, and audit.json → archive/import-…/
 */
export const projectSource: Source = async function* (options) {
  const folder = isFolder(options.path) ? options.path : path.dirname(options.path)
  const file = isFolder(options.path) ? 'project.json' : path.basename(options.path)
  const isWhole = yield* storeIn(folder, file, options)
  const backup = `${file}.bak`
  if (!isWhole && exists(path.join(folder, backup))) {
    const trouble = {
      file,
      code: 'json_damaged',
      message: `it cannot be read to its end; ${backup} is read as well`,
    } as const
    yield { what: 'remark', trouble }
    yield* storeIn(folder, backup, options)
  }
  yield { what: 'file', at: { file }, text: readText(path.join(folder, file)) }
  if (exists(path.join(folder, 'audit.json')))
    yield { what: 'file', at: { file: 'audit.json' }, text: readText(path.join(folder, 'audit.json')) }
  for (const name of exists(path.join(folder, 'sessions')) ? filesBelow(path.join(folder, 'sessions')) : []) {
    const at = { file: `sessions/${name}` }
    const text = readText(path.join(folder, at.file))
    const memory = name.endsWith('.memory.json') ? sessionMemory(parseJson(text), options.nowMs) : undefined
    if (memory !== undefined) yield { what: 'memory', at, memory: memory.read }
    if (memory !== undefined && memory.left > 0) {
      const message = `${memory.left} of its findings cannot be read; the file is also stored unchanged`
      yield { what: 'remark', trouble: { ...at, code: 'json_damaged', message } }
      yield { what: 'file', at, text }
    }
    if (memory === undefined) {
      if (name.endsWith('.memory.json'))
        yield {
          what: 'remark',
          trouble: {
            ...at,
            code: 'json_damaged',
            message: 'it is not the memory of a session; it is stored unchanged',
          },
        }
      yield { what: 'file', at, text }
    }
  }
}

/** False if the file is truncated or is not a store. */
async function* storeIn(
  folder: string,
  file: string,
  options: SourceOptions,
): AsyncGenerator<SourceItem, boolean> {
  let isWhole = true
  let count = 0
  let config: string | undefined
  for await (const part of jsonElements(path.join(folder, file), 'entries')) {
    count++
    if (part.part === 'broken') {
      isWhole = false
      continue
    }
    const at = { file, line: part.line }
    const json = part.part === 'element' && part.cut !== undefined ? undefined : parseJson(part.text)
    if (part.part === 'element') yield entryOf(json, at, options)
    else if (part.name === 'metadata' && isObject(json)) config = configOf(json)
    else if (part.name === 'aliases' && isObject(json)) yield* aliasesOf(json, at)
    else if (part.name === 'conflicts' && Array.isArray(json)) yield* conflictsOf(json, at)
  }
  if (config !== undefined)
    yield { what: 'file', at: { file: 'config.json' }, text: config, place: 'config.json' }
  return isWhole && count > 0
}

/** Seed C, section 4: options that differ from the default. */
function configOf({ autoMemoryEnabled, configPreset: preset }: Record<string, unknown>): string | undefined {
  const chosen = {
    ...(autoMemoryEnabled === false && { memory: { auto: false } }),
    ...(typeof preset === 'string' && preset !== 'balanced' && { promotion: { preset } }),
  }
  return Object.keys(chosen).length === 0 ? undefined : `${JSON.stringify(chosen, null, 2)}\n`
}

function entryOf(json: unknown, at: SourcePlace, options: SourceOptions): SourceItem {
  if (!isObject(json) || typeof json.content !== 'string')
    return { what: 'refused', trouble: { ...at, code: 'json_damaged', message: 'it is not an entry' } }
  const { source } = json
  const session = isObject(source) ? (source.sessionId ?? source.session) : undefined
  const status = (STATUSES as readonly unknown[]).includes(json.status)
    ? (json.status as Status)
    : 'confirmed'
  const input: NewEntry = {
    content: json.content,
    agent: options.agent,
    kind: [json.category, json.kind, json.type].find(name => typeof name === 'string'),
    importance: numberOf(json.importance),
    confidence: numberOf(json.confidence),
    status,
    origin: isMachine(source, status) ? 'machine' : 'person',
    tags: textsOf(json.tags),
    files: textsOf(json.filePaths),
    session: typeof session === 'string' ? session : undefined,
    date: dateOf(json.createdAt, options.nowMs),
  }
  const lastAccessMs = numberOf(json.lastAccessedAt)
  return {
    what: 'entry',
    at,
    input,
    ...(typeof json.id === 'string' && { sourceId: json.id }),
    accessCount: Math.max(0, Math.floor(numberOf(json.accessCount) ?? 0)),
    ...(lastAccessMs !== undefined && lastAccessMs > 0 && lastAccessMs <= options.nowMs && { lastAccessMs }),
  }
}

/** Whether an agent or a session made it. If nothing says so, a person may have written it, and it stays confirmed. */
function isMachine(source: unknown, status: Status): boolean {
  if (status === 'pinned') return false
  const said = JSON.stringify(source ?? '').toLowerCase()
  if (/"?(?:user|manual|person|human|remember|command)\b/.test(said)) return false
  return status === 'candidate' || /auto|agent|session|extract|promot|finding|model|llm/.test(said)
}

function* aliasesOf(aliases: Record<string, unknown>, at: SourcePlace): Iterable<SourceItem> {
  for (const [word, stored] of Object.entries(aliases)) {
    const meanings = textsOf(stored) ?? []
    if (meanings.length > 0) yield { what: 'alias', at, word, meanings }
    else
      yield {
        what: 'refused',
        trouble: { ...at, code: 'json_damaged', message: `the alias "${word.slice(0, 40)}" has no meaning` },
      }
  }
}

function* conflictsOf(conflicts: readonly unknown[], at: SourcePlace): Iterable<SourceItem> {
  for (const [n, pair] of conflicts.entries()) {
    const type = isObject(pair) ? CONFLICT_TYPES.find(known => known === pair.conflictType) : undefined
    if (!isObject(pair) || typeof pair.entryA !== 'string' || typeof pair.entryB !== 'string') {
      yield {
        what: 'refused',
        trouble: { ...at, code: 'json_damaged', message: `conflict ${n + 1} names no two entries` },
      }
      continue
    }
    const resolvedAt = numberOf(pair.resolvedAt)
    yield {
      what: 'conflict',
      at,
      entries: [pair.entryA, pair.entryB],
      type: type ?? 'ambiguous',
      detectedAt: numberOf(pair.detectedAt) ?? 0,
      ...(resolvedAt !== undefined && { resolvedAt }),
    }
  }
}

function sessionMemory(
  json: unknown,
  nowMs: number,
): { readonly read: SessionMemory; readonly left: number } | undefined {
  if (
    !isObject(json) ||
    typeof json.sessionId !== 'string' ||
    json.sessionId === '' ||
    !Array.isArray(json.findings)
  )
    return undefined
  const { sessionId, parentSessionId } = json
  const createdAt = timeOf(json.createdAt, nowMs)
  const finalizedAt = timeOf(json.finalizedAt, nowMs) ?? createdAt ?? nowMs
  const findings = json.findings.flatMap((value, at) => findingOf(value, sessionId, at) ?? [])
  return {
    read: {
      version: 1,
      sessionId,
      ...(typeof parentSessionId === 'string' && parentSessionId !== '' && { parentSessionId }),
      agentId: typeof json.agentId === 'string' && json.agentId !== '' ? json.agentId : 'shared',
      findings,
      summary: typeof json.summary === 'string' ? json.summary : '',
      createdAt: createdAt ?? finalizedAt,
      finalizedAt,
    },
    left: json.findings.length - findings.length,
  }
}

/** The usable fields of a finding; undefined if it has no text. */
function findingOf(value: unknown, session: string, at: number): SessionFinding | undefined {
  if (!isObject(value) || typeof value.content !== 'string' || value.content.trim() === '') return undefined
  const { id, content, category, promotedEntryId } = value
  const [filePaths, tags] = [textsOf(value.filePaths), textsOf(value.tags)]
  return {
    id: typeof id === 'string' && id !== '' ? id : importedFindingId(session, at, content),
    fingerprint: fingerprint(content),
    content,
    category: typeof category === 'string' && category !== '' ? category : 'lesson',
    importance: shareOf(value.importance),
    confidence: shareOf(value.confidence),
    ...(filePaths !== undefined && { filePaths }),
    ...(tags !== undefined && { tags }),
    promotedToProjectMemory: value.promotedToProjectMemory === true,
    ...(typeof promotedEntryId === 'string' && { promotedEntryId }),
  }
}

/** A stable id, so that importing the same finding again is detected. */
export function importedFindingId(session: string, at: number, content: string): string {
  return `import-${contentHash(new TextEncoder().encode(`${session}\n${at}\n${content}`)).slice(0, 16)}`
}

function shareOf(value: unknown): number {
  return Math.min(1, Math.max(0, numberOf(value) ?? DEFAULT_IMPORTANCE))
}

/** Milliseconds; undefined if it is not a valid time. */
function timeOf(value: unknown, nowMs: number): number | undefined {
  const ms = numberOf(value)
  return ms !== undefined && ms > 0 && ms <= nowMs ? ms : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function textsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value]
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string' && item.trim() !== '')
    : undefined
}

/** Milliseconds or ISO; undefined if it is not a valid date (the day of the import is then used). */
function dateOf(value: unknown, nowMs: number): string | undefined {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return ms > 0 && ms <= nowMs ? new Date(ms).toISOString() : undefined
}

import * as path from 'node:path'
import { parseCheckpoint, parseState } from '../../../features/state/decide/state-document.ts'
import {
  EVENT_KINDS,
  type EventKind,
  type EventSignals,
  type MemoryEvent,
  type ValidationObservation,
} from '../../../kernel/model/event.ts'
import { isObject, parseJson } from '../../../kernel/model/json-value.ts'
import type { NewEntry } from '../../../kernel/model/new-entry.ts'
import { contentHash } from '../../../kernel/system/content-hash.ts'
import { openLines } from '../../../kernel/system/read-lines.ts'
import type { Source, SourceItem, SourceOptions } from './source.ts'
import { filesBelow, isFolder, readText } from './source-files.ts'

/** The kind of entry for each part of the bundle, and how its items are worded. */
const BUNDLE: Readonly<Record<string, { readonly kind: string; readonly shown: (item: string) => string }>> =
  {
    project: { kind: 'project', shown: item => item },
    projectMap: { kind: 'architecture', shown: item => item },
    currentFocus: { kind: 'project', shown: item => `Current focus: ${item}` },
    gotchas: { kind: 'warning', shown: item => item },
    nextSteps: { kind: 'task', shown: item => `- [ ] ${item.replaceAll('\n', '\n  ')}` },
    validationCommands: {
      kind: 'pattern',
      shown: item => `Validation command: ${/[`\n:]/.test(item) ? item : `\`${item}\``}`,
    },
  }
/** Each of these is one entry, however many lines it has. */
const WHOLE = new Set(['project', 'projectMap', 'currentFocus'])

/**
 * Seed D, `.agent-memory/`:
 *
 *   state.json → state.json, and its bundle as entries        history/events.jsonl → history/events.jsonl
 *   history/checkpoints, sources.json, config.json → the same place     archive/prune-… → archive/prune-…
 *
 * A state or a checkpoint that is not of our form goes to the archive.
 */
export const agentMemorySource: Source = async function* (options) {
  const folder = isFolder(options.path) ? options.path : path.dirname(options.path)
  const files = isFolder(options.path) ? filesBelow(folder) : [path.basename(options.path)]
  const batches = new Map<string, string[]>()
  for (const file of files) {
    const batch = /^archive\/(prune-[\w.:-]+)\//.exec(file)?.[1]
    if (batch !== undefined) batches.set(batch, [...(batches.get(batch) ?? []), file])
    else if (path.basename(file) === 'events.jsonl') yield* eventsIn(folder, file)
    else if (file === 'state.json') yield* stateIn(folder, file, options)
    else {
      const text = readText(path.join(folder, file))
      const isCheckpoint = /^history\/checkpoints\/[^/]+\.json$/.test(file)
      const isPlaced = isCheckpoint
        ? parseCheckpoint(text).kind === 'read'
        : file === 'sources.json' || file === 'config.json'
      yield { what: 'file', at: { file }, text, ...(isPlaced && { place: file }) }
    }
  }
  for (const [batch, names] of batches) yield* batchIn(folder, batch, names)
}

async function* stateIn(folder: string, file: string, options: SourceOptions): AsyncIterable<SourceItem> {
  const text = readText(path.join(folder, file))
  const state = parseJson(text)
  if (!isObject(state)) {
    yield {
      what: 'remark',
      trouble: {
        file,
        code: 'json_damaged',
        message: 'it is not JSON; it is stored unchanged in the archive',
      },
    }
    yield { what: 'file', at: { file }, text }
    return
  }
  // Recall could not read this state, so it goes to the archive; its bundle is still imported as entries.
  yield {
    what: 'file',
    at: { file },
    text,
    ...(parseState(text).kind === 'read' && { place: 'state.json' }),
  }
  const bundle = isObject(state.bundle) ? state.bundle : {}
  const date =
    typeof state.generatedAt === 'string' && Date.parse(state.generatedAt) <= options.nowMs
      ? state.generatedAt
      : undefined
  for (const [part, value] of Object.entries(bundle)) {
    const { kind, shown } = BUNDLE[part] ?? { kind: 'lesson', shown: (item: string) => `${part}: ${item}` }
    const items = WHOLE.has(part)
      ? [itemsOf(value).join('\n')].filter(item => item.trim() !== '')
      : itemsOf(value)
    for (const item of items) {
      const input: NewEntry = {
        content: shown(item),
        kind,
        agent: options.agent,
        origin: 'machine',
        date,
      }
      yield { what: 'entry', at: { file }, input }
    }
  }
}

/** A text, a list of texts or of objects with texts, or a table of these. */
function itemsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()]
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (Array.isArray(value)) return value.map(item => itemsOf(item).join('\n')).filter(item => item !== '')
  if (!isObject(value)) return []
  const title = [value.title, value.name, value.command, value.path].find(
    (text): text is string => typeof text === 'string',
  )
  const rest = Object.entries(value)
    .filter(([, item]) => item !== title)
    .flatMap(([key, item]) => {
      const text = itemsOf(item).join(', ')
      if (text === '') return []
      return [
        /^(?:text|summary|description|detail|details|content|body|note)$/.test(key)
          ? text
          : `${key}: ${text}`,
      ]
    })
  if (title === undefined) return rest
  return [rest.length === 0 ? title : `${title}: ${rest.join('; ')}`]
}

async function* eventsIn(folder: string, file: string): AsyncIterable<SourceItem> {
  const { lines } = await openLines(path.join(folder, file))
  let isDamaged = false
  for await (const { text, number, cut } of lines) {
    if (text.trim() === '') continue
    const at = { file, line: number }
    const event = cut === undefined ? eventOf(parseJson(text)) : undefined
    isDamaged ||= event === undefined
    if (event !== undefined) yield { what: 'event', at, event }
    else
      yield { what: 'refused', trouble: { ...at, code: 'event_line_damaged', message: 'it is not an event' } }
  }
  // A damaged file is stored anyway, so that it can be repaired later.
  if (isDamaged) yield { what: 'file', at: { file }, text: readText(path.join(folder, file)) }
}

/** The event in Cairn's form; missing fields are derived from the others. */
function eventOf(json: unknown): MemoryEvent | undefined {
  if (!isObject(json) || !isObject(json.signals)) return undefined
  const kind = EVENT_KINDS.find(known => known === (json.kind ?? json.type)) as EventKind | undefined
  const createdAt = typeof json.createdAt === 'string' ? Date.parse(json.createdAt) : Number(json.createdAt)
  if (typeof json.id !== 'string' || kind === undefined || Number.isNaN(createdAt)) return undefined
  const text = (value: unknown) =>
    typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  return {
    id: json.id,
    kind,
    sourceId: text(json.sourceId),
    createdAt: new Date(createdAt).toISOString(),
    contentHash:
      typeof json.contentHash === 'string'
        ? json.contentHash
        : contentHash(new TextEncoder().encode(JSON.stringify(json))),
    summary: text(json.summary),
    signals: signalsOf(json.signals),
    sourceRef: text(json.sourceRef),
  }
}

function signalsOf(signals: Record<string, unknown>): EventSignals {
  const texts = (value: unknown) =>
    (Array.isArray(value) ? value : value === undefined ? [] : [value]).flatMap(item => itemsOf(item))
  const observed = signals.validationObservations
  return {
    decisions: texts(signals.decisions),
    gotchas: texts(signals.gotchas),
    nextStepHints: texts(signals.nextStepHints),
    keyPaths: texts(signals.keyPaths),
    validationObservations: (Array.isArray(observed) ? observed : []).flatMap(observationOf),
  }
}

/** `{ command, outcome }`, or a sentence about a command that says whether it failed. */
function observationOf(value: unknown): ValidationObservation[] {
  const command = isObject(value) ? (value.command ?? value.text) : value
  if (typeof command !== 'string' || command.trim() === '') return []
  const said = isObject(value) ? JSON.stringify(value) : command
  const hasFailed = /fail|error|"(?:ok|passed|success)":\s*false|"exitCode":\s*[1-9]/i.test(said)
  return [{ command: command.trim().slice(0, 200), outcome: hasFailed ? 'failed' : 'passed' }]
}

async function* batchIn(folder: string, batch: string, files: readonly string[]): AsyncIterable<SourceItem> {
  const root = `archive/${batch}/`
  const events: MemoryEvent[] = []
  const kept: { path: string; text: string }[] = []
  for (const file of files) {
    const name = file.slice(root.length)
    if (name === 'events.jsonl') {
      for await (const item of eventsIn(folder, file)) {
        if (item.what === 'event') events.push(item.event)
        else yield item
      }
    } else {
      const text = readText(path.join(folder, file))
      const checkpoint = /^checkpoints\/[^/]+\.json$/.test(name)
      kept.push({
        path: checkpoint ? `history/${name}` : name === 'manifest.json' ? 'agent-memory-manifest.json' : name,
        text,
      })
    }
  }
  yield { what: 'batch', at: { file: root }, archivedAt: dateOfBatch(batch, kept), events, files: kept }
}

/** From its manifest, or from its name: `prune-2026-03-16T16-51-00-000Z`, `prune-1773679871839`. */
function dateOfBatch(batch: string, files: readonly { path: string; text: string }[]): string {
  const manifest = parseJson(files.find(file => file.path === 'agent-memory-manifest.json')?.text ?? '')
  const stamp = batch.slice('prune-'.length)
  const named = /^\d{12,14}$/.test(stamp)
    ? Number(stamp)
    : Date.parse(
        stamp.replace(
          /T(\d\d)[-:](\d\d)[-:](\d\d)(?:[-.](\d{3}))?/,
          (_, h, m, s, ms) => `T${h}:${m}:${s}.${ms ?? '000'}`,
        ),
      )
  const said = isObject(manifest)
    ? [manifest.at, manifest.createdAt, manifest.archivedAt, manifest.prunedAt].map(value =>
        new Date(String(value)).getTime(),
      )
    : []
  const ms = [named, ...said].find(value => !Number.isNaN(value))
  return new Date(ms ?? 0).toISOString()
}

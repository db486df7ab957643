import * as path from 'node:path'
import { SEED_CHATS_FILE } from '../../../features/sessions/decide/seed-chats.ts'
import { readTranscriptMessage } from '../../../hosts/transcripts/decide/transcript-message.ts'
import { suggestAgentId } from '../../../kernel/model/agent-id.ts'
import { isObject, parseJson } from '../../../kernel/model/json-value.ts'
import type { Message } from '../../../kernel/model/message.ts'
import type { NoticeCode } from '../../../kernel/model/notice-codes.ts'
import { contentHash } from '../../../kernel/system/content-hash.ts'
import { type JsonPart, jsonElements } from '../../../kernel/system/json-elements.ts'
import { type Line, openLines } from '../../../kernel/system/read-lines.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { chatsOf, isChatFile } from './default-places.ts'
import type { Source, SourceItem, SourceMessage, SourceOptions, Trouble } from './source.ts'
import { changedMs, filesBelow, isFolder, memoryContent, readText, sizeBytes } from './source-files.ts'

/** The id of a conversation is made of its beginning. A longer beginning would change while the file grows. */
const START_CHARACTERS = 1_000
/** A file that cannot be parsed is archived if it is not larger than this. */
const KEPT_BYTES = 1_048_576

/** Seed A, section 2: `conversations/*.json` (one file or a folder), the project text next to the folder, and chat ids. */
export const conversationSource: Source = async function* (options) {
  const folder = isFolder(options.path)
  // Conversations in the folders of this memory are already in their place.
  const isOwn = path.resolve(options.path) === path.join(options.memory, 'conversations')
  const files = folder
    ? filesBelow(options.path, isOwn ? 0 : 1).filter(file => /\.jsonl?$/.test(file))
    : [path.basename(options.path)]
  const root = folder ? options.path : path.dirname(options.path)
  if (!folder && isChatFile(options.path)) return yield* chatsIn(path.dirname(root), new Set(), options)
  const memory = path.dirname(path.resolve(options.path))
  const project = path.dirname(memory)
  const taken = new Set<string>()
  for await (const item of conversationsIn(root, files, options)) {
    const chat = item.what === 'session' && folder ? chatsOf(project).get(item.head.agent) : undefined
    if (item.what === 'session') taken.add(item.head.agent)
    yield item.what === 'session' && chat !== undefined ? { ...item, head: { chat, ...item.head } } : item
  }
  if (folder) yield* chatsIn(project, taken, options)
  if (folder && !isOwn) yield* beside(memory)
}

/** Chats of agents without a stored conversation: only the id is known. */
function* chatsIn(
  project: string,
  taken: ReadonlySet<string>,
  { memory, nowMs, sourceId }: SourceOptions,
): Iterable<SourceItem> {
  const isOwn = path.resolve(project) === path.dirname(memory)
  for (const [agent, chat] of chatsOf(project)) {
    if (taken.has(agent)) continue
    const other = `import-${contentHash(new TextEncoder().encode(`${agent}\n${chat}`))}`
    const startedAt = new Date(changedMs(path.join(project, SEED_CHATS_FILE)) ?? nowMs).toISOString()
    const session = isOwn ? `seed-${agent}` : other
    yield {
      what: 'session',
      at: { file: SEED_CHATS_FILE },
      head: {
        session,
        agent,
        host: 'cursor',
        startedAt,
        chat,
        ...(sourceId !== undefined && { source: sourceId }),
      },
      messages: noMessages(),
    }
  }
}

async function* noMessages(): AsyncIterable<SourceMessage> {
  yield* []
}

/** Other files of a seed A memory: imports the project text and reports how to import the rest. */
function* beside(memory: string): Iterable<SourceItem> {
  for (const { name, isVault } of memoryContent(memory)) {
    if (name === '_project.md')
      yield { what: 'file', at: { file: name }, text: readText(path.join(memory, name)), place: name }
    else {
      const message = isVault
        ? 'it is a vault, which Cairn reads as it is: copy the folder into .memory/'
        : 'it is a flat memory file: `cairn import <file> --from flat` takes it'
      yield { what: 'remark', trouble: { file: name, code: 'not_taken', message } }
    }
  }
}

/** Any list of messages: JSON lines, or a JSON file with a list. */
export const transcriptSource: Source = async function* (options) {
  if (!isFolder(options.path))
    return yield* conversationsIn(path.dirname(options.path), [path.basename(options.path)], options)
  const files = filesBelow(options.path).filter(name => /\.jsonl?$/.test(name))
  yield* conversationsIn(options.path, files, options)
}

async function* conversationsIn(
  root: string,
  files: readonly string[],
  options: SourceOptions,
): AsyncIterable<SourceItem> {
  for (const file of files) {
    if (options.isKnown?.(file) === true) continue
    let isKept = true
    for await (const item of conversationIn(root, file, options)) {
      if (item.what !== 'session') isKept = false
      yield item
    }
    await options.onTaken?.(file, isKept)
  }
}

async function* conversationIn(
  root: string,
  file: string,
  options: SourceOptions,
): AsyncIterable<SourceItem> {
  const found = file.endsWith('.json')
    ? messagesInJson(path.join(root, file), file)
    : messagesInLines(path.join(root, file), file)
  const about: Record<string, unknown> = {}
  const parts = withFields(found, about)
  const messages = withDates(parts, file, options.nowMs)
  // Facts about the conversation come before its messages, so the first message must be read to know them.
  const { first, before, all } = await looked(messages)
  if (first === undefined) {
    for (const { trouble } of before) if (trouble !== undefined) yield { what: 'refused', trouble }
    if (before.length === 0)
      yield {
        what: 'refused',
        trouble: {
          file,
          code: 'conversation_empty',
          message: 'it has no messages, or it is not JSON',
        },
      }
    const size = sizeBytes(path.join(root, file))
    if (size > 0 && size <= KEPT_BYTES)
      yield { what: 'file', at: { file }, text: readText(path.join(root, file)) }
    return
  }
  const changed = changedMs(path.join(root, file)) ?? options.nowMs
  const agent = agentOf(about, file, options)
  const savedAt =
    typeof about.savedAt === 'string' || typeof about.savedAt === 'number'
      ? new Date(about.savedAt).getTime()
      : Number.NaN
  const startedAt = first.at ?? new Date(Number.isNaN(savedAt) ? changed : savedAt).toISOString()
  const isOwn = path.resolve(root) === path.join(options.memory, 'conversations') && !file.includes('/')
  const named = about.sessionId ?? about.session
  yield {
    what: 'session',
    at: { file },
    head: {
      // A conversation in this memory has its file name as its id.
      session: isOwn
        ? `seed-${agent}`
        : typeof named === 'string' && named !== ''
          ? named
          : sessionOf(file, agent, { first, isDated: before.at(-1)?.trouble === undefined }),
      agent,
      host: 'import',
      startedAt,
      ...(typeof about.chatId === 'string' && { chat: about.chatId }),
      ...(typeof about.modelId === 'string' && { model: about.modelId }),
      ...(options.sourceId !== undefined && { source: options.sourceId }),
    },
    messages: all,
  }
}

/**
 * The same id for the same conversation, also after it grew. Many conversations begin with the same words, and merging two would
 * lose the text of the second, so the name and the start time (or else the path) are part of the id.
 */
function sessionOf(
  file: string,
  agent: string,
  { first, isDated }: { readonly first: Message; readonly isDated: boolean },
): string {
  const own = isDated && first.at !== undefined ? [path.basename(file), first.at] : [file]
  const start = [...own, agent, first.role, first.text.slice(0, START_CHARACTERS)].join('\n')
  return `import-${contentHash(new TextEncoder().encode(start))}`
}

function agentOf(about: Record<string, unknown>, file: string, options: SourceOptions): string {
  if (options.agentIsNamed) return options.agent
  const named = about.agentId ?? about.agent
  if (typeof named === 'string' && named !== '') return nameOf(named, options)
  // `conversations/dev.json` and `conversations/dev/session.json` belong to dev; the name of a transcript says nothing about the
  // agent.
  if (path.extname(file) !== '.json' || !Object.hasOwn(about, 'messages')) return options.agent
  return nameOf(file.includes('/') ? (file.split('/')[0] ?? '') : path.basename(file, '.json'), options)
}

/** A name that looks like a secret is not used; the messages go to the agent of the import. */
function nameOf(named: string, options: SourceOptions): string {
  return redact(named, { emails: false }).redacted.length > 0 ? options.agent : suggestAgentId(named)
}

type Raw =
  | { readonly kind: 'field'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'value'; readonly value: unknown; readonly line: number; readonly done: number }
  | { readonly kind: 'trouble'; readonly trouble: Trouble; readonly done: number }

async function* messagesInJson(full: string, file: string): AsyncIterable<Raw> {
  let done = 0
  for await (const part of jsonElements(full, 'messages')) {
    if (part.part === 'broken') {
      yield trouble(
        file,
        part.line,
        done,
        'json_damaged',
        'the file ends in the middle; what came before is taken',
      )
    } else if (part.part === 'field') yield { kind: 'field', name: part.name, value: parseJson(part.text) }
    else {
      done = part.bytesRead
      yield elementOf(part, file)
    }
  }
}

function elementOf(part: Extract<JsonPart, { part: 'element' }>, file: string): Raw {
  if (part.cut !== undefined) return tooLong(file, part.line, part.bytesRead, part.cut)
  const value = parseJson(part.text)
  return value === undefined
    ? trouble(file, part.line, part.bytesRead, 'json_damaged', 'it is not JSON')
    : { kind: 'value', value, line: part.line, done: part.bytesRead }
}

async function* messagesInLines(full: string, file: string): AsyncIterable<Raw> {
  const { lines } = await openLines(full)
  for await (const line of lines) {
    if (line.text.trim() !== '') yield lineOf(line, file)
  }
}

function lineOf({ text, number, bytesRead, cut }: Line, file: string): Raw {
  if (cut !== undefined) return tooLong(file, number, bytesRead, cut)
  const value = parseJson(text)
  return value === undefined
    ? trouble(file, number, bytesRead, 'json_damaged', 'it is not JSON')
    : { kind: 'value', value, line: number, done: bytesRead }
}

function tooLong(file: string, line: number, done: number, bytes: number): Raw {
  return trouble(
    file,
    line,
    done,
    'message_too_long',
    `it has ${Math.round(bytes / 1_048_576)} MB, and at most 4 MB are taken of one message`,
  )
}

function trouble(file: string, line: number, done: number, code: NoticeCode, message: string): Raw {
  return { kind: 'trouble', trouble: { file, line, code, message }, done }
}

/** Collects the facts about the whole conversation. */
async function* withFields(
  raw: AsyncIterable<Raw>,
  about: Record<string, unknown>,
): AsyncIterable<Exclude<Raw, { kind: 'field' }>> {
  for await (const part of raw) {
    if (part.kind === 'field') about[part.name] = part.value
    else if (part.kind === 'value' && isAboutSession(part.value)) Object.assign(about, part.value.head)
    else yield part
    about.messages ??= true
  }
}

/** Lines in which hosts (and Cairn) describe the session; they are not messages. */
const ABOUT_SESSION = new Set(
  'summary session session_meta meta file-history-snapshot queue-operation turn_context event_msg response_item'.split(
    ' ',
  ),
)

function isAboutSession(value: unknown): value is { readonly head?: object } {
  if (!isObject(value) || value.role !== undefined) return false
  if (isObject(value.head) || typeof value.state === 'string') return true
  return typeof value.type === 'string' && ABOUT_SESSION.has(value.type)
}

async function* withDates(
  parts: AsyncIterable<Exclude<Raw, { kind: 'field' }>>,
  file: string,
  nowMs: number,
): AsyncIterable<SourceMessage> {
  let previousAt: string | undefined
  for await (const part of parts) {
    if (part.kind === 'trouble') {
      yield { trouble: part.trouble, done: part.done }
      continue
    }
    const { value, line, done } = part
    const read = readTranscriptMessage(value, { nowMs, previousAt })
    previousAt = read.message?.at ?? previousAt
    yield {
      done,
      ...(read.message !== undefined && { message: read.message }),
      ...(read.trouble !== undefined && { trouble: { file, line, ...read.trouble } }),
    }
  }
}

/**
 * The first message, and all messages, without reading anything twice. Refused lines before the first message are part of `all`.
 */
async function looked(messages: AsyncIterable<SourceMessage>) {
  const iterator = messages[Symbol.asyncIterator]()
  const before: SourceMessage[] = []
  for (;;) {
    const next = await iterator.next()
    if (next.done === true) break
    before.push(next.value)
    if (next.value.message !== undefined) break
  }
  const all = async function* (): AsyncIterable<SourceMessage> {
    yield* before
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return { first: before.at(-1)?.message, before, all: all() }
}

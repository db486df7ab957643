import type { FreshnessPorts } from '../../features/freshness/decide/ports.ts'
import { captureHead } from '../../features/sessions/capture-session.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import { checkSessionId } from '../../features/sessions/session-ids.ts'
import type { UpkeepPorts } from '../../features/upkeep/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { homeOfKind } from '../../kernel/model/category.ts'
import type { Config } from '../../kernel/model/config.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { MemoryEvent } from '../../kernel/model/event.ts'
import type { Message } from '../../kernel/model/message.ts'
import type { SessionFinding, SessionMemory } from '../../kernel/model/session.ts'
import { foldAlias } from '../../kernel/text/aliases.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { importItems, newBatch } from './import-items.ts'
import type { ImportSession } from './session-importer.ts'
import { importedFindingId } from './sources/project-source.ts'
import type { SourceFormat, SourceItem, SourceMessage, Trouble } from './sources/source.ts'
import { type ImportedFile, storeImportedFiles } from './store-imported-files.ts'
import {
  type ImportCounts,
  type ImportPart,
  type Item,
  newTally,
  type OnProgress,
  type Tally,
  withoutSecrets,
} from './tally.ts'

interface StoreItemsOptions {
  readonly dryRun: boolean
  readonly from: SourceFormat | 'transcripts'
  readonly sessionImporter: ImportSession
  /** The import source of its events. */
  readonly sourceId?: string | undefined
  readonly onProgress?: OnProgress
}

const EVENT_BATCH = 1_000
/** Entries in memory at a time, so that memory use does not grow with the store. */
const ENTRY_WINDOW = 20_000
const LEFT_OPEN = {
  code: 'session_left_open',
  message: 'it is long: `cairn session pick-up` closes it',
} as const

/**
 * Stores every item of a source. Conversations are stored as they are read. Small items are collected first, because conflicts
 * and findings refer to entries that must exist.
 */
export async function storeSourceItems(
  memory: Memory & SessionPorts & FreshnessPorts & UpkeepPorts,
  items: AsyncIterable<SourceItem>,
  options: StoreItemsOptions,
): Promise<ImportCounts> {
  const config = await memory.config()
  const redaction = redactionOptions(config)
  const tally = newTally()
  const batch = newBatch(memory)
  let entries: Item<'entry'>[] = []
  const idBySource = new Map<string, string>()
  const flushEntries = async () => {
    for (const [there, here] of await takeEntries(memory, entries, { ...options, batch }, tally))
      idBySource.set(there, here)
    entries = []
  }
  const curated: (Item<'alias'> | Item<'conflict'> | Item<'memory'>)[] = []
  const files: ImportedFile[] = []
  let events: Item<'event'>[] = []
  const flushEvents = async () => {
    const { dryRun, sourceId } = options
    const own =
      sourceId === undefined ? events : events.map(item => ({ ...item, event: { ...item.event, sourceId } }))
    await takeEvents(memory, own, { redaction, tally, dryRun, batch })
    events = []
  }

  for await (const item of items) {
    if (item.what === 'refused') tally.refuse(item.trouble)
    else if (item.what === 'remark') tally.remark(item.trouble)
    else if (item.what === 'entry') {
      entries.push(item)
      if (entries.length >= ENTRY_WINDOW) await flushEntries()
    } else if (item.what === 'session') await takeSession(item, { ...options, config, batch }, tally)
    else if (item.what === 'event') {
      events.push(item)
      if (events.length >= EVENT_BATCH) await flushEvents()
    } else if (item.what === 'batch')
      await takeBatch(memory, item, { redaction, tally, dryRun: options.dryRun, batch })
    else if (item.what === 'file') files.push(item)
    else curated.push(item)
  }
  await flushEvents()
  await flushEntries()
  await curateImported(memory, curated, { idBySource, redaction, tally, dryRun: options.dryRun, batch })
  await storeImportedFiles(memory, files, {
    redaction,
    tally,
    dryRun: options.dryRun,
    batch,
    from: options.from,
  })
  // A remark or a path may contain a secret.
  const clean = (trouble: Trouble): Trouble => ({
    ...trouble,
    file: redact(trouble.file, redaction).text,
    message: redact(trouble.message, redaction).text,
  })
  const report = tally.report()
  return { ...report, failures: report.failures.map(clean), remarks: report.remarks.map(clean) }
}

async function takeEntries(
  memory: Memory & FreshnessPorts & UpkeepPorts,
  entries: readonly Item<'entry'>[],
  { dryRun, onProgress, batch }: StoreItemsOptions & { readonly batch: string },
  tally: Tally,
): Promise<ReadonlyMap<string, string>> {
  const report = await importItems(
    memory,
    entries.map(({ input }, at) => ({ line: at, done: at + 1, input: () => input })),
    { dryRun, batch, ...(onProgress && { onProgress: done => onProgress(done, entries.length, 'entries') }) },
  )
  const failureAt = new Map(report.failures.map(failure => [failure.line, failure]))
  const refused = new Set(report.refused)
  const seen = new Set(report.known)
  const idBySource = new Map<string, string>()
  const accessed: { id: string; accessCount: number; lastAccessMs?: number }[] = []
  for (const [n, { at, input, sourceId, accessCount = 0, lastAccessMs }] of entries.entries()) {
    if (refused.has(n)) {
      const { code = 'invalid_input', message = '' } = failureAt.get(n) ?? {}
      tally.refuse({ ...at, code, message })
      continue
    }
    const id = report.ids[n]
    const category = input.category ?? homeOfKind(input.kind ?? 'lesson')
    tally.count('entries', `${input.agent}/${category}`, !seen.has(n))
    if (id === null || id === undefined) continue
    if (sourceId !== undefined) idBySource.set(sourceId, id)
    if (accessCount > 0)
      accessed.push({ id, accessCount, ...(lastAccessMs !== undefined && { lastAccessMs }) })
  }
  tally.redacted(report.redacted)
  tally.wrote(report.record)
  if (accessed.length > 0) await memory.upkeepIndex.raiseAccess(accessed)
  return idBySource
}

async function takeSession(
  session: Item<'session'>,
  options: StoreItemsOptions & { readonly config: Config; readonly batch: string },
  tally: Tally,
): Promise<void> {
  const { at } = session
  const messages = reported(session.messages, tally, options)
  try {
    const head = captureHead(session.head, options.config)
    if (options.dryRun) {
      let count = 0
      for await (const _message of messages) count++
      tally.count('sessions', `conversations/${head.agent}`, true)
      return tally.note('messages', `conversations/${head.agent}`, count)
    }
    const kept = await options.sessionImporter({ head, messages, batch: options.batch })
    tally.count('sessions', `conversations/${head.agent}`, kept.isNew || kept.added > 0)
    tally.note('messages', `conversations/${head.agent}`, kept.added)
    tally.note('findings', 'sessions/', kept.findings)
    tally.note('entries from sessions', `${head.agent}/`, kept.entries)
    tally.redacted(kept.redacted)
    tally.wrote(kept.record)
    if (kept.isLeft && kept.added > 0) tally.remark({ ...at, ...LEFT_OPEN })
  } catch (error) {
    if (!(error instanceof CairnError) || error.class !== 'usage') throw error
    tally.refuse({ ...at, code: error.code, message: error.message })
  }
}

/** Yields valid messages and reports the others. */
async function* reported(
  messages: AsyncIterable<SourceMessage>,
  tally: Tally,
  { onProgress }: StoreItemsOptions,
): AsyncIterable<Message> {
  for await (const { message, trouble, done } of messages) {
    onProgress?.(done, undefined, 'bytes')
    if (trouble !== undefined) {
      if (message === undefined) tally.refuse(trouble)
      else tally.remark(trouble)
    }
    if (message !== undefined) yield message
  }
}

async function takeEvents(
  memory: SessionPorts,
  items: readonly Item<'event'>[],
  { redaction, tally, dryRun }: ImportPart,
): Promise<void> {
  const to = 'history/events.jsonl'
  const clean = items.map(({ event }) => withoutSecrets(event, redaction, tally))
  const added = dryRun ? new Set(clean) : new Set(await memory.events.append(clean))
  for (const event of clean) tally.count('events', to, added.has(event))
}

async function takeBatch(
  memory: UpkeepPorts,
  batch: Item<'batch'>,
  { redaction, tally, dryRun }: ImportPart,
): Promise<void> {
  const { batches } = await memory.archive.list()
  const known = batches.some(({ kind, at }) => kind === 'prune' && at === batch.archivedAt)
  const name = `archive/prune-${batch.archivedAt.replaceAll(/[:.]/g, '-')}`
  if (!known && !dryRun) {
    await memory.archive.write({
      kind: 'prune',
      at: batch.archivedAt,
      events: batch.events.map((event): MemoryEvent => withoutSecrets(event, redaction, tally)),
      files: batch.files.map(({ path, text }) => ({
        path,
        bytes: new TextEncoder().encode(redact(text, redaction).text),
      })),
    })
  }
  tally.count('batches', name, !known)
}

interface CuratePart extends ImportPart {
  /** Entry ids by their id in the source. */
  readonly idBySource: ReadonlyMap<string, string>
}

/** Writes aliases and conflicts to curation.json as one change, and session memories to sessions/. */
async function curateImported(
  memory: Memory & SessionPorts,
  items: readonly (Item<'alias'> | Item<'conflict'> | Item<'memory'>)[],
  part: CuratePart,
): Promise<void> {
  const aliases = items.filter(item => item.what === 'alias')
  const conflicts = items.filter(item => item.what === 'conflict')
  if (aliases.length + conflicts.length > 0) await curate(memory, aliases, conflicts, part)
  for (const item of items) {
    if (item.what !== 'memory') continue
    try {
      await keepMemory(memory, item, part)
    } catch (error) {
      if (!(error instanceof CairnError) || !(error.class === 'usage' || error.code === 'document_damaged'))
        throw error
      part.tally.refuse({ ...item.at, code: error.code, message: error.message })
    }
  }
}

async function curate(
  memory: Memory,
  aliases: readonly Item<'alias'>[],
  conflicts: readonly Item<'conflict'>[],
  { idBySource, redaction, tally, dryRun, batch }: CuratePart,
): Promise<void> {
  const pairs = await Promise.all(conflicts.map(conflict => pairOf(memory, conflict, idBySource)))
  const plan = (before: Readonly<Record<string, unknown>>) => {
    const own = { ...(before.aliases as Record<string, readonly string[]> | undefined) }
    const isNew = aliases.map(({ word, meanings }) => {
      const key = foldAlias(redact(word, redaction).text)
      const known = own[key] ?? []
      const all = [
        ...new Set([...known, ...meanings.map(meaning => foldAlias(redact(meaning, redaction).text))]),
      ]
      own[key] = all
      return all.length > known.length
    })
    const kept = Array.isArray(before.conflicts) ? [...before.conflicts] : []
    const known = new Set(kept.map(nameOfPair))
    const isNewPair = pairs.map(pair => {
      if (pair === undefined || known.has(nameOfPair(pair))) return false
      known.add(nameOfPair(pair))
      kept.push(pair)
      return true
    })
    return {
      isNew,
      isNewPair,
      after: { ...before, aliases: own, ...(kept.length > 0 && { conflicts: kept }) },
    }
  }

  const seen = plan(await memory.store.readDocument('curation.json'))
  for (const isNew of seen.isNew) tally.count('aliases', 'curation.json', isNew)
  conflicts.forEach((conflict, n) => {
    // In a dry run, entries have no ids yet.
    if (pairs[n] !== undefined || dryRun)
      tally.count('conflicts', 'curation.json', dryRun || seen.isNewPair[n] === true)
    else
      tally.refuse({
        ...conflict.at,
        code: 'entry_not_found',
        message:
          `The conflict of ${conflict.entries.join(' and ')} names an entry that was not imported`.slice(
            0,
            200,
          ),
      })
  })
  if (dryRun) return
  const written = await memory.store.write(memory.actor, async view => {
    const before = await view.readDocument('curation.json')
    const { isNew, isNewPair, after } = plan(before)
    if (!isNew.includes(true) && !isNewPair.includes(true)) return null
    return { action: 'import', batch, changes: [{ type: 'document', name: 'curation.json', before, after }] }
  })
  tally.wrote(written?.id ?? null)
}

/** Seed C records when a conflict was resolved, but not how. In a succession the newer entry is valid; otherwise both are. */
async function pairOf(
  memory: Memory,
  { entries, type, detectedAt, resolvedAt }: Item<'conflict'>,
  idBySource: ReadonlyMap<string, string>,
): Promise<Record<string, unknown> | undefined> {
  const [idA, idB] = entries.map(id => idBySource.get(id))
  if (idA === undefined || idB === undefined) return undefined
  const [a, b] = [await memory.store.findEntry(idA), await memory.store.findEntry(idB)]
  if (a === undefined || b === undefined) return undefined
  const pair = { entryA: a.id, entryB: b.id, conflictType: type, detectedAt }
  if (resolvedAt === undefined) return pair
  const said = [fingerprint(a.content), fingerprint(b.content)]
  const resolved = { ...pair, resolvedAt, said, by: 'import' }
  if (type !== 'superseded') return { ...resolved, resolution: 'both' }
  return { ...resolved, resolution: 'superseded', holds: a.date > b.date ? a.id : b.id }
}

function nameOfPair(pair: unknown): string {
  const { entryA, entryB } = (pair ?? {}) as { entryA?: unknown; entryB?: unknown }
  return [String(entryA), String(entryB)].sort().join(' ')
}

async function keepMemory(
  engine: Memory & SessionPorts,
  { memory }: Item<'memory'>,
  { idBySource, redaction, tally, dryRun }: CuratePart,
): Promise<void> {
  const config = await engine.config()
  // Ids are never redacted, because two could become one. An id that looks like a secret is refused or replaced.
  const sessionId = checkSessionId(memory.sessionId, config)
  const parent =
    memory.parentSessionId === undefined ? undefined : checkSessionId(memory.parentSessionId, config)
  const known = await engine.sessions.findMemory(sessionId)
  tally.count('memories of sessions', 'sessions/', known === undefined)
  if (known !== undefined || dryRun) return
  const renamed: SessionMemory = {
    ...memory,
    findings: memory.findings.map(finding => {
      const { promotedEntryId, ...rest } = finding
      const id = promotedEntryId === undefined ? undefined : idBySource.get(promotedEntryId)
      return { ...rest, ...(id !== undefined && { promotedEntryId: id }) }
    }),
  }
  const clean = withoutSecrets(renamed, redaction, tally)
  const net = async (text: string) => {
    if (!config['redaction.secondNet']) return text
    const second = await engine.secondNet(text)
    tally.redacted(second.redacted.length)
    return second.text
  }
  const findings: SessionFinding[] = []
  for (const [n, finding] of clean.findings.entries()) {
    const content = await net(finding.content)
    const { id, promotedEntryId } = renamed.findings[n] ?? finding
    findings.push({
      ...finding,
      content,
      id: finding.id === id ? id : importedFindingId(sessionId, n, content),
      fingerprint: fingerprint(content),
      ...(promotedEntryId !== undefined && { promotedEntryId }),
    })
  }
  await engine.sessions.saveMemory({
    ...clean,
    sessionId,
    ...(parent !== undefined && { parentSessionId: parent }),
    agentId: clean.agentId === memory.agentId ? memory.agentId : config['vault.defaultAgent'],
    summary: await net(clean.summary),
    findings,
  })
}

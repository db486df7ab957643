import * as v from 'valibot'
import { captureEntry } from '../../features/entries/decide/capture-entry.ts'
import { rejectionsIn } from '../../features/entries/decide/curation.ts'
import { remember } from '../../features/entries/write-entries.ts'
import type { FreshnessPorts } from '../../features/freshness/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { isCategory } from '../../kernel/model/category.ts'
import { ORIGINS, STATUSES } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { CapturedEntry, NewEntry } from '../../kernel/model/new-entry.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import { provenanceKey, provenanceOf } from '../../kernel/model/provenance.ts'
import { findAgentInstruction } from '../../kernel/text/agent-instructions.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'

/** Entries for each journal record and round of file writes: large enough to be fast, small enough for memory. */
const BATCH = 4_000
/** Lines read ahead and written in the order of their dates, so that a batch touches few pages even if the file is not sorted. */
const WINDOW = 20_000
const PAGE = 10_000
export const MAX_REPORTED = 100

const lineSchema = v.object({
  text: v.string('a text'),
  metadata: v.optional(
    v.object({
      category: v.optional(v.nullable(v.string())),
      kind: v.optional(v.nullable(v.string())),
      tags: v.optional(v.nullable(v.array(v.string()))),
      files: v.optional(v.nullable(v.array(v.string()))),
      date: v.optional(v.nullable(v.string())),
      session: v.optional(v.nullable(v.string())),
      agent: v.optional(v.nullable(v.string())),
      importance: v.optional(v.nullable(v.number())),
      status: v.optional(v.nullable(v.picklist(STATUSES, `one of ${STATUSES.join(', ')}`))),
      origin: v.optional(v.nullable(v.picklist(ORIGINS, `one of ${ORIGINS.join(', ')}`))),
      confidence: v.optional(v.nullable(v.number())),
      anchors: v.optional(v.nullable(v.array(v.object({ file: v.string(), print: v.string() })))),
      commit: v.optional(v.nullable(v.string())),
      provenance: v.optional(
        v.nullable(
          v.object({
            tool: v.string(),
            file: v.exactOptional(v.string()),
            id: v.exactOptional(v.string()),
            print: v.exactOptional(v.string()),
          }),
        ),
      ),
    }),
  ),
})

export interface ImportFailure {
  readonly line: number
  readonly code: NoticeCode
  readonly message: string
}

/** In a dry run: what would be added and what would be a duplicate. */
export interface ImportReport {
  readonly read: number
  readonly added: number
  readonly duplicates: number
  readonly redacted: number
  readonly failed: number
  readonly failures: readonly ImportFailure[]
  /** The entry of each input, in order; null if the input failed. */
  readonly ids: readonly (string | null)[]
  /** Indexes (from 0) of the inputs that were duplicates, and of those that were refused. */
  readonly known: readonly number[]
  readonly refused: readonly number[]
  /** The last journal record; `undo` with it undoes the whole import. null: nothing was changed. */
  readonly record: string | null
}

export interface ImportItem {
  readonly line: number
  readonly done: number
  /** Throws if the line is not valid. */
  readonly input: () => NewEntry
}

export async function importItems(
  memory: Memory & FreshnessPorts,
  items: AsyncIterable<ImportItem> | Iterable<ImportItem>,
  options: { dryRun?: boolean; batch?: string; onProgress?: (done: number) => void },
): Promise<ImportReport> {
  const batchId = options.batch ?? newBatch(memory)
  const config = await memory.config()
  const ids: (string | null)[] = []
  const known: number[] = []
  const refused: number[] = []
  const failures: ImportFailure[] = []
  let failed = 0
  let added = 0
  let duplicates = 0
  let redacted = 0
  let record: string | null = null
  let window: WindowItem[] = []
  let written = 0
  let kept: Set<string> | undefined
  let taken: FindImported | undefined

  const write = async (batch: readonly WindowItem[]) => {
    if (batch.length === 0) return
    const results = await remember(
      memory,
      batch.map(item => item.input),
      { batch: batchId },
    )
    results.forEach((result, i) => {
      ids[batch[i]?.at ?? -1] = result.entry.id
      if (result.duplicate) {
        duplicates++
        known.push(batch[i]?.at ?? -1)
      } else added++
      redacted += result.redacted.length
      record = result.record ?? record
    })
  }
  const flush = async (done: number) => {
    const sorted = window.sort(byDate)
    window = []
    for (let start = 0; start < sorted.length; start += BATCH) {
      const batch = sorted.slice(start, start + BATCH)
      await write(batch)
      const share = Math.min(1, (start + batch.length) / sorted.length)
      options.onProgress?.(Math.round(written + share * (done - written)))
    }
    if (sorted.length === 0) options.onProgress?.(done)
    written = done
  }

  let last = 0
  for await (const item of items) {
    last = item.done
    try {
      const input = guarded(item.input())
      // Checked line by line, so that one bad line does not fail its batch.
      const captured = captureEntry(input, config)
      if (captured.entry.extra !== undefined) {
        taken ??= await importedBefore(memory)
        const id = taken(captured.entry)
        if (id !== undefined) {
          duplicates++
          known.push(ids.length)
          ids.push(id)
          continue
        }
      }
      if (options.dryRun === true) {
        kept ??= await storedFingerprints(memory)
        if (isKnown(captured.entry, kept)) {
          duplicates++
          known.push(ids.length)
        } else added++
        redacted += captured.redacted.length
      } else window.push({ at: ids.length, input })
    } catch (error) {
      if (!(error instanceof CairnError)) throw error
      failed++
      refused.push(ids.length)
      if (failures.length < MAX_REPORTED)
        failures.push({ line: item.line, code: error.code, message: error.message })
    }
    ids.push(null)
    if (window.length >= WINDOW) await flush(item.done)
  }
  await flush(last)
  return { read: ids.length, added, duplicates, redacted, failed, failures, ids, known, refused, record }
}

/** Two imports that start in the same millisecond still get different batches, so each can be undone alone. */
const RANDOM_BOUND = 36 ** 6

/** Marks everything that one import writes, so that undo reverts it as one. */
export function newBatch(memory: Memory): string {
  const unlike = memory.clock.random(RANDOM_BOUND).toString(36)
  return `${memory.clock.nowMs()}-${process.pid.toString(36)}-${unlike}`
}

/**
 * Fingerprints of the stored entries, for a dry run. A dry run takes no lock, so it reads them once and adds what it would write.
 */
async function storedFingerprints(memory: Memory): Promise<Set<string>> {
  const prints = new Set<string>()
  for (let offset = 0; ; offset += PAGE) {
    const { entries } = await memory.store.listEntries({ filter: {}, limit: PAGE, offset })
    for (const { agent, content } of entries) prints.add(`${agent} ${fingerprint(content)}`)
    if (entries.length < PAGE) return prints
  }
}

/** Uses the same rule as `remember`: known in the vault of the agent or in the shared vault. */
function isKnown({ agent, content }: CapturedEntry, prints: Set<string>): boolean {
  const print = fingerprint(content)
  if (prints.has(`${agent} ${print}`) || prints.has(`shared ${print}`)) return true
  prints.add(`${agent} ${print}`)
  return false
}

interface WindowItem {
  readonly at: number
  readonly input: NewEntry
}

/** Oldest first; equal dates keep their order. An entry without a date gets today's date, so it comes last. */
function byDate(a: WindowItem, b: WindowItem): number {
  const [dateA, dateB] = [a.input.date, b.input.date]
  if (dateA === dateB) return a.at - b.at
  if (dateA === undefined) return 1
  if (dateB === undefined) return -1
  return dateA < dateB ? -1 : 1
}

/** A text that tries to direct agents waits for review, whatever its line says, unless a person wrote it on purpose. */
function guarded(input: NewEntry): NewEntry {
  const isOwn = input.origin === 'person' && input.provenance === undefined
  if (isOwn || findAgentInstruction(input.content) === undefined) return input
  return { ...input, status: 'candidate', origin: 'machine' }
}

/** A category without a vault file (`architecture`, `warning`, …) is the kind of the entry. */
export function parseLine(line: string, defaultAgent: string | undefined): NewEntry {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch (cause) {
    throw badLine('it is not JSON', cause)
  }
  const parsed = v.safeParse(lineSchema, json)
  if (!parsed.success) {
    const issue = parsed.issues[0]
    throw badLine(`\`${issue.path?.map(item => String(item.key)).join('.') ?? 'line'}\`: ${issue.message}`)
  }
  const { text: content, metadata = {} } = parsed.output
  const { category, kind } = metadata
  const vaultFile = category != null && isCategory(category) ? category : undefined
  return {
    content,
    category: vaultFile,
    kind: kind ?? (vaultFile === undefined ? (category ?? undefined) : undefined),
    tags: metadata.tags ?? undefined,
    files: metadata.files ?? undefined,
    date: metadata.date ?? undefined,
    session: metadata.session ?? undefined,
    agent: metadata.agent ?? defaultAgent,
    importance: metadata.importance ?? undefined,
    status: metadata.status ?? undefined,
    origin: metadata.origin ?? undefined,
    confidence: metadata.confidence ?? undefined,
    anchors: metadata.anchors ?? undefined,
    commit: metadata.commit ?? undefined,
    provenance: metadata.provenance ?? undefined,
  }
}

function badLine(reason: string, cause?: unknown): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: `This line cannot be taken: ${reason}.`,
    hint: 'A line looks like {"text": "…", "metadata": {"kind": "decision", "tags": ["auth"]}}.',
    cause,
  })
}

const ENTRIES_PER_PAGE = 10_000

/** The entry that an earlier import made of this one; null if a person has rejected it since; undefined if it is new. */
type FindImported = (entry: CapturedEntry) => string | null | undefined

/**
 * What earlier imports stored, by origin and original text. This recognises an entry even after a person reworded it. A rejected
 * entry is not proposed again.
 */
async function importedBefore(memory: Memory): Promise<FindImported> {
  const idByKey = new Map<string, string>()
  for (let offset = 0; ; offset += ENTRIES_PER_PAGE) {
    const { entries } = await memory.store.listEntries({ filter: {}, limit: ENTRIES_PER_PAGE, offset })
    for (const entry of entries) {
      const key = keyOf(entry)
      if (key !== undefined) idByKey.set(`${entry.agent} ${key}`, entry.id)
    }
    if (entries.length < ENTRIES_PER_PAGE) break
  }
  const rejected = new Set(
    rejectionsIn(await memory.store.readDocument('curation.json')).map(each => each.fingerprint),
  )
  return entry => {
    const key = keyOf(entry)
    const id = key === undefined ? undefined : idByKey.get(`${entry.agent} ${key}`)
    if (id !== undefined) return id
    return entry.status === 'candidate' && rejected.has(fingerprint(entry.content)) ? null : undefined
  }
}

function keyOf(entry: Pick<CapturedEntry, 'extra'>): string | undefined {
  const provenance = entry.extra === undefined ? undefined : provenanceOf({ extra: entry.extra })
  return provenance === undefined ? undefined : provenanceKey(provenance)
}

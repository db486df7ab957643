import * as v from 'valibot'
import { captureEntry } from '../../features/entries/decide/capture-entry.ts'
import { remember } from '../../features/entries/write-entries.ts'
import type { FreshnessPorts } from '../../features/freshness/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { isCategory } from '../../kernel/model/category.ts'
import { ORIGINS, STATUSES } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { CapturedEntry, NewEntry } from '../../kernel/model/new-entry.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import { findAgentInstruction } from '../../kernel/text/agent-instructions.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { type TakenBefore, takenBefore } from './taken-before.ts'

/** One journal record and one round of file writes a batch: large enough to be fast, small enough for memory. */
const BATCH = 4_000
/** Lines read ahead and written in the order of their dates: a batch then touches a few pages, however mixed the file is. */
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

/** In a dry run: what would be added, and what would be known. */
export interface ImportReport {
  readonly read: number
  readonly added: number
  readonly duplicates: number
  readonly redacted: number
  readonly failed: number
  readonly failures: readonly ImportFailure[]
  /** The entry of each input, in order; null where it failed. */
  readonly ids: readonly (string | null)[]
  /** Which of the inputs, from 0, were known already, and which could not be taken. */
  readonly known: readonly number[]
  readonly refused: readonly number[]
  /** Of what was written last: `undo` takes the whole import back by it; null: nothing was changed. */
  readonly record: string | null
}

export interface ImportItem {
  readonly line: number
  readonly done: number
  /** Throws when the line cannot be taken. */
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
  let taken: TakenBefore | undefined

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
      // Checked here, line by line, so that one bad line does not fail its batch.
      const captured = captureEntry(input, config)
      if (captured.entry.extra !== undefined) {
        taken ??= await takenBefore(memory)
        const id = taken(captured.entry)
        if (id !== undefined) {
          duplicates++
          known.push(ids.length)
          ids.push(id)
          continue
        }
      }
      if (options.dryRun === true) {
        kept ??= await printsKept(memory)
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

/** Of two imports that one server begins in the same millisecond, each is taken back alone. */
const RANDOM_BOUND = 36 ** 6

/** For everything that one import writes: undo takes it back as one. */
export function newBatch(memory: Memory): string {
  const unlike = memory.clock.random(RANDOM_BOUND).toString(36)
  return `${memory.clock.nowMs()}-${process.pid.toString(36)}-${unlike}`
}

/** What is in the vault, for a dry run: it takes no lock, so it asks once and adds what it would add. */
async function printsKept(memory: Memory): Promise<Set<string>> {
  const prints = new Set<string>()
  for (let offset = 0; ; offset += PAGE) {
    const { entries } = await memory.store.listEntries({ filter: {}, limit: PAGE, offset })
    for (const { agent, content } of entries) prints.add(`${agent} ${fingerprint(content)}`)
    if (entries.length < PAGE) return prints
  }
}

/** As `remember` would find it: in the vault of its agent or in the shared one. */
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

/** Oldest first, in the order they came where dates are equal; without a date it is of today, so it comes last. */
function byDate(a: WindowItem, b: WindowItem): number {
  const [dateA, dateB] = [a.input.date, b.input.date]
  if (dateA === dateB) return a.at - b.at
  if (dateA === undefined) return 1
  if (dateB === undefined) return -1
  return dateA < dateB ? -1 : 1
}

/** A text that tries to direct agents waits in the review, whatever its line says; what a person wrote on purpose is theirs. */
function guarded(input: NewEntry): NewEntry {
  const isOwn = input.origin === 'person' && input.provenance === undefined
  if (isOwn || findAgentInstruction(input.content) === undefined) return input
  return { ...input, status: 'candidate', origin: 'machine' }
}

/** A category that is no vault file (`architecture`, `warning`, …) is what the entry is: its kind. */
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

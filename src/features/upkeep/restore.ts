import type { Memory } from '../../kernel/memory.ts'
import { parseAgentId } from '../../kernel/model/agent-id.ts'
import { isCategory } from '../../kernel/model/category.ts'
import type { Config } from '../../kernel/model/config.ts'
import { type Entry, STATUSES } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, EntryChange } from '../../kernel/model/journal.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { seedSessionOf } from '../../kernel/system/session-names.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import type { StoreView } from '../../kernel/vault/ports.ts'
import { actorLabel, withConfirmations } from '../entries/decide/confirmations.ts'
import type { SessionPorts } from '../sessions/decide/ports.ts'
import type { ArchivedEntry, Batch } from './decide/archive.ts'
import type { UpkeepPorts } from './decide/ports.ts'

interface RestoreConflict {
  /** The id of an entry, or a path relative to `.memory/`. */
  readonly what: string
  readonly message: string
}

export interface Restored {
  readonly batch: string
  readonly entries: readonly Entry[]
  readonly files: readonly string[]
  readonly events: number
  /** How many already exist, unchanged. */
  readonly already: number
  readonly conflicts: readonly RestoreConflict[]
  /** Unreadable lines of the archive. */
  readonly problems: readonly Problem[]
  /** The journal record that `cairn undo` reverts; null: no entry was restored. */
  readonly record: string | null
}

interface RestoreOptions {
  readonly dryRun?: boolean
}

/** Restores a batch. Throws `batch_not_found`, and `restore_conflict` if nothing of it can be restored. */
export async function restoreBatch(
  memory: Memory & SessionPorts & UpkeepPorts,
  id: string,
  options: RestoreOptions = {},
): Promise<Restored> {
  const batch = await memory.archive.read(id)
  if (batch === undefined) throw batchNotFound(id)
  const conflicts: RestoreConflict[] = []
  const back = await restoreEntries(memory, batch.archived, { ...options, conflicts })
  const files: string[] = []
  let already = back.already
  for (const path of batch.files) {
    const outcome = await restoreFile(memory, batch, path, options)
    if (outcome === 'written') files.push(path)
    else if (outcome === 'same') already++
    else
      conflicts.push({
        what: path,
        message:
          outcome === 'taken'
            ? `${path} exists with other content.`
            : `archive/${id} lists ${path} but does not contain it.`,
      })
  }
  const events =
    batch.archivedEvents.length === 0
      ? 0
      : options.dryRun === true
        ? batch.archivedEvents.length
        : (await memory.events.putBack(batch.archivedEvents)).length
  already += batch.archivedEvents.length - events
  const restored: Restored = {
    batch: id,
    entries: back.entries,
    files,
    events,
    already,
    conflicts,
    problems: batch.problems,
    record: back.record,
  }
  refuseNothing(restored)
  if (options.dryRun !== true) await memory.archive.markRestored(id, nowIso(memory))
  return restored
}

/** Restores one entry from the newest batch that has it. Throws `entry_not_found` and `restore_conflict`. */
export async function restoreEntry(
  memory: Memory & UpkeepPorts,
  id: string,
  options: RestoreOptions = {},
): Promise<Restored> {
  const found = (await findArchived(memory, id)) ?? (await findJournaled(memory, id))
  if (found === undefined) {
    throw new CairnError({
      code: 'entry_not_found',
      message: `Neither the archive nor the journal has an entry ${id}.`,
      hint: '`cairn search --archive <words>` finds what was archived.',
    })
  }
  const conflicts: RestoreConflict[] = []
  const back = await restoreEntries(memory, [found.item], { ...options, conflicts })
  const restored: Restored = {
    batch: found.batch,
    entries: back.entries,
    files: [],
    events: 0,
    already: back.already,
    conflicts,
    problems: [],
    record: back.record,
  }
  refuseNothing(restored)
  return restored
}

/** The last version of an entry that left its file without being archived: a person removed it, or git did with a branch. */
export async function findJournaled(
  memory: Memory,
  id: string,
): Promise<{ readonly batch: string; readonly item: ArchivedEntry } | undefined> {
  for await (const record of memory.store.readJournal({ entryId: id, limit: 1 })) {
    for (const change of record.changes) {
      const entry = change.type === 'entry' ? (change.after ?? change.before) : undefined
      if (entry?.id === id)
        return { batch: record.id, item: { entry, reason: record.action, accessCount: 0 } }
    }
  }
  return undefined
}

export async function findArchived(
  memory: UpkeepPorts,
  id: string,
): Promise<{ readonly batch: string; readonly item: ArchivedEntry } | undefined> {
  for await (const found of memory.archive.entries()) if (found.item.entry.id === id) return found
  return undefined
}

async function restoreEntries(
  memory: Memory & UpkeepPorts,
  items: readonly ArchivedEntry[],
  { dryRun, conflicts }: RestoreOptions & { conflicts: RestoreConflict[] },
): Promise<{ entries: readonly Entry[]; already: number; record: string | null }> {
  if (items.length === 0) return { entries: [], already: 0, record: null }
  const clean = cleaner(await memory.config())
  let back: ArchivedEntry[] = []
  let already = 0
  let found: RestoreConflict[] = []
  const record = await memory.store.write(memory.actor, async view => {
    back = []
    found = []
    already = 0
    const changes: EntryChange[] = []
    for (const item of items) {
      const entry = cleanEntry(item.entry, clean)
      const verdict = nameWithSecret(entry, clean) ?? (await judge(view, entry))
      if (verdict === 'same') already++
      else if (verdict !== 'absent') found.push({ what: entry.id, message: verdict })
      else {
        back.push({ ...item, entry })
        // Restoring a text with a secret would bring the secret back.
        const place =
          item.place?.text !== undefined && clean(item.place.text) !== item.place.text
            ? undefined
            : item.place
        changes.push({ type: 'entry', before: null, after: entry, ...(place && { place }) })
      }
    }
    if (dryRun === true || changes.length === 0) return null
    return {
      action: 'restore',
      changes: [
        ...changes,
        await confirmation(
          view,
          back.map(({ entry }) => entry.id),
          memory,
        ),
      ],
    }
  })
  conflicts.push(...found)
  if (record !== null) {
    await memory.upkeepIndex.raiseAccess(
      back.map(({ entry, accessCount, lastAccessMs }) => ({
        id: entry.id,
        accessCount,
        ...(lastAccessMs !== undefined && { lastAccessMs }),
      })),
    )
  }
  return { entries: back.map(({ entry }) => entry), already, record: record?.id ?? null }
}

type Clean = (text: string) => string

function cleaner(config: Config): Clean {
  const redaction = redactionOptions(config)
  return text => redact(text, redaction).text
}

/** A person may have edited the archive, so its text is redacted again. Text without secrets stays byte-identical. */
function cleanEntry(entry: Entry, clean: Clean): Entry {
  const { content, tags, files, session, extra, anchors, ...rest } = entry
  const cleanFiles = files.map(clean)
  return {
    ...rest,
    content: clean(content),
    tags: tags.map(clean),
    files: cleanFiles,
    ...(session !== undefined && { session: clean(session) }),
    ...(extra !== undefined && {
      extra: Object.fromEntries(Object.entries(extra).map(([key, value]) => [clean(key), clean(value)])),
    }),
    ...(anchors !== undefined && { anchors: anchors.filter(({ file }) => cleanFiles.includes(file)) }),
  }
}

/** A secret in the name of a vault or a kind is refused, as in `captureEntry`. */
function nameWithSecret({ id, agent, kind }: Entry, clean: Clean): string | undefined {
  const field = Object.entries({ agent, kind }).find(([, name]) => clean(name) !== name)?.[0]
  return field === undefined ? undefined : `${id} cannot be restored: its ${field} looks like a secret.`
}

/** `absent`: it can be restored. `same`: it exists. Any other value is the reason why not. */
async function judge(view: StoreView, entry: Entry): Promise<string> {
  const unusable = reasonUnusable(entry)
  if (unusable !== undefined) return unusable
  const standing = await view.findEntry(entry.id)
  if (standing !== undefined) {
    return standing.content === entry.content
      ? 'same'
      : `${entry.id} exists in ${standing.agent}/${standing.category} with another text.`
  }
  const twin = await view.findDuplicate(fingerprint(entry.content), [entry.agent])
  return twin === undefined ? 'absent' : `The same text exists as ${twin.id}.`
}

/** A person may have edited the archive. */
function reasonUnusable({ id, agent, category, status }: Entry): string | undefined {
  try {
    parseAgentId(agent)
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return `${id} cannot be restored: ${error.message}`
  }
  return isCategory(category) && STATUSES.includes(status)
    ? undefined
    : `${id} cannot be restored: its category or status is invalid.`
}

/** A restored entry counts as confirmed, so that upkeep does not remove it again. */
export async function confirmation(view: StoreView, ids: readonly string[], memory: Memory): Promise<Change> {
  const before = await view.readDocument('curation.json')
  const after = withConfirmations(before, ids, { at: nowIso(memory), by: actorLabel(memory.actor) })
  return { type: 'document', name: 'curation.json', before, after }
}

async function restoreFile(
  memory: UpkeepPorts,
  batch: Batch,
  path: string,
  { dryRun }: RestoreOptions,
): Promise<'written' | 'same' | 'taken' | 'missing'> {
  const bytes = await memory.archive.readFile(batch.id, path)
  if (bytes === undefined) return 'missing'
  const standing = await memory.memoryFiles.read(path)
  const isReplaceable = standing === undefined || isTrimmedFrom(standing, bytes)
  if (dryRun !== true) return memory.memoryFiles.put(path, bytes, isReplaceable ? standing : undefined)
  if (standing !== undefined && Buffer.compare(standing, bytes) === 0) return 'same'
  return isReplaceable ? 'written' : 'taken'
}

/** Whether the existing conversation is the trimmed version of the archived one. */
function isTrimmedFrom(standing: Uint8Array, whole: Uint8Array): boolean {
  const [left, right] = [messagesOf(standing), messagesOf(whole)]
  if (left === undefined || right === undefined || left.messages.length === 0) return false
  const tail = right.messages.slice(-left.messages.length)
  return (
    left.id === right.id &&
    left.trimmed === right.trimmed + right.messages.length - left.messages.length &&
    JSON.stringify(tail) === JSON.stringify(left.messages)
  )
}

function messagesOf(bytes: Uint8Array): { id: string; trimmed: number; messages: unknown[] } | undefined {
  try {
    const { sessionId, agentId, trimmed, messages } = JSON.parse(new TextDecoder().decode(bytes)) as Record<
      string,
      unknown
    >
    if (!Array.isArray(messages)) return undefined
    return {
      // A file of seed A names no session.
      id: `${String(agentId)}/${String(sessionId ?? seedSessionOf(String(agentId)))}`,
      trimmed: typeof trimmed === 'number' ? trimmed : 0,
      messages,
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** Throws if nothing was restored; otherwise the answer lists the conflicts. */
function refuseNothing({ entries, files, events, already, conflicts }: Restored): void {
  if (conflicts.length === 0 || entries.length + files.length + events + already > 0) return
  throw new CairnError({
    code: 'restore_conflict',
    message: `Nothing was restored: ${conflicts
      .slice(0, 3)
      .map(({ message }) => message)
      .join(' ')}`,
    hint: 'Forget or rename the conflicting items, then restore again. The archive keeps its copy.',
    details: { conflicts: conflicts.slice(0, 20) },
  })
}

function batchNotFound(id: string): CairnError {
  return new CairnError({
    code: 'batch_not_found',
    message: `The archive has no batch ${id.slice(0, 80)}.`,
    hint: '`cairn restore` without a name lists the batches.',
  })
}

function nowIso(memory: Memory): string {
  return new Date(memory.clock.nowMs()).toISOString()
}

import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { AUTOMATIC } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { JournalRecord } from '../../../kernel/model/journal.ts'
import { textHash } from '../../../kernel/system/content-hash.ts'
import { planUndo, undoneTracker } from '../../../kernel/vault/undo.ts'
import { AFTER_STORING, defineOperation, degradedSchema, flag, text } from '../../../verbs/operation.ts'
import type { LearningPorts } from '../../learning/decide/ports.ts'
import type { MeaningPorts } from '../../search/decide/ports.ts'
import type { SessionPorts } from '../../sessions/decide/ports.ts'
import { lastRestore, undoRestore } from '../../state/checkpoints.ts'
import type { StatePorts } from '../../state/decide/ports.ts'
import type { UpkeepPorts } from '../../upkeep/decide/ports.ts'
import { logRecordSchema, summarise } from './log.ts'

export const undoOperation = defineOperation({
  name: 'undo',
  group: 'History',
  agent: 'own',
  worksForUser: true,
  after: AFTER_STORING,
  route: { at: 'POST /api/undo', access: 'write' },
  tool: {
    name: 'undo',
    title: 'Undo',
    description: 'Undo a change by an agent: the last, or a record of the log.',
    fields: { record: '', dryRun: '' },
    effect: 'removes',
    isExtra: true,
  },
  summary: 'Undo the last change that Cairn made, or a named one',
  description:
    'Changes made outside Cairn (an editor, git) are skipped: name their record to revert them. Undo itself is a mutation: it is journaled, and naming its record undoes it again. Later changes are never overwritten. An import is undone as a whole. Entries that upkeep archived come back and stay. A restored checkpoint of the state is undone too; restored files from the archive are not.',
  positionals: ['record'],
  input: v.object({
    record: v.optional(
      text(
        'The record to revert, as `cairn log` shows it (default: the last change by Cairn that is not undone)',
      ),
    ),
    dryRun: v.optional(flag('Show what would be undone, and change nothing')),
  }),
  output: v.object({
    undone: logRecordSchema,
    record: v.pipe(
      v.nullable(v.string()),
      v.description('null: a dry run. For a restored checkpoint, the checkpoint with the state before it'),
    ),
    parts: v.exactOptional(
      v.pipe(v.number(), v.description('An import of several records: how many were undone')),
    ),
    skipped: v.exactOptional(
      v.pipe(v.number(), v.description('Newer changes made outside Cairn, which were left as they are')),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn undo', does: 'the last change that Cairn made' },
    { command: 'cairn undo 1773679871839-k3f9', does: 'a named one' },
  ],
  async run(memory, { record: id, dryRun }, { isAgent, ownRecords }) {
    const last = id === undefined ? await findLast(memory, isAgent === true, ownRecords) : undefined
    const restore = id === undefined && isAgent !== true ? await lastRestore(memory) : undefined
    if (restore !== undefined && (last === undefined || last.target.at < restore.checkpoint.createdAt))
      return undoRestoredState(memory, restore, dryRun === true)
    if (id === undefined && isAgent !== true) await requireNoLaterFiles(memory, last?.target.at ?? '')
    if (id === undefined && last === undefined) throw nothingToUndo(isAgent === true)
    const { target, skipped } = last ?? { target: await findRecord(memory, id ?? ''), skipped: 0 }
    // Newest first, one write each: if the process is killed, the next undo continues.
    const parts = await partsOf(memory, target)
    if (isAgent === true && parts.some(({ by }) => by.isAgent !== true)) throw notByAnAgent(target)
    if (parts.some(part => changesSettings(memory, part))) throw settingsNeedAdmin(target)
    let applied: JournalRecord | null = null
    for (const part of parts) {
      const record = await undoRecord(memory, part, dryRun)
      if (part.id === target.id) applied = record
    }
    return {
      undone: {
        ...summarise(target, applied !== null),
        changes: parts.reduce((sum, { changes }) => sum + changes.length, 0),
      },
      record: applied?.id ?? null,
      ...(parts.length > 1 && { parts: parts.length }),
      ...(skipped > 0 && { skipped }),
      degraded: memory.store.takeDegraded(),
    }
  },
})

async function undoRecord(
  memory: Memory & MeaningPorts & SessionPorts & LearningPorts,
  target: JournalRecord,
  dryRun: boolean | undefined,
): Promise<JournalRecord | null> {
  const applied = await memory.store.write(memory.actor, async view => {
    const mutation = await planUndo(target, view, textHash)
    if (dryRun === true || target.action !== 'evict') return dryRun === true ? null : mutation
    // What upkeep let go and a person wants back would go again with the next run.
    const { confirmation } = await import('../../upkeep/restore.ts')
    const ids = target.changes.flatMap(change => (change.type === 'entry' ? (change.before?.id ?? []) : []))
    return { ...mutation, changes: [...mutation.changes, await confirmation(view, ids, memory)] }
  })
  if (applied !== null) {
    const { findingsOfUndone } = await import('../../learning/reviewing.ts')
    await findingsOfUndone(memory, target)
  }
  return applied
}

/** One record. For an import or a sync, all its records that are not undone, newest first: its sessions were closed with it. */
async function partsOf(memory: Memory, target: JournalRecord): Promise<readonly JournalRecord[]> {
  const { batch } = target
  if (batch === undefined) return [target]
  const beganAt = new Date(Number.parseInt(batch, 10) || 0).toISOString()
  const isUndone = undoneTracker()
  const found: JournalRecord[] = []
  for await (const record of memory.store.readJournal({})) {
    if (record.at < beganAt) break
    if (!isUndone(record) && record.batch === batch) found.push(record)
  }
  return found.some(({ id }) => id === target.id) ? found : [target]
}

/** The state is not in the journal: its checkpoints are its history. */
async function undoRestoredState(
  memory: Memory & StatePorts,
  restore: NonNullable<Awaited<ReturnType<typeof lastRestore>>>,
  dryRun: boolean,
) {
  const { checkpoint, changes } = await undoRestore(memory, restore, { dryRun })
  const { id, createdAt: at } = restore.checkpoint
  return {
    undone: {
      id,
      at,
      action: 'restore' as const,
      by: memory.actor,
      undone: !dryRun,
      changes: changes.length,
      entries: [],
    },
    record: dryRun ? null : checkpoint,
    degraded: memory.store.takeDegraded(),
  }
}

/** For an agent: the last that an agent did. For a program: the last of its own, if it made any. `skipped`: newer changes that an editor or git made. */
async function findLast(
  memory: Memory,
  isAgent: boolean,
  ownRecords: ReadonlySet<string> | undefined,
): Promise<{ readonly target: JournalRecord; readonly skipped: number } | undefined> {
  const isUndone = undoneTracker()
  const isOthers = ({ id }: JournalRecord) =>
    ownRecords !== undefined && ownRecords.size > 0 && !ownRecords.has(id)
  let skipped = 0
  for await (const record of memory.store.readJournal({})) {
    // Automatic records are not the last command of the user; they can be undone by name.
    const isCandidate = !isUndone(record) && record.action !== 'undo' && record.by.host !== AUTOMATIC.host
    if (!isCandidate || (isAgent && record.by.isAgent !== true)) continue
    // A checkout or a pull must not be reverted by a user who means their last command.
    if (record.action === 'observe') skipped++
    else if (!isOthers(record) && !changesSettings(memory, record)) return { target: record, skipped }
  }
  return undefined
}

/** Files that came back from the archive are not in the journal: the change before them is not what the user means. */
async function requireNoLaterFiles({ archive }: UpkeepPorts, at: string): Promise<void> {
  const { batches } = await archive.list()
  const later = batches.find(({ kind, restoredAt }) => kind === 'prune' && (restoredAt ?? '') > at)
  if (later === undefined) return
  throw new CairnError({
    code: 'undo_conflict',
    message: `The last change brought back files of ${later.id}. Undo does not take files away, and nothing was undone.`,
    hint: 'The archive still has them: remove what you do not want. To undo an older change, name its record: `cairn log`.',
  })
}

function nothingToUndo(isAgent: boolean): CairnError {
  return new CairnError({
    code: 'nothing_to_undo',
    message: isAgent ? 'No agent did anything that could be undone.' : 'There is nothing to undo.',
    hint: isAgent
      ? 'Only the user can undo their own changes: `cairn undo`.'
      : '`cairn log` shows what happened; name a record to undo an undo, or a change made outside Cairn.',
  })
}

/** Undoing a change of the settings changes the settings. */
function changesSettings({ mayConfigure = true }: Memory, { changes }: JournalRecord): boolean {
  return !mayConfigure && changes.some(change => change.type === 'document' && change.name === 'config.json')
}

function notByAnAgent({ id }: JournalRecord): CairnError {
  return new CairnError({
    code: 'not_confirmed',
    message: `Record ${id} was not made by an agent; nothing was undone.`,
    hint: `The user takes it back: \`cairn undo ${id}\`.`,
  })
}

function settingsNeedAdmin({ id }: JournalRecord): CairnError {
  return new CairnError({
    code: 'scope_missing',
    message: `Record ${id} changed the settings of the project, and taking it back needs the scope \`admin\`.`,
    hint: 'Ask an administrator of the project.',
    details: { needs: 'admin' },
  })
}

async function findRecord(memory: Memory, id: string): Promise<JournalRecord> {
  for await (const record of memory.store.readJournal({})) if (record.id === id) return record
  throw new CairnError({
    code: 'record_not_found',
    message: `There is no journal record ${id}.`,
    hint: '`cairn log` shows the records with their ids.',
  })
}

import * as v from 'valibot'
import { type FileEdits, JOURNAL_ACTIONS, type JournalRecord } from '../../../kernel/model/journal.ts'
import { undoneTracker } from '../../../kernel/vault/undo.ts'
import { count, defineOperation, degradedSchema, text } from '../../../verbs/operation.ts'

const PREVIEW_CHARACTERS = 80

export const logRecordSchema = v.object({
  id: v.string(),
  at: v.string(),
  action: v.picklist(JOURNAL_ACTIONS),
  by: v.object({
    host: v.string(),
    agent: v.exactOptional(v.string()),
    session: v.exactOptional(v.string()),
    isAgent: v.exactOptional(v.pipe(v.literal(true), v.description('An agent called a tool'))),
    principal: v.exactOptional(v.pipe(v.string(), v.description('On a hub: whose token it was'))),
  }),
  undoes: v.exactOptional(v.string()),
  undone: v.pipe(v.boolean(), v.description('True when a later record reverts it')),
  changes: v.pipe(v.number(), v.description('How many entries, documents or files it touched')),
  entries: v.pipe(
    v.array(
      v.object({
        id: v.string(),
        change: v.picklist(['added', 'changed', 'removed', 'moved']),
        preview: v.string(),
      }),
    ),
    v.description('The first ten'),
  ),
})

export const logOperation = defineOperation({
  name: 'log',
  group: 'History',
  agent: 'reads',
  worksForUser: true,
  route: { at: 'GET /api/log', access: 'read' },
  tool: {
    name: 'log',
    title: 'Log of changes',
    description: 'Changes of the memory, and who made them.',
    fields: { limit: '', entry: '' },
    effect: 'reads',
    isExtra: true,
  },
  summary: 'Show what changed, when and by whom',
  positionals: [],
  input: v.object({
    limit: v.optional(count('How many records (default 20)', 100_000)),
    entry: v.optional(
      text('Only what touched this entry, a document such as curation.json, or a file of the project'),
    ),
  }),
  output: v.object({ records: v.array(logRecordSchema), degraded: degradedSchema }),
  examples: [
    { command: 'cairn log', does: 'the last twenty mutations' },
    { command: 'cairn log --entry 1773679871839-k3f9', does: 'the history of one entry' },
  ],
  async run(memory, { limit = 20, entry }) {
    const isUndone = undoneTracker()
    const records: v.InferOutput<typeof logRecordSchema>[] = []
    for await (const record of memory.store.readJournal(entry === undefined ? {} : { entryId: entry })) {
      records.push(summarise(record, isUndone(record)))
      if (records.length === limit) break
    }
    return { records, degraded: memory.store.takeDegraded() }
  },
})

export function summarise(record: JournalRecord, undone: boolean): v.InferOutput<typeof logRecordSchema> {
  const { id, at, action, by, undoes, changes } = record
  return {
    id,
    at,
    action,
    by,
    ...(undoes !== undefined && { undoes }),
    undone,
    changes: changes.length,
    entries: changes.slice(0, 10).map(change => {
      if (change.type === 'document') return { id: change.name, change: 'changed' as const, preview: '' }
      if (change.type === 'file') return { id: change.path, change: changeOfFile(change), preview: '' }
      const { before, after, from } = change
      const entry = (after ?? before) as { id: string; content: string }
      const kind = from === undefined ? changeOf(before, after) : ('moved' as const)
      return {
        id: entry.id,
        change: kind,
        preview: entry.content.replace(/\s+/g, ' ').trim().slice(0, PREVIEW_CHARACTERS),
      }
    }),
  }
}

function changeOfFile({ from, to }: FileEdits): 'added' | 'changed' | 'removed' {
  return changeOf(from, to)
}

function changeOf(before: unknown, after: unknown): 'added' | 'changed' | 'removed' {
  return before === null ? 'added' : after === null ? 'removed' : 'changed'
}

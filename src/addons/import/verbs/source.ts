import * as path from 'node:path'
import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { memoryFolderOf } from '../../../kernel/memory-place.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { type ImportSource, SYNC_STATUSES } from '../../../kernel/model/import-source.ts'
import { isInside } from '../../../kernel/system/paths.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../../kernel/text/redaction/redaction-options.ts'
import { parseAgentName } from '../../../kernel/text/redaction/safe-names.ts'
import {
  defineOperation,
  degradedSchema,
  flag,
  problemsSchema,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import type { ImportPorts } from '../decide/ports.ts'
import { MAX_REPORTED } from '../import-items.ts'
import { detectFormat } from '../sources/detect-format.ts'
import { SOURCE_FORMATS } from '../sources/source.ts'
import { exists } from '../sources/source-files.ts'
import { getSource, syncSources } from '../sync-sources.ts'

const MAX_NAME_LENGTH = 40
/** Names with a meaning of their own where a source can be named. */
const TAKEN_NAMES = new Set(['all', 'sessions', 'imports', 'entries'])

const sourceSchema = v.object({
  id: v.pipe(v.string(), v.description('What its events carry as sourceId')),
  type: v.pipe(v.string(), v.description('The format')),
  path: v.string(),
  agent: v.exactOptional(v.pipe(v.string(), v.description('The vault for what names no agent'))),
  createdAt: v.string(),
  updatedAt: v.string(),
  lastSyncedAt: v.nullable(v.string()),
  lastSyncStatus: v.nullable(v.picklist(SYNC_STATUSES)),
  lastSyncError: v.nullable(v.string()),
  lastImportedCount: v.pipe(v.number(), v.description('How many things the last sync added')),
  allowed: v.pipe(
    v.boolean(),
    v.description('False: not added or allowed on this machine, so it is not read'),
  ),
})
export type SourceView = v.InferOutput<typeof sourceSchema>

async function viewsOf(memory: ImportPorts, sources: readonly ImportSource[]): Promise<SourceView[]> {
  const allowed = await memory.sourceUse.allowed(sources)
  return sources.map(source => ({ ...source, allowed: allowed.has(source.id) }))
}

export const sourceAddOperation = defineOperation({
  name: 'source add',
  group: 'Import, export and sync',
  agent: 'free',
  runs: 'checkout',
  summary: 'Name a file or folder that is imported from again and again',
  description:
    'What it is shows by its names and how it begins; --from says it where that does not do. Nothing is read in yet: `cairn source sync` does, and recall before it folds, where automation.importSyncBeforeRecall is on. The list is in .memory/sources.json, which git ignores. The same path again changes the source that is there.',
  positionals: ['path'],
  input: v.object({
    path: text('The file or folder; it may lie outside the project'),
    from: v.optional(
      v.pipe(
        v.picklist(SOURCE_FORMATS, `one of ${SOURCE_FORMATS.join(', ')}`),
        v.description('What it is (default: seen from the file)'),
      ),
    ),
    agent: v.optional(text('The vault for what names no agent')),
    name: v.optional(text('Its id (default: made from the path)')),
  }),
  output: v.object({
    source: sourceSchema,
    isNew: v.pipe(v.boolean(), v.description('False: the path was known, and its source was changed')),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn source add ~/chats --from transcript --agent dev', does: 'a folder of conversations' },
    { command: 'cairn source add ../notes/export.jsonl', does: 'a file of lines that grows' },
  ],
  async run(memory, { path: given, from, agent, name }) {
    const full = path.resolve(given)
    await refuseUnfit(memory, full, given)
    const found = from === undefined ? detectFormat(full) : { format: from, path: full }
    const at = new Date(memory.clock.nowMs()).toISOString()
    const { sources: listed } = await memory.sourceRegistry.list()
    // A registry that came with a clone does not allow anything.
    const ours = await memory.sourceUse.allowed(listed)
    let source: ImportSource | undefined
    let isNew = false
    await memory.sourceRegistry.edit(sources => {
      const known = sources.find(other => other.path === found.path)
      isNew = known === undefined
      source = {
        id: known?.id ?? idFor(name ?? path.basename(found.path), sources, name !== undefined),
        type: found.format,
        path: found.path,
        ...agentOf(agent, known !== undefined && ours.has(known.id) ? known.agent : undefined),
        createdAt: known?.createdAt ?? at,
        updatedAt: at,
        lastSyncedAt: known?.lastSyncedAt ?? null,
        lastSyncStatus: known?.lastSyncStatus ?? null,
        lastSyncError: known?.lastSyncError ?? null,
        lastImportedCount: known?.lastImportedCount ?? 0,
      }
      const added = source
      return known === undefined
        ? [...sources, added]
        : sources.map(other => (other === known ? added : other))
    })
    if (source === undefined) throw new Error('an edit that was not made')
    await memory.sourceUse.trust(source)
    const [view] = await viewsOf(memory, [source])
    return { source: view as SourceView, isNew, degraded: memory.store.takeDegraded() }
  },
})

function agentOf(named: string | undefined, known: string | undefined): { agent?: string } {
  if (named !== undefined) return { agent: parseAgentName(named) }
  return known === undefined ? {} : { agent: known }
}

async function refuseUnfit(memory: Memory, full: string, given: string): Promise<void> {
  if (given === '-' || !exists(full))
    throw new CairnError({
      code: 'file_not_found',
      message: `File or folder not found: ${given}.`,
      hint: 'A source is read again and again: name a file or folder that stays.',
    })
  if (isInside(full, memoryFolderOf(memory).memory) || isInside(memoryFolderOf(memory).memory, full))
    throw new CairnError({
      code: 'invalid_input',
      message: `${given} is or contains the memory of this project, which cannot be imported into itself.`,
      hint: 'Name a folder outside it.',
    })
  if (redact(full, redactionOptions(await memory.config())).redacted.length > 0)
    throw new CairnError({
      code: 'invalid_input',
      message:
        'The path looks like it contains a secret, which would be stored in sources.json. Nothing was written.',
      hint: 'Rename the folder, or name it by a link.',
    })
}

function idFor(name: string, sources: readonly ImportSource[], isNamed: boolean): string {
  const slug = name
    .toLowerCase()
    .replace(/\.(?:jsonl?|md)$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/-+$/, '')
  const taken = new Set([...sources.map(({ id }) => id), ...TAKEN_NAMES])
  const start = slug === '' ? 'source' : slug
  if (!taken.has(start)) return start
  if (isNamed)
    throw new CairnError({
      code: 'invalid_input',
      message: `The name ${start} is taken.`,
      hint: 'Choose another with --name; `cairn source list` shows those that are there.',
    })
  for (let n = 2; ; n++) if (!taken.has(`${start}-${n}`)) return `${start}-${n}`
}

export const sourceListOperation = defineOperation({
  name: 'source list',
  group: 'Import, export and sync',
  agent: 'reads',
  runs: 'checkout',
  summary: 'Show the import sources, and how their last sync went',
  positionals: [],
  input: v.object({}),
  output: v.object({
    sources: v.pipe(v.array(sourceSchema), v.readonly()),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn source list', does: 'where is imported from' }],
  async run(memory) {
    const { sources, problems } = await memory.sourceRegistry.list()
    return { sources: await viewsOf(memory, sources), problems, degraded: memory.store.takeDegraded() }
  },
})

export const sourceRemoveOperation = defineOperation({
  name: 'source remove',
  group: 'Import, export and sync',
  agent: 'free',
  runs: 'checkout',
  summary: 'Import no more from a source; what was taken in stays',
  positionals: ['id'],
  input: v.object({ id: text('The id that `cairn source list` shows') }),
  output: v.object({ removed: sourceSchema, degraded: degradedSchema }),
  examples: [{ command: 'cairn source remove chats', does: 'forget the source, keep what it gave' }],
  async run(memory, { id }) {
    const { sources } = await memory.sourceRegistry.list()
    const source = getSource(sources, id)
    const [removed] = await viewsOf(memory, [source])
    await memory.sourceRegistry.edit(known => known.filter(other => other.id !== id))
    await memory.sourceUse.forget(source)
    await memory.sourceRegistry.forgetCursors(id)
    return { removed: removed as SourceView, degraded: memory.store.takeDegraded() }
  },
})

export const syncedSchema = v.object({
  id: v.string(),
  status: v.pipe(
    v.picklist([...SYNC_STATUSES, 'not_allowed']),
    v.description('partial: some of it could not be imported; not_allowed: not added on this machine'),
  ),
  error: v.nullable(v.string()),
  files: v.pipe(
    v.object({ seen: v.number(), read: v.number() }),
    v.description('How many files it has, and how many were not as they were'),
  ),
  transcripts: v.exactOptional(
    v.pipe(
      v.object({ cold: v.number(), captured: v.number() }),
      v.description(
        'For a host: how many stay cold (see `cairn search --cold`), and how many hooks had captured already',
      ),
    ),
  ),
  added: v.number(),
  duplicates: v.pipe(v.number(), v.description('What was known already')),
  failed: v.number(),
  redacted: v.pipe(v.number(), v.description('Secrets that were removed')),
  failures: v.pipe(
    v.array(
      v.object({
        file: v.string(),
        line: v.exactOptional(v.number()),
        code: v.string(),
        message: v.string(),
      }),
    ),
    v.readonly(),
    v.description(`What could not be taken; the first ${MAX_REPORTED}`),
  ),
  record: v.pipe(
    recordSchema,
    v.description('The journal record: `cairn undo` with it undoes this sync; null: nothing was changed'),
  ),
})
export type SyncedView = v.InferOutput<typeof syncedSchema>

export const sourceSyncOperation = defineOperation({
  name: 'source sync',
  group: 'Import, export and sync',
  agent: 'reports',
  runs: 'checkout',
  summary: 'Import what is new in the import sources',
  description:
    'An unchanged file is not opened; of a file of lines that grew, only the new lines are read. A failure is recorded on its source, and the other sources continue. Only sources that were added or allowed on this machine are read.',
  positionals: ['id'],
  input: v.object({
    id: v.optional(text('One source (default: all)')),
    dryRun: v.optional(flag('Read and check everything without writing')),
  }),
  output: v.object({
    synced: v.pipe(v.array(syncedSchema), v.readonly()),
    dryRun: v.pipe(
      v.boolean(),
      v.description('True: nothing was written; `added` counts what would be added'),
    ),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn source sync', does: 'all of them' },
    { command: 'cairn source sync chats --dry-run', does: 'what one would bring' },
  ],
  exitCode: ({ synced }) => (synced.some(({ status }) => status === 'failed') ? 1 : 0),
  async run(memory, { id, dryRun = false }, { onProgress }) {
    const { synced, problems } = await syncSources(memory, { id, dryRun, onProgress })
    return {
      synced,
      dryRun,
      problems,
      degraded: [...memory.store.takeDegraded(), ...memory.semantics.takeDegraded()],
    }
  },
})

export const sourceAllowOperation = defineOperation({
  name: 'source allow',
  group: 'Import, export and sync',
  agent: 'person',
  runs: 'checkout',
  summary: 'Show sources that were not added on this machine, and allow them',
  description:
    'sources.json can come with a clone, and names files anywhere. What you did not add yourself is read only after your yes. Without a code this shows what would be read. With the code it shows, exactly those are allowed, for this project and this user.',
  positionals: ['code'],
  input: v.object({ code: v.optional(text('The code that was shown')) }),
  output: v.object({
    waiting: v.pipe(v.array(sourceSchema), v.readonly(), v.description('Not allowed yet')),
    code: v.pipe(v.nullable(v.string()), v.description('Says yes to exactly these; null: there are none')),
    allowed: v.pipe(v.array(v.string()), v.readonly(), v.description('The ids that were allowed just now')),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn source allow', does: 'what would be read, and the code' },
    { command: 'cairn source allow 3f9a2c1b44', does: 'say yes to what was shown' },
  ],
  async run(memory, { code }) {
    const { sources, problems } = await memory.sourceRegistry.list()
    const waiting = (await viewsOf(memory, sources)).filter(({ allowed }) => !allowed)
    const asked = waiting.map(({ allowed: _, ...source }) => source)
    if (code !== undefined) await memory.sourceUse.allow(asked, code.trim())
    const left = code === undefined ? waiting : []
    return {
      waiting: left,
      code: left.length === 0 ? null : await memory.sourceUse.codeOf(asked),
      allowed: code === undefined ? [] : asked.map(({ id }) => id),
      problems,
      degraded: memory.store.takeDegraded(),
    }
  },
})

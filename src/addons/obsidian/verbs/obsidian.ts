import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import {
  count,
  defineOperation,
  degradedSchema,
  entrySchema,
  flag,
  list,
  noticeCode,
  text,
} from '../../../verbs/operation.ts'
import { linkObsidian, obsidianStatus, STEP_NAMES, unlinkObsidian } from '../link-vault.ts'
import { resolveObsidian } from '../resolve-conflict.ts'
import { syncObsidian } from '../sync-notes.ts'
import { watchObsidian } from '../watch-notes.ts'

const linkSchema = v.object({
  vault: v.pipe(v.string(), v.description('The folder of the vault')),
  folder: v.pipe(v.string(), v.description('The synced folder in it')),
  agents: v.exactOptional(
    v.pipe(v.array(v.string()), v.readonly(), v.description('Only the entries of these; absent: of all')),
  ),
  includesPrivate: v.boolean(),
  hasSettings: v.pipe(v.boolean(), v.description('Whether it had an .obsidian folder when it was linked')),
  since: v.string(),
})

const totalsSchema = v.pipe(
  v.object(
    Object.fromEntries(STEP_NAMES.map(name => [name, v.number()])) as Record<
      (typeof STEP_NAMES)[number],
      v.NumberSchema<undefined>
    >,
  ),
  v.description('How often each is done'),
)

const conflictsSchema = v.pipe(
  v.array(v.object({ id: v.string(), path: v.string() })),
  v.readonly(),
  v.description('Notes that were changed on both sides: the entry, and where the other version lies'),
)

const noteProblemsSchema = v.pipe(
  v.array(v.object({ code: noticeCode, path: v.string(), message: v.string(), hint: v.string() })),
  v.readonly(),
  v.description('Notes that were left as they are'),
)

const syncSchema = v.object({
  link: linkSchema,
  dryRun: v.boolean(),
  totals: totalsSchema,
  went: v.pipe(
    v.array(
      v.object({
        does: v.picklist(STEP_NAMES),
        way: v.picklist(['to_note', 'to_entry', 'both']),
        id: v.nullable(v.string()),
        note: v.string(),
        text: v.string(),
      }),
    ),
    v.readonly(),
    v.description('What went which way; the first thousand'),
  ),
  entries: v.number(),
  notes: v.number(),
  redacted: v.pipe(v.number(), v.description('Secrets that did not get into the memory')),
  conflicts: conflictsSchema,
  problems: noteProblemsSchema,
  record: v.pipe(
    v.nullable(v.string()),
    v.description('`cairn undo <record>` takes back what came from the notes; null: no entry was changed'),
  ),
  degraded: degradedSchema,
})
export type SyncView = v.InferOutput<typeof syncSchema>

const dryRun = v.optional(flag('Show what would be done without doing it'))

export const obsidianLinkOperation = defineOperation({
  name: 'obsidian link',
  group: 'Import, export and sync',
  agent: 'free',
  runs: 'checkout',
  summary: 'Keep the entries of this project as notes in a folder of an Obsidian vault',
  description:
    'Sets the folder; nothing is written before `cairn obsidian sync`. The place is stored in your own folder, never in the project, so no repository can decide where notes are written. If you link another place later, the notes in the first one stay there.',
  positionals: ['vault'],
  input: v.object({
    vault: text('The folder that Obsidian opens as a vault'),
    folder: v.optional(text('The folder in it for the notes of this project (default: Cairn/<project>)')),
    agents: v.optional(list('Only the entries of these agents (default: all)')),
    includePrivate: v.optional(flag('Also the entries of the private vault')),
    dryRun,
  }),
  output: v.object({
    link: linkSchema,
    before: v.pipe(v.nullable(linkSchema), v.description('What was linked before')),
    entries: v.pipe(v.number(), v.description('Entries that are synced')),
    notes: v.pipe(v.number(), v.description('Notes that are in the folder already')),
    dryRun: v.boolean(),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn obsidian link ~/Notes', does: 'into Cairn/<project> of that vault' },
    {
      command: 'cairn obsidian link ~/Notes --folder Work/Memory --agents dev',
      does: 'another folder, one agent',
    },
  ],
  async run(memory, { dryRun: isDry = false, ...options }) {
    const linked = await linkObsidian(memory, { ...options, dryRun: isDry })
    return { ...linked, dryRun: isDry, degraded: memory.store.takeDegraded() }
  },
})

export const obsidianSyncOperation = defineOperation({
  name: 'obsidian sync',
  group: 'Import, export and sync',
  agent: 'reports',
  route: { at: 'POST /api/obsidian/sync', access: 'write' },
  runs: 'checkout',
  summary: 'Carry over what changed in the notes and in the entries since the last time',
  description:
    'Each entry has one note in the linked folder. A change on one side is copied to the other; if both sides changed, both versions stay, the other one next to the note. Deleting a note forgets its entry (`cairn undo` restores it); forgetting an entry moves its note to the trash of the vault. A new note of yours becomes an entry. Stops if many notes or entries disappeared together.',
  positionals: [],
  input: v.object({
    allowDeletions: v.optional(flag('Continue although many notes or entries disappeared together')),
    dryRun,
  }),
  output: syncSchema,
  examples: [
    { command: 'cairn obsidian sync', does: 'both ways' },
    { command: 'cairn obsidian sync --dry-run', does: 'what would go which way' },
  ],
  async run(memory, { allowDeletions = false, dryRun: isDry = false }, { onProgress }) {
    const report = await syncObsidian(memory, {
      allowDeletions,
      dryRun: isDry,
      ...(onProgress && { onProgress }),
    })
    return { ...report, degraded: memory.store.takeDegraded() }
  },
})

export const obsidianStatusOperation = defineOperation({
  name: 'obsidian status',
  group: 'Import, export and sync',
  agent: 'reads',
  route: { at: 'GET /api/obsidian', access: 'read' },
  runs: 'checkout',
  summary: 'Show the linked vault, what waits to be synced, and notes changed on both sides',
  positionals: [],
  input: v.object({}),
  output: v.object({
    link: v.pipe(v.nullable(linkSchema), v.description('null: no vault is linked')),
    vault: v.pipe(
      v.nullable(v.picklist(['there', 'missing', 'unmounted'])),
      v.description('unmounted: it has no .obsidian folder any more'),
    ),
    isTrusted: v.boolean(),
    entries: v.number(),
    notes: v.number(),
    waiting: v.pipe(v.nullable(totalsSchema), v.description('What the next sync would do; null: unknown')),
    held: v.pipe(
      v.nullable(v.object({ side: v.picklist(['notes', 'entries']), gone: v.number(), of: v.number() })),
      v.description('So many disappeared together that the next sync will refuse to run'),
    ),
    conflicts: conflictsSchema,
    problems: noteProblemsSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn obsidian status', does: 'show the state of both sides' }],
  async run(memory) {
    return { ...(await obsidianStatus(memory)), degraded: memory.store.takeDegraded() }
  },
})

export const obsidianResolveOperation = defineOperation({
  name: 'obsidian resolve',
  group: 'Import, export and sync',
  agent: 'person',
  runs: 'checkout',
  summary: 'Settle a note that was changed on both sides',
  description:
    'Deleting the other version in Obsidian also keeps the entry. The version you do not keep goes to the trash of the vault.',
  positionals: ['id'],
  input: v.object({
    id: text('The id of the entry, as `cairn obsidian status` shows it'),
    keep: v.pipe(
      v.picklist(['note', 'entry'], 'note or entry'),
      v.description('note: what was written in Obsidian; entry: what Cairn has'),
    ),
  }),
  output: v.object({
    entry: entrySchema,
    kept: v.picklist(['note', 'entry']),
    removed: v.pipe(v.array(v.string()), v.readonly(), v.description('Other versions, now in the trash')),
    record: v.nullable(v.string()),
    problems: noteProblemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn obsidian resolve 1773679871839-k3f9 --keep note', does: 'what you wrote in Obsidian' },
  ],
  async run(memory, { id, keep }) {
    const { sync, ...resolved } = await resolveObsidian(memory, id, keep)
    return { ...resolved, problems: sync.problems, degraded: memory.store.takeDegraded() }
  },
})

export const obsidianUnlinkOperation = defineOperation({
  name: 'obsidian unlink',
  group: 'Import, export and sync',
  agent: 'free',
  runs: 'checkout',
  summary: 'Sync with the vault no more; entries and notes stay',
  positionals: [],
  input: v.object({
    removeNotes: v.optional(flag('Move unchanged notes that Cairn created to the trash of the vault')),
    dryRun,
  }),
  output: v.object({
    link: linkSchema,
    removed: v.pipe(v.array(v.string()), v.readonly(), v.description('Notes that went to the trash')),
    stay: v.pipe(
      v.array(v.object({ path: v.string(), why: v.string() })),
      v.readonly(),
      v.description('With removeNotes: those that stay'),
    ),
    dryRun: v.boolean(),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn obsidian unlink', does: 'leave every note where it is' },
    { command: 'cairn obsidian unlink --remove-notes --dry-run', does: 'which notes would go' },
  ],
  async run(memory, { removeNotes = false, dryRun: isDry = false }) {
    const unlinked = await unlinkObsidian(memory, { removeNotes, dryRun: isDry })
    return { ...unlinked, degraded: memory.store.takeDegraded() }
  },
})

export const obsidianWatchOperation = defineOperation({
  name: 'obsidian watch',
  group: 'Import, export and sync',
  agent: 'reports',
  runs: 'checkout',
  summary: 'Sync whenever a note or an entry changes, until it is ended',
  description: 'Checks both sides every two seconds and syncs after you stop typing. Ctrl+C ends it.',
  positionals: [],
  input: v.object({
    seconds: v.optional(count('End after so many seconds', 31_536_000)),
  }),
  output: v.object({
    syncs: v.pipe(v.number(), v.description('How often something was carried over')),
    totals: totalsSchema,
    failures: v.pipe(
      v.array(v.object({ code: v.string(), message: v.string(), hint: v.string() })),
      v.readonly(),
      v.description('Why a sync was not done; the last ten'),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn obsidian watch', does: 'until Ctrl+C' },
    { command: 'cairn obsidian watch --seconds 3600', does: 'for an hour' },
  ],
  async run(memory, { seconds }, { onProgress, untilEnded }) {
    if (untilEnded === undefined && seconds === undefined) throw nobodyEndsIt()
    await obsidianLinked(memory)
    let syncs = 0
    const totals = noneDone()
    const failures: { code: string; message: string; hint: string }[] = []
    const watch = watchObsidian(memory, {
      keepsAlive: true,
      onSync(report) {
        syncs++
        for (const name of STEP_NAMES) totals[name] += report.totals[name]
        onProgress?.(syncs, undefined, `syncs; the last carried over ${report.went.length}`)
      },
      onFailure({ code, message, hint }) {
        failures.push({ code, message, hint })
        if (failures.length > MAX_FAILURES) failures.shift()
        onProgress?.(syncs, undefined, `syncs; not synced: ${message}`)
      },
    })
    await Promise.race([
      ...(untilEnded === undefined ? [] : [untilEnded()]),
      ...(seconds === undefined ? [] : [memory.clock.sleep(seconds * 1_000)]),
    ])
    await watch.stop()
    return { syncs, totals, failures, degraded: memory.store.takeDegraded() }
  },
})

const MAX_FAILURES = 10

function noneDone(): Record<(typeof STEP_NAMES)[number], number> {
  return Object.fromEntries(STEP_NAMES.map(name => [name, 0])) as Record<(typeof STEP_NAMES)[number], number>
}

/** Without a running watch, changed notes are synced right now. */
async function obsidianLinked(memory: Parameters<typeof watchObsidian>[0]): Promise<void> {
  const { getLink, refuseUntrusted } = await import('../linked-vault.ts')
  refuseUntrusted(memory)
  await getLink(memory)
}

function nobodyEndsIt(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: 'Nobody is there who could end it.',
    hint: 'Say for how long with `seconds`, or run `cairn obsidian watch` in a terminal.',
  })
}

import * as v from 'valibot'
import { defineOperation, degradedSchema, flag, problemsSchema } from '../../../verbs/operation.ts'
import type { SearchPorts } from '../../search/decide/ports.ts'
import type { CompactionResult } from '../decide/compaction-log.ts'
import type { CompactionPlan } from '../decide/plan-compaction.ts'
import { reportedReasonOf } from '../decide/reported-reason.ts'
import type { Unclosed } from '../session-facts.ts'
import { compact } from '../upkeep.ts'
import { compactionSchema, upkeepReasonSchema } from './compaction-schema.ts'

const count = v.number()
const itemSchema = v.object({
  what: v.pipe(v.string(), v.description('An id, or a path in .memory')),
  why: v.string(),
  because: v.exactOptional(upkeepReasonSchema),
  text: v.pipe(v.exactOptional(v.string()), v.description('The beginning of an entry; with --dry-run')),
})
const stepSchema = v.object({
  does: v.picklist([
    'close sessions',
    'distil conversations',
    'rebuild the index',
    'archive entries',
    'roll over',
    'archive checkpoints',
    'remove checkpoints',
    'trim conversations',
    'archive sessions',
    'archive events',
    'archive snapshots',
    'archive old files',
    'delete batches',
  ]),
  count,
  items: v.array(itemSchema),
})
const TEXT_CHARACTERS = 120
export type CompactStep = v.InferOutput<typeof stepSchema>

export const compactOperation = defineOperation({
  name: 'compact',
  group: 'Maintenance',
  agent: 'free',
  worksForUser: true,
  after: ['recall', 'refine'],
  route: { at: 'POST /api/compact', access: 'local', onHub: 'admin' },
  summary: 'Archive old and unused entries and files',
  description:
    'Expires, fades and evicts automatically captured entries, rolls over full files, removes old checkpoints, trims conversations and archives old history. Entries that a person wrote, confirmed or pinned are never changed, and everything removed can be restored: `cairn undo` for the entries of the last run, `cairn restore` for everything. It also runs automatically (upkeep.auto).',
  positionals: [],
  input: v.object({
    dryRun: v.optional(flag('Show the plan and its reasons without changing anything')),
    last: v.optional(flag('Show the result of the last run')),
  }),
  output: v.object({
    plan: v.pipe(v.array(stepSchema), v.description('The plan, with reasons; empty with --last')),
    result: v.pipe(v.nullable(compactionSchema), v.description('null: nothing was changed')),
    isDryRun: v.boolean(),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn compact --dry-run', does: 'show the plan' },
    { command: 'cairn compact', does: 'run upkeep' },
    { command: 'cairn compact --last', does: 'the result of the last run' },
  ],
  async run(memory, { dryRun = false, last = false }, { onProgress }) {
    if (last) {
      const { lastCompaction } = await memory.memoryFiles.readLog()
      return answer({ result: lastCompaction })
    }
    const { left, unclosed, plan, result, problems } = await compact(memory, { dryRun, onProgress })
    const steps = [...closingStep(left), ...distillingStep(unclosed), ...stepsOf(plan)]
    return answer({
      plan: dryRun ? await withTexts(memory, steps) : steps,
      result,
      isDryRun: dryRun,
      problems,
    })

    function answer(found: {
      plan?: CompactStep[]
      result: CompactionResult | undefined
      isDryRun?: boolean
      problems?: Awaited<ReturnType<typeof compact>>['problems']
    }) {
      return {
        plan: found.plan ?? [],
        result: found.result ?? null,
        isDryRun: found.isDryRun ?? false,
        problems: found.problems ?? [],
        degraded: memory.store.takeDegraded(),
      }
    }
  },
})

/** Adds the beginning of each entry, because ids are not enough for a person. */
async function withTexts(memory: SearchPorts, steps: readonly CompactStep[]): Promise<CompactStep[]> {
  const ids = steps
    .filter(({ does }) => does === 'archive entries')
    .flatMap(({ items }) => items.map(({ what }) => what))
  const entryById = await memory.search.loadEntries(ids)
  return steps.map(step => ({
    ...step,
    items: step.items.map(item => {
      const entry = entryById.get(item.what)
      const line = entry?.content
        .slice(0, 10 * TEXT_CHARACTERS)
        .replace(/\s+/g, ' ')
        .trim()
      return line === undefined ? item : { ...item, text: line.slice(0, TEXT_CHARACTERS) }
    }),
  }))
}

/** The plan in words, without empty steps. */
function closingStep(left: readonly string[]): CompactStep[] {
  const items = left.map(what => ({ what, why: 'it was left open', because: { code: 'left_open' as const } }))
  return items.length === 0 ? [] : [{ does: 'close sessions', count: items.length, items }]
}

function distillingStep(unclosed: readonly Unclosed[]): CompactStep[] {
  const items = unclosed.map(({ session, kind }) => ({
    what: session,
    why: kind === 'seed' ? 'not distilled yet' : 'open and long; it continues with its last messages',
  }))
  return items.length === 0 ? [] : [{ does: 'distil conversations', count: items.length, items }]
}

function stepsOf(plan: CompactionPlan): CompactStep[] {
  const leaving = [...plan.expire, ...plan.fade, ...plan.evict]
  const sessions = plan.sessions.map(({ session, files }) => ({
    what: session,
    ...(files[0] === undefined ? { why: '' } : reasonFields(files[0].reason)),
  }))
  const filesOf = (files: CompactionPlan['checkpoints']) =>
    files.map(({ path, reason }) => ({ what: path, ...reasonFields(reason) }))
  const steps: readonly (readonly [CompactStep['does'], CompactStep['items']])[] = [
    [
      'rebuild the index',
      plan.rebuildIndex === undefined
        ? []
        : [{ what: '.vault/index.db', why: plan.rebuildIndex, because: { code: 'index_damaged' } }],
    ],
    ['archive entries', leaving.map(({ id, reason }) => ({ what: id, ...reasonFields(reason) }))],
    [
      'roll over',
      plan.rollOver.map(({ path, entries, moves }) => ({
        what: path,
        why: `${entries} entries, ${moves} to pages`,
        because: { code: 'full', count: entries },
      })),
    ],
    ['archive checkpoints', filesOf(plan.checkpoints)],
    ['remove checkpoints', filesOf(plan.spentCheckpoints)],
    [
      'trim conversations',
      plan.trim.map(({ path, messages, keeps }) => ({
        what: path,
        why: `${messages} messages, distilled; the last ${keeps} stay`,
        because: { code: 'distilled', count: messages },
      })),
    ],
    ['archive sessions', sessions],
    ['archive events', plan.events.map(id => ({ what: id, why: 'old', because: { code: 'old' } }))],
    ['archive snapshots', filesOf(plan.snapshots)],
    ['archive old files', filesOf(plan.legacy)],
    [
      'delete batches',
      plan.expireBatches.map(({ id, ageDays }) => ({
        what: id,
        why: `${ageDays} days in the archive`,
        because: { code: 'in_archive', days: ageDays },
      })),
    ],
  ]
  return steps
    .filter(([, items]) => items.length > 0)
    .map(([does, items]) => ({ does, count: items.length, items: [...items] }))
}

type Reason = CompactionPlan['expire'][number]['reason'] | CompactionPlan['checkpoints'][number]['reason']

function reasonFields(reason: Reason): Pick<CompactStep['items'][number], 'why' | 'because'> {
  const because = reportedReasonOf(reason)
  return { why: reasonOf(reason), ...(because !== undefined && { because }) }
}

function reasonOf(reason: Reason): string {
  switch (reason.code) {
    case 'expired':
      return `not used for ${reason.idleDays} days; the limit of its kind is ${reason.ttlDays}`
    case 'faded':
      return `never fetched, importance now ${rounded(reason.effectiveImportance)}`
    case 'unused':
      return `injected in ${reason.sessions} sessions and not used`
    case 'over_limit':
      return `more than ${reason.mostEntries} captured entries; importance now ${rounded(reason.effectiveImportance)}`
    case 'checkpoint_expired':
      return `${reason.ageDays} days old: too old to continue from`
    case 'checkpoint_damaged':
      return 'cannot be read'
    case 'session_old':
      return `untouched for ${reason.ageDays} days`
    case 'snapshot_old':
      return `${reason.ageDays} days old`
    case 'migrated':
      return 'a vault replaced it'
  }
}

function rounded(importance: number): string {
  return importance.toFixed(2)
}

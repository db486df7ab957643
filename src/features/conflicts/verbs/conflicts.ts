import * as v from 'valibot'
import { CONFLICT_REASONS, CONFLICT_TYPES, RESOLUTIONS } from '../../../kernel/model/conflict.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Degradation } from '../../../kernel/model/search.ts'
import { defineOperation, degradedSchema, entrySchema, flag, text } from '../../../verbs/operation.ts'
import { findTarget } from '../../entries/verbs/target.ts'
import { compareEntries } from '../find-conflicts.ts'
import {
  allConflicts,
  type ConflictView,
  conflictId,
  decisionKey,
  decisionRecords,
  findPair,
  openConflicts,
  resolveConflict,
  type Settlement,
} from '../resolve-conflicts.ts'

/** Maximum time for a person at a terminal. The rest is reported, and the next call continues. */
const MAX_MS = 20_000
/** Maximum time for a page: a server compares the rest when it is idle. */
const MAX_SHARED_MS = 1_000

const resolvedSchema = v.object({
  entryA: v.string(),
  entryB: v.string(),
  conflictType: v.picklist(CONFLICT_TYPES),
  detectedAt: v.number(),
  resolvedAt: v.number(),
  resolution: v.picklist(RESOLUTIONS),
  holds: v.exactOptional(v.pipe(v.string(), v.description('The entry that is injected from now on'))),
  said: v.pipe(
    v.tuple([v.string(), v.string()]),
    v.readonly(),
    v.description('Fingerprints of both contents at the decision'),
  ),
  by: v.string(),
})

const conflictSchema = v.object({
  id: v.pipe(v.string(), v.description('Names the pair in `cairn conflicts resolve`')),
  type: v.picklist(CONFLICT_TYPES),
  confidence: v.exactOptional(v.pipe(v.number(), v.description('0 to 1'))),
  reason: v.exactOptional(
    v.object({
      code: v.pipe(
        v.picklist(CONFLICT_REASONS),
        v.description(
          '`claim`: the newer entry says that it replaces the older one; `value`: both state a value of the same thing; `versions`: one entry, changed in two places',
        ),
      ),
      words: v.pipe(v.array(v.string()), v.readonly()),
      sides: v.exactOptional(
        v.pipe(
          v.tuple([v.pipe(v.array(v.string()), v.readonly()), v.pipe(v.array(v.string()), v.readonly())]),
          v.readonly(),
          v.description('Of `value`: what the older and the newer entry say'),
        ),
      ),
    }),
  ),
  detectedAt: v.pipe(v.number(), v.description('Milliseconds since 1970')),
  older: entrySchema,
  newer: entrySchema,
  resolved: v.exactOptional(resolvedSchema),
  record: v.exactOptional(
    v.pipe(
      v.string(),
      v.description(
        'Of a decision: `cairn undo <record>` reopens the conflict; absent if the journal no longer has it',
      ),
    ),
  ),
})

export const conflictsOperation = defineOperation({
  name: 'conflicts',
  group: 'Review',
  agent: 'reads',
  worksForUser: true,
  route: { at: 'GET /api/conflicts', access: 'read' },
  tool: {
    name: 'conflicts',
    title: 'Conflicts',
    description: 'Entries that contradict each other. The user settles them: `cairn conflicts resolve`.',
    fields: { all: '' },
    effect: 'reads',
    isExtra: true,
  },
  summary: 'Show entries that contradict each other',
  description:
    'Reported is only what the entries say themselves: a newer entry that says it replaces an older one, and two entries that literally state different values of the same thing (`The API port is 8080.`, `The API port is 9090.`). Both stay in briefs until you decide with `cairn conflicts resolve`.',
  positionals: [],
  input: v.object({ all: v.optional(flag('Also the decided ones')) }),
  output: v.object({
    conflicts: v.array(conflictSchema),
    waiting: v.pipe(v.number(), v.description('Entries that were not compared yet')),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn conflicts', does: 'the open ones, side by side' },
    { command: 'cairn conflicts --all --json', does: 'the decided ones too, for a program' },
  ],
  async run(memory, { all }, { onProgress, turn }) {
    await memory.store.refresh()
    const endMs = memory.clock.nowMs() + (turn === undefined ? MAX_MS : MAX_SHARED_MS)
    const { waiting } = await compareEntries(memory, () => memory.clock.nowMs() >= endMs, {
      ...(turn && { turn }),
      ...(onProgress && { onProgress: (done, total) => onProgress(done, total, 'entries compared') }),
    })
    const conflicts = all === true ? await allConflicts(memory) : await openConflicts(memory)
    const notes: Degradation[] = []
    if (waiting > 0) {
      notes.push({
        code: 'comparisons_waiting',
        message: `${waiting} entries were not compared yet. \`cairn conflicts\` goes on where it stopped.`,
      })
    }
    const degraded = [...memory.store.takeDegraded(), ...memory.semantics.takeDegraded(), ...notes]
    const records = await decisionRecords(
      memory,
      conflicts.flatMap(({ resolved }) => resolved ?? []),
    )
    return { conflicts: conflicts.map(conflict => shown(conflict, records)), waiting, degraded }
  },
})

function shown(
  { older, newer, id, type, confidence, reason, detectedAt, resolved }: ConflictView,
  records: ReadonlyMap<string, string>,
) {
  const record = resolved === undefined ? undefined : records.get(decisionKey(resolved))
  return {
    id,
    type,
    ...(confidence !== undefined && { confidence }),
    ...(reason !== undefined && { reason }),
    detectedAt,
    older,
    newer,
    ...(resolved !== undefined && { resolved }),
    ...(record !== undefined && { record }),
  }
}

export const conflictsResolveOperation = defineOperation({
  name: 'conflicts resolve',
  group: 'Review',
  agent: 'person',
  worksForUser: true,
  route: { at: 'POST /api/conflicts/resolve', access: 'write' },
  summary: 'Decide about two entries that contradict each other',
  description:
    'Stored in curation.json, which a team shares. The entry that stays is confirmed. `cairn undo` undoes all of it, and the conflict is open again. A decision is valid until one of the two entries changes. Two entry ids name a pair too, also one that was not reported.',
  positionals: ['pair', 'other'],
  input: v.object({
    pair: text('The pair as `cairn conflicts` shows it, or one of its entries'),
    other: v.optional(
      text('The other entry, when the first is one: an id, or words that only one entry fits'),
    ),
    keep: v.optional(text('This entry is right: the other is no longer injected')),
    remove: v.optional(flag('With --keep: the other is removed instead')),
    supersede: v.optional(text('This entry was right once: the other replaces it')),
    both: v.optional(flag('Both are right, each in its scope')),
    notAConflict: v.optional(flag('They do not contradict each other')),
    dryRun: v.optional(flag('Show what would be decided, and change nothing')),
  }),
  output: v.object({
    id: v.string(),
    resolved: resolvedSchema,
    older: entrySchema,
    newer: entrySchema,
    removed: v.pipe(v.nullable(v.string()), v.description('The entry that was removed')),
    record: v.pipe(
      v.nullable(v.string()),
      v.description('The journal record; `cairn undo <record>` reverts it'),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn conflicts resolve 4f09ab --keep 1773679871839-k3f9', does: 'one of them is right' },
    { command: 'cairn conflicts resolve 4f09ab --both', does: 'each is valid in its scope' },
    {
      command: 'cairn conflicts resolve 1773679871839-k3f9 1773679990001-m2p7 --supersede 1773679871839-k3f9',
      does: 'the older one has had its time',
    },
  ],
  async run(memory, { pair, other, dryRun, ...said }) {
    const settlement = settlementOf(said)
    const [a, b] =
      other === undefined
        ? await findPair(memory, pair)
        : [(await findTarget(memory, pair)).id, (await findTarget(memory, other)).id]
    const { resolved, older, newer, removed, record } = await resolveConflict(memory, [a, b], settlement, {
      isDryRun: dryRun === true,
    })
    return {
      id: conflictId(a, b),
      resolved,
      older,
      newer,
      removed,
      record: record?.id ?? null,
      degraded: memory.store.takeDegraded(),
    }
  },
})

interface Choices {
  readonly keep?: string | undefined
  readonly remove?: boolean | undefined
  readonly supersede?: string | undefined
  readonly both?: boolean | undefined
  readonly notAConflict?: boolean | undefined
}

function settlementOf({ keep, remove, supersede, both, notAConflict }: Choices): Settlement {
  const chosen: Settlement[] = [
    ...(keep === undefined ? [] : [{ kind: 'keep' as const, id: keep, removesOther: remove === true }]),
    ...(supersede === undefined ? [] : [{ kind: 'supersede' as const, id: supersede }]),
    ...(both === true ? [{ kind: 'both' as const }] : []),
    ...(notAConflict === true ? [{ kind: 'not_a_conflict' as const }] : []),
  ]
  const [only, ...more] = chosen
  if (only === undefined || more.length > 0 || (remove === true && keep === undefined)) {
    throw new CairnError({
      code: 'invalid_input',
      message:
        only === undefined
          ? 'Nothing was decided about the pair.'
          : more.length > 0
            ? 'Only one thing can be decided about a pair.'
            : '--remove works only with --keep.',
      hint: 'Use one of --keep <id>, --supersede <id>, --both and --not-a-conflict.',
    })
  }
  return only
}

import * as v from 'valibot'
import { BUNDLE_SECTIONS } from '../../../kernel/model/bundle.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import {
  count,
  defineOperation,
  degradedSchema,
  flag,
  problemsSchema,
  text,
} from '../../../verbs/operation.ts'
import { getCheckpoint, restoreCheckpoint } from '../checkpoints.ts'
import { diffBundles } from '../decide/diff-bundle.ts'
import { RECALL_POLICIES } from '../decide/recall-input.ts'
import { recall } from '../recall.ts'

const sources = v.pipe(
  v.array(v.string()),
  v.readonly(),
  v.description('The evidence: `event:…` and `entry:…`'),
)
const itemsSchema = v.pipe(
  v.array(
    v.object({
      text: v.string(),
      since: v.pipe(v.string(), v.description('UTC: when it was first recorded')),
      sources,
      files: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
    }),
  ),
  v.readonly(),
)
const listOf = <Entries extends v.ObjectEntries>(entries: Entries) =>
  v.pipe(v.array(v.object(entries)), v.readonly())

const bundleView = v.object({
  project: v.object({ name: v.string(), description: v.exactOptional(v.string()) }),
  projectMap: v.object({
    languages: listOf({ name: v.string(), files: v.number() }),
    packages: listOf({ name: v.string(), path: v.string(), kind: v.string() }),
    entryPoints: listOf({ path: v.string(), what: v.string() }),
    scripts: listOf({ name: v.string(), command: v.string(), path: v.string() }),
    folders: listOf({ path: v.string(), files: v.number() }),
  }),
  currentFocus: itemsSchema,
  gotchas: itemsSchema,
  nextSteps: itemsSchema,
  validationCommands: listOf({
    command: v.string(),
    lastOutcome: v.exactOptional(v.picklist(['passed', 'failed'])),
    lastRunAt: v.exactOptional(v.string()),
    sources,
  }),
})

const changesView = v.pipe(
  listOf({
    section: v.picklist(BUNDLE_SECTIONS),
    change: v.picklist(['added', 'removed', 'changed']),
    text: v.string(),
    before: v.exactOptional(v.string()),
    why: v.exactOptional(v.string()),
  }),
  v.description('The changes of the bundle'),
)

const oneOf = <const Choices extends readonly string[]>(choices: Choices, description: string) =>
  v.pipe(v.picklist(choices, `one of ${choices.join(', ')}`), v.description(description))

export const recallOperation = defineOperation({
  name: 'recall',
  group: 'Project state',
  agent: 'free',
  route: { at: 'POST /api/recall', access: 'write' },
  tool: {
    name: 'recall',
    title: 'Recall',
    description: 'Fold new events and entries into the state of the project; dryRun shows it first.',
    fields: { dryRun: '', section: '' },
    effect: 'writes',
    isExtra: true,
  },
  summary: 'Fold new events and entries into the state of the project',
  description:
    'Makes the bundle in .memory/state.json: what the project is, its map, what is being worked on, gotchas, next steps and the commands that check it. Folds in the events since the last recall, and the entries of the vault as they are now; finished steps, resolved gotchas and superseded entries are removed. Each change of the bundle is saved as a checkpoint, and `--restore` brings one back. It uses rules alone; with `--provider model` a model rewords it, if one is allowed here. It also runs automatically (automation.autoRecall) and then writes only .memory/state.json. Existing projections are updated when you run it (projections.auto).',
  positionals: [],
  input: v.object({
    dryRun: v.optional(flag('Show what would change, and change nothing')),
    diff: v.optional(flag('Show line by line what changes (recall.preview.showDiffByDefault)')),
    section: v.optional(
      oneOf(
        ['all', ...BUNDLE_SECTIONS],
        'Update only this section; the events stay in the backlog for the others (recall.defaultSection)',
      ),
    ),
    source: v.optional(
      text('Fold in all, sessions, imports, entries, or one source by its id (recall.defaultSource)'),
    ),
    policy: v.optional(oneOf(RECALL_POLICIES, 'Which statements the bundle takes (recall.policy)')),
    provider: v.optional(oneOf(['rules', 'model'], 'rules (the default), or a model for the wording')),
    stateOnly: v.optional(
      flag('Write only .memory/state.json: projections stay as they are, and nothing is imported first'),
    ),
    restore: v.optional(text('Restore the bundle of this checkpoint (an id, the start of an id, or latest)')),
  }),
  output: v.object({
    isDryRun: v.boolean(),
    isChanged: v.pipe(v.boolean(), v.description('false: the bundle is the same as before')),
    isDiffWanted: v.boolean(),
    restored: v.pipe(v.nullable(v.string()), v.description('The checkpoint that was restored')),
    bundle: bundleView,
    bundleHash: v.string(),
    provider: v.string(),
    checkpoint: v.pipe(v.nullable(v.string()), v.description('The checkpoint of this bundle')),
    changes: changesView,
    folded: v.object({ events: v.number(), entries: v.number(), sources: v.number() }),
    backlog: v.pipe(v.number(), v.description('Events that are not folded in yet')),
    crowdedOut: v.pipe(
      v.record(v.string(), v.number()),
      v.description('Number of statements that did not fit, by section'),
    ),
    imported: v.number(),
    model: v.nullable(
      v.object({
        name: v.string(),
        inputTokens: v.number(),
        outputTokens: v.number(),
        costMicroUsd: v.number(),
        rewritten: v.number(),
        merged: v.number(),
        refused: v.number(),
      }),
    ),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn recall --dry-run', does: 'what would change, line by line' },
    { command: 'cairn recall', does: 'apply it' },
    { command: 'cairn recall --section nextSteps', does: 'only one section' },
    { command: 'cairn recall --restore latest', does: 'restore the bundle of the last checkpoint' },
  ],
  async run(memory, { restore, diff, dryRun = false, ...options }, { onProgress, isAgent }) {
    const isDiffWanted = diff ?? (dryRun && (await memory.config())['recall.preview.showDiffByDefault'])
    if (restore !== undefined) {
      const other = Object.keys(options).find(name => options[name as keyof typeof options] !== undefined)
      if (other !== undefined)
        throw new CairnError({
          code: 'invalid_input',
          message: `recall: \`${other}\` is an option of folding, and --restore does not fold.`,
          hint: 'Use --restore alone, or with --dry-run.',
        })
      const { state, checkpoint, changes } = await restoreCheckpoint(memory, restore, { dryRun })
      return {
        isDryRun: dryRun,
        isChanged: changes.length > 0,
        isDiffWanted,
        restored: restore,
        bundle: state.bundle,
        bundleHash: state.bundleHash,
        provider: state.provider,
        checkpoint: dryRun ? null : checkpoint,
        changes,
        folded: { events: 0, entries: 0, sources: 0 },
        backlog: 0,
        crowdedOut: {},
        imported: 0,
        model: null,
        problems: [],
        degraded: memory.store.takeDegraded(),
      }
    }
    const recalled = await recall(memory, {
      ...options,
      dryRun,
      // Only a person changes files that git tracks.
      stateOnly: options.stateOnly === true || isAgent === true,
      ...(onProgress && { onProgress }),
    })
    return {
      ...recalled,
      isDiffWanted,
      restored: null,
      model: recalled.model ?? null,
      crowdedOut: { ...recalled.crowdedOut },
    }
  },
})

const MAX_LISTED = 1_000

export const checkpointsOperation = defineOperation({
  name: 'checkpoints',
  group: 'Project state',
  agent: 'reads',
  route: { at: 'GET /api/checkpoints', access: 'read' },
  summary: 'List the checkpoints of the state, newest first',
  positionals: [],
  input: v.object({ limit: v.optional(count('Maximum number (default 20)', MAX_LISTED)) }),
  output: v.object({
    checkpoints: v.array(
      v.object({
        id: v.string(),
        createdAt: v.string(),
        path: v.pipe(v.string(), v.description('Relative to .memory')),
        isLatest: v.pipe(v.boolean(), v.description('The state names it')),
      }),
    ),
    total: v.number(),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn checkpoints', does: 'checkpoints for `cairn recall --restore`' }],
  async run(memory, { limit = 20 }) {
    const all = await memory.state.checkpoints()
    const reading = await memory.state.read()
    const latest = reading.kind === 'read' ? reading.state.maintenance.latestCheckpointId : null
    return {
      checkpoints: all
        .slice(0, limit)
        .map(checkpoint => ({ ...checkpoint, isLatest: checkpoint.id === latest })),
      total: all.length,
      problems: reading.kind === 'damaged' ? [reading.problem] : [],
      degraded: memory.store.takeDegraded(),
    }
  },
})

export const checkpointShowOperation = defineOperation({
  name: 'checkpoint show',
  group: 'Project state',
  agent: 'reads',
  route: { at: 'GET /api/checkpoints/:id', access: 'read' },
  summary: 'Show a checkpoint, and what changed in the bundle since',
  positionals: ['id'],
  input: v.object({ id: text('The id, the start of an id, or latest') }),
  output: v.object({
    id: v.string(),
    createdAt: v.string(),
    reason: v.string(),
    bundleHash: v.string(),
    bundle: bundleView,
    changes: changesView,
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn checkpoint show latest', does: 'the last one' },
    { command: 'cairn checkpoint show 2026-03-16', does: 'the one of that day' },
  ],
  async run(memory, { id }) {
    const { schemaVersion: _, ...checkpoint } = await getCheckpoint(memory, id)
    const reading = await memory.state.read()
    return {
      ...checkpoint,
      changes: reading.kind === 'read' ? diffBundles(checkpoint.bundle, reading.state.bundle) : [],
      problems: reading.kind === 'damaged' ? [reading.problem] : [],
      degraded: memory.store.takeDegraded(),
    }
  },
})

import * as v from 'valibot'
import { BUNDLE_SECTIONS } from '../../../kernel/model/bundle.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { defineOperation, degradedSchema, flag, problemsSchema, text } from '../../../verbs/operation.ts'
import { restoreCheckpoint } from '../checkpoints.ts'
import { RECALL_POLICIES } from '../decide/recall-input.ts'
import { recall } from '../recall.ts'
import { bundleView, changesView } from './bundle-schema.ts'

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
    description: 'Fold what happened into the state of the project; dryRun shows it first.',
    fields: { dryRun: '', section: '' },
    effect: 'writes',
    isExtra: true,
  },
  summary: 'Fold what happened into the state of the project',
  description:
    'Makes the bundle in .memory/state.json: what the project is, its map, what is being worked on, gotchas, next steps and the commands that check it. Folds in the events that came since the last time, and the entries of the vault as they are now; finished steps, resolved gotchas and superseded entries leave. Each change of the bundle is kept as a checkpoint, and `--restore` brings one back. By rules alone; `--provider model` has a model, where one is allowed here, say it better. It also runs automatically (automation.autoRecall) and then writes only .memory/state.json. Projections that were written before follow when you run it (projections.auto).',
  positionals: [],
  input: v.object({
    dryRun: v.optional(flag('Show what would change, and change nothing')),
    diff: v.optional(flag('Show line by line what changes (recall.preview.showDiffByDefault)')),
    section: v.optional(
      oneOf(
        ['all', ...BUNDLE_SECTIONS],
        'Renew this section alone; the events wait for the others (recall.defaultSection)',
      ),
    ),
    source: v.optional(
      text('Fold in all, sessions, imports, entries, or one source by its id (recall.defaultSource)'),
    ),
    policy: v.optional(oneOf(RECALL_POLICIES, 'What may enter the bundle (recall.policy)')),
    provider: v.optional(oneOf(['rules', 'model'], 'Rules alone (the default), or a model for the wording')),
    stateOnly: v.optional(
      flag('Write only .memory/state.json: projections stay as they are, and nothing is imported first'),
    ),
    restore: v.optional(text('Bring back the bundle of this checkpoint (an id, how one begins, or latest)')),
  }),
  output: v.object({
    isDryRun: v.boolean(),
    isChanged: v.pipe(v.boolean(), v.description('false: the bundle says what it said')),
    isDiffWanted: v.boolean(),
    restored: v.pipe(v.nullable(v.string()), v.description('The checkpoint that was brought back')),
    bundle: bundleView,
    bundleHash: v.string(),
    provider: v.string(),
    checkpoint: v.pipe(v.nullable(v.string()), v.description('The checkpoint of this bundle')),
    changes: changesView,
    folded: v.object({ events: v.number(), entries: v.number(), sources: v.number() }),
    backlog: v.pipe(v.number(), v.description('Events that wait')),
    crowdedOut: v.pipe(
      v.record(v.string(), v.number()),
      v.description('Statements without room, by section'),
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
    { command: 'cairn recall', does: 'do it' },
    { command: 'cairn recall --section nextSteps', does: 'one section alone' },
    { command: 'cairn recall --restore latest', does: 'the bundle of the last checkpoint again' },
  ],
  async run(memory, { restore, diff, dryRun = false, ...options }, { onProgress, isAgent }) {
    const isDiffWanted = diff ?? (dryRun && (await memory.config())['recall.preview.showDiffByDefault'])
    if (restore !== undefined) {
      const other = Object.keys(options).find(name => options[name as keyof typeof options] !== undefined)
      if (other !== undefined)
        throw new CairnError({
          code: 'invalid_input',
          message: `recall: \`${other}\` says how to fold, and --restore folds nothing.`,
          hint: 'Give --restore alone, or with --dry-run.',
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
      // What git sees changes when a person asks for it.
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

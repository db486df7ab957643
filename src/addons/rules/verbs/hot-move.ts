import * as v from 'valibot'
import { findTarget } from '../../../features/entries/verbs/target.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../../kernel/text/redaction/redaction-options.ts'
import {
  defineOperation,
  degradedSchema,
  entrySchema,
  flag,
  recordSchema,
  text,
} from '../../../verbs/operation.ts'
import { demoteRule, promoteEntry } from '../moving-rules.ts'

const dryRun = v.optional(flag('Show what would be done without changing anything'))
const moved = {
  file: v.pipe(v.string(), v.description('The rule file')),
  rule: v.pipe(v.string(), v.description('The rule, as `cairn hot --rules` names it')),
  text: v.string(),
  isDryRun: v.boolean(),
  record: recordSchema,
  degraded: degradedSchema,
}

export const hotPromoteOperation = defineOperation({
  name: 'hot promote',
  group: 'Project state',
  agent: 'person',
  runs: 'checkout',
  summary: 'Make an entry a rule that every conversation begins with',
  description:
    'A preference is added to user-profile.md, anything else to global-conventions.md, if it fits the budgets. The entry stays in the vault but is unpinned, because it would be injected twice. `cairn undo` reverts both.',
  positionals: ['target'],
  input: v.object({
    target: text('The id of an entry, or words that only one fits'),
    file: v.optional(text('Another rule file, by its name')),
    dryRun,
  }),
  output: v.object(moved),
  examples: [
    { command: 'cairn hot promote 1773679871839-k3f9', does: 'by id' },
    {
      command: 'cairn hot promote "smoke tests" --file global-conventions.md --dry-run',
      does: 'where it would go',
    },
  ],
  async run(memory, { target, file, dryRun: isDryRun = false }) {
    const entry = await findTarget(memory, target)
    const result = await promoteEntry(memory, entry, {
      dryRun: isDryRun,
      ...(file !== undefined && { file }),
    })
    return { ...result, isDryRun, degraded: memory.store.takeDegraded() }
  },
})

export const hotDemoteOperation = defineOperation({
  name: 'hot demote',
  group: 'Project state',
  agent: 'person',
  runs: 'checkout',
  summary: 'Move a rule out of hot memory, into the vault or a workspace',
  description:
    'The rule leaves its file and becomes an entry of the shared vault, or a decision or lesson of the workspace that it names. Nothing is lost: search and briefs find it where it fits, and `cairn undo` puts it back.',
  positionals: ['rule'],
  input: v.object({
    rule: text(
      'The rule as `cairn hot --rules` names it (user-profile.md#4f9a1c), or words that only one has',
    ),
    workspace: v.optional(text('The workspace it belongs to (default: the one it names, else the vault)')),
    dryRun,
  }),
  output: v.object({
    ...moved,
    to: v.pipe(v.string(), v.description('Where it went')),
    entry: v.pipe(v.nullable(entrySchema), v.description('The entry it became; null in a workspace')),
  }),
  examples: [
    { command: 'cairn hot demote user-profile.md#4f9a1c', does: 'by name' },
    { command: 'cairn hot demote "terraform" --workspace infra', does: 'by words, to a workspace' },
  ],
  async run(memory, { rule, workspace, dryRun: isDryRun = false }) {
    const result = await demoteRule(memory, rule, {
      dryRun: isDryRun,
      ...(workspace !== undefined && { workspace }),
    })
    const clean = redact(result.text, redactionOptions(await memory.config())).text
    return { ...result, text: clean, isDryRun, degraded: memory.store.takeDegraded() }
  },
})

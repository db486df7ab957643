import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../../kernel/text/redaction/redaction-options.ts'
import { defineOperation, degradedSchema, flag, recordSchema } from '../../../verbs/operation.ts'
import { ruleName } from '../decide/advise.ts'
import { HOST_FOLDERS } from '../decide/host-folders.ts'
import { type ReadRuleFile, readHotFiles } from '../hot-files.ts'
import { adviceFor, type HotState, hotState, initHotMemory } from '../hot-memory.ts'
import {
  applyLinks,
  hostsToLink,
  inspectLinks,
  plannedResults,
  removeLinks,
  ruleLinkSet,
} from '../linking.ts'
import { hostFields, linkFields, linkResultSchema, linkResults } from './hot-schemas.ts'

const fileSchema = v.object({
  path: v.string(),
  source: v.pipe(v.picklist(['common', 'host']), v.description('host: a rule of one host alone')),
  host: v.exactOptional(v.string()),
  lines: v.number(),
  tokens: v.number(),
  budget: v.pipe(v.nullable(v.number()), v.description('Lines it declares; null: none, or not in our form')),
  always: v.pipe(v.boolean(), v.description('False: read for some files alone, so it does not count')),
  links: v.array(v.object({ host: v.string(), path: v.string(), state: v.string() })),
  rules: v.pipe(
    v.array(v.object({ name: v.string(), line: v.number(), text: v.string() })),
    v.description('With --rules'),
  ),
})
const totalsSchema = v.object({
  lines: v.number(),
  tokens: v.number(),
  maxLines: v.number(),
  maxTokens: v.number(),
})
const findingsSchema = v.array(
  v.object({
    level: v.picklist(['error', 'warning']),
    code: v.string(),
    path: v.string(),
    line: v.exactOptional(v.number()),
    message: v.string(),
    hint: v.string(),
  }),
)
type HotFileView = v.InferOutput<typeof fileSchema>
export type HotFindingView = v.InferOutput<typeof findingsSchema>[number]

export const hotOperation = defineOperation({
  name: 'hot',
  group: 'Project state',
  agent: 'reads',
  route: { at: 'GET /api/hot', access: 'read' },
  runs: 'checkout',
  summary: 'Show what every conversation begins with, what it costs and where it is linked',
  description:
    'Hot memory is the rule files in hot.rules (agent/rules/common) and the rule files of single hosts. `cairn hot lint` explains the problems and suggests moves.',
  positionals: [],
  input: v.object({ rules: v.optional(flag('Every rule with its name, for `cairn hot demote`')) }),
  output: v.object({
    folder: v.string(),
    files: v.array(fileSchema),
    totals: totalsSchema,
    findings: findingsSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn hot', does: 'files, sizes, budgets, links' },
    { command: 'cairn hot --rules', does: 'each rule with its name' },
  ],
  async run(memory, { rules = false }) {
    const state = await hotState(memory)
    const clean = await cleaner(memory)
    return {
      folder: state.set.folder,
      files: state.files.map(file => fileView(file, state, rules ? clean : undefined)),
      totals: { ...state.totals, ...state.limits },
      findings: state.findings.map(finding => ({ ...finding, message: clean(finding.message) })),
      degraded: memory.store.takeDegraded(),
    }
  },
})

function fileView(
  { path, source, host, lines, tokens, budget, isAlways, rules }: ReadRuleFile,
  { links }: HotState,
  clean: ((text: string) => string) | undefined,
): HotFileView {
  return {
    path,
    source,
    ...(host !== undefined && { host }),
    lines,
    tokens,
    budget: budget.kind === 'lines' ? budget.lines : null,
    always: isAlways,
    links: links.plans
      .filter(({ wanted, state }) => wanted.source === path && state !== 'absent')
      .map(({ wanted, state }) => ({ host: wanted.host, path: wanted.path, state })),
    rules:
      clean === undefined
        ? []
        : rules.map(rule => ({ name: ruleName(path, rule), line: rule.line, text: clean(rule.text) })),
  }
}

/** A rule file belongs to the user and may contain a secret that must not be repeated. */
async function cleaner(memory: Memory): Promise<(text: string) => string> {
  const options = redactionOptions(await memory.config())
  return text => redact(text, options).text
}

export const hotInitOperation = defineOperation({
  name: 'hot init',
  group: 'Project state',
  agent: 'free',
  runs: 'checkout',
  summary: 'Lay out the rule files that every conversation begins with',
  description:
    'user-profile.md (50 lines), global-conventions.md (80) and workspace-workflow.md (100), with a text to begin with. A file that is there stays as it is; `cairn undo` takes them away again.',
  positionals: [],
  input: v.object({ dryRun: v.optional(flag('Show what would be written without writing it')) }),
  output: v.object({
    files: v.array(v.object({ path: v.string(), outcome: v.picklist(['written', 'kept']) })),
    isDryRun: v.boolean(),
    record: recordSchema,
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn hot init --dry-run', does: 'what would be written' },
    { command: 'cairn hot init', does: 'the three files' },
  ],
  async run(memory, { dryRun = false }) {
    const { files, record } = await initHotMemory(memory, { dryRun })
    return {
      files: files.map(file => ({ ...file })),
      isDryRun: dryRun,
      record,
      degraded: memory.store.takeDegraded(),
    }
  },
})

const proposalText = v.pipe(v.string(), v.description('Free of secrets'))

export const hotLintOperation = defineOperation({
  name: 'hot lint',
  group: 'Project state',
  agent: 'reads',
  route: { at: 'GET /api/hot/lint', access: 'read' },
  runs: 'checkout',
  summary: 'Check budgets, totals and links of the rule files, and say what to move',
  description:
    'Errors end with exit code 1: over a declared budget, over 300 lines or 3,000 tokens in total (hot.maxLines, hot.maxTokens), a malformed budget, a broken link, a copy that is outdated or was changed by hand. After 15 closed sessions it also lists the rules that fewer than 80 % of them were about, and the entries that were injected into more than 80 %.',
  positionals: [],
  input: v.object({ strict: v.optional(flag('Warnings end with exit code 1 as well')) }),
  output: v.object({
    passed: v.boolean(),
    totals: totalsSchema,
    findings: findingsSchema,
    advice: v.object({
      sessions: v.pipe(v.number(), v.description('The number of closed sessions that were measured')),
      needed: v.pipe(v.number(), v.description('With fewer sessions there is no advice')),
      unmeasured: v.pipe(v.number(), v.description('Rules that say how to work, not what about')),
      demote: v.array(
        v.object({
          rule: v.string(),
          file: v.string(),
          line: v.number(),
          text: proposalText,
          touched: v.pipe(v.number(), v.description('How many of the sessions were about it')),
          sessions: v.number(),
          to: v.pipe(v.string(), v.description('Where it would go')),
        }),
      ),
      promote: v.array(
        v.object({
          entry: v.string(),
          text: proposalText,
          told: v.pipe(v.number(), v.description('The number of sessions it was injected into')),
          sessions: v.number(),
          file: v.string(),
          demote: v.exactOptional(v.pipe(v.string(), v.description('The rule that has to go first'))),
        }),
      ),
    }),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn hot lint', does: 'list problems and suggested moves' },
    { command: 'cairn hot lint --strict', does: 'for CI: warnings fail too' },
  ],
  exitCode: ({ passed }) => (passed ? 0 : 1),
  async run(memory, { strict = false }) {
    const state = await hotState(memory)
    const advice = await adviceFor(memory, state)
    const clean = await cleaner(memory)
    const failing = state.findings.filter(({ level }) => strict || level === 'error')
    return {
      passed: failing.length === 0,
      totals: { ...state.totals, ...state.limits },
      findings: state.findings.map(finding => ({ ...finding, message: clean(finding.message) })),
      advice: {
        ...advice,
        demote: advice.demote.map(proposal => ({ ...proposal, text: clean(proposal.text) })),
        promote: advice.promote.map(proposal => ({ ...proposal, text: clean(proposal.text) })),
      },
      degraded: memory.store.takeDegraded(),
    }
  },
})

const linkAnswer = {
  results: v.array(linkResultSchema),
  notes: v.pipe(v.array(v.string()), v.description('What a person must do for a host')),
  isDryRun: v.boolean(),
  degraded: degradedSchema,
}

export const hotLinkOperation = defineOperation({
  name: 'hot link',
  group: 'Project state',
  agent: 'free',
  runs: 'checkout',
  summary: 'Link the rule files into each host’s folder of rules',
  description:
    'Creates relative symlinks, or copies with a marker if a host needs its own front matter (Cursor, Copilot) or the system does not allow links. Other files are never touched, and running it again only updates outdated copies. `cairn hot unlink` reverts it.',
  positionals: [],
  input: v.object(linkFields),
  output: v.object(linkAnswer),
  examples: [
    { command: 'cairn hot link', does: 'for every host that the project has' },
    { command: 'cairn hot link --host cursor,claude-code', does: 'for these' },
    { command: 'cairn hot link --copy', does: 'copies everywhere' },
  ],
  async run(memory, { host, copy = false, dryRun = false }) {
    const hosts = await hostsToLink(memory, host)
    const files = await readHotFiles(memory)
    const set = ruleLinkSet(files)
    const results = dryRun
      ? plannedResults(await inspectLinks(memory, set, { hosts, copies: copy }))
      : hosts.length === 0 || files.common.length === 0
        ? []
        : await applyLinks(memory, set, { hosts, copies: copy })
    const notes = hosts.flatMap(({ instead, rules }) => instead ?? rules?.note ?? [])
    if (files.common.length === 0)
      notes.unshift(`${files.folder} contains no rule file; \`cairn hot init\` creates them.`)
    else if (hosts.length === 0)
      notes.unshift(
        'No host was found in this project: name one with --host, for example --host claude-code.',
      )
    return { results: linkResults(results), notes, isDryRun: dryRun, degraded: memory.store.takeDegraded() }
  },
})

export const hotUnlinkOperation = defineOperation({
  name: 'hot unlink',
  group: 'Project state',
  agent: 'free',
  runs: 'checkout',
  summary: 'Take the links and copies of the rule files away again',
  description: 'Removes links to the rule files and unchanged copies. Everything else stays.',
  positionals: [],
  input: v.object({
    ...hostFields,
    dryRun: v.optional(flag('Show what would be removed without removing it')),
  }),
  output: v.object(linkAnswer),
  examples: [
    { command: 'cairn hot unlink --dry-run', does: 'what would go' },
    { command: 'cairn hot unlink --host cursor', does: 'for one host' },
  ],
  async run(memory, { host, dryRun = false }) {
    const hosts = host === undefined ? HOST_FOLDERS : await hostsToLink(memory, host)
    const results = await removeLinks(memory, ruleLinkSet(await readHotFiles(memory)), {
      hosts,
      dryRun,
      all: true,
    })
    return {
      results: linkResults(results),
      notes: [],
      isDryRun: dryRun,
      degraded: memory.store.takeDegraded(),
    }
  },
})

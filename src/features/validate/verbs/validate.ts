import * as v from 'valibot'
import type { Composed } from '../../../compose/composed.ts'
import { placeText } from '../../../kernel/memory-place.ts'
import { CairnError, ERROR_CLASSES } from '../../../kernel/model/errors.ts'
import { packageFacts } from '../../../kernel/system/package-facts.ts'
import { defineOperation, flag, list } from '../../../verbs/operation.ts'
import { CHECK_NAMES } from '../checks.ts'
import { SEVERITIES, totalsOf } from '../decide/finding.ts'
import { applyMends, planMends, validateMemory } from '../validate-memory.ts'

/** The findings that are shown; the totals count all. */
const MAX_FINDINGS = 1_000

export const findingSchema = v.object({
  code: v.string(),
  severity: v.picklist(SEVERITIES),
  path: v.pipe(v.string(), v.description('Relative to the project')),
  line: v.exactOptional(v.number()),
  message: v.string(),
  fix: v.pipe(v.string(), v.description('The command or the edit that fixes it')),
  fixable: v.pipe(v.boolean(), v.description('Whether `--fix` does it')),
})

const mendedSchema = v.object({ path: v.string(), what: v.string() })

const reportSchema = v.object({
  root: v.string(),
  exists: v.pipe(v.boolean(), v.description('False: there is no memory here')),
  valid: v.pipe(v.boolean(), v.description('No error was found, and with `--strict` no warning')),
  strict: v.boolean(),
  deep: v.boolean(),
  files: v.pipe(v.number(), v.description('Number of files in the memory')),
  totals: v.object({ error: v.number(), warning: v.number(), note: v.number() }),
  findings: v.pipe(v.array(findingSchema), v.description(`The first ${MAX_FINDINGS}, worst file first`)),
  more: v.pipe(v.number(), v.description('Findings that are not shown')),
  checks: v.array(v.object({ name: v.string(), findings: v.number() })),
  skipped: v.pipe(
    v.array(v.object({ what: v.string(), why: v.string() })),
    v.description('What was not checked'),
  ),
  fixed: v.pipe(
    v.array(mendedSchema),
    v.description('Changes that `--fix` made, or would make with `--dry-run`'),
  ),
  dryRun: v.boolean(),
})

export const validateOperation = defineOperation({
  name: 'validate',
  group: 'Maintenance',
  agent: 'reads',
  worksForUser: true,
  summary: 'Check everything on disk, with the fix for each finding',
  description:
    'Checks every file of the memory and what git tracks of it, and changes nothing. A missing file is not a problem, so it works in a fresh clone and in a read-only folder. Ends with exit code 7 when it found errors (with --strict: or warnings). In GitHub Actions findings are shown next to the lines they are about.',
  positionals: [],
  input: v.object({
    strict: v.optional(flag('Warnings count as errors')),
    deep: v.optional(flag('Read everything: secrets in texts, every conversation, each page of the index')),
    only: v.optional(list(`Only these checks: ${CHECK_NAMES.join(', ')}`)),
    fix: v.optional(flag('Fix what is safe to fix: the index, missing lines of .gitignore, leftovers')),
    dryRun: v.optional(flag('With --fix: show what would be done')),
    githubAction: v.optional(flag('Print a workflow for GitHub Actions, and do nothing else')),
  }),
  output: v.union([reportSchema, v.object({ workflow: v.string() })]),
  exitCode: output => ('workflow' in output || output.valid ? 0 : ERROR_CLASSES.invalid.exitCode),
  examples: [
    { command: 'cairn validate', does: 'check everything' },
    { command: 'cairn validate --strict --json', does: 'for CI: warnings count, one JSON document' },
    { command: 'cairn validate --fix --dry-run', does: 'what can be fixed automatically' },
    { command: 'cairn validate --only vault,config --deep', does: 'two checks, thoroughly' },
    {
      command: 'cairn validate --github-action > .github/workflows/cairn.yml',
      does: 'a workflow that checks every pull request',
    },
  ],
  async run(memory, { strict = false, deep = false, only, fix = false, dryRun = false, githubAction }) {
    if (githubAction === true) {
      const { name, version } = packageFacts()
      return { workflow: renderWorkflow(name, version) }
    }
    if (dryRun && !fix)
      throw new CairnError({
        code: 'invalid_input',
        message: '`--dry-run` needs `--fix`: without it nothing is changed.',
        hint: 'Try `cairn validate --fix --dry-run`.',
      })
    const options = { deep, ...(only !== undefined && { only }) }
    let seen = await validateMemory(memory, options)
    let fixed: readonly { path: string; what: string }[] = []
    if (fix) {
      const plans = planMends(seen.findings)
      fixed = dryRun ? plans : await applyMends(memory, plans)
      if (!dryRun && fixed.length > 0) seen = await validateMemory(memory, options)
    }
    const totals = totalsOf(seen.findings)
    const shown = seen.findings.slice(0, MAX_FINDINGS)
    return {
      root: placeText(memory),
      exists: seen.exists,
      valid: totals.error === 0 && !(strict && totals.warning > 0),
      strict,
      deep,
      files: seen.files,
      totals: { ...totals },
      findings: shown.map(({ mend, ...finding }) => ({ ...finding, fixable: mend !== undefined })),
      more: seen.findings.length - shown.length,
      checks: seen.checks.map(check => ({ ...check })),
      skipped: seen.skipped.map(part => ({ ...part })),
      fixed: fixed.map(({ path, what }) => ({ path, what })),
      dryRun,
    }
  },
})

/** The workflow that `cairn validate --github-action` prints, pinned to the version that printed it. It needs no secret and writes nothing. */
function renderWorkflow(packageName: string, version: string): string {
  return `# .github/workflows/cairn.yml: checks the memory of this project with every change of it.
name: Memory
on:
  push:
    paths: ['.memory/**', '.github/workflows/cairn.yml']
  pull_request:
    paths: ['.memory/**']
permissions:
  contents: read
jobs:
  validate:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      # Findings are shown next to the lines they are about. Exit code 7: something is wrong.
      - run: npx --yes ${packageName}@${version} validate --strict --deep --json
`
}

/** For programs: the report alone. */
export async function findReport(
  memory: Composed,
  options: { readonly deep: boolean; readonly only?: string[] },
): Promise<ValidateReport> {
  const report = await validateOperation.run(memory, options, {})
  if ('workflow' in report) throw new Error('no workflow was asked for')
  return report
}

export type ValidateReport = v.InferOutput<typeof reportSchema>

import { lintAges } from '../../../addons/rules/decide/lint.ts'
import type { RulePorts } from '../../../addons/rules/decide/ports.ts'
import { readHotFiles } from '../../../addons/rules/hot-files.ts'
import { overBudget } from '../../../addons/rules/hot-memory.ts'
import { hasPorts } from '../../../kernel/checkout.ts'
import type { Memory } from '../../../kernel/memory.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import { missingBlock } from '../../state/entry-blocks.ts'
import { judgeIgnore } from '../../validate/decide/judge-surroundings.ts'
import type { GitPorts, ValidatePorts } from '../../validate/decide/ports.ts'

const MAX_IGNORE_BYTES = 1_048_576
/** `cairn status` finds a removed entry block only if it was written within this many records; `cairn validate` always does. */
const MAX_RECORDS = 2_000
const MAX_NAMED = 3

/** Problems in the files around the memory. None of them affects stored data, so they wait for a person. */
export const SURROUNDING_CODES = ['memory_not_ignored', 'entry_block_missing', 'rules_over_budget'] as const

export async function surroundingProblems(
  memory: Memory & ValidatePorts & Partial<RulePorts & GitPorts>,
): Promise<Problem[]> {
  if (!hasPorts(memory, 'gitTracking')) return []
  return [
    ...(await ignoreProblems(memory)),
    ...(await blockProblems(memory)),
    ...(await ruleProblems(memory)),
  ]
}

/** Files that the next `git add` would include. */
async function ignoreProblems(memory: ValidatePorts & GitPorts): Promise<Problem[]> {
  const read = await memory.memoryTree.readEnd('.gitignore', MAX_IGNORE_BYTES)
  const text = read && new TextDecoder().decode(read.bytes)
  const findings = judgeIgnore(text).filter(({ severity }) => severity !== 'note')
  if (findings.length === 0 || !(await memory.gitTracking.isCheckout())) return []
  const lines = findings.flatMap(({ mend }) => (mend?.kind === 'ignore' ? mend.lines : []))
  const others = lines.length - MAX_NAMED
  const named = `${lines.slice(0, MAX_NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  return [
    {
      code: 'memory_not_ignored',
      path: '.gitignore',
      message: `git does not ignore ${named} of .memory.`,
      hint: '`cairn validate --fix` adds the lines to .memory/.gitignore.',
    },
  ]
}

async function blockProblems(memory: Memory): Promise<Problem[]> {
  const missing = await missingBlock(memory, memory.store.readJournal({ limit: MAX_RECORDS }))
  if (missing === undefined) return []
  return [
    {
      code: 'entry_block_missing',
      path: missing,
      message: `${missing} has lost the entry block, which tells agents how to use the memory.`,
      hint: '`cairn entry-block write` writes it again.',
    },
  ]
}

async function ruleProblems(memory: Memory & Partial<RulePorts>): Promise<Problem[]> {
  const findings = await overBudget(memory)
  return findings.map(({ path, message, hint }) => ({ code: 'rules_over_budget', path, message, hint }))
}

/** Rule files for the stale review: over their budget, or unchanged for three months. */
export async function staleRules(memory: Memory & Partial<RulePorts>): Promise<Problem[]> {
  if (!hasPorts(memory, 'hotFiles')) return []
  const { common } = await readHotFiles(memory)
  const old = lintAges(common, memory.clock.nowMs())
  return [
    ...(await ruleProblems(memory)),
    ...old.map(({ path, message, hint }): Problem => ({ code: 'review_due', path, message, hint })),
  ]
}

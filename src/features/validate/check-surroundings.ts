import { overBudget } from '../../addons/rules/hot-memory.ts'
import { portOf } from '../../kernel/checkout.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import type { JournalRecord } from '../../kernel/model/journal.ts'
import { entryBlockStatus, missingBlock } from '../state/entry-blocks.ts'
import { projectionStatus } from '../state/projections.ts'
import type { ValidationFinding } from './decide/finding.ts'
import { damagedJson, textOf } from './decide/json-text.ts'
import { leadsOut } from './decide/judge-documents.ts'
import { objectOf } from './decide/judge-logs.ts'
import {
  judgeIgnore,
  judgeIndex,
  judgeMissingBlock,
  judgeProjected,
  judgeTracked,
} from './decide/judge-surroundings.ts'
import { judgeTree } from './decide/judge-tree.ts'
import { findingOf, MAX_LOG_BYTES, type ValidationCheck, type ValidationRun } from './validation-run.ts'

const MAX_IGNORE_BYTES = 1_048_576
const MAX_PROBLEMS = 500
/** A file with such a problem is in no answer; with other problems only a part of it is missing. */
const LEAVES_OUT: ReadonlySet<string> = new Set([
  'front_matter_invalid',
  'front_matter_missing',
  'front_matter_open',
  'duplicate_file',
  'not_text',
  'link_outside',
  'link_loop',
])

/** Names, links, rights, leftovers of processes that died. */
export const checkFiles: ValidationCheck = async run => {
  run.add(judgeTree(run.items, run.nowMs))
}

/** `.gitignore`, and whether git tracks what is private or local. */
export const checkGit: ValidationCheck = async run => {
  const bytes = run.bytes(LAYOUT.gitignore.path, MAX_IGNORE_BYTES)
  const text = bytes && textOf(bytes)
  if (bytes !== undefined || !run.has(LAYOUT.gitignore.path)) run.add(judgeIgnore(text))
  const tracked = await run.memory.gitTracking?.tracked()
  if (tracked?.kind === 'read') run.add(judgeTracked(tracked.paths, text))
  if (tracked?.kind === 'unreadable') run.skip('what git tracks', tracked.why)
}

/** Whether the index can be used and is up to date, and the log of upkeep. */
export const checkIndex: ValidationCheck = async run => {
  const inspection = await portOf(run.memory.indexInspector, 'The index in a file').inspect(run.isDeep)
  if (inspection.kind === 'unreachable') run.skip(`.memory/${LAYOUT.index.path}`, inspection.why)
  const paths = new Set(run.vault().map(({ path }) => path))
  run.add(
    judgeIndex(
      inspection,
      run.items.filter(({ path }) => paths.has(path)),
    ),
  )
  const log = run.json(LAYOUT.compactLog.path)
  if (log?.kind === 'damaged')
    run.add([
      {
        ...damagedJson(LAYOUT.compactLog.path, log, 'Remove it; the next `cairn compact` writes a new one.'),
        code: 'compact_log_damaged',
        severity: 'warning',
      },
    ])
}

/** On a hub instead of the index: compares the search tables with the entries, and the journal with its numbers. */
export const checkRows: ValidationCheck = async run => {
  const problems = await run.memory.store.check()
  run.add(
    problems.map(({ code, path, message, hint }) => ({
      ...{ code, severity: 'error', path, message, fix: hint },
      ...(code === 'index_disagrees' && { mend: { kind: 'rebuild_index' } as const }),
    })),
  )
}

/** Whether the entry block is there, and the projections match the state. */
export const checkProjections: ValidationCheck = async run => {
  const { files: all } = await projectionStatus(run.memory)
  // A folder outside the project is reported where it is configured.
  const files = all.filter(({ path }) => !path.startsWith('../'))
  run.add(judgeProjected(files, (await entryBlockStatus(run.memory)).files))
  const missing = await missingBlock(run.memory, blockRecords(run))
  if (missing !== undefined) run.add(judgeMissingBlock(missing))
}

/** Newest first. The check of the journal reports a line that is not a record. */
function* blockRecords(run: ValidationRun): Iterable<JournalRecord> {
  const bytes = run.bytes(LAYOUT.journal.path, MAX_LOG_BYTES)
  const lines = bytes === undefined ? [] : textOf(bytes).split('\n')
  for (const line of lines.reverse()) {
    const record = line.includes('cairn:entry') ? objectOf(line) : undefined
    if (Array.isArray(record?.changes)) yield record as unknown as JournalRecord
  }
}

/** Rule files that every conversation begins with. */
export const checkRules: ValidationCheck = async run => {
  run.add(
    (await overBudget(run.memory)).map(({ path, message, hint }) => ({
      ...{ code: 'rules_over_budget', severity: 'warning', path, message, fix: hint },
    })),
  )
}

/** Plans, overviews, decisions and lessons outside `.memory/`: their readers report the problems. */
export const checkWorkspaces: ValidationCheck = async run => {
  const { memory, config } = run
  // A folder outside the project is reported where it is configured.
  if ([config['workspaces.resources'], config['workspaces.learnings']].some(leadsOut)) return
  const folder = await memory.workspaces()
  if (!folder.exists()) return
  const documents = await memory.documents()
  const problems = [...folder.survey().problems]
  for (const { path } of documents.survey()) problems.push(...(documents.read(path)?.problems ?? []))
  run.add(
    problems.slice(0, MAX_PROBLEMS).map((problem): ValidationFinding => {
      const severity = LEAVES_OUT.has(problem.code) ? 'error' : 'warning'
      return { ...findingOf(problem, severity), path: problem.path }
    }),
  )
  if (problems.length > MAX_PROBLEMS)
    run.skip(`${problems.length - MAX_PROBLEMS} more problems in workspaces`, `${MAX_PROBLEMS} are reported`)
}

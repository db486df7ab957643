import { JOURNAL_ACTIONS } from '../../../kernel/model/journal.ts'
import { moreLines } from './event-lines.ts'
import { inMemory, type ValidationFinding } from './finding.ts'
import { eachLine } from './text-lines.ts'

export const JOURNAL_PATH = 'history/audit.jsonl'
const MAX_TOLD = 50
const ACTIONS: ReadonlySet<unknown> = new Set(JOURNAL_ACTIONS)

/** Every line a record of what was done; undo and looking back stand on it. */
export function judgeJournalLines(text: string, name: string = JOURNAL_PATH): ValidationFinding[] {
  const path = inMemory(name)
  const findings: ValidationFinding[] = []
  const ids = new Set<string>()
  let untold = 0
  const add = (finding: Omit<ValidationFinding, 'path'>) => {
    if (findings.length < MAX_TOLD) findings.push({ ...finding, path })
    else untold++
  }
  eachLine(text, (line, number, isEnded) => {
    if (line.trim() === '') return
    const record = parse(line)
    if (record === undefined && !isEnded)
      return add({
        code: 'journal_line_unfinished',
        severity: 'warning',
        line: number,
        message: 'the last line was never finished: a process died before it changed anything',
        fix: 'Remove the line; what it was about to do was not done.',
      })
    const why = record === undefined ? 'it is not JSON' : wrongField(record)
    if (record === undefined || why !== undefined)
      return add({
        code: 'journal_line_damaged',
        severity: 'error',
        line: number,
        message: `the line is no record: ${why}`,
        fix: 'Mend the line if you can: `cairn undo` and `cairn log` pass over it meanwhile.',
      })
    const { id, action } = record as { id: string; action: unknown }
    if (ids.has(id))
      add({
        code: 'journal_id_twice',
        severity: 'error',
        line: number,
        message: 'a record before it has the same id, so that `cairn undo` would not know which is meant',
        fix: 'Remove the line if both are the same.',
      })
    ids.add(id)
    if (!ACTIONS.has(action))
      add({
        code: 'journal_action_unknown',
        severity: 'note',
        line: number,
        message: 'an action that this version does not know',
        fix: 'Update Cairn, if a newer one has written here.',
      })
  })
  return untold === 0 ? findings : [...findings, { ...moreLines(untold), path }]
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

function wrongField({ id, at, action, by, changes }: Record<string, unknown>): string | undefined {
  if (typeof id !== 'string' || id === '') return '`id` is no text'
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return '`at` is no moment'
  if (typeof action !== 'string') return '`action` is no text'
  if (typeof (by as { host?: unknown } | null)?.host !== 'string') return '`by` does not say who'
  if (!Array.isArray(changes)) return '`changes` is no list'
  const isTyped = changes.every(change => typeof (change as { type?: unknown } | null)?.type === 'string')
  return isTyped ? undefined : 'one of its `changes` has no `type`'
}

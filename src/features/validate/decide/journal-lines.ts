import { LAYOUT } from '../../../kernel/layout.ts'
import { JOURNAL_ACTIONS } from '../../../kernel/model/journal.ts'
import { inMemory, type ValidationFinding } from './finding.ts'
import { eachLine, isMoment, MAX_LINES, moreLines, objectOf } from './log-lines.ts'

const ACTIONS: ReadonlySet<unknown> = new Set(JOURNAL_ACTIONS)

/** Every line is a record of a change: undo and the history use them. */
export function judgeJournalLines(text: string, name: string = LAYOUT.journal.path): ValidationFinding[] {
  const path = inMemory(name)
  const findings: ValidationFinding[] = []
  const ids = new Set<string>()
  let left = 0
  const add = (finding: Omit<ValidationFinding, 'path'>) => {
    if (findings.length < MAX_LINES) findings.push({ ...finding, path })
    else left++
  }
  eachLine(text, (line, number, isEnded) => {
    if (line.trim() === '') return
    const record = objectOf(line)
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
        message: `the line is not a record: ${why}`,
        fix: 'Mend the line if you can: `cairn undo` and `cairn log` skip it until then.',
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
  return left === 0 ? findings : [...findings, { ...moreLines(left), path }]
}

function wrongField({ id, at, action, by, changes }: Record<string, unknown>): string | undefined {
  if (typeof id !== 'string' || id === '') return '`id` is not a text'
  if (!isMoment(at)) return '`at` is not a date and time'
  if (typeof action !== 'string') return '`action` is not a text'
  if (typeof (by as { host?: unknown } | null)?.host !== 'string') return '`by` has no `host`'
  if (!Array.isArray(changes)) return '`changes` is not a list'
  const isTyped = changes.every(change => typeof (change as { type?: unknown } | null)?.type === 'string')
  return isTyped ? undefined : 'one of its `changes` has no `type`'
}

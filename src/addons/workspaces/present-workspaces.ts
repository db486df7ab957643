import type { Problem } from '../../kernel/model/search.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

/** Steps of a migration to show; --json has all of them. */
const MAX_STEPS = 40
const MAX_PROBLEMS = 20

interface RemovedView {
  readonly type: string
  readonly field: string
}

interface WrittenView {
  readonly path: string
  readonly record: string | null
  readonly redacted: readonly RemovedView[]
}

function presentWorkspaces(
  { scopes, total, problems, roots }: AnswerOf<'workspaces'>,
  terminal: Terminal,
): void {
  if (total === 0)
    terminal.out(
      `No workspaces under ${visibleName(roots.resources)} or ${visibleName(roots.learnings)}. \`cairn workspace overview set <name> --description "…"\` begins one.\n`,
    )
  for (const scope of scopes) terminal.out(scopeLine(scope, terminal))
  if (total > scopes.length) terminal.out(terminal.dim(`${scopes.length} of ${total}; --limit shows more.\n`))
  presentProblems(problems, terminal)
}

function scopeLine(scope: AnswerOf<'workspaces'>['scopes'][number], terminal: Terminal): string {
  const depth = scope.scope.split('/').length - 1
  const open = (scope.statuses.in_progress ?? 0) + (scope.statuses.partial ?? 0) + (scope.statuses.new ?? 0)
  const facts = [
    counted(scope.plans, 'plan', 'plans') + (open > 0 ? ` (${open} open)` : ''),
    counted(scope.decisions, 'decision', 'decisions'),
    counted(scope.lessons, 'lesson', 'lessons'),
  ].filter(fact => !fact.startsWith('0 '))
  const abstract =
    scope.description === undefined
      ? ''
      : `\n${'  '.repeat(depth)}    ${cut(scope.description, terminal, depth)}`
  return `${'  '.repeat(depth)}${terminal.accent(visibleName(scope.scope))}  ${terminal.dim(facts.join(', '))}${abstract}\n`
}

function cut(text: string, terminal: Terminal, depth: number): string {
  const line = visibleName(text)
  const room = Math.max(20, terminal.width - 6 - 2 * depth)
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

function presentMigration(
  { steps, total, files, applied, problems }: AnswerOf<'workspace migrate'>,
  terminal: Terminal,
): void {
  for (const { path, does, adds, why } of steps.slice(0, MAX_STEPS)) {
    const mark =
      does === 'edit' ? '' : does === 'create' ? ` ${terminal.good('new')}` : ` ${terminal.bad('removed')}`
    terminal.out(
      `${terminal.accent(visibleName(path))}${mark}${why === undefined ? '' : `  ${terminal.dim(visible(why))}`}\n`,
    )
    for (const { field, value, from } of adds) {
      const shown = typeof value === 'string' ? value : `[${value.join(', ')}]`
      terminal.out(
        `  ${terminal.good('+')} ${field}: ${visibleName(shown)}  ${terminal.dim(`(${visibleName(from)})`)}\n`,
      )
    }
  }
  if (total > MAX_STEPS) terminal.out(terminal.dim(`… and ${total - MAX_STEPS} more; --json names them.\n`))
  const looked = `${counted(files, 'file', 'files')} looked at`
  if (total === 0) terminal.out(`Nothing to migrate, ${looked}.\n`)
  else if (applied)
    terminal.out(
      `${counted(total, 'file', 'files')} changed, ${looked}. ${terminal.dim('`cairn undo` takes it back.')}\n`,
    )
  else
    terminal.out(
      `${counted(total, 'file', 'files')} would change, ${looked}. ${terminal.dim('Nothing was written; --apply does it.')}\n`,
    )
  presentProblems(problems, terminal)
}

function presentProblems(problems: readonly Problem[], terminal: Terminal): void {
  for (const { code, message, hint } of problems.slice(0, MAX_PROBLEMS))
    terminal.out(
      `${terminal.bad(code)} ${visibleName(message)}\n  ${terminal.dim('→')} ${visibleName(hint)}\n`,
    )
  if (problems.length > MAX_PROBLEMS)
    terminal.out(terminal.dim(`… and ${problems.length - MAX_PROBLEMS} more problems; --json names them.\n`))
}

function presentRemoved(redacted: readonly RemovedView[], terminal: Terminal): void {
  for (const { type, field } of redacted)
    terminal.out(`${terminal.bad('Removed')} ${type} from the ${visibleName(field)}\n`)
}

function presentWritten(what: string, written: WrittenView, terminal: Terminal): void {
  terminal.out(`${what}\n      ${visibleName(written.path)}\n`)
  presentRemoved(written.redacted, terminal)
}

export const WORKSPACE_PRESENTERS = {
  workspaces: presentWorkspaces,
  'workspace migrate': presentMigration,
  'workspace plan add': (output, terminal) =>
    presentWritten(
      `${terminal.good('Planned')}: ${visibleName(output.id)} in ${visibleName(output.scope)}`,
      output,
      terminal,
    ),
  'workspace plan set': (output, terminal) => {
    const { plan, changed } = output
    const what =
      changed.length === 0
        ? `Nothing to change: ${visibleName(plan.id)}`
        : `Changed ${changed.join(', ')}: ${visibleName(plan.id)}${plan.status === undefined ? '' : ` is ${plan.status}`}`
    presentWritten(what, output, terminal)
  },
  'workspace overview set': (output, terminal) => {
    const what = output.isNew ? 'Begun' : output.record === null ? 'Nothing to change' : 'Changed'
    presentWritten(`${what}: ${visibleName(output.scope)}`, output, terminal)
  },
  'workspace learn': (output, terminal) => {
    const { learning, duplicate } = output
    const what = duplicate ? 'Known already' : terminal.good('Learned')
    presentWritten(
      `${what}: ${learning.kind} in ${visibleName(learning.scope)}: ${visibleName(learning.title)}`,
      output,
      terminal,
    )
  },
} satisfies Partial<Presenters>

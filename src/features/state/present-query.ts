import type { Problem } from '../../kernel/model/search.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'

/** The answer alone on standard output, to be pasted or piped; what is to be said about it beside it. */
export function presentQuery({ output, text, left, problems }: AnswerOf<'query'>, terminal: Terminal): void {
  terminal.out(output === 'json' ? text : visible(text))
  for (const { what, count, why } of left)
    terminal.err(`${terminal.dim(`left out: ${count} ${count === 1 ? one(what) : what}, ${why}`)}\n`)
  presentProblems(problems, terminal)
}

function one(what: string): string {
  return what.replace(/ies$/, 'y').replace(/s$/, '')
}

export function presentTemplates(
  { templates, problems }: AnswerOf<'query templates'>,
  terminal: Terminal,
): void {
  for (const { name, instructions, origin } of templates) {
    const own = origin === 'project' ? terminal.dim('  (config.json)') : ''
    terminal.out(
      `${terminal.accent(visibleName(name))}${own}\n    ${visible(instructions.replace(/\s+/g, ' '))}\n`,
    )
  }
  presentProblems(problems, terminal)
}

export function presentProblems(problems: readonly Problem[], terminal: Terminal): void {
  for (const { code, path, message, hint } of problems)
    terminal.err(
      `${terminal.bad(code)} ${visible(`${path}: ${message}`)}\n  ${terminal.dim('→')} ${visible(hint)}\n`,
    )
}

import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import type { HotFindingView } from './verbs/hot.ts'

interface Totals {
  readonly lines: number
  readonly tokens: number
  readonly maxLines: number
  readonly maxTokens: number
}

/**
 *   agent/rules/common/user-profile.md   21 of 50 lines   180 tokens
 *       claude-code .claude/rules/user-profile.md
 */
function presentHot({ folder, files, totals, findings }: AnswerOf<'hot'>, terminal: Terminal): void {
  if (files.length === 0) {
    terminal.out(`No rule files in ${visibleName(folder)}. \`cairn hot init\` creates them.\n`)
    presentFindings(findings, terminal)
    return
  }
  const width = Math.max(...files.map(({ path }) => path.length))
  for (const { path, lines, tokens, budget, always, links, rules } of files) {
    const size =
      budget === null ? `${lines} ${lines === 1 ? 'line' : 'lines'}` : `${lines} of ${budget} lines`
    const sometimes = always ? '' : terminal.dim('  for some files alone, not counted')
    terminal.out(`${visibleName(path).padEnd(width)}  ${size.padEnd(16)}  ${tokens} tokens${sometimes}\n`)
    for (const link of links) {
      const state =
        link.state === 'linked' || link.state === 'copied'
          ? terminal.dim(link.state)
          : terminal.bad(link.state)
      terminal.out(`    ${state} ${visibleName(link.path)}\n`)
    }
    for (const { name, text } of rules)
      terminal.out(`    ${terminal.accent(visibleName(name))}  ${oneLine(text, terminal)}\n`)
  }
  terminal.out(`${totalLine(totals)}\n`)
  presentFindings(findings, terminal)
}

function totalLine({ lines, tokens, maxLines, maxTokens }: Totals): string {
  return `In all ${lines} of ${maxLines} lines, ${tokens} of ${maxTokens} tokens.`
}

function presentFindings(findings: readonly HotFindingView[], terminal: Terminal): void {
  for (const { level, message, hint } of findings) {
    const mark = level === 'error' ? terminal.bad('error') : 'warning'
    terminal.out(`${mark}  ${visible(message)}\n       ${terminal.dim(`→ ${visible(hint)}`)}\n`)
  }
}

function presentHotInit({ files, isDryRun }: AnswerOf<'hot init'>, terminal: Terminal): void {
  for (const { path, outcome } of files) {
    const what = outcome === 'kept' ? 'Kept' : isDryRun ? 'Would write' : terminal.good('Written')
    terminal.out(`${what}: ${visibleName(path)}\n`)
  }
  if (!isDryRun && files.some(({ outcome }) => outcome === 'written'))
    terminal.out(
      terminal.dim('Word them as you like, then `cairn hot link`; `cairn undo` takes them back.\n'),
    )
}

function presentHotLint(
  { passed, totals, findings, advice }: AnswerOf<'hot lint'>,
  terminal: Terminal,
): void {
  presentFindings(findings, terminal)
  terminal.out(`${totalLine(totals)}\n`)
  const { sessions, needed, demote, promote, unmeasured } = advice
  if (sessions < needed)
    terminal.out(terminal.dim(`Advice appears after ${needed} closed sessions (${sessions} so far).\n`))
  for (const { rule, text, touched, sessions: of, to } of demote) {
    terminal.out(
      `demote   ${terminal.accent(visibleName(rule))}  ${touched} of ${of} sessions were about it → ${visibleName(to)}\n`,
    )
    terminal.out(`         ${oneLine(text, terminal)}\n`)
  }
  for (const { entry, text, told, sessions: of, file, demote: first } of promote) {
    const after = first === undefined ? '' : ` after \`cairn hot demote ${visibleName(first)}\``
    terminal.out(
      `promote  ${terminal.accent(visibleName(entry))}  injected into ${told} of ${of} sessions → ${visibleName(file)}${after}\n`,
    )
    terminal.out(`         ${oneLine(text, terminal)}\n`)
  }
  if (unmeasured > 0 && sessions >= needed)
    terminal.out(
      terminal.dim(
        `${unmeasured} ${unmeasured === 1 ? 'rule says' : 'rules say'} how to work, not what about: sessions do not show their use.\n`,
      ),
    )
  terminal.out(passed ? `${terminal.good('Passed.')}\n` : `${terminal.bad('Not passed.')}\n`)
}

interface LinkView {
  readonly path: string
  readonly outcome: string
  readonly why?: string
}

function presentLinkResults(
  { results, notes = [], isDryRun }: AnswerOf<'hot link' | 'hot unlink' | 'skill link' | 'skill unlink'>,
  terminal: Terminal,
): void {
  for (const result of results) terminal.out(linkLine(result, isDryRun, terminal))
  for (const note of notes) terminal.out(`${terminal.dim(visible(note))}\n`)
  if (results.length === 0 && notes.length === 0) terminal.out('Nothing to do.\n')
}

function linkLine({ path, outcome, why }: LinkView, isDryRun: boolean, terminal: Terminal): string {
  const does = isDryRun && outcome !== 'kept' && outcome !== 'left' ? `would be ${outcome}` : outcome
  const shown = outcome === 'left' ? terminal.bad(does) : does
  return `${shown}  ${visibleName(path)}${why === undefined ? '' : terminal.dim(`  ${visible(why)}`)}\n`
}

function presentPromoted({ file, text, isDryRun }: AnswerOf<'hot promote'>, terminal: Terminal): void {
  const what = isDryRun ? 'Would be a rule in' : `${terminal.good('Now a rule')} in`
  terminal.out(`${what} ${visibleName(file)}\n      ${oneLine(text, terminal)}\n`)
}

function presentDemoted(
  { rule, to, text, entry, isDryRun }: AnswerOf<'hot demote'>,
  terminal: Terminal,
): void {
  const id = entry === null ? '' : `  ${terminal.accent(visible(entry.id))}`
  const what = isDryRun ? 'Would move' : terminal.good('Moved')
  terminal.out(`${what}: ${visibleName(rule)} → ${visibleName(to)}${id}\n      ${oneLine(text, terminal)}\n`)
}

function presentSkillSaved(
  { skill, outcome, redacted, links, isDryRun }: AnswerOf<'skill save'>,
  terminal: Terminal,
): void {
  const what = isDryRun && outcome !== 'unchanged' ? `would be ${outcome}` : terminal.good(outcome)
  terminal.out(`Skill ${terminal.accent(visibleName(skill.name))} ${what}: ${visibleName(skill.path)}\n`)
  for (const { field, type } of redacted)
    terminal.out(`${terminal.bad('Removed')} ${visibleName(type)} from its ${field}\n`)
  for (const link of links) terminal.out(`  ${linkLine(link, isDryRun, terminal)}`)
}

function presentSkills({ folder, skills, problems }: AnswerOf<'skill list'>, terminal: Terminal): void {
  if (skills.length === 0 && problems.length === 0)
    terminal.out(`No skills in ${visibleName(folder)}. \`cairn skill save\` creates one.\n`)
  for (const { name, scope, description, tokens, hosts = [] } of skills) {
    const of = scope === '' ? '' : ` · ${visibleName(scope)}`
    const at = hosts.length === 0 ? 'not linked' : [...new Set(hosts)].join(', ')
    terminal.out(`${terminal.accent(visibleName(name))}${of} · ${tokens} tokens · ${terminal.dim(at)}\n`)
    terminal.out(`      ${oneLine(description, terminal)}\n`)
  }
  for (const { path, line, message, hint } of problems) {
    const where = line === undefined ? path : `${path}:${line}`
    const said = message.startsWith(path) ? message : `${where}: ${message}`
    terminal.out(
      `${terminal.bad('problem')}  ${visibleName(said)}\n         ${terminal.dim(`→ ${visible(hint)}`)}\n`,
    )
  }
}

function presentSkill({ text }: AnswerOf<'skill show'>, terminal: Terminal): void {
  terminal.out(text.split('\n').map(visible).join('\n'))
  if (!text.endsWith('\n')) terminal.out('\n')
}

function presentSkillRemoved({ skill, links, isDryRun }: AnswerOf<'skill remove'>, terminal: Terminal): void {
  terminal.out(`${isDryRun ? 'Would remove' : 'Removed'}: ${visibleName(skill.path)}\n`)
  for (const link of links) terminal.out(`  ${linkLine(link, isDryRun, terminal)}`)
}

function oneLine(text: string, terminal: Terminal): string {
  const line = visible(text.slice(0, 2_000).replace(/\s+/g, ' ').trim())
  const room = Math.max(20, terminal.width - 12)
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`
}

/** The verbs of hot memory and of skills. */
export const HOT_PRESENTERS = {
  hot: presentHot,
  'hot init': presentHotInit,
  'hot lint': presentHotLint,
  'hot promote': presentPromoted,
  'hot demote': presentDemoted,
  'hot link': presentLinkResults,
  'hot unlink': presentLinkResults,
  'skill save': presentSkillSaved,
  'skill list': presentSkills,
  'skill show': presentSkill,
  'skill remove': presentSkillRemoved,
  'skill link': presentLinkResults,
  'skill unlink': presentLinkResults,
} satisfies Partial<Presenters>

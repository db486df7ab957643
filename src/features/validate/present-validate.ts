import * as path from 'node:path'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import type { ValidateReport } from './verbs/validate.ts'

export const VALIDATE_PRESENTERS = {
  validate: {
    present: presentValidate,
    toJson,
    listsProblems: true,
    // On standard error: standard output is the report alone.
    annotate: (output, checkout) =>
      'workflow' in output ? '' : renderAnnotations(output.findings, folderIn(checkout, output.root)),
  },
} satisfies Partial<Presenters>

type FindingView = ValidateReport['findings'][number]

/** A screen or two; the totals and --json have the rest. */
const MAX_FILES = 25
const MAX_PER_FILE = 10
const MARKS = { error: 'error', warning: 'warn ', note: 'note ' } as const

/** Grouped by file, the worst first. */
function presentValidate(output: AnswerOf<'validate'>, terminal: Terminal): void {
  if ('workflow' in output) {
    terminal.out(output.workflow)
    return
  }
  if (!output.exists) {
    terminal.out(`No memory in ${visibleName(output.root)} yet: nothing to check.\n`)
    return
  }
  const byFile = new Map<string, FindingView[]>()
  for (const finding of output.findings)
    byFile.set(finding.path, [...(byFile.get(finding.path) ?? []), finding])
  for (const [path, findings] of [...byFile].slice(0, MAX_FILES)) presentFile(path, findings, terminal)
  const filesLeft = byFile.size - MAX_FILES
  if (filesLeft > 0 || output.more > 0)
    terminal.out(
      terminal.dim(
        `… and ${filesLeft > 0 ? `${filesLeft} more files` : `${output.more} more findings`}; --json has ${output.more > 0 ? 'the first thousand' : 'all'}.\n\n`,
      ),
    )
  presentFixed(output, terminal)
  for (const { what, why } of output.skipped)
    terminal.out(terminal.dim(`Not checked: ${line(what)} (${line(why)})\n`))
  presentTotals(output, terminal)
}

function presentFile(path: string, findings: readonly FindingView[], terminal: Terminal): void {
  terminal.out(`${terminal.bold(line(path))}\n`)
  for (const { severity, line: at, code, message, fix } of findings.slice(0, MAX_PER_FILE)) {
    const mark = severity === 'note' ? terminal.dim(MARKS.note) : terminal.bad(MARKS[severity])
    const place = at === undefined ? '' : `${at}: `
    terminal.out(
      `  ${mark}  ${place}${line(message)}  ${terminal.dim(code)}\n         ${terminal.dim('→')} ${line(fix)}\n`,
    )
  }
  const more = findings.length - MAX_PER_FILE
  if (more > 0) terminal.out(`         ${terminal.dim(`… and ${more} more in this file`)}\n`)
  terminal.out('\n')
}

function presentFixed({ fixed, dryRun }: ValidateReport, terminal: Terminal): void {
  for (const { path, what } of fixed)
    terminal.out(`${dryRun ? 'Would fix' : terminal.good('Fixed')} ${line(path)}: ${line(what)}\n`)
}

function presentTotals(output: ValidateReport, terminal: Terminal): void {
  const { totals, files, checks, valid, strict } = output
  const parts = [
    plural(totals.error, 'error'),
    plural(totals.warning, 'warning'),
    plural(totals.note, 'note'),
  ].join(', ')
  const checked = `${plural(files, 'file')}, ${plural(checks.length, 'check')}`
  if (totals.error + totals.warning + totals.note === 0) {
    terminal.out(`${terminal.good('Valid')}: ${checked}, nothing found.\n`)
    return
  }
  const verdict = valid ? terminal.good('Valid') : terminal.bad('Not valid')
  terminal.out(`${verdict}: ${parts} in ${checked}${strict ? ' (strict)' : ''}.\n`)
  const fixable = output.findings.filter(finding => finding.fixable).length
  if (fixable > 0 && output.fixed.length === 0)
    terminal.out(`${terminal.dim(`\`cairn validate --fix\` fixes ${fixable} of them.`)}\n`)
}

/** Names and messages contain text of files: it stays on its line, and a log of GitHub Actions runs no command in it. */
function line(text: string): string {
  return visibleName(visible(text)).replaceAll('##[', '## [')
}

function plural(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

/** GitHub shows ten of a kind in a step. */
const MAX_ANNOTATIONS = 50

/**
 * Findings as GitHub Actions shows them, next to the line they are about: `::error file=…,line=…,title=…::message`.
 * `prefix` is the folder of the project in the checkout. Text that could end a value or begin another command is encoded.
 */
function renderAnnotations(findings: readonly FindingView[], prefix: string): string {
  return findings
    .slice(0, MAX_ANNOTATIONS)
    .map(({ severity, path, line: at, code, message, fix }) => {
      const command = severity === 'note' ? 'notice' : severity
      const place = [
        `file=${property(prefix === '' ? path : `${prefix}/${path}`)}`,
        ...(at === undefined ? [] : [`line=${at}`]),
        `title=${property(`cairn: ${code}`)}`,
      ]
      return `::${command} ${place.join(',')}::${data(`${message}\n${fix}`)}\n`
    })
    .join('')
}

function data(text: string): string {
  return visible(text)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll('\u2028', ' ')
    .replaceAll('\u2029', ' ')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** `##[` starts a command in a log of GitHub Actions, at any position; JSON can spell it in another way. */
function toJson(output: AnswerOf<'validate'>): string {
  return JSON.stringify(output).replaceAll('##[', '##\\u005b')
}

/** `packages/api` for a project in a folder of the checkout. */
function folderIn(checkout: string, root: string): string {
  const below = checkout === '' ? '' : path.relative(checkout, root)
  return below.startsWith('..') || path.isAbsolute(below) ? '' : below.split(path.sep).join('/')
}

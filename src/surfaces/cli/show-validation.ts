import * as path from 'node:path'
import { presentValidate, renderAnnotations } from '../../features/validate/present-validate.ts'
import type { ValidateReport } from '../../features/validate/verbs/validate.ts'
import { ERROR_CLASSES } from '../../kernel/model/errors.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'

export interface Shown {
  readonly terminal: Terminal
  readonly isJson: boolean
  /** In a run of GitHub Actions: the folder that its paths are relative to. */
  readonly actionsCheckout: string | undefined
}

/**
 * Shows a report, and says how the command ends. For GitHub Actions findings go to standard error too, where it reads commands as
 * well: standard output is the report alone.
 */
export function showValidation(output: unknown, { terminal, isJson, actionsCheckout }: Shown): number {
  const report = output as ValidateReport | { readonly workflow: string }
  if (isJson) terminal.out(`${jsonOf(report)}\n`)
  else presentValidate(report, terminal)
  if ('workflow' in report) return 0
  if (actionsCheckout !== undefined)
    terminal.err(renderAnnotations(report.findings, folderIn(actionsCheckout, report.root)))
  return report.valid ? 0 : ERROR_CLASSES.invalid.exitCode
}

/** `##[` begins a command in such a log, wherever it stands; the same text as JSON may spell it otherwise. */
function jsonOf(report: unknown): string {
  return JSON.stringify(report).replaceAll('##[', '##\\u005b')
}

/** `packages/api` for a project in a folder of the checkout. */
function folderIn(checkout: string, root: string): string {
  const below = checkout === '' ? '' : path.relative(checkout, root)
  return below.startsWith('..') || path.isAbsolute(below) ? '' : below.split(path.sep).join('/')
}

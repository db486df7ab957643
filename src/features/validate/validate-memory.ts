import { portOf } from '../../kernel/checkout.ts'
import type { Memory } from '../../kernel/memory.ts'
import { type Config, DEFAULT_CONFIG } from '../../kernel/model/config.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { CHECK_NAMES, CHECKS, type CheckName, HUB_CHECKS } from './checks.ts'
import { inMemory, type Mend, sortFindings, type ValidationFinding } from './decide/finding.ts'
import type { MendPorts, ValidationPorts } from './decide/ports.ts'
import { validationRun } from './validation-run.ts'

interface ValidateOptions {
  /** Reads everything: secrets in texts, every conversation, the pages of the index. */
  readonly deep?: boolean
  /** The names of checks; all when absent. */
  readonly only?: readonly string[]
}

export interface Validation {
  /** False: there is no memory here. */
  readonly exists: boolean
  readonly files: number
  /** The worst first, file by file. */
  readonly findings: readonly ValidationFinding[]
  readonly checks: readonly { readonly name: string; readonly findings: number }[]
  /** What was not checked, and why. */
  readonly skipped: readonly { readonly what: string; readonly why: string }[]
}

/** Reads everything on disk and changes nothing. A missing file is not a problem: a clone has only what git has. */
export async function validateMemory(
  memory: Memory & ValidationPorts,
  options: ValidateOptions,
): Promise<Validation> {
  const names = chosenNames(options.only)
  const checks = memory.place.kind === 'hub' ? HUB_CHECKS : CHECKS
  const tree = await memory.memoryTree.open()
  if (tree === undefined) return { exists: false, files: 0, findings: [], checks: [], skipped: [] }
  const config = await configOrDefaults(memory)
  const findings: ValidationFinding[] = tree.unreadable.map(({ path, why }) => ({
    code: 'unreadable',
    severity: 'error',
    path: inMemory(path),
    message: `the folder cannot be listed: ${why}`,
    fix: 'Give yourself the right to read it: chmod u+rx.',
  }))
  const skipped: { what: string; why: string }[] = []
  if (!tree.isWhole) skipped.push({ what: 'a part of .memory', why: 'there are more files than are checked' })
  for (const name of names)
    if (checks[name] === undefined) skipped.push({ what: name, why: 'it reads files, and a hub has none' })
  const run = validationRun({
    memory,
    tree,
    config,
    isDeep: options.deep === true,
    nowMs: memory.clock.nowMs(),
    findings,
    skipped,
  })
  const counts: { name: string; findings: number }[] = []
  for (const name of names) {
    const check = checks[name]
    if (check === undefined) continue
    const before = findings.length
    try {
      await check(run)
    } catch (error) {
      findings.push(notChecked(name, error))
    }
    counts.push({ name, findings: findings.length - before })
  }
  const redaction = redactionOptions(config)
  // Names of files, entries and keys come from the files: one may be a secret in the wrong place.
  const clean = (text: string) => redact(text, redaction).text
  return {
    exists: true,
    files: tree.items.filter(({ kind }) => kind === 'file').length,
    findings: sortFindings(findings).map(finding => ({
      ...finding,
      path: clean(finding.path),
      message: clean(finding.message),
      fix: clean(finding.fix),
    })),
    checks: counts,
    skipped,
  }
}

/** The config check reports a config that cannot be read; other checks use the defaults. */
async function configOrDefaults(memory: Memory): Promise<Config> {
  try {
    return await memory.config()
  } catch (error) {
    if (errnoOf(error) === undefined && !(error instanceof CairnError)) throw error
    return DEFAULT_CONFIG
  }
}

/** A check that fails is a finding, and the other checks still run. */
function notChecked(name: string, thrown: unknown): ValidationFinding {
  const error = errnoOf(thrown) === undefined ? thrown : asStorageError(thrown, 'The memory folder')
  if (!(error instanceof CairnError)) throw error
  return {
    code: 'check_failed',
    severity: 'error',
    path: inMemory(''),
    message: `the check ${name} failed: ${error.message}`,
    fix: error.hint,
  }
}

function chosenNames(only: readonly string[] = []): readonly CheckName[] {
  const unknown = only.find(name => !CHECK_NAMES.some(known => known === name))
  if (unknown !== undefined)
    throw new CairnError({
      code: 'invalid_input',
      message: `There is no check ${unknown.slice(0, 40)}.`,
      hint: `The checks are: ${CHECK_NAMES.join(', ')}.`,
    })
  return only.length === 0 ? CHECK_NAMES : CHECK_NAMES.filter(name => only.includes(name))
}

interface Mended {
  readonly path: string
  readonly what: string
}

/** The changes of `--fix`. */
export function planMends(
  findings: readonly ValidationFinding[],
): readonly (Mended & { readonly mend: Mend })[] {
  const plans: (Mended & { mend: Mend })[] = []
  const ignored = new Set<string>()
  let isRebuilt = false
  for (const { path, mend } of findings) {
    if (mend?.kind === 'ignore') for (const line of mend.lines) ignored.add(line)
    if (mend?.kind === 'remove_leftover') plans.push({ path, what: 'remove the leftover', mend })
    if (mend?.kind === 'rebuild_index' && !isRebuilt) {
      plans.push({ path, what: 'rebuild the index', mend })
      isRebuilt = true
    }
  }
  if (ignored.size > 0) {
    const lines = [...ignored]
    plans.unshift({
      path: inMemory('.gitignore'),
      what: `ignore ${lines.join(', ')}`,
      mend: { kind: 'ignore', lines },
    })
  }
  return plans
}

/** Returns what was done; a leftover that another process changed meanwhile stays. */
export async function applyMends(
  memory: Memory & Partial<MendPorts>,
  plans: readonly (Mended & { readonly mend: Mend })[],
): Promise<readonly Mended[]> {
  const done: Mended[] = []
  const mender = () => portOf(memory.memoryMender, 'Mending files of the memory')
  for (const { path, what, mend } of plans) {
    if (mend.kind === 'ignore') await mender().addIgnored(mend.lines)
    else if (mend.kind === 'rebuild_index') await memory.store.rebuildIndex()
    else if (!(await mender().removeLeftover(mend.path))) continue
    done.push({ path, what })
  }
  return done
}

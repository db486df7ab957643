import { portOf } from '../../kernel/checkout.ts'
import type { Memory } from '../../kernel/memory.ts'
import { type Config, DEFAULT_CONFIG } from '../../kernel/model/config.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
import { rowsCheck } from './check-rows.ts'
import { CHECKS } from './checks.ts'
import { inMemory, type Mend, sortFindings, type ValidationFinding } from './decide/finding.ts'
import type { MendPorts, ValidationPorts } from './decide/ports.ts'
import { lookAt, type ValidationCheck } from './look.ts'

export interface ValidateOptions {
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
  /** What was not looked at, and why. */
  readonly skipped: readonly { readonly what: string; readonly why: string }[]
}

/** Looks at everything on disk, and changes nothing. What is not there is no fault: a clone has only what git keeps. */
export async function validateMemory(
  memory: Memory & ValidationPorts,
  options: ValidateOptions,
): Promise<Validation> {
  const chosen = chosenChecks(options.only)
  const checks = memory.place.kind === 'hub' ? chosen.flatMap(onHub) : chosen
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
  if (!tree.isWhole)
    skipped.push({ what: 'a part of .memory', why: 'there are more files than are looked at' })
  for (const { name } of chosen)
    if (!checks.some(check => check.name === name))
      skipped.push({ what: name, why: 'it looks at files, and a hub has none' })
  const look = lookAt({
    engine: memory,
    tree,
    config,
    isDeep: options.deep === true,
    nowMs: memory.clock.nowMs(),
    findings,
    skipped,
  })
  const counts: { name: string; findings: number }[] = []
  for (const check of checks) {
    const before = findings.length
    try {
      await check.run(look)
    } catch (error) {
      findings.push(notLooked(check.name, error))
    }
    counts.push({ name: check.name, findings: findings.length - before })
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

/** Its rows in place of the index in a file, and what is read there as it is over files. */
function onHub(check: ValidationCheck): ValidationCheck[] {
  if (check.name === 'index') return [rowsCheck]
  return check.name === 'state' || check.name === 'conversations' ? [check] : []
}

/** A config that is no file is told by its check; the others go by the defaults. */
async function configOrDefaults(memory: Memory): Promise<Config> {
  try {
    return await memory.config()
  } catch (error) {
    if (errnoOf(error) === undefined && !(error instanceof CairnError)) throw error
    return DEFAULT_CONFIG
  }
}

/** One part that cannot be looked at does not hide the others, and is no part that is sound. */
function notLooked(name: string, thrown: unknown): ValidationFinding {
  const error = errnoOf(thrown) === undefined ? thrown : asStorageError(thrown, 'The memory folder')
  if (!(error instanceof CairnError)) throw error
  return {
    code: 'check_failed',
    severity: 'error',
    path: inMemory(''),
    message: `the check ${name} could not be made: ${error.message}`,
    fix: error.hint,
  }
}

function chosenChecks(only: readonly string[] | undefined) {
  if (only === undefined || only.length === 0) return CHECKS
  const unknown = only.find(name => !CHECKS.some(check => check.name === name))
  if (unknown !== undefined)
    throw new CairnError({
      code: 'invalid_input',
      message: `There is no check ${unknown.slice(0, 40)}.`,
      hint: `The checks are: ${CHECKS.map(({ name }) => name).join(', ')}.`,
    })
  return CHECKS.filter(({ name }) => only.includes(name))
}

export interface Mended {
  readonly path: string
  readonly what: string
}

/** What `--fix` would do about these findings. */
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
      plans.push({ path, what: 'make the index again', mend })
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

/** Returns what was done; a leftover that somebody has touched meanwhile is left. */
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

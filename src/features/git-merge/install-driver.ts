import * as path from 'node:path'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import type { Git } from '../../kernel/system/git.ts'
import {
  type AttributesState,
  attributesState,
  driverCommand,
  withAttributes,
  withoutAttributes,
} from './decide/driver-setup.ts'
import { writeWhole } from './write-whole.ts'

const NAME_KEY = 'merge.cairn.name'
const DRIVER_KEY = 'merge.cairn.driver'
const NAME = 'Cairn: entries by id'
const MAX_BYTES = 1_048_576

export interface MergeDriverParts {
  readonly disk: Disk
  readonly git: Git
  /** `.memory/` of the project. */
  readonly memory: string
  readonly root: string
  /** How this program was started. */
  readonly program: { readonly node: string; readonly script: string }
}

interface DriverState {
  /** Both are as this Cairn would set them. */
  readonly installed: boolean
  /** The local configuration of git, which no clone carries. */
  readonly config: 'missing' | 'current' | 'outdated'
  /** `.memory/.gitattributes`, which a clone carries. */
  readonly attributes: AttributesState
  readonly command: string | null
}

export function driverState(parts: MergeDriverParts): DriverState {
  const command = readConfig(parts)
  const config =
    command === null ? 'missing' : command === driverCommand(parts.program) ? 'current' : 'outdated'
  const attributes = attributesState(readAttributes(parts))
  return { installed: config === 'current' && attributes === 'current', config, attributes, command }
}

/** Returns what it changed. The attributes first: without the configuration git ignores them. */
export function installDriver(parts: MergeDriverParts): string[] {
  const state = driverState(parts)
  const changed: string[] = []
  if (state.attributes !== 'current') {
    const file = attributesFile(parts)
    writeWhole(parts.disk, file, new TextEncoder().encode(withAttributes(readAttributes(parts))))
    changed.push('.memory/.gitattributes')
  }
  if (state.config !== 'current') {
    // The driver first: uninstalling looks for it, also when this process is killed in between.
    setConfig(parts, DRIVER_KEY, driverCommand(parts.program))
    setConfig(parts, NAME_KEY, NAME)
    changed.push('git config merge.cairn')
  }
  return changed
}

/** The configuration first: attributes that name no driver are harmless. */
export function uninstallDriver(parts: MergeDriverParts): string[] {
  const state = driverState(parts)
  const changed: string[] = []
  if (state.config !== 'missing') {
    // Key by key: other keys of the section stay, and git removes the section with its last key. The driver last: the next run finds it if
    // this process is killed in between.
    for (const key of [NAME_KEY, DRIVER_KEY]) unsetConfig(parts, key)
    changed.push('git config merge.cairn')
  }
  if (state.attributes !== 'missing') {
    const rest = withoutAttributes(readAttributes(parts) ?? '')
    const file = attributesFile(parts)
    if (rest === '') parts.disk.remove(file)
    else writeWhole(parts.disk, file, new TextEncoder().encode(rest))
    changed.push('.memory/.gitattributes')
  }
  return changed
}

function attributesFile({ memory, disk }: MergeDriverParts): string {
  const file = path.join(memory, '.gitattributes')
  if (disk.isLink(file)) {
    throw new CairnError({
      code: 'memory_outside_project',
      message: '.memory/.gitattributes is a link, and Cairn does not write through a link.',
      hint: 'Replace the link with a file, or remove it.',
    })
  }
  return file
}

function readAttributes(parts: MergeDriverParts): string | undefined {
  const file = attributesFile(parts)
  const size = parts.disk.stamp(file)?.size ?? 0
  const bytes = size > MAX_BYTES ? undefined : parts.disk.readFile(file)
  if (size > MAX_BYTES || (bytes !== undefined && !isText(bytes))) {
    throw new CairnError({
      code: 'file_changed',
      message: '.memory/.gitattributes is not a text file that Cairn can add lines to.',
      hint: 'Correct the file, or remove it.',
    })
  }
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return !bytes.includes(0)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return false
  }
}

function readConfig(parts: MergeDriverParts): string | null {
  const run = parts.git(['config', '--local', '--get', DRIVER_KEY], parts.root)
  if (run.kind === 'failed') throw gitFailed(run.why)
  if (run.code === 1) return null
  if (run.code !== 0) throw gitFailed(run.stderr)
  return run.stdout.replace(/\n$/, '')
}

function setConfig(parts: MergeDriverParts, key: string, value: string): void {
  runOrThrow(parts, ['config', '--local', '--replace-all', key, value])
}

function unsetConfig(parts: MergeDriverParts, key: string): void {
  const run = parts.git(['config', '--local', '--unset-all', key], parts.root)
  // 5: it is not there.
  if (run.kind === 'ran' && (run.code === 0 || run.code === 5)) return
  throw gitFailed(run.kind === 'failed' ? run.why : run.stderr)
}

function runOrThrow(parts: MergeDriverParts, words: readonly string[]): void {
  const run = parts.git(words, parts.root)
  if (run.kind === 'failed' || run.code !== 0) throw gitFailed(run.kind === 'failed' ? run.why : run.stderr)
}

function gitFailed(why: string): CairnError {
  const reason = why.trim().split('\n')[0] ?? ''
  const isElsewhere = /not a git repository|can only be used inside a git repository/.test(why)
  return new CairnError({
    code: isElsewhere ? 'file_not_found' : 'store_io',
    message: isElsewhere ? 'This project is not in a git repository.' : `git answered: ${reason}`,
    hint: isElsewhere
      ? '`git init` creates one; a memory without git does not need a merge driver.'
      : 'Check that git is installed and that .git/config can be written.',
  })
}

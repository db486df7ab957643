import { CairnError } from '../../kernel/model/errors.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import type { Git } from '../../kernel/system/git.ts'
import { DRIVER_EXIT } from './decide/driver-command.ts'
import { mergeFile } from './decide/merge-file.ts'
import { type ConflictMarkers, conflictBlock, type Merged, type MergeInput } from './decide/merge-input.ts'
import { writeWhole } from './write-whole.ts'

export { DRIVER_EXIT }

/** Above this a version is not taken apart: git's own merge does with less memory. */
const MAX_BYTES = 64 * 1024 * 1024

/** What git hands to a merge driver: `%O %A %B %L %P`. The merged text goes to the file `ours`. */
export interface DriverCall {
  readonly base: string
  readonly ours: string
  readonly theirs: string
  readonly markers: ConflictMarkers
  /** The file's name in the repository. */
  readonly path: string
}

export interface DriverParts {
  readonly disk: Disk
  readonly git: Git
  /** Where git has started us: the top of the working tree. */
  readonly folder: string
}

export interface DriverResult {
  readonly exitCode: (typeof DRIVER_EXIT)[keyof typeof DRIVER_EXIT]
  /** For the person who merges. */
  readonly messages: readonly string[]
}

/**
 * Merges one file for git. Whatever goes wrong, their side is not lost: what cannot be taken apart is merged as text by git
 * itself, or else both versions stand whole in the file; and when not even that can be written, the merge as a whole fails.
 */
export function driveMerge(call: DriverCall, parts: DriverParts): DriverResult {
  let merged: Merged | undefined
  try {
    merged = mergeFile(call.path, read(call, parts.disk))
  } catch (error) {
    return mergeAsText(call, parts, reasonOf(error))
  }
  return merged === undefined ? mergeAsText(call, parts) : keep(merged, call, parts)
}

/** What cannot be written is not tried another way: git's own merge would empty the file first. */
function keep(merged: Merged, call: DriverCall, { disk }: DriverParts): DriverResult {
  try {
    writeWhole(disk, call.ours, merged.bytes)
  } catch (error) {
    return { exitCode: DRIVER_EXIT.failed, messages: [couldNot(call, error)] }
  }
  return {
    exitCode: merged.conflicts.length > 0 ? DRIVER_EXIT.conflict : DRIVER_EXIT.merged,
    messages: [
      ...merged.remarks.map(remark => `${call.path}: ${remark}`),
      ...merged.conflicts.map(what => `${call.path}: conflict: ${what} was changed on both sides`),
    ],
  }
}

/** `why` it was not taken apart; then nobody has looked at what is in it, and a person should. */
function mergeAsText(call: DriverCall, parts: DriverParts, why?: string): DriverResult {
  const messages = why === undefined ? [] : [`${call.path}: merged as text, look it over: ${why}`]
  const { markers, ours, base, theirs } = call
  const run = parts.git(
    [
      'merge-file',
      ...['-L', markers.ours, '-L', 'base', '-L', markers.theirs],
      `--marker-size=${markers.size}`,
      ...['--', ours, base, theirs],
    ],
    parts.folder,
  )
  if (run.kind === 'ran' && run.code === 0 && why === undefined)
    return { exitCode: DRIVER_EXIT.merged, messages }
  if (run.kind === 'ran' && run.code < 128) return { exitCode: DRIVER_EXIT.conflict, messages }
  try {
    return { exitCode: DRIVER_EXIT.conflict, messages: [...messages, ...keepBoth(call, parts)] }
  } catch (error) {
    return { exitCode: DRIVER_EXIT.failed, messages: [...messages, couldNot(call, error)] }
  }
}

/** The last resort: both versions, whole, between markers. */
function keepBoth(call: DriverCall, { disk }: DriverParts): string[] {
  const { ours, theirs } = read(call, disk)
  if (ours.includes(0) || theirs.includes(0)) {
    // Text between markers would ruin it. As git does with such files: ours stays, and the file is in conflict.
    return [
      `${call.path}: is no text that can be merged. Ours is left; \`git checkout --theirs\` takes the other.`,
    ]
  }
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
  const block = conflictBlock(text(ours), text(theirs), { markers: call.markers, eol: '\n' })
  writeWhole(disk, call.ours, Buffer.from(block, 'latin1'))
  return [`${call.path}: both versions stand whole in the file`]
}

function read({ base, ours, theirs, markers }: DriverCall, disk: Disk): MergeInput {
  const readOne = (file: string) => {
    const size = disk.stamp(file)?.size
    if (size !== undefined && size > MAX_BYTES) {
      throw new CairnError({
        code: 'merge_conflict',
        message: `it has ${Math.round(size / 1_048_576)} MB`,
        hint: 'Look at the merged file.',
      })
    }
    const bytes = disk.readFile(file)
    if (bytes === undefined) {
      throw new CairnError({
        code: 'file_not_found',
        message: `there is no file ${file}`,
        hint: 'Merge again.',
      })
    }
    return bytes
  }
  return { base: readOne(base), ours: readOne(ours), theirs: readOne(theirs), markers }
}

function couldNot({ path }: DriverCall, error: unknown): string {
  return `${path}: could not be merged: ${reasonOf(error)}`
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

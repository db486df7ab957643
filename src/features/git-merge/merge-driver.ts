import { CairnError } from '../../kernel/model/errors.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import type { Git } from '../../kernel/system/git.ts'
import { DRIVER_EXIT } from './decide/driver-setup.ts'
import { mergeFile } from './decide/merge-file.ts'
import { type ConflictMarkers, conflictBlock, type Merged, type MergeInput } from './decide/merge-input.ts'
import { writeWhole } from './write-whole.ts'

export { DRIVER_EXIT }

/** A larger file is not parsed: git's own merge needs less memory. */
const MAX_BYTES = 64 * 1024 * 1024

/** The arguments of a merge driver: `%O %A %B %L %P`. The merged text is written to the file `ours`. */
interface DriverCall {
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
  /** The folder in which git started this process: the top of the working tree. */
  readonly folder: string
}

interface DriverResult {
  readonly exitCode: (typeof DRIVER_EXIT)[keyof typeof DRIVER_EXIT]
  /** For the person who merges. */
  readonly messages: readonly string[]
}

/**
 * Merges one file for git. Their side is never lost: a file that cannot be parsed is merged as text by git, or both whole versions are
 * written into the file. If that fails too, the merge fails.
 */
export function driveMerge(call: DriverCall, parts: DriverParts): DriverResult {
  let merged: Merged | undefined
  try {
    merged = mergeFile(call.path, read(call, parts.disk))
  } catch (error) {
    return mergeAsText(call, parts, reasonOf(error))
  }
  return merged === undefined ? mergeAsText(call, parts) : writeMerged(merged, call, parts)
}

/** After a failed write there is no second attempt: git's own merge would empty the file first. */
function writeMerged(merged: Merged, call: DriverCall, { disk }: DriverParts): DriverResult {
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

/** `why` the file was not parsed; then a person must check the result. */
function mergeAsText(call: DriverCall, parts: DriverParts, why?: string): DriverResult {
  const messages = why === undefined ? [] : [`${call.path}: merged as text, check the result: ${why}`]
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
    return { exitCode: DRIVER_EXIT.conflict, messages: [...messages, ...writeBoth(call, parts)] }
  } catch (error) {
    return { exitCode: DRIVER_EXIT.failed, messages: [...messages, couldNot(call, error)] }
  }
}

/** The last resort: both whole versions between markers. */
function writeBoth(call: DriverCall, { disk }: DriverParts): string[] {
  const { ours, theirs } = read(call, disk)
  if (ours.includes(0) || theirs.includes(0)) {
    // Markers would damage a binary file. As in git, ours stays, and the file is in conflict.
    return [
      `${call.path}: is no text that can be merged. Ours is left; \`git checkout --theirs\` takes the other.`,
    ]
  }
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
  const block = conflictBlock(text(ours), text(theirs), { markers: call.markers, eol: '\n' })
  writeWhole(disk, call.ours, Buffer.from(block, 'latin1'))
  return [`${call.path}: the file has both whole versions`]
}

function read({ base, ours, theirs, markers }: DriverCall, disk: Disk): MergeInput {
  const readOne = (file: string) => {
    const size = disk.stamp(file)?.size
    if (size !== undefined && size > MAX_BYTES) {
      throw new CairnError({
        code: 'merge_conflict',
        message: `it has ${Math.round(size / 1_048_576)} MB`,
        hint: 'Check the merged file.',
      })
    }
    const bytes = disk.readFile(file)
    if (bytes === undefined) {
      throw new CairnError({
        code: 'file_not_found',
        message: `the file ${file} does not exist`,
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

import * as path from 'node:path'
import type { CheckpointFile, StateFiles, StateReading } from '../../features/state/decide/ports.ts'
import {
  CHECKPOINT_ID,
  CHECKPOINTS,
  checkedId,
  checkpointFileOf,
  isWorthSaving,
  judgeCheckpoint,
  judgeState,
  MAX_STATE_BYTES,
  newerState,
  newestFirst,
  type Parsed,
  parseCheckpoint,
  parseState,
  STATE,
  timeInId,
} from '../../features/state/decide/state-document.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { bundleHashOf } from '../../kernel/system/digest.ts'
import { asStorageError, type Disk } from '../../kernel/system/disk.ts'
import type { MemoryPaths } from '../../kernel/system/paths.ts'
import { replaceFile, safePaths } from './safe-path.ts'

const RANDOM_BOUND = 2 ** 31

/** `state.json` and `history/checkpoints/`, as files. See docs/format/state.md. */
export function stateFolder({
  paths,
  disk,
  clock,
  exclusively,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  /** Runs under the lock of this memory. */
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
}): StateFiles {
  const safe = safePaths(paths, disk)
  const file = path.join(paths.memory, STATE)
  const checkpointFile = (id: string) => path.join(paths.memory, CHECKPOINTS, `${id}.json`)

  return {
    async read() {
      // A link in a clone does not prevent reading; `update` refuses it.
      const problem = safe.problemOf(file)
      return problem === undefined ? storing(STATE, readState) : { kind: 'damaged', problem }
    },

    async update(decide) {
      await exclusively(async () => {
        const reading = storing(STATE, readState)
        const next = await decide(reading)
        if (next === undefined) return
        if (reading.kind === 'newer') throw newerState(reading.version)
        storing(STATE, () => {
          if (next.checkpoint !== undefined)
            write(checkpointFile(checkedId(next.checkpoint.id)), next.checkpoint)
          keepDamaged(reading)
          write(file, next.state)
        })
      })
    },

    async checkpoints() {
      return storing(CHECKPOINTS, () =>
        (disk.listFolder(safe.check(path.join(paths.memory, CHECKPOINTS))) ?? [])
          .filter(item => item.isFile() && item.name.endsWith('.json'))
          .map(item => item.name.slice(0, -'.json'.length))
          .filter(id => CHECKPOINT_ID.test(id))
          .map(checkpointOf)
          .sort(newestFirst),
      )
    },

    async readCheckpoint(id) {
      if (!CHECKPOINT_ID.test(id)) return undefined
      const name = `${CHECKPOINTS}/${id}.json`
      const parsed = storing(name, () => readParsed(checkpointFile(id), parseCheckpoint))
      return judgeCheckpoint(parsed, id, bundleHashOf)
    },
  }

  function readState(): StateReading {
    return judgeState(readParsed(file, parseState), bundleHashOf)
  }

  function readParsed<T>(from: string, parse: (written: string) => Parsed<T>): Parsed<T> | undefined {
    const stamp = disk.stamp(safe.check(from))
    if (stamp === undefined) return undefined
    if (disk.isFolder(from) === true) return { kind: 'damaged', reason: 'it is a folder' }
    if (stamp.size > MAX_STATE_BYTES) return { kind: 'damaged', reason: 'it is too large' }
    const bytes = disk.readFile(from)
    return bytes && parse(new TextDecoder().decode(bytes))
  }

  function checkpointOf(id: string): CheckpointFile {
    const inName = timeInId(id)
    if (inName !== undefined) return checkpointFileOf(id, inName)
    const parsed = readParsed(checkpointFile(id), parseCheckpoint)
    const createdAt =
      parsed?.kind === 'read'
        ? parsed.value.createdAt
        : new Date(disk.stamp(checkpointFile(id))?.mtimeMs ?? 0).toISOString()
    return checkpointFileOf(id, new Date(createdAt).toISOString())
  }

  /** Saves a file that cannot be read before it is replaced. */
  function keepDamaged(reading: StateReading): void {
    if (!isWorthSaving(reading) || disk.stamp(file) === undefined) return
    const beside = `${file}.damaged-${clock.nowMs()}`
    // A copy, not a rename: the old file stays in place until it is replaced.
    if (disk.isFolder(file) === true) disk.rename(file, beside)
    else {
      const bytes = disk.readFile(file)
      if (bytes !== undefined) replaceFile(disk, beside, bytes, clock.random(RANDOM_BOUND))
    }
  }

  function write(to: string, value: unknown): void {
    const text = `${JSON.stringify(value, null, 2)}\n`
    replaceFile(disk, safe.check(to), text, clock.random(RANDOM_BOUND))
  }

  function storing<T>(name: string, work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asStorageError(error, `.memory/${name}`)
    }
  }
}

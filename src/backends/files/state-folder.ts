import * as path from 'node:path'
import type { ProjectState } from '../../model/bundle.ts'
import { CairnError } from '../../model/errors.ts'
import type { Problem } from '../../model/search.ts'
import type { CheckpointFile, StateFiles, StateReading } from '../../pipeline/recall/state-files.ts'
import {
  MOST_STATE_BYTES,
  type Parsed,
  parseCheckpoint,
  parseState,
} from '../../pipeline/recall/state-schema.ts'
import { bundleHashOf } from '../../system/bundle-hash.ts'
import type { Clock } from '../../system/clock.ts'
import { asStorageError, type Disk } from '../../system/disk.ts'
import type { MemoryPaths } from '../../system/paths.ts'
import { replaceFile, safePaths } from './safe-path.ts'

const STATE = 'state.json'
const CHECKPOINTS = 'history/checkpoints'
const CHECKPOINT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
/** Ours tell their moment: `2026-03-16T10-00-00-000Z-k3f9`. */
const OWN_ID = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-/
const RANDOM_BOUND = 2 ** 31

/** `state.json` and `history/checkpoints/`, as files. docs/format/state.md draws them. */
export function stateFolder({
  paths,
  disk,
  clock,
  exclusively,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  /** Alone among all processes that write to this memory. */
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
}): StateFiles {
  const safe = safePaths(paths, disk)
  const file = path.join(paths.memory, STATE)
  const checkpointFile = (id: string) => path.join(paths.memory, CHECKPOINTS, `${id}.json`)

  return {
    async read() {
      // What came with a clone keeps nobody from the rest; `update` refuses it.
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
            write(checkpointFile(checked(next.checkpoint.id)), next.checkpoint)
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
          .sort((a, b) =>
            a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.id < b.id ? 1 : -1,
          ),
      )
    },

    async readCheckpoint(id) {
      if (!CHECKPOINT_ID.test(id)) return undefined
      const name = `${CHECKPOINTS}/${id}.json`
      const parsed = storing(name, () => readParsed(checkpointFile(id), parseCheckpoint))
      if (parsed === undefined) return undefined
      if (parsed.kind === 'read') {
        const isWhole = bundleHashOf(parsed.value.bundle) === parsed.value.bundleHash
        if (isWhole) return { kind: 'read', checkpoint: { ...parsed.value, id } }
        return { kind: 'damaged', problem: damaged(name, '`bundleHash` must be the hash of `bundle`') }
      }
      return {
        kind: 'damaged',
        problem: damaged(name, parsed.kind === 'newer' ? `it has version ${parsed.version}` : parsed.reason),
      }
    },
  }

  function readState(): StateReading {
    const parsed = readParsed(file, parseState)
    if (parsed === undefined) return { kind: 'none' }
    if (parsed.kind === 'newer') return parsed
    if (parsed.kind === 'damaged') return { kind: 'damaged', problem: damaged(STATE, parsed.reason) }
    const state: ProjectState = parsed.value
    return { kind: 'read', state, isHandEdited: bundleHashOf(state.bundle) !== state.bundleHash }
  }

  function readParsed<T>(from: string, parse: (written: string) => Parsed<T>): Parsed<T> | undefined {
    const stamp = disk.stamp(safe.check(from))
    if (stamp === undefined) return undefined
    if (disk.isFolder(from) === true) return { kind: 'damaged', reason: 'it is a folder' }
    if (stamp.size > MOST_STATE_BYTES) return { kind: 'damaged', reason: 'it is too large to be one of ours' }
    const bytes = disk.readFile(from)
    return bytes && parse(new TextDecoder().decode(bytes))
  }

  function checkpointOf(id: string): CheckpointFile {
    const [, hour, minute, second, ms] = OWN_ID.exec(id) ?? []
    const inName = `${hour}:${minute}:${second}.${ms}Z`
    if (hour !== undefined && !Number.isNaN(Date.parse(inName))) return fileOf(id, inName)
    const parsed = readParsed(checkpointFile(id), parseCheckpoint)
    const createdAt =
      parsed?.kind === 'read'
        ? parsed.value.createdAt
        : new Date(disk.stamp(checkpointFile(id))?.mtimeMs ?? 0).toISOString()
    return fileOf(id, new Date(createdAt).toISOString())
  }

  /** Nothing of a file that cannot be read is lost when another takes its place. */
  function keepDamaged(reading: StateReading): void {
    const isWrong = reading.kind === 'damaged' || (reading.kind === 'read' && reading.isHandEdited === true)
    if (!isWrong || disk.stamp(file) === undefined) return
    const beside = `${file}.damaged-${clock.nowMs()}`
    // A copy and not a rename: until the new one takes its place, the old one stays where it is.
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

function fileOf(id: string, createdAt: string): CheckpointFile {
  return { id, createdAt, path: `${CHECKPOINTS}/${id}.json` }
}

function checked(id: string): string {
  if (CHECKPOINT_ID.test(id)) return id
  throw new Error(`${id} is no id of a checkpoint`)
}

function damaged(name: string, reason: string): Problem {
  const isState = name === STATE
  return {
    code: isState ? 'state_damaged' : 'checkpoint_damaged',
    path: name,
    message: `.memory/${name} cannot be used: ${reason}.`,
    hint: isState
      ? '`cairn recall` makes it again from the vault and the events, and keeps this one beside it.'
      : 'The other checkpoints can be used; `cairn checkpoints` lists them.',
  }
}

export function newerState(version: number): CairnError {
  return new CairnError({
    code: 'vault_newer',
    message: `.memory/${STATE} has version ${version}: a newer Cairn has written it. It is left as it is.`,
    hint: 'Update Cairn to recall here.',
  })
}

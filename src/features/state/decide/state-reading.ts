import { LAYOUT } from '../../../kernel/layout.ts'
import type { Bundle, BundleCheckpoint, ProjectState } from '../../../kernel/model/bundle.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Problem } from '../../../kernel/model/search.ts'
import type { CheckpointFile, StateFiles, StateReading } from './state-files.ts'
import type { Parsed } from './state-schema.ts'

export const STATE = LAYOUT.state.path
export const CHECKPOINTS = LAYOUT.stateCheckpoints.path.slice(0, -1)
export const CHECKPOINT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
/** Ours tell their moment: `2026-03-16T10-00-00-000Z-k3f9`. */
const OWN_ID = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z-/

type HashOf = (bundle: Bundle) => string

export function judgeState(parsed: Parsed<ProjectState> | undefined, hashOf: HashOf): StateReading {
  if (parsed === undefined) return { kind: 'none' }
  if (parsed.kind === 'newer') return parsed
  if (parsed.kind === 'damaged') return { kind: 'damaged', problem: damaged(STATE, parsed.reason) }
  const state: ProjectState = parsed.value
  return { kind: 'read', state, isHandEdited: hashOf(state.bundle) !== state.bundleHash }
}

export function judgeCheckpoint(
  parsed: Parsed<BundleCheckpoint> | undefined,
  id: string,
  hashOf: HashOf,
): Awaited<ReturnType<StateFiles['readCheckpoint']>> {
  if (parsed === undefined) return undefined
  const name = `${CHECKPOINTS}/${id}.json`
  if (parsed.kind === 'read') {
    const isWhole = hashOf(parsed.value.bundle) === parsed.value.bundleHash
    if (isWhole) return { kind: 'read', checkpoint: { ...parsed.value, id } }
    return { kind: 'damaged', problem: damaged(name, '`bundleHash` must be the hash of `bundle`') }
  }
  return {
    kind: 'damaged',
    problem: damaged(name, parsed.kind === 'newer' ? `it has version ${parsed.version}` : parsed.reason),
  }
}

/** Nothing that cannot be read, or that somebody changed by hand, is lost when another takes its place. */
export function isWorthKeeping(reading: StateReading): boolean {
  return reading.kind === 'damaged' || (reading.kind === 'read' && reading.isHandEdited === true)
}

/** When a checkpoint was made, as far as its id tells. */
export function momentInId(id: string): string | undefined {
  const [, hour, minute, second, ms] = OWN_ID.exec(id) ?? []
  const inName = `${hour}:${minute}:${second}.${ms}Z`
  return hour === undefined || Number.isNaN(Date.parse(inName)) ? undefined : inName
}

export function newestFirst(a: CheckpointFile, b: CheckpointFile): number {
  return a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.id < b.id ? 1 : -1
}

export function checkpointFileOf(id: string, createdAt: string): CheckpointFile {
  return { id, createdAt, path: `${CHECKPOINTS}/${id}.json` }
}

export function checkedId(id: string): string {
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

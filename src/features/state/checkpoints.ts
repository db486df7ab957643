import type { Memory } from '../../kernel/memory.ts'
import {
  type Bundle,
  type BundleCheckpoint,
  type ProjectState,
  STATE_VERSION,
} from '../../kernel/model/bundle.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { bundleHashOf } from '../../kernel/system/digest.ts'
import { generatorVersion } from '../../kernel/system/package-facts.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { ConflictPorts } from '../conflicts/decide/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { entryTimeOf } from './decide/bundle-items.ts'
import { type BundleChange, diffBundles } from './decide/diff-bundle.ts'
import type { StatePorts, StateReading } from './decide/ports.ts'
import type { RecallEntry } from './decide/recall-input.ts'
import { gatherEntries } from './recall-entries.ts'

/**
 * Finds a checkpoint by its id, the start of its id, or a date (the last one of that day). Throws `checkpoint_not_found`,
 * `ambiguous_match`, `document_damaged`.
 */
export async function getCheckpoint(memory: StatePorts, name: string): Promise<BundleCheckpoint> {
  const id = await findCheckpointId(memory, name)
  const reading = await memory.state.readCheckpoint(id)
  if (reading === undefined) throw checkpointNotFound(name)
  if (reading.kind === 'read') return reading.checkpoint
  const { message, hint } = reading.problem
  throw new CairnError({ code: 'document_damaged', message, hint })
}

/** The id for `latest`, an id, the start of an id, or a date (the last one of that day). Throws `checkpoint_not_found`, `ambiguous_match`. */
export async function findCheckpointId(memory: StatePorts, name: string): Promise<string> {
  const newestFirst = (await memory.state.checkpoints()).map(({ id }) => id)
  const fitting =
    name === 'latest' ? newestFirst.slice(0, 1) : newestFirst.filter(id => name !== '' && id.startsWith(name))
  const [newest] = fitting
  if (newest === undefined) throw checkpointNotFound(name, newestFirst)
  if (fitting.includes(name)) return name
  if (fitting.length === 1 || DATE.test(name)) return newest
  throw new CairnError({
    code: 'ambiguous_match',
    message: `${fitting.length} checkpoints start with ${name.slice(0, 80)}.`,
    hint: `Name one: ${fitting.slice(0, MAX_NAMED_CHECKPOINTS).join(', ')}${fitting.length > MAX_NAMED_CHECKPOINTS ? ', …' : '.'}`,
    details: { candidates: fitting.slice(0, 20).map(id => ({ id })) },
  })
}

const DATE = /^\d{4}-\d\d-\d\d/

interface RestoredBundle {
  readonly state: ProjectState
  /** The checkpoint of the restored bundle; the bundle before it still has its own. */
  readonly checkpoint: string
  readonly changes: readonly BundleChange[]
}

/** Restores the bundle of a checkpoint. Newer entries stay out of it until they change. */
export async function restoreCheckpoint(
  memory: Memory & SearchPorts & ConflictPorts & StatePorts,
  name: string,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<RestoredBundle> {
  const { id, bundle, createdAt } = await getCheckpoint(memory, name)
  const entries = await gatherEntries(memory)
  return putBack(memory, bundle, {
    dryRun,
    reason: `${RESTORED}${id}`,
    setAside: known => entriesToSetAside(known?.bundle, { bundle, createdAt }, entries),
  })
}

const RESTORED = 'restored '

/** The last change of the state if it was a restore, with the checkpoint before it. undefined: it was not. */
export async function lastRestore(
  memory: StatePorts,
): Promise<{ readonly checkpoint: BundleCheckpoint; readonly before: string } | undefined> {
  const reading = await memory.state.read()
  const latest = reading.kind === 'read' ? reading.state.maintenance.latestCheckpointId : null
  const all = await memory.state.checkpoints()
  const at = all.findIndex(({ id }) => id === latest)
  const before = all[at + 1]?.id
  if (latest === null || at === -1 || before === undefined) return undefined
  const read = await memory.state.readCheckpoint(latest)
  if (read?.kind !== 'read' || !read.checkpoint.reason.startsWith(RESTORED)) return undefined
  return { checkpoint: read.checkpoint, before }
}

/** Brings back the bundle before a restore; all entries count again. */
export async function undoRestore(
  memory: Memory & StatePorts,
  { checkpoint, before }: { readonly checkpoint: BundleCheckpoint; readonly before: string },
  { dryRun }: { readonly dryRun: boolean },
): Promise<RestoredBundle> {
  const { bundle } = await getCheckpoint(memory, before)
  return putBack(memory, bundle, {
    dryRun,
    reason: `undid the restore ${checkpoint.id}`,
    setAside: () => ({}),
  })
}

/** Entries that the restored bundle does not have, and that are newer or were in the bundle until now. */
function entriesToSetAside(
  known: Bundle | undefined,
  restored: Pick<BundleCheckpoint, 'bundle' | 'createdAt'>,
  entries: readonly RecallEntry[],
): Readonly<Record<string, string>> {
  const restoredIds = new Set(entriesOf(restored.bundle))
  const shownUntilNow = new Set(known === undefined ? [] : entriesOf(known))
  return Object.fromEntries(
    entries
      .map(({ entry }) => entry)
      .filter(({ id }) => !restoredIds.has(id))
      .filter(entry => shownUntilNow.has(entry.id) || entryTimeOf(entry) > restored.createdAt)
      .map(({ id, content }) => [id, fingerprint(content)]),
  )
}

/** `entry:<id>` and `entry:<id>:2` */
function entriesOf({ currentFocus, gotchas, nextSteps }: Bundle): string[] {
  return [...currentFocus, ...gotchas, ...nextSteps]
    .flatMap(({ sources }) => sources)
    .flatMap(source => /^entry:([^:]+)/.exec(source)?.[1] ?? [])
}

interface PutBack {
  readonly dryRun: boolean
  readonly reason: string
  readonly setAside: (known: ProjectState | undefined) => Readonly<Record<string, string>>
}

async function putBack(
  memory: Memory & StatePorts,
  bundle: Bundle,
  { dryRun, reason, setAside: chosen }: PutBack,
): Promise<RestoredBundle> {
  const now = new Date(memory.clock.nowMs()).toISOString()
  const checkpoint = newCheckpoint(bundle, {
    now,
    random: memory.clock.random(2 ** 31),
    reason,
  })
  let restored: RestoredBundle | undefined
  const plan = async (reading: Awaited<ReturnType<StatePorts['state']['read']>>) => {
    if (reading.kind === 'newer') throw stateNewer(reading.version)
    const known = reading.kind === 'read' ? reading.state : undefined
    const setAside = chosen(known)
    const state: ProjectState = {
      schemaVersion: STATE_VERSION,
      generatorVersion: generatorVersion(),
      provider: known?.provider ?? 'rules',
      generatedAt: now,
      bundleHash: bundleHashOf(bundle),
      bundle,
      maintenance: {
        lastRecalledAt: known?.maintenance.lastRecalledAt ?? null,
        lastRecalledEventId: known?.maintenance.lastRecalledEventId ?? null,
        historyEventCount: known?.maintenance.historyEventCount ?? 0,
        importSourceCount: known?.maintenance.importSourceCount ?? 0,
        recallCursors: known?.maintenance.recallCursors ?? {},
        latestCheckpointId: checkpoint.id,
        ...(Object.keys(setAside).length > 0 && { setAside }),
      },
    }
    restored = { state, checkpoint: checkpoint.id, changes: diffBundles(known?.bundle, bundle) }
    return { state, checkpoint }
  }
  if (dryRun) await plan(await memory.state.read())
  else await memory.state.update(plan)
  if (restored === undefined) throw new Error('the restore was not planned')
  return restored
}

/** Its id has the time and a random suffix. */
export function newCheckpoint(
  bundle: Bundle,
  { now, random, reason }: { readonly now: string; readonly random: number; readonly reason: string },
): BundleCheckpoint {
  return {
    schemaVersion: STATE_VERSION,
    id: `${now.replaceAll(/[:.]/g, '-')}-${random.toString(36)}`,
    createdAt: now,
    bundleHash: bundleHashOf(bundle),
    reason,
    bundle,
  }
}

export function stateNewer(version: number): CairnError {
  return new CairnError({
    code: 'vault_newer',
    message: `.memory/state.json has version ${version}: a newer Cairn or another tool wrote it. It was not changed.`,
    hint: 'Update Cairn; or move the file away, and recall rebuilds it.',
  })
}

/** The error for a caller that needs the state. */
export function stateUnusable(reading: Extract<StateReading, { kind: 'newer' | 'damaged' }>): CairnError {
  if (reading.kind === 'newer') return stateNewer(reading.version)
  const { message, hint } = reading.problem
  return new CairnError({ code: 'document_damaged', message, hint })
}

const MAX_NAMED_CHECKPOINTS = 5

/** `ids`: the known ids, newest first. */
export function checkpointNotFound(id: string, ids: readonly string[] = []): CairnError {
  return new CairnError({
    code: 'checkpoint_not_found',
    message: `There is no checkpoint ${id.slice(0, 80)}.`,
    hint:
      ids.length === 0
        ? 'There are none yet; `cairn recall` makes one when the state changes.'
        : `The newest are: ${ids.slice(0, MAX_NAMED_CHECKPOINTS).join(', ')}.`,
  })
}

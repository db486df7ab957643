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
import { momentOf } from './decide/bundle-items.ts'
import { type BundleChange, diffBundles } from './decide/diff-bundle.ts'
import type { StatePorts } from './decide/ports.ts'
import type { RecallEntry } from './decide/recall-input.ts'
import { gatherEntries } from './gather-entries.ts'
import { checkpointNotFound, MAX_NAMED_CHECKPOINTS, newCheckpoint, stateNewer } from './new-checkpoint.ts'

/** By its id, or by how its id begins: of a day, the last one. Throws `checkpoint_not_found`, `ambiguous_match`, `document_damaged`. */
export async function getCheckpoint(memory: StatePorts, name: string): Promise<BundleCheckpoint> {
  const id = await findCheckpointId(memory, name)
  const reading = await memory.state.readCheckpoint(id)
  if (reading === undefined) throw checkpointNotFound(name)
  if (reading.kind === 'read') return reading.checkpoint
  const { message, hint } = reading.problem
  throw new CairnError({ code: 'document_damaged', message, hint })
}

/** The one that a person means by `latest`, an id, how one begins, or a date: of a day, the last one. Throws `checkpoint_not_found`, `ambiguous_match`. */
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
    message: `${fitting.length} checkpoints begin with ${name.slice(0, 80)}.`,
    hint: `Name one: ${fitting.slice(0, MAX_NAMED_CHECKPOINTS).join(', ')}${fitting.length > MAX_NAMED_CHECKPOINTS ? ', …' : '.'}`,
    details: { candidates: fitting.slice(0, 20).map(id => ({ id })) },
  })
}

const DATE = /^\d{4}-\d\d-\d\d/

export interface RestoredBundle {
  readonly state: ProjectState
  /** The checkpoint that the restored bundle is kept as; what was there is still in its own. */
  readonly checkpoint: string
  readonly changes: readonly BundleChange[]
}

/** The bundle of a checkpoint again. What entries brought in since stays out until they change. */
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

/** The restore of a checkpoint that nothing followed, and the checkpoint of the bundle before it. undefined: there is none. */
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

/** What recall said before a restore, and all entries count again. */
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

/** Entries that the restored bundle does not tell of, and that came since or were told until now. */
function entriesToSetAside(
  known: Bundle | undefined,
  restored: Pick<BundleCheckpoint, 'bundle' | 'createdAt'>,
  entries: readonly RecallEntry[],
): Readonly<Record<string, string>> {
  const told = new Set(entriesOf(restored.bundle))
  const toldUntilNow = new Set(known === undefined ? [] : entriesOf(known))
  return Object.fromEntries(
    entries
      .map(({ entry }) => entry)
      .filter(({ id }) => !told.has(id))
      .filter(entry => toldUntilNow.has(entry.id) || momentOf(entry) > restored.createdAt)
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
  if (restored === undefined) throw new Error('a state that was planned is there')
  return restored
}

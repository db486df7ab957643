import type { Engine } from '../engine-parts.ts'
import { type BundleCheckpoint, type ProjectState, STATE_VERSION } from '../model/bundle.ts'
import { CairnError } from '../model/errors.ts'
import { type BundleChange, diffBundles } from '../pipeline/recall/diff-bundle.ts'
import { bundleHashOf } from '../system/bundle-hash.ts'
import { generatorVersion } from '../system/generator-version.ts'
import { checkpointNotFound, newCheckpoint, stateNewer } from './new-checkpoint.ts'

/** By its id, or by how its id begins, when only one does. Throws `checkpoint_not_found`, `ambiguous_match`, `document_damaged`. */
export async function getCheckpoint(engine: Engine, name: string): Promise<BundleCheckpoint> {
  const all = await engine.state.checkpoints()
  const fitting =
    name === 'latest' ? all.slice(0, 1) : all.filter(({ id }) => id === name || id.startsWith(name))
  const exact = fitting.find(({ id }) => id === name) ?? fitting[0]
  if (exact === undefined || name === '') throw checkpointNotFound(name)
  if (exact.id !== name && fitting.length > 1)
    throw new CairnError({
      code: 'ambiguous_match',
      message: `${fitting.length} checkpoints begin with ${name}.`,
      hint: `Name one of: ${fitting
        .slice(0, 5)
        .map(({ id }) => id)
        .join(', ')}.`,
    })
  const reading = await engine.state.readCheckpoint(exact.id)
  if (reading === undefined) throw checkpointNotFound(name)
  if (reading.kind === 'read') return reading.checkpoint
  const { message, hint } = reading.problem
  throw new CairnError({ code: 'document_damaged', message, hint })
}

export interface RestoredBundle {
  readonly state: ProjectState
  /** The checkpoint that the restored bundle is kept as; what was there is still in its own. */
  readonly checkpoint: string
  readonly changes: readonly BundleChange[]
}

/** The bundle of a checkpoint again. What was folded in since is not folded in again. */
export async function restoreCheckpoint(
  engine: Engine,
  name: string,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<RestoredBundle> {
  const { id, bundle } = await getCheckpoint(engine, name)
  const now = new Date(engine.clock.nowMs()).toISOString()
  const checkpoint = newCheckpoint(bundle, {
    now,
    random: engine.clock.random(2 ** 31),
    reason: `restored ${id}`,
  })
  let restored: RestoredBundle | undefined
  const plan = async (reading: Awaited<ReturnType<Engine['state']['read']>>) => {
    if (reading.kind === 'newer') throw stateNewer(reading.version)
    const known = reading.kind === 'read' ? reading.state : undefined
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
      },
    }
    restored = { state, checkpoint: checkpoint.id, changes: diffBundles(known?.bundle, bundle) }
    return { state, checkpoint }
  }
  if (dryRun) await plan(await engine.state.read())
  else await engine.state.update(plan)
  if (restored === undefined) throw new Error('a state that was planned is there')
  return restored
}

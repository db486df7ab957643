import { memoryFolderOf } from '../../kernel/memory-place.ts'
import type { KnownProject } from '../../kernel/model/project.ts'
import { installDriver } from '../git-merge/install-driver.ts'
import { writeEntryBlock } from '../state/entry-blocks.ts'
import { bringBack } from './forgotten-memories.ts'
import { applyHosts, failureOf } from './host-changes.ts'
import type { InitPlan } from './plan-init.ts'
import type { SetupFailure, SetupParts } from './setup-parts.ts'

export interface AppliedInit {
  /** Paths that were changed. */
  readonly changed: readonly string[]
  readonly failures: readonly SetupFailure[]
  readonly project: KnownProject | null
  /** The registry could not be read and lies here now. */
  readonly movedAside: string | null
}

/**
 * In an order in which each step is whole by itself, and whoever is killed runs it again: first the memory and the yes to it, then the
 * hosts that would ask for it, then what stands in the project. What one part refuses keeps no other from being done.
 */
export async function applyInit(parts: SetupParts, plan: InitPlan): Promise<AppliedInit> {
  const { engine } = parts
  const changed: string[] = []
  const failures: SetupFailure[] = [...plan.failures]
  const { target, memory } = plan
  if (memory.does === 'bring_back' && memory.forgotten !== null) bringBack(memory.forgotten, target.root)
  // Makes the folder, with its config.json and .gitignore.
  if (memory.does === 'create' || memory.does === 'bring_back') {
    await engine.store.exclusively(() => undefined)
    changed.push(`${memoryFolderOf(engine).root}/.memory`)
  }
  const known = await makeKnown(parts, plan)
  const hosts = await applyHosts(parts.installing, plan.install)
  changed.push(...hosts.changed)
  failures.push(...hosts.failures)
  const attempt = async (work: () => Promise<readonly string[]>) => {
    try {
      changed.push(...(await work()))
    } catch (error) {
      failures.push(failureOf(error))
    }
  }
  if (plan.blocks) await attempt(() => writeBlocks(parts))
  if (plan.driver)
    await attempt(async () => {
      const done = await engine.store.exclusively(() => installDriver(parts.driver))
      return done.map(name => (name.startsWith('git ') ? name : `${memoryFolderOf(engine).root}/${name}`))
    })
  return { changed, failures, ...known }
}

async function makeKnown(
  { engine: memory }: SetupParts,
  { target }: InitPlan,
): Promise<Pick<AppliedInit, 'project' | 'movedAside'>> {
  if (target.shares !== undefined) {
    await memory.projects.share(target.shares.id, target.checkout)
    return { project: target.shares, movedAside: null }
  }
  if (target.resolved.by === 'sharing') return { project: null, movedAside: null }
  const { project, movedAside = null } = await memory.projects.register(target.root, {
    by: 'init',
    ...(target.isOwn && { isOwn: true }),
    ...(target.gitFolder !== undefined && { gitFolder: target.gitFolder }),
    ...(target.repository !== undefined && { repository: target.repository }),
  })
  return { project, movedAside }
}

/** As planned: only where there is none. `cairn entry-block write` brings an older block up to date. */
async function writeBlocks({ engine: memory }: SetupParts): Promise<readonly string[]> {
  const { changed } = await writeEntryBlock(memory, { missingOnly: true })
  return changed.map(name => `${memoryFolderOf(memory).root}/${name}`)
}

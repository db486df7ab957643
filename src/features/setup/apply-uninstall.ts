import * as fs from 'node:fs'
import * as path from 'node:path'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { absentAsUndefined } from '../../kernel/system/disk.ts'
import { uninstallDriver } from '../git-merge/install-driver.ts'
import { removeEntryBlock } from '../state/entry-blocks.ts'
import { type Forgotten, putAway } from './forgotten-memories.ts'
import { applyHosts, failureOf } from './host-changes.ts'
import type { ProjectRemoval, UninstallPlan } from './plan-uninstall.ts'
import type { SetupFailure, SetupParts } from './setup-parts.ts'

export interface AppliedUninstall {
  readonly changed: readonly string[]
  readonly failures: readonly SetupFailure[]
  /** Where the memory was put; null: it is where it was. */
  readonly forgotten: Forgotten | null
}

/** The hosts first: what they call must not be gone before they stop calling. The registry last: until then it can be run again. */
export async function applyUninstall(parts: SetupParts, plan: UninstallPlan): Promise<AppliedUninstall> {
  const { engine } = parts
  const changed: string[] = []
  const failures: SetupFailure[] = [...plan.failures]
  const applyAll = async (install: UninstallPlan['install'], within: SetupParts) => {
    const done = await applyHosts(within.installing, install)
    changed.push(...done.changed)
    failures.push(...done.failures)
  }
  await applyAll(plan.install, parts)
  for (const project of plan.projects) {
    await applyAll(project.install, project.parts)
    const done = await takeOutOfProject(project)
    changed.push(...done.changed)
    failures.push(...done.failures)
  }
  if (plan.unshares !== null) await engine.projects.unshare(plan.unshares)
  if (plan.forgets.length > 0) await engine.projects.forget(plan.forgets)
  const { memory } = plan
  const forgotten =
    memory?.does === 'put_away'
      ? putAway(parts, { root: memory.root, at: parts.installing.now(), entries: memory.entries })
      : null
  if (forgotten !== null) changed.push(path.join(forgotten.root, '.memory'))
  return { changed, failures, forgotten }
}

async function takeOutOfProject({
  parts: { engine: memory, driver },
  blocks,
  driver: hasDriver,
}: ProjectRemoval): Promise<Pick<AppliedUninstall, 'changed' | 'failures'>> {
  const changed: string[] = []
  const failures: SetupFailure[] = []
  const attempt = async (work: () => Promise<readonly string[]>) => {
    try {
      changed.push(...(await work()))
    } catch (error) {
      failures.push(failureOf(error))
    }
  }
  if (blocks.length > 0)
    await attempt(async () =>
      (await removeEntryBlock(memory, {})).changed.map(name => path.join(memoryFolderOf(memory).root, name)),
    )
  if (hasDriver)
    await attempt(async () => {
      const done = await memory.store.exclusively(() => uninstallDriver(driver))
      return done.map(name => (name.startsWith('git ') ? name : path.join(memoryFolderOf(memory).root, name)))
    })
  return { changed, failures }
}

/** What only serves projects and hosts that are no more. The user's own memory, what was put away and kept transcripts stay. */
const OURS_ALONE = ['run', 'hook-failures.jsonl', 'hook-failures.jsonl.1', 'allowed.json']
const OF_THE_REGISTRY = ['projects.json', 'projects.json.lock']
const INSTALL_LOCK = ['installs', 'lock.db']

/** Returns what was left in the folder; undefined: it is gone. */
export function tidyUserFolder(folder: string, isEverything: boolean): readonly string[] | undefined {
  const names = isEverything ? [...OF_THE_REGISTRY, ...OURS_ALONE] : OF_THE_REGISTRY
  for (const name of names) fs.rmSync(path.join(folder, name), { recursive: true, force: true })
  const records = absentAsUndefined(() => fs.readdirSync(path.join(folder, 'installs')))
  if (records?.every(name => name.startsWith('lock.db')))
    fs.rmSync(path.join(folder, ...INSTALL_LOCK), { force: true })
  for (const name of ['installs', 'run', '']) {
    const inside = path.join(folder, name)
    const left = absentAsUndefined(() => fs.readdirSync(inside))
    if (left?.length === 0) fs.rmdirSync(inside)
  }
  return absentAsUndefined(() => fs.readdirSync(folder))
}

import * as fs from 'node:fs'
import * as path from 'node:path'
import type { InstallPlan } from '../../hosts/install/decide/install-plan.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { HostId, InstallLevel } from '../../kernel/model/host.ts'
import type { KnownProject, KnownProjects, ResolvedProject } from '../../kernel/model/project.ts'
import { absentAsUndefined } from '../../kernel/system/disk.ts'
import { driverState, uninstallDriver } from '../git-merge/install-driver.ts'
import { checkoutTop, projectAt } from '../projects/resolve-project.ts'
import { removeEntryBlock } from '../state/entry-blocks.ts'
import { previewMemory } from './choose-target.ts'
import { type Forgotten, moveMemoryAway } from './forgotten-memories.ts'
import {
  applyHosts,
  failureOf,
  type PlannedChange,
  planHostRemoval,
  type SetupFailure,
  type SetupParts,
  type SetupRemark,
  shownChanges,
} from './host-changes.ts'

export interface UninstallRequest {
  readonly hosts?: readonly HostId[] | undefined
  readonly level?: InstallLevel | undefined
  readonly everything: boolean
  readonly forgetMemory: boolean
}

/** The removals in one project. */
interface ProjectRemoval {
  readonly parts: SetupParts
  readonly resolved: ResolvedProject
  readonly install: InstallPlan | undefined
  readonly blocks: readonly string[]
  readonly driver: boolean
  readonly changes: readonly PlannedChange[]
  readonly remarks: readonly SetupRemark[]
  readonly failures: readonly SetupFailure[]
}

export interface UninstallPlan {
  readonly projects: readonly ProjectRemoval[]
  /** At user level; undefined: no change. */
  readonly install: InstallPlan | undefined
  /** Known projects that still need the user-level parts. */
  readonly keptFor: readonly string[]
  /** Ids to remove from the registry. */
  readonly forgets: readonly string[]
  /** The checkout that stops sharing. */
  readonly unshares: string | null
  /** The path of the memory and its number of entries; it stays unless it is forgotten. */
  readonly memory: {
    readonly root: string
    readonly entries: number
    readonly does: 'stays' | 'put_away'
  } | null
  readonly changes: readonly PlannedChange[]
  readonly remarks: readonly SetupRemark[]
  readonly failures: readonly SetupFailure[]
}

/**
 * The changes of `cairn uninstall`. Reads only.
 *
 *   --host …        only the parts of these hosts
 *   plain           the parts of this project; the user-level parts too if no other known project is left
 *   --everything    the parts of every known project, and the user-level parts
 */
export async function planUninstall(
  parts: SetupParts,
  {
    resolved,
    known,
    request,
    others,
  }: {
    readonly resolved: ResolvedProject
    readonly known: KnownProjects | 'damaged'
    readonly request: UninstallRequest
    /** The same for every other known project whose folder exists; called only with --everything. */
    readonly others: (project: KnownProject) => Promise<SetupParts>
  },
): Promise<UninstallPlan> {
  const projects = known === 'damaged' ? [] : known.projects
  const isPart = request.hosts !== undefined || request.level !== undefined
  if (request.forgetMemory && (isPart || resolved.by === 'sharing')) throw wrongForgetting(resolved)
  const here = await planProject(parts, resolved, request, !isPart)
  const rest = projects.filter(({ id, root }) => id !== resolved.id && isTrusted(root, known))
  const removals = [here]
  if (request.everything)
    for (const project of rest)
      removals.push(await planProject(await others(project), projectAt(project.root, known), request, true))

  const keptFor = request.everything || isPart ? [] : rest.map(({ root }) => root)
  const isWithUser = request.level !== 'project' && keptFor.length === 0
  const user = isWithUser
    ? planHostRemoval(parts.installing, 'user', request.hosts)
    : { install: undefined, remarks: [], failures: [] }
  const look = await previewMemory(parts.engine)
  return {
    projects: removals,
    install: user.install,
    keptFor,
    forgets: request.everything
      ? projects.map(({ id }) => id)
      : isPart || resolved.by === 'sharing' || resolved.id === undefined
        ? []
        : [resolved.id],
    unshares: !isPart && resolved.by === 'sharing' ? resolved.checkout : null,
    memory:
      look === undefined
        ? null
        : { root: resolved.root, entries: look.entries, does: request.forgetMemory ? 'put_away' : 'stays' },
    changes: [
      ...removals.flatMap(({ changes }) => changes),
      ...shownChanges(user.install, false),
      ...(request.forgetMemory && look !== undefined
        ? [
            {
              path: path.join(resolved.root, '.memory'),
              change: 'remove' as const,
              what: ['moved to ~/.cairn/forgotten'],
            },
          ]
        : []),
    ],
    remarks: [...removals.flatMap(({ remarks }) => remarks), ...user.remarks],
    failures: [...removals.flatMap(({ failures }) => failures), ...user.failures],
  }
}

function isTrusted(root: string, known: KnownProjects | 'damaged'): boolean {
  return projectAt(root, known).standing === 'trusted'
}

async function planProject(
  parts: SetupParts,
  resolved: ResolvedProject,
  { hosts, level }: UninstallRequest,
  isWhole: boolean,
): Promise<ProjectRemoval> {
  const hostPieces =
    level === 'user'
      ? { install: undefined, remarks: [], failures: [] }
      : planHostRemoval(parts.installing, 'project', hosts)
  const failures: SetupFailure[] = [...hostPieces.failures]
  const isOwnFiles = isWhole && resolved.by !== 'sharing' && resolved.standing !== 'none'
  const blocks = isOwnFiles ? await attempt(failures, () => blockFiles(parts)) : []
  const driver = isOwnFiles ? await attempt(failures, async () => driverPieces(parts)) : []
  return {
    parts,
    resolved,
    install: hostPieces.install,
    blocks,
    driver: driver.length > 0,
    changes: [
      ...shownChanges(hostPieces.install, false),
      ...blocks.map(name => ({
        path: path.join(memoryFolderOf(parts.engine).root, name),
        change: 'edit' as const,
        what: ['the entry block'],
      })),
      ...driver,
    ],
    remarks: hostPieces.remarks,
    failures,
  }
}

async function blockFiles({ engine: memory }: SetupParts): Promise<readonly string[]> {
  return (await removeEntryBlock(memory, { dryRun: true })).changed
}

function driverPieces({ driver }: SetupParts): PlannedChange[] {
  if (checkoutTop(driver.root) === undefined) return []
  const { attributes, config } = driverState(driver)
  return [
    ...(attributes === 'missing'
      ? []
      : [
          {
            path: path.join(driver.memory, '.gitattributes'),
            change: 'edit' as const,
            what: ['the merge driver'],
          },
        ]),
    ...(config === 'missing'
      ? []
      : [{ path: 'git config merge.cairn', change: 'edit' as const, what: ['the merge driver'] }]),
  ]
}

async function attempt<T>(
  failures: SetupFailure[],
  work: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await work()
  } catch (error) {
    failures.push(failureOf(error))
    return []
  }
}

function wrongForgetting({ by, root }: ResolvedProject): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message:
      by === 'sharing'
        ? `The memory belongs to ${root}, and this clone shares it.`
        : '--forget-memory applies to the whole project, --host and --level to a part of it.',
    hint:
      by === 'sharing'
        ? `Run it there: cairn uninstall --forget-memory --root ${root}`
        : 'Use only one of them.',
  })
}

interface AppliedUninstall {
  readonly changed: readonly string[]
  readonly failures: readonly SetupFailure[]
  /** The new path of the memory; null: it was not moved. */
  readonly forgotten: Forgotten | null
}

/** Hosts first: the programs that they call must exist until they stop calling. The registry last, so that an interrupted run can be repeated. */
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
      ? moveMemoryAway(parts, { root: memory.root, at: parts.installing.now(), entries: memory.entries })
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

/** Files that only serve projects and hosts. The user's own memory, forgotten memories and stored transcripts stay. */
const OURS_ALONE = ['run', 'hook-failures.jsonl', 'hook-failures.jsonl.1', 'allowed.json']
const OF_THE_REGISTRY = ['projects.json', 'projects.json.lock']
const INSTALL_LOCK = ['installs', 'lock.db']

/** Returns the remaining files of the folder; undefined: the folder was removed. */
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

import * as path from 'node:path'
import type { InstallPlan } from '../../hosts/install/decide/install-plan.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { HostId, InstallLevel } from '../../kernel/model/host.ts'
import type { KnownProject, KnownProjects, ResolvedProject } from '../../kernel/model/project.ts'
import { driverState } from '../git-merge/install-driver.ts'
import { checkoutTop, projectAt } from '../projects/resolve-project.ts'
import { removeEntryBlock } from '../state/entry-blocks.ts'
import { failureOf, planHostRemoval, shownChanges } from './host-changes.ts'
import { lookAtMemory } from './look-at-memory.ts'
import type { PlannedChange, SetupFailure, SetupParts, SetupRemark } from './setup-parts.ts'

export interface UninstallRequest {
  readonly hosts?: readonly HostId[] | undefined
  readonly level?: InstallLevel | undefined
  readonly everything: boolean
  readonly forgetMemory: boolean
}

/** What is taken out of one project. */
export interface ProjectRemoval {
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
  /** At user level; undefined: they stay. */
  readonly install: InstallPlan | undefined
  /** Known projects for whose sake the user-level pieces stay. */
  readonly keptFor: readonly string[]
  /** Ids that leave the registry. */
  readonly forgets: readonly string[]
  /** The checkout that shares no more. */
  readonly unshares: string | null
  /** Where the memory is and how many entries it has; it stays unless it is put away. */
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
 * What `cairn uninstall` would do. Reads only.
 *
 *   --host …        only the pieces of these hosts
 *   plain           this project's pieces; those at user level too when no other known project is left
 *   --everything    every known project's pieces, and those at user level
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
    /** The same for every other known project whose folder is there; asked only with --everything. */
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
  const look = await lookAtMemory(parts.engine)
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
        ? [{ path: path.join(resolved.root, '.memory'), change: 'remove' as const, what: ['put away'] }]
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
        ? `The memory belongs to ${root}, which this clone shares it with.`
        : '--forget-memory is about the whole project, --host and --level about a part.',
    hint:
      by === 'sharing'
        ? `Run it there: cairn uninstall --forget-memory --root ${root}`
        : 'Leave one of them out.',
  })
}

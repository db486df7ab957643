import * as path from 'node:path'
import type { InstallPlan } from '../../hosts/install/decide/install-plan.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import type { KnownProject, ResolvedProject } from '../../kernel/model/project.ts'
import { driverState, installDriver } from '../git-merge/install-driver.ts'
import { entryBlockStatus, writeEntryBlock } from '../state/entry-blocks.ts'
import { type MemoryPreview, previewMemory, type SetupTarget } from './choose-target.ts'
import { bringBack, type Forgotten, findForgotten } from './forgotten-memories.ts'
import {
  applyHosts,
  failureOf,
  type HostRequest,
  type PlannedChange,
  type PlannedHost,
  planHosts,
  type SetupFailure,
  type SetupParts,
  type SetupRemark,
  shownChanges,
} from './host-changes.ts'

export interface InitRequest extends HostRequest {
  readonly entryBlock: boolean
  readonly mergeDriver: boolean
  readonly bringBack: boolean
  readonly diff: boolean
}

export interface InitPlan {
  readonly target: SetupTarget
  readonly memory: {
    readonly standing: ResolvedProject['standing']
    readonly does: 'create' | 'bring_back' | 'trust' | 'share' | 'nothing'
    /** Its content; null: there is no memory yet. */
    readonly look: MemoryPreview | null
    /** A forgotten memory that can be restored. */
    readonly forgotten: Forgotten | null
  }
  readonly hosts: readonly PlannedHost[]
  readonly install: InstallPlan | undefined
  readonly blocks: boolean
  readonly driver: boolean
  readonly changes: readonly PlannedChange[]
  readonly remarks: readonly SetupRemark[]
  readonly failures: readonly SetupFailure[]
}

/** The changes of `cairn init`. Reads only. */
export async function planInit(
  parts: SetupParts,
  target: SetupTarget,
  request: InitRequest,
): Promise<InitPlan> {
  const { engine } = parts
  const look = (await previewMemory(engine)) ?? null
  const forgotten =
    look === null && target.shares === undefined ? (findForgotten(parts, target.root) ?? null) : null
  const does = whatToDo(target, request, forgotten)
  const hosts = planHosts(parts.installing, request)
  // The clone already has the other's files from git.
  const isOwnFiles = target.shares === undefined && target.resolved.by !== 'sharing'
  const blocks = request.entryBlock && isOwnFiles ? await planBlocks(parts) : EMPTY
  const driver = request.mergeDriver && isOwnFiles && target.top !== undefined ? planDriver(parts) : EMPTY
  const memory = memoryChanges(parts, does)
  return {
    target,
    memory: { standing: target.shares ? 'trusted' : target.resolved.standing, does, look, forgotten },
    hosts: hosts.hosts,
    install: hosts.install,
    blocks: blocks.changes.length > 0,
    driver: driver.changes.length > 0,
    changes: [...memory, ...shownChanges(hosts.install, request.diff), ...blocks.changes, ...driver.changes],
    remarks: hosts.remarks,
    failures: [...hosts.failures, ...blocks.failures, ...driver.failures],
  }
}

interface Planned {
  readonly changes: readonly PlannedChange[]
  readonly failures: readonly SetupFailure[]
}

const EMPTY: Planned = { changes: [], failures: [] }

function whatToDo(
  { resolved, shares }: SetupTarget,
  { bringBack }: InitRequest,
  forgotten: Forgotten | null,
): InitPlan['memory']['does'] {
  if (shares !== undefined) return 'share'
  if (resolved.standing === 'none') return bringBack && forgotten !== null ? 'bring_back' : 'create'
  return resolved.standing === 'untrusted' ? 'trust' : 'nothing'
}

function memoryChanges({ engine }: SetupParts, does: InitPlan['memory']['does']): PlannedChange[] {
  const memory = path.join(memoryFolderOf(engine).root, '.memory')
  if (does === 'create') return [{ path: memory, change: 'create', what: ['config.json', '.gitignore'] }]
  if (does === 'bring_back') return [{ path: memory, change: 'create', what: ['the forgotten memory'] }]
  return []
}

/** Only a missing block is added: `cairn entry-block` updates an outdated or edited one. */
async function planBlocks({ engine: memory }: SetupParts): Promise<Planned> {
  const { files } = await entryBlockStatus(memory)
  const changes = files.flatMap(({ path: name, role, state }): PlannedChange[] => {
    if (state !== 'absent' && state !== 'none') return []
    if (role === 'import' && state === 'absent') return []
    return [
      {
        path: path.join(memoryFolderOf(memory).root, name),
        change: state === 'absent' ? 'create' : 'edit',
        what: [
          role === 'entry'
            ? 'a block of a few lines: how agents search the memory and save to it'
            : 'a line that imports AGENTS.md',
        ],
      },
    ]
  })
  const failures = files.flatMap(({ path: name, role, state, why }): SetupFailure[] =>
    role === 'entry' && (state === 'unreadable' || state === 'broken')
      ? [
          {
            code: 'entry_block_damaged',
            message: `${name} gets no entry block: ${why ?? 'its markers are not recognisable'}.`,
            hint: 'Repair the file and run `cairn entry-block write`, or skip it with --no-entry-block.',
          },
        ]
      : [],
  )
  return { changes: failures.length > 0 ? [] : changes, failures }
}

function planDriver({ driver }: SetupParts): Planned {
  try {
    const state = driverState(driver)
    const changes: PlannedChange[] = []
    if (state.attributes !== 'current')
      changes.push({
        path: path.join(driver.memory, '.gitattributes'),
        change: state.attributes === 'missing' ? 'create' : 'edit',
        what: ['merge driver'],
      })
    if (state.config !== 'current')
      changes.push({ path: 'git config merge.cairn', change: 'edit', what: ['merge driver of this clone'] })
    return { changes, failures: [] }
  } catch (error) {
    return { changes: [], failures: [failureOf(error)] }
  }
}

/** Whether no change is needed. */
export function isAllInPlace({ memory, changes, failures }: InitPlan): boolean {
  return memory.does === 'nothing' && changes.length === 0 && failures.length === 0
}

interface AppliedInit {
  /** Changed paths. */
  readonly changed: readonly string[]
  readonly failures: readonly SetupFailure[]
  readonly project: KnownProject | null
  /** The new path of an unreadable registry. */
  readonly movedAside: string | null
}

/**
 * Each step is complete on its own, and an interrupted run can be repeated: first the memory and the consent to it, then the hosts that use
 * it, then the files of the project. A failure of one part does not block the others.
 */
export async function applyInit(parts: SetupParts, plan: InitPlan): Promise<AppliedInit> {
  const { engine } = parts
  const changed: string[] = []
  const failures: SetupFailure[] = [...plan.failures]
  const { target, memory } = plan
  if (memory.does === 'bring_back' && memory.forgotten !== null) bringBack(memory.forgotten, target.root)
  // Creates the folder with its config.json and .gitignore.
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

/** As planned: only a missing block. `cairn entry-block write` updates an older one. */
async function writeBlocks({ engine: memory }: SetupParts): Promise<readonly string[]> {
  const { changed } = await writeEntryBlock(memory, { missingOnly: true })
  return changed.map(name => `${memoryFolderOf(memory).root}/${name}`)
}

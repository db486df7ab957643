import * as path from 'node:path'
import type { InstallPlan } from '../../hosts/install/decide/install-plan.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import type { ResolvedProject } from '../../kernel/model/project.ts'
import { driverState } from '../git-merge/install-driver.ts'
import { entryBlockStatus } from '../state/entry-blocks.ts'
import type { SetupTarget } from './choose-target.ts'
import { type Forgotten, findForgotten } from './forgotten-memories.ts'
import { failureOf, type HostRequest, planHosts, shownChanges } from './host-changes.ts'
import { lookAtMemory, type MemoryLook } from './look-at-memory.ts'
import type { PlannedChange, PlannedHost, SetupFailure, SetupParts, SetupRemark } from './setup-parts.ts'

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
    /** What is in it; null: there is none yet. */
    readonly look: MemoryLook | null
    /** One that was put away and can be brought back. */
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

/** Everything that `cairn init` would do. Reads only. */
export async function planInit(
  parts: SetupParts,
  target: SetupTarget,
  request: InitRequest,
): Promise<InitPlan> {
  const { engine } = parts
  const look = (await lookAtMemory(engine)) ?? null
  const forgotten =
    look === null && target.shares === undefined ? (findForgotten(parts, target.root) ?? null) : null
  const does = whatToDo(target, request, forgotten)
  const hosts = planHosts(parts.installing, request)
  // What a clone has of the other's files came with git.
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
  if (does === 'bring_back')
    return [{ path: memory, change: 'create', what: ['the memory that was put away'] }]
  return []
}

/** Only where the block is missing: what is behind or edited is for `cairn entry-block`. */
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
            message: `${name} gets no entry block: ${why ?? 'its markers cannot be made out'}.`,
            hint: 'Put the file right and run `cairn entry-block write`, or leave it out with --no-entry-block.',
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

/** Whether there is anything to ask for. */
export function isAllInPlace({ memory, changes, failures }: InitPlan): boolean {
  return memory.does === 'nothing' && changes.length === 0 && failures.length === 0
}

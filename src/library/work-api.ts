/** The work board in the library. */

import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type {
  workListOperation,
  workOperation,
  workPruneOperation,
  workShowOperation,
  workWaitOperation,
} from '../addons/work/verbs/work.ts'
import type { workTasksOperation } from '../addons/work/verbs/work-add.ts'
import type {
  workBeatOperation,
  workCancelOperation,
  workClaimOperation,
  workDoneOperation,
  workFailOperation,
  workRetryOperation,
} from '../addons/work/verbs/work-do.ts'
import type { ComposedCheckout } from '../compose/composed.ts'

export type WorkPlan = InferInput<(typeof workTasksOperation)['input']>
export type WorkClaim = NonNullable<InferOutput<(typeof workClaimOperation)['output']>['claimed']>
type Answer<Verb extends { readonly output: GenericSchema }> = InferOutput<Verb['output']>

export interface MemoryWork {
  /** Adds tasks that may depend on each other: all or none. Throws `invalid_input`, `task_not_found`, `task_state_conflict`. */
  add(plan: WorkPlan): Promise<Answer<typeof workTasksOperation>>
  /** Claims the next task with its context, or returns null. `wait`: timeout in seconds. */
  claim(options?: InferInput<(typeof workClaimOperation)['input']>): Promise<WorkClaim | null>
  /** Extends the lease; `cancelled` means stop. Throws `lease_lost`. */
  beat(
    lease: string,
    options?: { note?: string; share?: number; seconds?: number },
  ): Promise<Answer<typeof workBeatOperation>>
  /** Throws `lease_lost`, `task_state_conflict`. */
  done(
    lease: string,
    found?: { result?: string; remember?: string; entries?: string[]; files?: string[] },
  ): Promise<Answer<typeof workDoneOperation>>
  /** Throws `lease_lost`, `task_state_conflict`. */
  fail(
    lease: string,
    failure: { error: string; code?: string; final?: boolean },
  ): Promise<Answer<typeof workFailOperation>>
  /** A task with all its dependents, or a graph. Throws `task_not_found`, `task_state_conflict`. */
  cancel(
    what: { task: string } | { graph: string },
    why?: string,
  ): Promise<Answer<typeof workCancelOperation>>
  /** Throws `task_not_found`, `task_state_conflict`. */
  retry(task: string): Promise<Answer<typeof workRetryOperation>>
  graphs(): Promise<Answer<typeof workOperation>>
  list(options?: InferInput<(typeof workListOperation)['input']>): Promise<Answer<typeof workListOperation>>
  /** Throws `task_not_found`. */
  show(task: string): Promise<Answer<typeof workShowOperation>>
  /** Waits until the graph ends, at most this many seconds. Throws `task_not_found`. */
  wait(graph: string, seconds?: number): Promise<Answer<typeof workWaitOperation>>
  /** Removes graphs that ended before this many days (30), unless a task still needs them. */
  prune(options?: { days?: number; dryRun?: boolean }): Promise<Answer<typeof workPruneOperation>>
}

/** Few programs need it: the code is loaded by the first call. */
export function memoryWork(memory: ComposedCheckout): MemoryWork {
  const board = () => import('../addons/work/verbs/work.ts')
  const adding = () => import('../addons/work/verbs/work-add.ts')
  const doing = () => import('../addons/work/verbs/work-do.ts')
  return {
    add: async plan => (await adding()).workTasksOperation.run(memory, plan, {}),
    claim: async (options = {}) =>
      (await (await doing()).workClaimOperation.run(memory, options, {})).claimed,
    beat: async (lease, options = {}) =>
      (await doing()).workBeatOperation.run(memory, { lease, ...options }, {}),
    done: async (lease, found = {}) => (await doing()).workDoneOperation.run(memory, { lease, ...found }, {}),
    fail: async (lease, failure) => (await doing()).workFailOperation.run(memory, { lease, ...failure }, {}),
    cancel: async (what, why) => (await doing()).workCancelOperation.run(memory, { ...what, why }, {}),
    retry: async task => (await doing()).workRetryOperation.run(memory, { task }, {}),
    graphs: async () => (await board()).workOperation.run(memory, {}, {}),
    list: async (options = {}) => (await board()).workListOperation.run(memory, options, {}),
    show: async task => (await board()).workShowOperation.run(memory, { task }, {}),
    wait: async (graph, seconds = 60) =>
      (await board()).workWaitOperation.run(memory, { graph, wait: seconds }, {}),
    prune: async (options = {}) => (await board()).workPruneOperation.run(memory, options, {}),
  }
}

import type { HookQueue } from './hook-queue.ts'

export interface HookPorts {
  /** What hooks left behind and no worker has taken in yet. */
  readonly hookQueue: HookQueue
}

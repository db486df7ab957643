import type { HookSpool } from './hook-spool.ts'

export interface HookPorts {
  /** What hooks left behind and no worker has taken in yet. */
  readonly hookSpool: HookSpool
}

import type { MemoryEvent } from '../../model/event.ts'
import type { ToolRun } from '../../model/message.ts'
import type { SessionKey } from '../../model/session.ts'

export interface RunInSession {
  readonly key: SessionKey
  readonly run: ToolRun
  /** UTC ISO. */
  readonly at: string
  /** Index of its message in the conversation. */
  readonly message: number
  readonly newId: () => string
}

/** What a tool run leaves in the event stream; undefined for one that says nothing (reading a file, listing a folder). */
export function eventOfRun(_input: RunInSession): MemoryEvent | undefined {
  throw new Error('being built')
}

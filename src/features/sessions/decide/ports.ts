import type { TaskState, WorkTask } from '../../../kernel/model/task.ts'
import type { EventLog } from './event-log.ts'
import type { SessionFiles } from './session-files.ts'

export interface SessionPorts {
  /** Conversations, checkpoints, and what became of sessions. */
  readonly sessions: SessionFiles
  readonly events: EventLog
}

/** What agents have taken from the work board. */
export interface TaskPorts {
  readonly work: {
    exists(): Promise<boolean>
    list(options: {
      readonly states: readonly TaskState[]
      readonly limit: number
      readonly offset: number
    }): Promise<{ readonly tasks: readonly WorkTask[] }>
  }
}

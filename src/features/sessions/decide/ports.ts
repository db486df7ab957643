import type { TaskState, WorkTask } from '../../../kernel/model/task.ts'
import type { EventLog } from './event-log.ts'
import type { SessionFiles } from './session-files.ts'

export interface SessionPorts {
  /** Conversations, checkpoints, and the results of closed sessions. */
  readonly sessions: SessionFiles
  readonly events: EventLog
}

/** The tasks of the work board that agents have claimed. */
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

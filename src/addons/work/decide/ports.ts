import type { WorkBoard } from './work-board.ts'

export interface WorkPorts {
  /** The tasks that an orchestrator and its workers share. */
  readonly work: WorkBoard
}

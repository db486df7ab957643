import type { AskMarks } from './ask-marks.ts'

export interface AskPorts {
  /** Which sessions' agents may be asked what they learned, and were. */
  readonly asks: AskMarks
}

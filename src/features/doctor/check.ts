/** The result of one check. `fixed`: there was a problem, and it was repaired. */
export interface DoctorCheck {
  readonly name: string
  readonly result: 'ok' | 'warning' | 'failure' | 'fixed'
  readonly message: string
  /** What to do next. */
  readonly hint?: string
}

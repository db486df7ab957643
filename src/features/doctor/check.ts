/** One thing that was looked at. `fixed`: it was wrong, and is mended now. */
export interface DoctorCheck {
  readonly name: string
  readonly result: 'ok' | 'warning' | 'failure' | 'fixed'
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
}

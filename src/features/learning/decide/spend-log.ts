/**
 * The cost of model calls. A call is reserved before it is made, with the most that it can use, so that two concurrent processes
 * never exceed the cap together. Afterwards the reservation is replaced by the actual use.
 */
export interface SpendLog {
  reserve(call: ReservedCall): Promise<Reservation>
  settle(id: number, used: Usage): Promise<void>
  /** `nothing`: the call was refused before it cost anything. `unknown`: the reservation stays. */
  fail(
    id: number,
    failure: { readonly spent: 'nothing' | 'unknown'; readonly message: string },
  ): Promise<void>
  spentOn(day: string): Promise<DaySpend>
  lastFailure(): Promise<
    { readonly at: string; readonly model: string; readonly message: string } | undefined
  >
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly microUsd: number
}

export interface ReservedCall extends Usage {
  /** UTC: `2026-11-15`. */
  readonly day: string
  /** UTC ISO, to the minute. */
  readonly at: string
  readonly model: string
  readonly capTokens: number
  readonly capMicroUsd: number
}

export type Reservation =
  | { readonly kind: 'reserved'; readonly id: number }
  | { readonly kind: 'refused'; readonly by: 'tokens' | 'money'; readonly spent: DaySpend }

export interface DaySpend extends Usage {
  readonly calls: number
}

/** Why a call is refused; undefined: it is allowed. The caller holds a lock until the reservation is stored. */
export function judgeReservation(
  call: ReservedCall,
  spent: DaySpend,
): (Reservation & { readonly kind: 'refused' }) | undefined {
  const tokens = spent.inputTokens + spent.outputTokens + call.inputTokens + call.outputTokens
  if (tokens > call.capTokens) return { kind: 'refused', by: 'tokens', spent }
  const isOverMoney = spent.microUsd + call.microUsd > call.capMicroUsd || spent.microUsd >= call.capMicroUsd
  // A free call is not refused for a money cap while no money was spent.
  if (isOverMoney && (call.microUsd > 0 || spent.microUsd > 0)) return { kind: 'refused', by: 'money', spent }
  return undefined
}

import type { DaySpend, Reservation, ReservedCall } from './spend-log.ts'

/** Why a call is not made; undefined: it may be. Whoever asks holds everybody else up until the call is written down. */
export function judgeReservation(
  call: ReservedCall,
  spent: DaySpend,
): (Reservation & { readonly kind: 'refused' }) | undefined {
  const tokens = spent.inputTokens + spent.outputTokens + call.inputTokens + call.outputTokens
  if (tokens > call.capTokens) return { kind: 'refused', by: 'tokens', spent }
  const isOverMoney = spent.microUsd + call.microUsd > call.capMicroUsd || spent.microUsd >= call.capMicroUsd
  // What costs nothing is not refused for money that nobody spent.
  if (isOverMoney && (call.microUsd > 0 || spent.microUsd > 0)) return { kind: 'refused', by: 'money', spent }
  return undefined
}

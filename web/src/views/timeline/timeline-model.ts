import type { Answered } from '../../api/client.ts'
import { localDay } from '../../ui/use-formats.ts'

export type TimelineSession = Answered<'timeline'>['sessions'][number]
export type SessionMessage = Answered<'sessionShow'>['conversations'][number]['messages'][number]

/** The status shown to the user: paused and interrupted sessions count as `left`. */
export type SessionStatus = 'open' | 'left' | 'closed'
export const SESSION_STATUSES: readonly SessionStatus[] = ['open', 'left', 'closed']

export function statusOf({ state }: Pick<TimelineSession, 'state'>): SessionStatus {
  return state === 'asleep' || state === 'ending' ? 'left' : state
}

export interface TimelineFilter {
  readonly status: SessionStatus | ''
  /** Days, 2026-03-16; '' for no limit. */
  readonly from: string
  readonly until: string
}

export function fits(session: TimelineSession, { status, from, until }: TimelineFilter): boolean {
  const day = localDay(session.activeAt)
  return (
    (status === '' || statusOf(session) === status) &&
    (from === '' || day >= from) &&
    (until === '' || day <= until)
  )
}

/** Groups sessions by the day of their last activity, newest first. */
export function byDay(
  sessions: readonly TimelineSession[],
): readonly { readonly day: string; readonly sessions: readonly TimelineSession[] }[] {
  const sessionsByDay = new Map<string, TimelineSession[]>()
  for (const session of sessions) {
    const day = localDay(session.activeAt)
    sessionsByDay.set(day, [...(sessionsByDay.get(day) ?? []), session])
  }
  return [...sessionsByDay]
    .sort(([a], [b]) => (a < b ? 1 : a > b ? -1 : 0))
    .map(([day, ofDay]) => ({ day, sessions: ofDay }))
}

/** The end of a day in the user's time zone, to load the vault at that time. */
export function endOfDay(day: string): string {
  const date = new Date(`${day}T23:59:59`)
  return Number.isNaN(date.getTime()) ? day : date.toISOString()
}

/** The messages, without internal ones unless `withInternal`. */
export function shownMessages(
  messages: readonly SessionMessage[],
  withInternal: boolean,
): readonly SessionMessage[] {
  return withInternal ? messages : messages.filter(({ internal }) => internal !== true)
}

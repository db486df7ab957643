import type { Answered } from '../../api/client.ts'
import { localDay } from '../../ui/use-formats.ts'

export type TimelineSession = Answered<'timeline'>['sessions'][number]
export type SessionMessage = Answered<'sessionShow'>['conversations'][number]['messages'][number]

/** As a person thinks of it: one that was put aside or broke off was left. */
export type SessionStatus = 'open' | 'left' | 'closed'
export const SESSION_STATUSES: readonly SessionStatus[] = ['open', 'left', 'closed']

export function statusOf({ state }: Pick<TimelineSession, 'state'>): SessionStatus {
  return state === 'asleep' || state === 'ending' ? 'left' : state
}

export interface TimelineFilter {
  readonly status: SessionStatus | ''
  /** Days, 2026-03-16; '' for no bound. */
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

/** Newest first by the day they were last active, days newest first too. */
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

/** The last moment of a day where the reader is, for the vault as it was then. */
export function endOfDay(day: string): string {
  const date = new Date(`${day}T23:59:59`)
  return Number.isNaN(date.getTime()) ? day : date.toISOString()
}

/** What is said and not meant for agents alone. */
export function shownMessages(
  messages: readonly SessionMessage[],
  withInternal: boolean,
): readonly SessionMessage[] {
  return withInternal ? messages : messages.filter(({ internal }) => internal !== true)
}

import { expect, it } from 'vitest'
import { byDay, fits, shownMessages, statusOf, type TimelineSession } from './timeline-model.ts'

const session = (
  name: string,
  activeAt: string,
  state: TimelineSession['state'] = 'closed',
): TimelineSession => ({
  session: name,
  agents: ['dev'],
  startedAt: activeAt,
  activeAt,
  state,
  messages: 2,
  taught: [],
  taughtTotal: 0,
  findings: 0,
})

it('groups sessions by the day they were last active, newest day first', () => {
  const days = byDay([
    session('c', '2026-03-17T12:00:00.000Z'),
    session('b', '2026-03-16T12:30:00.000Z'),
    session('a', '2026-03-16T12:00:00.000Z'),
  ])
  expect(days.map(({ day, sessions }) => [day, sessions.map(one => one.session)])).toEqual([
    ['2026-03-17', ['c']],
    ['2026-03-16', ['b', 'a']],
  ])
})

it('reports paused and interrupted sessions as left', () => {
  expect((['open', 'asleep', 'ending', 'closed'] as const).map(state => statusOf({ state }))).toEqual([
    'open',
    'left',
    'left',
    'closed',
  ])
})

it('filters by status and by days, including both ends', () => {
  const one = session('a', '2026-03-16T12:00:00.000Z', 'asleep')
  expect(fits(one, { status: 'left', from: '2026-03-16', until: '2026-03-16' })).toBe(true)
  expect(fits(one, { status: 'closed', from: '', until: '' })).toBe(false)
  expect(fits(one, { status: '', from: '2026-03-17', until: '' })).toBe(false)
})

it('hides internal messages unless requested', () => {
  const messages = [
    { role: 'user', text: 'fix it' },
    { role: 'assistant', text: 'to the other agent', internal: true },
  ]
  expect(shownMessages(messages, false).map(({ text }) => text)).toEqual(['fix it'])
  expect(shownMessages(messages, true)).toHaveLength(2)
})

import { expect, it } from 'vitest'
import { type LongMemQuestion, turnsOf } from './longmemeval.ts'

const QUESTION: LongMemQuestion = {
  question_id: 'q1',
  question_type: 'single-session-user',
  question: 'Which tea do I like?',
  question_date: '2023/05/30 (Tue) 23:40',
  haystack_session_ids: ['s1', 's2'],
  haystack_dates: ['2023/05/20 (Sat) 02:21', 'some day'],
  haystack_sessions: [
    [
      { role: 'user', content: 'I like green tea best.', has_answer: true },
      { role: 'assistant', content: ' ' },
    ],
    [{ role: 'user', content: 'Good night.' }],
  ],
  answer_session_ids: ['s1'],
}

it('reads turns as entries of their session and day, and leaves out those without text', () => {
  expect(turnsOf(QUESTION)).toEqual([
    {
      hasAnswer: true,
      entry: { content: 'user: I like green tea best.', session: 's1', date: '2023-05-20T02:21' },
    },
    { hasAnswer: false, entry: { content: 'user: Good night.', session: 's2' } },
  ])
})

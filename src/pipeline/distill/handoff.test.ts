import { describe, expect, it } from 'vitest'
import type { Message } from '../../model/message.ts'
import { composeHandoff, composeSummary } from './handoff.ts'

const user = (text: string): Message => ({ role: 'user', text })
const agent = (text: string): Message => ({ role: 'assistant', text })
const SEED = { last: 6, characters: 200 }

describe('a handoff', () => {
  it('is the last six messages, in the form of the seed', () => {
    const messages = Array.from({ length: 9 }, (_, n) =>
      n % 2 === 0 ? user(`ask ${n}`) : agent(`answer ${n}`),
    )
    expect(composeHandoff(messages, SEED)).toBe(
      '[Agent]: answer 3\n[User]: ask 4\n[Agent]: answer 5\n[User]: ask 6\n[Agent]: answer 7\n[User]: ask 8',
    )
  })

  it('cuts each message to 200 characters on one line, and no character in two', () => {
    const long = composeHandoff([user(`a\n\n  b ${'x'.repeat(300)}`)], SEED)
    expect(long).toHaveLength('[User]: '.length + 200)
    expect(long.startsWith('[User]: a b xxx')).toBe(true)
    expect(long.endsWith('x…')).toBe(true)
    const faces = composeHandoff([user('😀'.repeat(200))], { last: 1, characters: 12 })
    expect(faces).toBe(`[User]: ${'😀'.repeat(5)}…`)
  })

  it('leaves out what is internal, injected, printed, private or to be skipped, and takes older ones instead', () => {
    const messages: Message[] = [
      user('First ask'),
      agent('First answer'),
      { role: 'agent', text: 'between agents', internal: true },
      { role: 'tool', text: 'npm test\nok' },
      { role: 'system', text: 'You are …' },
      user('My password is hunter2 #skip'),
      user('<project_memory>\nold memory\n</project_memory>\nSecond <private>ask me</private> ask'),
      user('<private>all of it</private>'),
    ]
    expect(composeHandoff(messages, SEED)).toBe(
      '[User]: First ask\n[Agent]: First answer\n[User]: Second ask',
    )
  })

  it('is empty when nothing was said', () => {
    expect(composeHandoff([], SEED)).toBe('')
    expect(composeHandoff([{ role: 'tool', text: 'x' }], SEED)).toBe('')
  })
})

describe('a summary', () => {
  it('tells what was asked for first and last, and how much was found', () => {
    const messages = [user('Make it fast'), agent('Done'), user('Now write the tests'), agent('Done')]
    expect(composeSummary(messages, 3)).toBe(
      'Asked for “Make it fast”, and at last for “Now write the tests”. 3 findings.',
    )
    expect(composeSummary(messages.slice(0, 2), 1)).toBe('Asked for “Make it fast”. 1 finding.')
    expect(composeSummary([agent('Hello')], 0)).toBe('Nothing was found.')
  })
})

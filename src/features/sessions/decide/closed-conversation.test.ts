import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../kernel/model/message.ts'
import { alignConversation } from './closed-conversation.ts'

const user = (text: string): Message => ({ role: 'user', text })
const agent = (text: string): Message => ({ role: 'agent', text })

describe('a conversation that is sent again', () => {
  const stored = [user('Why is the build slow?'), agent('The cache is cold.'), user('And now?')]

  it('yields the messages after the stored ones', () => {
    expect(alignConversation(stored, [...stored, agent('It is warm.')])).toEqual({
      messages: [agent('It is warm.')],
      known: 3,
    })
  })

  it('yields nothing if it is the same or only its beginning', () => {
    expect(alignConversation(stored, stored)).toEqual({ messages: [], known: 3 })
    expect(alignConversation(stored, stored.slice(0, 2))).toEqual({ messages: [], known: 2 })
  })

  it('may consist of its end only', () => {
    expect(alignConversation(stored, [...stored.slice(1), agent('It is warm.')])).toEqual({
      messages: [agent('It is warm.')],
      known: 2,
    })
  })

  it('completes a message that was stored unfinished', () => {
    const half = [...stored, agent('It is')]
    const rest = alignConversation(half, [...stored, agent('It is warm.'), user('Thanks.')])
    expect(rest).toEqual({
      messages: [user('Thanks.')],
      grown: { whole: agent('It is warm.'), rest: agent(' warm.') },
      known: 4,
    })
    expect(
      alignConversation([...half, agent(' warm.'), user('Thanks.')], [...stored, agent('It is warm.')]),
    ).toEqual({ messages: [], known: 4 })
  })

  it('is a different one if its text differs, or if it shares only one message with the end', () => {
    expect(alignConversation(stored, [user('Write a test.')])).toBeUndefined()
    expect(alignConversation(stored, [user('Why is the build slow?'), agent('No idea.')])).toBeUndefined()
    expect(alignConversation(stored, [user('And now?'), agent('Later.')])).toBeUndefined()
  })
})

it('stores a conversation once, no matter how often and in which state it is sent', () => {
  const messages = fc.array(
    fc.record({ role: fc.constantFrom('user', 'agent'), text: fc.string({ minLength: 1, maxLength: 6 }) }),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(messages, fc.array(fc.nat(40), { maxLength: 6 }), (all, cuts) => {
      const characters = all.reduce((sum, { text }) => sum + text.length, 0)
      let stored: Message[] = []
      for (const cut of [...cuts.map(each => each % (characters + 1)).sort((a, b) => a - b), characters]) {
        const aligned = alignConversation(stored, writtenSoFar(all, cut))
        expect(aligned).toBeDefined()
        const { grown, messages: news = [] } = aligned ?? {}
        stored = [...(grown === undefined ? stored : [...stored.slice(0, -1), grown.whole]), ...news]
      }
      expect(stored).toEqual(all)
    }),
  )
})

/** Only the last message is unfinished. */
function writtenSoFar(all: readonly Message[], characters: number): Message[] {
  let left = characters
  return all.flatMap(message => {
    const text = message.text.slice(0, Math.max(0, left))
    left -= message.text.length
    return text === '' ? [] : [{ ...message, text }]
  })
}

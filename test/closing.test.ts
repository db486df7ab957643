import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { promptBrief, startBrief } from '../src/brief.ts'
import { type Composed, composeEngine } from '../src/compose.ts'
import { remember } from '../src/engine.ts'
import { closeSession, pickUpSessions } from '../src/learning/closing.ts'
import { acceptProposals, rejectProposals, reviewQueue } from '../src/learning/reviewing.ts'
import type { Entry } from '../src/model/entry.ts'
import type { Message } from '../src/model/message.ts'
import type { SessionMemory } from '../src/model/session.ts'
import {
  appendMessages,
  checkpointSession,
  endSession,
  forkSession,
  sleepSession,
  startSession,
} from '../src/sessions/sessions.ts'
import { scratchProject } from './support/scratch-project.ts'
import { unhurriedClock } from './support/unhurried-clock.ts'

interface World {
  readonly root: string
  readonly engine: Composed
  /** Time of the engine's clock; tests move it. */
  nowMs: number
  say(session: string, messages: readonly Message[], agent?: string): Promise<void>
  entries(): Promise<Entry[]>
  memoryOf(session: string): SessionMemory
}

async function inMemory<T>(test: (world: World) => Promise<T>): Promise<T> {
  const root = scratchProject()
  const world = { nowMs: Date.parse('2026-11-15T10:00:00Z') } as { nowMs: number }
  const engine = composeEngine({ root: root, clock: { ...unhurriedClock, nowMs: () => world.nowMs } })
  const full: World = Object.assign(world, {
    root,
    engine,
    say: async (session: string, messages: readonly Message[], agent = 'shared') => {
      await startSession(engine, { session, agent })
      await appendMessages(engine, { session, agent }, messages)
    },
    entries: async () => (await engine.store.listEntries({ filter: {}, limit: 1_000, offset: 0 })).entries,
    memoryOf: (session: string) =>
      JSON.parse(
        readFileSync(path.join(root, '.memory/sessions', `${session}.memory.json`), 'utf8'),
      ) as SessionMemory,
  })
  try {
    return await test(full)
  } finally {
    await engine.close()
  }
}

const user = (text: string): Message => ({ role: 'user', text })
const agent = (text: string): Message => ({ role: 'agent', text })

const TALK: readonly Message[] = [
  user('The export of invoices times out, can you look?'),
  agent('I am looking at src/export/run.ts.'),
  user("Let's go with a queue for the invoice export, because the partner drops connections after a minute."),
  agent('Done.'),
]
/** What an agent says by itself: it waits until more speaks for it. */
const LESSON = 'It turns out that the invoice worker ignores the locale header unless it is set twice.'

describe('closing a session', () => {
  it('leaves candidates, a handoff, the session’s memory, an event and the conversation', () =>
    inMemory(async ({ root, engine, say, entries, memoryOf }) => {
      await say('s1', TALK)
      const closed = await closeSession(engine, 's1')
      const all = await entries()
      const decision = all.find(entry => entry.category === 'decisions')
      expect(decision).toMatchObject({
        status: 'candidate',
        origin: 'machine',
        session: 's1',
        kind: 'decision',
      })
      expect(decision?.content).toContain('queue for the invoice export, because the partner drops')
      expect(closed.added).toEqual([decision?.id])
      const handoff = all.find(entry => entry.category === 'handoffs')
      expect(handoff?.tags).toEqual(['auto-handoff', 'session-close'])
      expect(handoff?.content.split('\n')).toHaveLength(4)
      expect(handoff?.content).toContain('[Agent]: Done.')
      expect(memoryOf('s1')).toMatchObject({
        version: 1,
        sessionId: 's1',
        agentId: 'shared',
        findings: [{ promotedToProjectMemory: true, promotedEntryId: decision?.id, category: 'decision' }],
      })
      expect(existsSync(path.join(root, '.memory/conversations/shared/s1.json'))).toBe(true)
      expect(existsSync(path.join(root, '.memory/conversations/shared/s1.jsonl'))).toBe(false)
      const { events } = await engine.events.newest(10)
      expect(events).toMatchObject([
        { kind: 'imported_session', signals: { decisions: [decision?.content] } },
      ])
    }))

  it('changes its own handoff when it is closed again, however many others came since', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      await remember(
        engine,
        Array.from({ length: 220 }, (_, n) => ({
          content: `[User]: Hello number ${n}`,
          category: 'handoffs' as const,
          tags: ['auto-handoff', 'session-close'],
          session: `other-${n}`,
          origin: 'machine' as const,
        })),
      )
      await say('s1', [user('Never log the partner key, support greps those logs.')])
      await closeSession(engine, 's1')
      const handoffs = (await entries()).filter(
        entry => entry.category === 'handoffs' && entry.session === 's1',
      )
      expect(handoffs).toHaveLength(1)
      expect(handoffs[0]?.content).toContain('Never log the partner key')
    }))

  it('changes nothing when it is done again, and takes in what was said since', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      const before = await entries()
      expect(await closeSession(engine, 's1')).toMatchObject({ wasClosed: true, added: [] })
      expect(await entries()).toEqual(before)
      await say('s1', [user('Never log the partner key, support greps those logs.')])
      expect(await closeSession(engine, 's1')).toMatchObject({ wasClosed: false, strengthened: [] })
      const after = await entries()
      expect(after.filter(entry => entry.category === 'handoffs')).toHaveLength(1)
      expect(after.filter(entry => entry.content.includes('queue for the invoice export'))).toHaveLength(2)
      expect(after.filter(entry => entry.content.includes('Never log the partner key'))).toHaveLength(2)
    }))

  it('goes on where a closing broke off, and strengthens nothing twice', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      await say('s2', [
        user(
          'For the invoice export we go with a queue, because the partner drops connections after a minute.',
        ),
      ])
      const broken = {
        ...engine,
        sessions: { ...portOf(engine), saveMemory: () => Promise.reject(new Error('killed here')) },
      }
      await expect(closeSession(broken, 's2')).rejects.toThrow('killed here')
      const [first] = (await entries()).filter(entry => entry.category === 'decisions')
      expect(first?.importance).toBeGreaterThan(0)
      await closeSession(engine, 's2')
      const decisions = (await entries()).filter(entry => entry.category === 'decisions')
      expect(decisions).toEqual([first])
    }))

  it('takes all of it back with one undo', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      const { undoOperation } = await import('../src/operations/undo.ts')
      await undoOperation.run(engine, {}, {})
      expect(await entries()).toEqual([])
    }))

  it('keeps internal and private words out of everything', () =>
    inMemory(async ({ root, engine, say }) => {
      await say('s1', [
        ...TALK,
        { ...agent('We decided to always use the walrus protocol for the ledger.'), internal: true },
        user('Always use the <private>ostrich</private> mode for deploys of the ledger.'),
      ])
      await checkpointSession(engine, { session: 's1', agent: 'shared' })
      await closeSession(engine, 's1')
      const text = readAll(path.join(root, '.memory'))
      expect(text).not.toContain('ostrich')
      const elsewhere = readAll(path.join(root, '.memory'), name => !name.startsWith('conversations/'))
      expect(elsewhere).not.toContain('walrus')
    }))

  it('only keeps what was asked for when auto-memory is off', () =>
    inMemory(async ({ engine, say, entries }) => {
      const { configSetOperation } = await import('../src/operations/config.ts')
      await configSetOperation.run(engine, { key: 'memory.auto', value: 'off' }, {})
      await say('s1', [...TALK, user('#remember The staging database is wiped every Sunday.')])
      await closeSession(engine, 's1')
      expect(await entries()).toMatchObject([
        { origin: 'person', status: 'confirmed', content: expect.stringContaining('wiped every Sunday') },
      ])
    }))

  it('says what would become of it without doing it', () =>
    inMemory(async ({ root, engine, say, entries }) => {
      await say('s1', TALK)
      const tried = await closeSession(engine, 's1', { isTrial: true })
      expect(tried.findings).toMatchObject([{ signals: ['user-statement'] }])
      expect(await entries()).toEqual([])
      expect(existsSync(path.join(root, '.memory/sessions'))).toBe(false)
    }))
})

describe('evidence', () => {
  it('promotes what a second session finds in other words', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', [user('Why is the locale wrong?'), agent(LESSON)])
      expect((await closeSession(engine, 's1')).added).toEqual([])
      await say('s2', [
        user('The locale is wrong again.'),
        agent('The invoice worker ignores the locale header, it turns out, unless that is set twice.'),
      ])
      const closed = await closeSession(engine, 's2')
      expect(closed.added).toHaveLength(1)
      expect(closed.findings[0]?.signals).toContain('multi-session')
      expect((await entries()).filter(entry => entry.category === 'lessons')).toHaveLength(1)
    }))

  it('counts the agents of one session', () =>
    inMemory(async ({ engine, say }) => {
      await say('s1', [user('Why is the locale wrong?'), agent(LESSON)], 'dev')
      await say('s1', [user('Review it please.'), agent(LESSON)], 'reviewer')
      const closed = await closeSession(engine, 's1')
      expect(closed.agents).toEqual(['dev', 'reviewer'])
      expect(closed.findings.map(finding => finding.signals?.includes('multi-agent'))).toEqual([true, true])
    }))

  it('does not count an agent that repeats what it was told', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      const [before] = (await entries()).filter(entry => entry.category === 'decisions')
      await promptBrief(engine, {
        prompt: 'how does the invoice export work with the queue?',
        session: 's2',
        isGiven: true,
      })
      await say('s2', [
        user('How does the invoice export work?'),
        agent('The invoice export goes with a queue, because the partner drops connections after a minute.'),
      ])
      await closeSession(engine, 's2')
      const [after] = (await entries()).filter(entry => entry.category === 'decisions')
      expect(after).toEqual(before)
      expect((await engine.briefs.accessCounts([before?.id ?? ''])).get(before?.id ?? '') ?? 0).toBe(0)
    }))

  it('counts a person who says it again', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      const [before] = (await entries()).filter(entry => entry.category === 'decisions')
      await say('s2', [TALK[2] as Message])
      const closed = await closeSession(engine, 's2')
      expect(closed.strengthened).toEqual([before?.id])
      const [after] = (await entries()).filter(entry => entry.category === 'decisions')
      expect(after?.importance).toBeCloseTo((before?.importance ?? 0) + 0.1)
    }))
})

describe('what a person said', () => {
  it('is theirs from then on, also where the machine had it first', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      const { remember } = await import('../src/engine.ts')
      const [candidate] = (await entries()).filter(entry => entry.category === 'decisions')
      await remember(engine, [{ content: candidate?.content ?? '' }])
      const [own] = (await entries()).filter(entry => entry.category === 'decisions')
      expect(own).toMatchObject({ id: candidate?.id, origin: 'person', status: 'confirmed' })
    }))

  it('is taken up when it is asked for later in the same session', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      await say('s1', [user(`${TALK[2]?.text ?? ''} #remember`)])
      await closeSession(engine, 's1')
      const decisions = (await entries()).filter(entry => entry.category === 'decisions')
      expect(decisions).toMatchObject([{ origin: 'person', status: 'confirmed' }])
      await closeSession(engine, 's1')
      expect((await entries()).filter(entry => entry.category === 'decisions')).toEqual(decisions)
    }))

  it('is an entry of its own when it reverses what was decided', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', [
        user('hello'),
        user('We use Terraform for the infrastructure, always, because the team knows it.'),
      ])
      await closeSession(engine, 's1')
      await say('s2', [
        user('hello'),
        user('We stopped using Terraform for the infrastructure, always use Pulumi, because of licensing.'),
      ])
      const closed = await closeSession(engine, 's2')
      expect(closed.strengthened).toEqual([])
      expect((await entries()).filter(entry => entry.category === 'decisions')).toHaveLength(2)
    }))
})

describe('two at once', () => {
  it('strengthen an entry once and leave one handoff', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      const before = (await entries()).find(entry => entry.category === 'decisions')
      await say('s2', [TALK[2] as Message])
      let hasRun = false
      const store = new Proxy(engine.store, {
        get: (target, name) => {
          if (name !== 'write' || hasRun) return bound(target, name)
          return async (...values: Parameters<typeof engine.store.write>) => {
            hasRun = true
            // The other one comes first, after this one has looked.
            await closeSession(engine, 's2')
            return engine.store.write(...values)
          }
        },
      })
      await closeSession({ ...engine, store }, 's2')
      const after = await entries()
      const decision = after.find(entry => entry.id === before?.id)
      expect(decision?.importance).toBeCloseTo((before?.importance ?? 0) + 0.1)
      expect(after.filter(entry => entry.category === 'handoffs' && entry.session === 's2')).toHaveLength(1)
    }))

  it('of many that end in one minute, the last is the last', () =>
    inMemory(async world => {
      for (const [i, text] of ['one', 'two', 'three'].entries()) {
        world.nowMs += 1_000
        await world.say(`s${i}`, [user(`Look at number ${text}, please.`)])
        await closeSession(world.engine, `s${i}`)
      }
      const { brief } = await startBrief(world.engine, { agent: 'shared' })
      expect(brief.text).toContain('number three')
    }))
})

describe('a damaged session memory', () => {
  it('is told, and keeps nobody else from closing and reviewing', () =>
    inMemory(async ({ root, engine, say }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      writeFileSync(path.join(root, '.memory/sessions/s1.memory.json'), 'x')
      await say('s2', [user('Never log the partner key, support greps those logs.')])
      const closed = await closeSession(engine, 's2')
      expect(closed.added).toHaveLength(1)
      expect(closed.degraded.map(({ code }) => code)).toContain('document_damaged')
      expect((await reviewQueue(engine, { limit: 10 })).total).toBe(2)
    }))

  it('does not make a failure of an undo that was done', () =>
    inMemory(async ({ root, engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      writeFileSync(path.join(root, '.memory/sessions/s1.memory.json'), 'x')
      const { undoOperation } = await import('../src/operations/undo.ts')
      await undoOperation.run(engine, {}, {})
      expect(await entries()).toEqual([])
    }))
})

describe('a fork', () => {
  it('never duplicates an entry, whichever side is closed first and whatever was said', () =>
    fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...STATEMENTS], { minLength: 1 }),
        fc.shuffledSubarray([...STATEMENTS]),
        fc.boolean(),
        (before, after, childFirst) =>
          inMemory(async ({ engine, say, entries }) => {
            await say('parent', before.map(user))
            await forkSession(engine, { session: 'parent' }, { as: 'child' })
            await say('child', after.map(user))
            const order = childFirst ? ['child', 'parent'] : ['parent', 'child']
            for (const session of order) await closeSession(engine, session)
            const kept = (await entries()).filter(entry => entry.category !== 'handoffs')
            const prints = kept.map(entry => entry.content)
            expect(new Set(prints).size).toBe(prints.length)
            const importances = kept.map(({ content, importance }) => [content, importance])
            for (const session of order) await closeSession(engine, session)
            const again = (await entries()).filter(entry => entry.category !== 'handoffs')
            expect(again.map(({ content, importance }) => [content, importance])).toEqual(importances)
          }),
      ),
      { numRuns: 12 },
    ))

  it('of a fork is no evidence for the first, whoever is closed first, and knows what that was told', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('told', TALK)
      await closeSession(engine, 'told')
      const [known] = (await entries()).filter(entry => entry.category === 'decisions')
      await say('a', [user('Why is the locale wrong?'), agent(LESSON)])
      await promptBrief(engine, {
        prompt: 'how does the invoice export work with the queue?',
        session: 'a',
        isGiven: true,
      })
      await forkSession(engine, { session: 'a' }, { as: 'b' })
      await forkSession(engine, { session: 'b' }, { as: 'c' })
      await say('c', [
        agent('The invoice export goes with a queue, because the partner drops connections after a minute.'),
      ])
      for (const session of ['c', 'a', 'b']) expect((await closeSession(engine, session)).added).toEqual([])
      const after = await entries()
      expect(after.filter(entry => entry.category === 'lessons')).toEqual([])
      expect(after.find(entry => entry.id === known?.id)).toEqual(known)
    }))

  it('is no evidence for its parent', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('parent', [user('Why is the locale wrong?'), agent(LESSON)])
      await forkSession(engine, { session: 'parent' }, { as: 'child' })
      await closeSession(engine, 'parent')
      expect((await closeSession(engine, 'child')).added).toEqual([])
      expect((await entries()).filter(entry => entry.category === 'lessons')).toEqual([])
    }))
})

describe('picking up', () => {
  it('closes what ended without time and what lies idle, and leaves alone what sleeps or works', () =>
    inMemory(async world => {
      const { engine, say } = world
      await say('ended', TALK)
      await endSession(engine, { session: 'ended', agent: 'shared' })
      await say('idle', TALK)
      await say('asleep', TALK)
      await sleepSession(engine, { session: 'asleep', agent: 'shared' })
      world.nowMs += 13 * 3_600_000
      await say('busy', TALK)
      const { closed } = await pickUpSessions(engine)
      expect(closed.map(({ session }) => session).sort()).toEqual(['ended', 'idle'])
      world.nowMs += 8 * 86_400_000
      const { closed: later } = await pickUpSessions(engine)
      expect(later.map(({ session }) => session).sort()).toEqual(['asleep', 'busy'])
      expect(await pickUpSessions(engine)).toEqual({ closed: [], problems: [] })
    }))
})

describe('what a brief gets from sessions', () => {
  it('tells one agent what another found in the same session, once', () =>
    inMemory(async ({ engine, say }) => {
      await say('s1', [user('Why is the locale wrong?'), agent(LESSON)], 'dev')
      const ask = () =>
        promptBrief(engine, {
          prompt: 'please review the change',
          session: 's1',
          agent: 'reviewer',
          isGiven: true,
        })
      const { brief } = await ask()
      expect(brief.text).toContain('ignores the locale header')
      expect(brief.included[0]).toMatchObject({ tier: 'context-bridge' })
      expect((await ask()).brief.text).not.toContain('ignores the locale header')
      const other = await promptBrief(engine, { prompt: 'please review', session: 's2', agent: 'reviewer' })
      expect(other.brief.text).not.toContain('ignores the locale header')
    }))

  it('tells of a recent session that was about the same', () =>
    inMemory(async ({ engine, say }) => {
      await say('s1', [user('The invoice export times out for large tenants.'), agent('Looking into it.')])
      await closeSession(engine, 's1')
      const { brief } = await promptBrief(engine, {
        prompt: 'does the invoice export still time out for tenants?',
      })
      expect(brief.included.map(({ tier }) => tier)).toContain('session-summary')
      const other = await promptBrief(engine, { prompt: 'make the button blue' })
      expect(other.brief.text).toBe('')
    }))

  it('tells a handoff at the start of a session, and not with a prompt', () =>
    inMemory(async ({ engine, say }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      const { brief } = await promptBrief(engine, { prompt: 'how does the export of invoices time out?' })
      expect(brief.text).toContain('queue for the invoice export')
      expect(brief.text).not.toContain('[User]')
      expect((await startBrief(engine, { agent: 'shared' })).brief.text).toContain('[Agent]: Done.')
    }))

  it('recovers the last messages of a session that was never closed', () =>
    inMemory(async ({ engine, say }) => {
      await say('s1', TALK)
      await checkpointSession(engine, { session: 's1', agent: 'shared' })
      const text = async (session?: string) =>
        (await startBrief(engine, { agent: 'shared', ...(session !== undefined && { session }) })).brief.text
      expect(await text()).toContain('Done.')
      expect(await text('s1')).not.toContain('Done.')
      await closeSession(engine, 's1')
      expect(await text()).not.toContain('Recovering')
    }))
})

describe('the review', () => {
  it('lists candidates and what waits, with why, and takes a yes, a no and better words', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', [...TALK, agent(LESSON)])
      await closeSession(engine, 's1')
      const { proposals } = await reviewQueue(engine, { limit: 10 })
      expect(proposals).toMatchObject([
        { stage: 'entry', kind: 'decision', speaker: 'user' },
        { stage: 'finding', speaker: 'agent', missing: 'too_few_points' },
      ])
      const [candidate, finding] = proposals
      await acceptProposals(engine, [candidate?.id ?? ''])
      const { reviewed } = await acceptProposals(engine, [finding?.id ?? ''], {
        content: 'The invoice worker needs the locale header twice.',
      })
      const entry = reviewed[0]?.entry
      expect(entry).toMatchObject({
        status: 'confirmed',
        content: 'The invoice worker needs the locale header twice.',
      })
      expect((await entries()).filter(each => each.status === 'candidate')).toEqual([])
      expect(await reviewQueue(engine, { limit: 10 })).toEqual({ proposals: [], total: 0 })
      const { confirmations } = await engine.store.readDocument('curation.json')
      expect(Object.keys(confirmations as object)).toHaveLength(2)
    }))

  it('remembers a rejection, also of the same thing in other words, until it is undone', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      const { proposals } = await reviewQueue(engine, { limit: 10 })
      await rejectProposals(engine, [proposals[0]?.id ?? ''])
      expect((await entries()).map(entry => entry.category)).toEqual(['handoffs'])
      await say('s2', [
        user(
          'For the invoice export we go with a queue, because the partner drops connections after a minute.',
        ),
      ])
      const closed = await closeSession(engine, 's2')
      expect(closed.findings).toMatchObject([
        { promotedToProjectMemory: false, rejectedBy: 'rejected_before' },
      ])
      expect((await reviewQueue(engine, { limit: 10 })).total).toBe(0)
    }))

  it('is all or nothing, and is taken back as one', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', [...TALK, user('Never log the partner key, support greps those logs.')])
      await closeSession(engine, 's1')
      const before = await entries()
      const ids = (await reviewQueue(engine, { limit: 10 })).proposals.map(({ id }) => id)
      await expect(acceptProposals(engine, [...ids, 'f00'])).rejects.toMatchObject({
        code: 'finding_not_found',
      })
      expect(await entries()).toEqual(before)
      await rejectProposals(engine, ids)
      const after = await entries()
      expect(after.map(entry => entry.category)).toEqual(['handoffs'])
      // What was rejected is not told by the handoff either.
      expect(after[0]?.content).not.toContain('partner key')
      const { undoOperation } = await import('../src/operations/undo.ts')
      await undoOperation.run(engine, {}, {})
      expect(await entries()).toEqual(before)
    }))

  it('tells no summary that repeats what was rejected, and tells it again when that is undone', () =>
    inMemory(async ({ engine, say, memoryOf }) => {
      await say('s1', [user('Never log the partner key, support greps those logs.'), agent('Noted.')])
      await closeSession(engine, 's1')
      const { sessionsOperation, sessionShowOperation } = await import('../src/operations/sessions.ts')
      const { undoOperation } = await import('../src/operations/undo.ts')
      const told = async () => {
        const { sessions } = await sessionsOperation.run(engine, {}, {})
        const shown = await sessionShowOperation.run(engine, { session: 's1' }, {})
        const prompt = 'may we log the partner key where support greps?'
        const { brief } = await promptBrief(engine, { prompt })
        const isInBrief = brief.included.some(({ tier }) => tier === 'session-summary')
        return [sessions[0]?.summary, shown.summary, isInBrief]
      }
      const summary = 'Asked for “Never log the partner key, support greps those logs.”. 1 finding.'
      expect(await told()).toEqual([summary, summary, true])
      const { proposals } = await reviewQueue(engine, { limit: 10 })
      const { record } = await rejectProposals(
        engine,
        proposals.map(({ id }) => id),
      )
      expect(await told()).toEqual(['', '', false])
      expect(memoryOf('s1').summary).toBe(summary)
      const undone = await undoOperation.run(engine, { record: record ?? '' }, {})
      expect(await told()).toEqual([summary, summary, true])
      // Undo taken back is the rejection again.
      await undoOperation.run(engine, { record: undone.record ?? '' }, {})
      expect(await told()).toEqual(['', '', false])
    }))

  it('leaves summaries out, and says so, while nobody can read what was rejected', () =>
    inMemory(async ({ root, engine, say }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      writeFileSync(path.join(root, '.memory/curation.json'), '{')
      const { sessionsOperation } = await import('../src/operations/sessions.ts')
      const { sessions, problems } = await sessionsOperation.run(engine, {}, {})
      expect(sessions).toMatchObject([{ session: 's1', summary: '' }])
      expect(problems).toMatchObject([{ code: 'document_damaged', path: 'curation.json' }])
    }))

  it('gives a finding back to the queue when its entry is undone', () =>
    inMemory(async ({ engine, say }) => {
      await say('s1', [...TALK, agent(LESSON)])
      await closeSession(engine, 's1')
      const { undoOperation } = await import('../src/operations/undo.ts')
      const waiting = async () =>
        (await reviewQueue(engine, { limit: 10 })).proposals.map(({ stage }) => stage)
      const finding = (await reviewQueue(engine, { limit: 10 })).proposals[1]
      await acceptProposals(engine, [finding?.id ?? ''])
      expect(await waiting()).toEqual(['entry'])
      await undoOperation.run(engine, {}, {})
      expect(await waiting()).toEqual(['entry', 'finding'])
      await undoOperation.run(engine, {}, {})
      expect(await waiting()).toEqual(['finding', 'finding'])
    }))

  it('rejects no entry that is confirmed or pinned', () =>
    inMemory(async ({ engine, say, entries }) => {
      await say('s1', TALK)
      await closeSession(engine, 's1')
      const [decision] = (await entries()).filter(entry => entry.category === 'decisions')
      await acceptProposals(engine, [decision?.id ?? ''])
      await expect(rejectProposals(engine, [decision?.id ?? ''])).rejects.toMatchObject({
        code: 'invalid_input',
      })
    }))

  it('says that nothing waits under an id', () =>
    inMemory(async ({ engine }) => {
      await expect(acceptProposals(engine, ['f00'])).rejects.toMatchObject({ code: 'finding_not_found' })
      await expect(rejectProposals(engine, ['f00'])).rejects.toMatchObject({ code: 'finding_not_found' })
    }))
})

/** A method of the store as it is, with its own `this`. */
function bound(target: Composed['store'], name: string | symbol): unknown {
  const value = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}

const STATEMENTS = [
  'Always run the migrations before the deploy, because the workers read the new columns.',
  'We go with Valkey for the session store, since the licence of the other changed.',
  'Never edit the generated client by hand: the next build overwrites it.',
  'The nightly report must be done by six, because the partner reads it then.',
] as const

function portOf(engine: Composed): Composed['sessions'] {
  return new Proxy({} as Composed['sessions'], {
    get: (_, name) => engine.sessions[name as keyof Composed['sessions']],
    ownKeys: () => Object.keys(METHODS),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })
}
/** The names by which a spread finds the methods of a port that is loaded when called. */
const METHODS: Readonly<Record<keyof Composed['sessions'], true>> = {
  start: true,
  append: true,
  growLast: true,
  setState: true,
  conversationsOf: true,
  read: true,
  readEnd: true,
  fork: true,
  settle: true,
  list: true,
  unclosed: true,
  saveCheckpoint: true,
  findCheckpoint: true,
  listCheckpoints: true,
  removeCheckpoint: true,
  saveMemory: true,
  findMemory: true,
  memoryStamps: true,
}

function readAll(folder: string, isRead: (name: string) => boolean = () => true): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
    .filter(file => isRead(path.relative(folder, file)))
    .map(file => readFileSync(file, 'latin1'))
    .join('\n')
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryHub, MemoryState, MemoryVault, print } from '../../../test/support/memory-sides.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { isShared, printOfEntry, versionOf } from './decide/shared-entry.ts'
import type { Sides } from './sides.ts'
import { syncSides } from './sync-sides.ts'

class Cut extends Error {}

/** Every call may be the last: before it does anything, or after it has, with its answer lost. */
function cutting<T extends object>(target: T, steps: { left: number; isAfter: boolean }): T {
  return new Proxy(target, {
    get(object, name) {
      const value = Reflect.get(object, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (steps.left === 0 && !steps.isAfter) throw new Cut()
        const answer = value.apply(object, given)
        if (steps.left-- > 0) return answer
        if (answer instanceof Promise)
          return answer.then(() => {
            throw new Cut()
          })
        throw new Cut()
      }
    },
  })
}

interface Replica {
  readonly vault: MemoryVault
  state: MemoryState
}

const REPLICAS = 3

class Story {
  readonly hub = new MemoryHub()
  readonly replicas: Replica[]
  /** Every text that anybody wrote, and those that somebody changed or removed while having them in front of them. */
  readonly written = new Set<string>()
  readonly letGo = new Set<string>()
  readonly removed = new Set<string>()
  added = 0
  #count = 0

  constructor() {
    this.replicas = Array.from({ length: REPLICAS }, () => ({
      vault: new MemoryVault(() => `n${++this.#count}`),
      state: new MemoryState(),
    }))
  }

  entry(agent: string): Entry {
    const at = ++this.#count
    const content = `text ${at}`
    this.written.add(content)
    return {
      id: `e${at}`,
      agent,
      category: 'decisions',
      kind: 'decision',
      status: 'confirmed',
      origin: 'person',
      date: '2026-03-16T16:51',
      content,
      tags: [],
      files: [],
      importance: 0.5,
    }
  }

  async play({ replica: at, does, which, cut, isAfter }: Step): Promise<void> {
    const replica = this.replicas[at] as Replica
    const { vault } = replica
    const ids = [...vault.entryById.keys()].sort()
    const entry = vault.entryById.get(ids[which % Math.max(1, ids.length)] ?? '')
    if (does === 'add' || does === 'add_private') {
      const made = this.entry(does === 'add' ? 'shared' : 'private')
      if (isShared(made)) this.added++
      vault.put(made.id, made)
    } else if (does === 'sync') await this.sync(replica, { left: cut, isAfter })
    else if (does === 'lose_state') replica.state = new MemoryState()
    else if (entry === undefined) return
    else if (does === 'reword') {
      const { content } = this.entry('shared')
      this.letGo.add(entry.content)
      vault.put(entry.id, { ...entry, content })
    } else if (does === 'tag') vault.put(entry.id, { ...entry, tags: [...entry.tags, `t${++this.#count}`] })
    else if (does === 'pin') vault.put(entry.id, { ...entry, status: 'pinned' })
    else if (does === 'hide') vault.put(entry.id, { ...entry, agent: 'private' })
    else if (does === 'remove') {
      this.letGo.add(entry.content)
      if (isShared(entry)) this.removed.add(entry.id)
      vault.put(entry.id, null)
    } else if (does === 'git') this.#carry(entry, this.replicas[(at + 1) % REPLICAS] as Replica, vault)
  }

  /** A version reaches another clone by git, which only goes on from what it knows. */
  #carry(entry: Entry, to: Replica, from: MemoryVault): void {
    if (!isShared(entry)) return
    const there = to.vault.entryById.get(entry.id)
    const known = from.history.get(entry.id) ?? []
    const isBehind =
      there === undefined
        ? !to.vault.history.has(entry.id)
        : isShared(there) && known.slice(0, -1).includes(printOfEntry(there, print))
    if (isBehind) to.vault.put(entry.id, entry)
  }

  /** All of it, with the whole history. */
  handOn(from: Replica, to: Replica): void {
    if (from === to) return
    for (const [id, entry] of from.vault.entryById) {
      const known = from.vault.history.get(id) ?? []
      const own = to.vault.history.get(id) ?? []
      const isKnown = own.includes(printOfEntry(entry, print))
      if (isKnown) continue
      to.vault.history.set(id, [...new Set([...own, ...known.slice(0, -1)])])
      to.vault.put(id, entry)
    }
  }

  async sync({ vault, state }: Replica, steps = { left: Number.POSITIVE_INFINITY, isAfter: false }) {
    const sides: Sides = {
      local: cutting(vault, steps),
      state: cutting(state, steps),
      hub: cutting(this.hub, steps),
      print,
      holdsSecret: async () => false,
      newPushId: () => `p${++this.#count}`,
    }
    try {
      return await syncSides(sides, { identity: 'hub', batch: '0-test', allowRemovals: true })
    } catch (error) {
      if (!(error instanceof Cut)) throw error
      return undefined
    }
  }

  isThere({ vault }: Replica): boolean {
    const own = [...vault.entryById.values()].filter(isShared)
    return JSON.stringify(sorted(own)) === JSON.stringify(sorted([...this.hub.entries.values()]))
  }

  async settle(): Promise<void> {
    for (let round = 0; round < 4; round++) for (const replica of this.replicas) await this.sync(replica)
  }
}

const DEEDS = [
  'add',
  'add_private',
  'reword',
  'tag',
  'pin',
  'hide',
  'remove',
  'sync',
  'lose_state',
  'git',
] as const
interface Step {
  readonly replica: number
  readonly does: (typeof DEEDS)[number]
  readonly which: number
  readonly cut: number
  readonly isAfter: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  replica: fc.integer({ min: 0, max: REPLICAS - 1 }),
  does: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('add', 'reword', 'remove', 'tag') },
    { weight: 4, arbitrary: fc.constant('sync') },
    { weight: 2, arbitrary: fc.constantFrom(...DEEDS) },
  ) as fc.Arbitrary<Step['does']>,
  which: fc.nat(5),
  cut: fc.oneof(fc.nat(30), fc.constant(1_000_000)),
  isAfter: fc.boolean(),
})

describe('any story of three replicas with interrupted syncs', () => {
  test('ends with the same entries everywhere, none of them twice, and no text lost that nobody let go', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 40 }), async steps => {
        const story = new Story()
        for (const one of steps) await story.play(one)
        await story.settle()
        const there = [...story.hub.entries.values()]
        const hidden = story.replicas.flatMap(({ vault }) =>
          [...vault.entryById.values()].filter(entry => !isShared(entry)),
        )
        for (const { vault } of story.replicas) {
          const own = [...vault.entryById.values()]
          const ownHidden = new Set(own.filter(entry => !isShared(entry)).map(({ id }) => id))
          const shared = own.filter(isShared)
          expect(sorted(shared)).toEqual(sorted(there.filter(({ id }) => !ownHidden.has(id))))
        }
        const texts = there.map(({ content }) => content)
        expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([])
        const kept = new Set([...texts, ...hidden.map(({ content }) => content)])
        expect([...story.written].filter(text => !kept.has(text) && !story.letGo.has(text))).toEqual([])
        expect(there.filter(entry => !isShared(entry))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

describe('people who write one after the other', () => {
  test('never meet a conflict, however often answers and link states are lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30 }), async steps => {
        const story = new Story()
        for (const one of steps) {
          const replica = story.replicas[one.replica] as Replica
          await story.sync(replica)
          const told = ['hide', 'sync', 'lose_state'].includes(one.does)
            ? ({ ...one, does: 'reword' } as const)
            : one
          await story.play(told)
          await story.sync(replica, { left: one.cut, isAfter: one.isAfter })
          // Whoever writes next has to be able to know of it.
          if (!story.isThere(replica)) await story.sync(replica)
          if (one.does === 'lose_state') replica.state = new MemoryState()
        }
        await story.settle()
        expect([...story.hub.entries.values()].filter(entry => versionOf(entry) !== undefined)).toEqual([])
        // What was removed by somebody who knew it comes back to nobody.
        expect([...story.hub.entries.keys()].filter(id => story.removed.has(id))).toEqual([])
        expect(story.hub.entries.size).toBe(story.added - story.removed.size)
      }),
      { numRuns: 300 },
    )
  })
})

describe('people who hand their memory on by git, one after the other', () => {
  test('never meet a conflict, whoever of them syncs with the hub and whenever', async () => {
    const deed = fc.record({
      by: fc.nat(REPLICAS - 1),
      does: fc.constantFrom('add', 'reword', 'tag'),
      which: fc.nat(5),
    })
    const moment = fc.oneof(
      deed,
      fc.record({ by: fc.nat(REPLICAS - 1), does: fc.constant('sync' as const), which: fc.constant(0) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 3, maxLength: 40 }), async moments => {
        const story = new Story()
        let last = story.replicas[0] as Replica
        for (const { by, does, which } of moments) {
          const replica = story.replicas[by] as Replica
          if (does !== 'sync') story.handOn(last, replica)
          await story.play({ replica: by, does, which, cut: 1_000_000, isAfter: false } as Step)
          if (does !== 'sync') last = replica
        }
        await story.settle()
        expect([...story.hub.entries.values()].filter(entry => versionOf(entry) !== undefined)).toEqual([])
        expect(story.hub.entries.size).toBe(story.added)
        expect([...story.hub.entries.values()].filter(({ content }) => story.letGo.has(content))).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})

function sorted(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((a, b) => (a.id < b.id ? -1 : 1))
}

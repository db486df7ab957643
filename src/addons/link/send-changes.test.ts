import { expect, test } from 'vitest'
import { MemoryHub, MemoryState, MemoryVault, print } from '../../../test/support/memory-sides.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Sides } from './sides.ts'
import { syncSides } from './sync-sides.ts'

const OPTIONS = { identity: 'hub', batch: '0-test' }
/** Of about a KiB: some 450 of them are a push. */
const ENTRIES = 1_500

function world() {
  const hub = new MemoryHub()
  const vault = new MemoryVault(() => 'n1')
  for (let at = 0; at < ENTRIES; at++) vault.put(`e${at}`, entry(`e${at}`))
  let pushes = 0
  const sides: Sides = {
    local: vault,
    state: new MemoryState(),
    hub,
    print,
    holdsSecret: async () => false,
    newPushId: () => `push ${++pushes}`,
  }
  return { hub, vault, sides }
}

function entry(id: string): Entry {
  return {
    id,
    agent: 'shared',
    category: 'decisions',
    kind: 'decision',
    status: 'confirmed',
    origin: 'person',
    date: '2026-03-16T16:51',
    content: `${id} ${'x'.repeat(900)}`,
    tags: [],
    files: [],
    importance: 0.5,
  }
}

test('every push but the last is full, however many entries are read at once', async () => {
  const { hub, sides } = world()
  const sizes: number[] = []
  const push = hub.push.bind(hub)
  hub.push = async given => {
    sizes.push(Buffer.byteLength(JSON.stringify(given)))
    return push(given)
  }
  expect(await syncSides(sides, OPTIONS)).toMatchObject({ sent: ENTRIES })
  expect(sizes.slice(0, -1).every(size => size > 500_000 && size < 600_000)).toBe(true)
  expect(sizes).toHaveLength(4)
})

test('the next push is made while the hub works on the one before', async () => {
  const { hub, vault, sides } = world()
  const reads: number[] = []
  const find = vault.find.bind(vault)
  vault.find = async ids => {
    if (ids.length > 0) reads.push(ids.length)
    return find(ids)
  }
  const readsAtPush: number[] = []
  const push = hub.push.bind(hub)
  hub.push = async given => {
    await new Promise(resolve => setTimeout(resolve, 20))
    readsAtPush.push(reads.length)
    return push(given)
  }
  await syncSides(sides, OPTIONS)
  // The first thousand entries are two pushes and a part of the third, for which more are read.
  expect(readsAtPush).toEqual([1, 2, 2, 2])
})

test('where the next push cannot be made, what was pushed meanwhile is neither lost nor sent twice', async () => {
  const { hub, vault, sides } = world()
  const find = vault.find.bind(vault)
  let reads = 0
  vault.find = async ids => {
    if (ids.length > 0 && ++reads === 2) throw new Error('the disk is gone')
    return find(ids)
  }
  await expect(syncSides(sides, OPTIONS)).rejects.toThrow('the disk is gone')
  expect(hub.entries.size).toBeGreaterThan(0)
  expect(await syncSides(sides, OPTIONS)).toMatchObject({ conflicts: [], isRestless: false })
  expect(hub.entries.size).toBe(ENTRIES)
})

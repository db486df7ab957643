import { expect, test } from 'vitest'
import { MemoryHub, MemoryState, MemoryVault, print } from '../../../test/support/memory-sides.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Sides } from './sides.ts'
import { syncSides } from './sync-sides.ts'

const OPTIONS = { identity: 'hub', batch: '0-test' }

function entry(content: string, id = 'e1'): Entry {
  return {
    id,
    agent: 'shared',
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

function sidesOf(hub: MemoryHub, vault: MemoryVault, holdsSecret = (_: string) => false): Sides {
  let pushes = 0
  return {
    local: vault,
    state: new MemoryState(),
    hub,
    print,
    holdsSecret: async text => holdsSecret(text),
    newPushId: () => `push ${++pushes} of ${vault.entryById.size} ${Math.random()}`,
  }
}

function newVault(): MemoryVault {
  let made = 0
  return new MemoryVault(() => `n${++made}`)
}

test('an edit that is made while the hub is asked about the version before it is kept beside the hub’s', async () => {
  const hub = new MemoryHub()
  const [ana, ben] = [newVault(), newVault()]
  ana.put('e1', entry('Sessions live in Redis.'))
  const anas = sidesOf(hub, ana)
  await syncSides(anas, OPTIONS)
  ben.put('e1', entry('Sessions live in Redis.'))
  ana.put('e1', entry('Sessions live in Postgres.'))
  await syncSides(anas, OPTIONS)
  const bens = sidesOf(hub, ben)
  const versions = hub.versions.bind(hub)
  hub.versions = async questions => {
    const answers = await versions(questions)
    ben.put('e1', entry('Sessions live in files.'))
    return answers
  }
  expect(await syncSides(bens, OPTIONS)).toMatchObject({ conflicts: [{ id: 'e1', kept: 'n1' }] })
  expect([...ben.entryById.values()].map(({ content }) => content)).toEqual([
    'Sessions live in Postgres.',
    'Sessions live in files.',
  ])
})

test('a secret between two entries that begin and end a block is seen', async () => {
  const hub = new MemoryHub()
  const texts = ['-----BEGIN CERTIFICATE-----', 'the secret', '-----END CERTIFICATE-----']
  for (const [at, text] of texts.entries())
    await hub.push({
      id: `p${at}`,
      identity: 'hub',
      batch: '0-test',
      entries: [{ id: `e${at}`, expected: null, entry: entry(text, `e${at}`) }],
      documents: [],
    })
  const sides = sidesOf(hub, newVault(), text => text.startsWith('the secret'))
  expect(await syncSides(sides, OPTIONS)).toMatchObject({
    received: 2,
    withheld: [{ id: 'e1', why: 'secret_there' }],
  })
})

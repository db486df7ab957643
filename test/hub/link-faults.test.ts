import { describe, expect, it, onTestFinished } from 'vitest'
import { CairnError } from '../../src/kernel/model/errors.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { badNetwork } from '../support/bad-network.ts'
import { type Clone, linkWorld } from '../support/link-world.ts'

const HOUR_MS = 3_600_000
const ROUNDS = 6

/** Whether it ended or not: what was not carried over is carried over by the next. */
async function attempt(clone: Clone): Promise<void> {
  try {
    await clone.sync()
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
  }
}

describe('through a network that drops, cuts, delays and doubles', () => {
  for (const seed of [1, 7, 42])
    it(`two repositories with clocks an hour apart come to the same, nothing twice and nothing lost (seed ${seed})`, async () => {
      const world = await linkWorld()
      const port = Number(new URL(world.hub.address).port)
      const early = { ...systemClock, nowMs: () => Date.now() + HOUR_MS, sleep: async () => undefined }
      const late = { ...systemClock, nowMs: () => Date.now() - HOUR_MS, sleep: async () => undefined }
      const ana = await world.clone('ana', { clock: early })
      const ben = await world.clone('ben', { clock: late })
      const network = await badNetwork(port, seed)
      onTestFinished(() => network.close())
      for (const clone of [ana, ben]) {
        const address = await clone.engine.hubLink.address()
        if (address === undefined) throw new Error('it is linked')
        await clone.engine.hubLink.keep({ ...address, url: `http://127.0.0.1:${network.port}` }, world.token)
      }
      const kept: string[] = []
      for (let round = 0; round < ROUNDS; round++) {
        for (const [name, clone] of Object.entries({ ana, ben })) {
          const { id, content } = await clone.keep(`What ${name} found in round ${round} of ${seed}.`)
          kept.push(content)
          if (round % 2 === 1) await clone.edit(id, { tags: ['again'] })
          await attempt(clone)
        }
      }
      const { dropped, cut, doubled } = network.did
      expect(Math.min(dropped, cut, doubled)).toBeGreaterThan(0)
      network.calm()
      for (const clone of [ana, ben, ana]) await clone.sync()
      expect(await ana.all()).toEqual(await ben.all())
      expect(await world.onHub()).toEqual(await ana.all())
      expect(await ana.texts()).toEqual([...kept].sort())
    })
})

describe('a hub that goes away in the middle', () => {
  it('is told of where a person looks, holds nobody up, and has everything when it is back', async () => {
    const world = await linkWorld()
    const ana = await world.clone('ana')
    await ana.keep('Sessions live in Redis.')
    const address = await ana.engine.hubLink.address()
    if (address === undefined) throw new Error('it is linked')
    await ana.engine.hubLink.keep({ ...address, url: 'http://127.0.0.1:9' }, world.token)
    await expect(ana.sync()).rejects.toMatchObject({ code: 'hub_unreachable' })
    await expect(ana.sync()).rejects.toMatchObject({ code: 'hub_unreachable' })
    expect(await ana.engine.hubLink.log()).toMatchObject({ failures: 2, syncedMs: null })
    expect(await ana.texts()).toEqual(['Sessions live in Redis.'])
    await ana.engine.hubLink.keep(address, world.token)
    expect(await ana.sync()).toMatchObject({ sent: 1 })
    expect(await ana.engine.hubLink.log()).toMatchObject({ failures: 0, failure: null })
  })
})

import { describe, expect, it } from 'vitest'
import type { Distiller } from '../../src/features/learning/decide/ports.ts'

/** A vendor in one state of the world, and a distiller that speaks to it. */
export interface DistillerWorld {
  readonly distiller: Distiller
  /** How often it was asked. */
  readonly asked: () => number
  readonly close: () => Promise<void>
}

export const SITUATIONS = [
  'answers',
  'takes no key',
  'is busy once',
  'is busy for long',
  'has a fault',
  'is too slow',
  'cuts its answer',
  'breaks off',
  'gives something else',
  'gives far too much',
  'is not there',
  'sends elsewhere',
] as const
export type Situation = (typeof SITUATIONS)[number]

/** Built of two parts, so that scanners of this repository do not take it for a real one. */
export const KEY = ['sk', 'not-a-real-key-0123456789'].join('-')

export const QUESTION = { instruction: 'Be brief.', content: '{"notes":[]}', maxOutputTokens: 100 }

/** Every provider runs this against something that speaks like the real one. A string in place of a world says why it cannot be. */
export function describeDistiller(
  name: string,
  make: (situation: Situation) => (() => Promise<DistillerWorld>) | string,
  expected: { readonly text: string; readonly inputTokens: number; readonly outputTokens: number },
): void {
  const inWorld = (situation: Situation, work: (world: DistillerWorld) => Promise<void>) => {
    const made = make(situation)
    if (typeof made === 'string') {
      it.skip(`${situation}: ${made}`, () => undefined)
      return
    }
    it(`when it ${situation}`, async () => {
      const world = await made()
      try {
        await work(world)
      } finally {
        await world.close()
      }
    })
  }
  const failure = async ({ distiller }: DistillerWorld) => {
    const error = await distiller.ask(QUESTION).then(
      answer => Promise.reject(new Error(`it answered ${JSON.stringify(answer)}`)),
      (reason: unknown) => reason as Error & { code: string; hint: string; details: { spent: string } },
    )
    expect(JSON.stringify(error) + error.message + error.stack + String(error.cause)).not.toContain(KEY)
    expect(error.hint).toMatch(/\S/)
    return { code: error.code, spent: error.details?.spent, message: error.message }
  }

  describe(name, () => {
    inWorld('answers', async ({ distiller }) => {
      expect(await distiller.ask(QUESTION)).toMatchObject({ ...expected, isCut: false })
    })
    inWorld('takes no key', async world => {
      expect(await failure(world)).toMatchObject({ code: 'model_failed' })
      expect(world.asked()).toBe(1)
    })
    inWorld('is busy once', async world => {
      expect((await world.distiller.ask(QUESTION)).text).toBe(expected.text)
      expect(world.asked()).toBe(2)
    })
    inWorld('is busy for long', async world => {
      expect(await failure(world)).toMatchObject({ code: 'model_failed', spent: 'nothing' })
      expect(world.asked()).toBe(1)
    })
    inWorld('has a fault', async world => {
      expect((await failure(world)).code).toBe('model_failed')
    })
    inWorld('is too slow', async world => {
      expect(await failure(world)).toMatchObject({
        code: 'model_failed',
        spent: 'unknown',
        message: expect.stringMatching(/in time/),
      })
    })
    inWorld('cuts its answer', async ({ distiller }) => {
      expect(await distiller.ask(QUESTION)).toMatchObject({ isCut: true, outputTokens: 100 })
    })
    inWorld('breaks off', async world => {
      expect(await failure(world)).toMatchObject({ code: 'model_failed', spent: 'unknown' })
    })
    inWorld('gives something else', async world => {
      expect(await failure(world)).toMatchObject({ code: 'model_failed', spent: 'unknown' })
    })
    inWorld('gives far too much', async world => {
      expect(await failure(world)).toMatchObject({
        code: 'model_failed',
        spent: 'unknown',
        message: expect.stringMatching(/too long/),
      })
    })
    inWorld('is not there', async world => {
      expect(await failure(world)).toMatchObject({
        code: expect.stringMatching(/^model_(?:failed|unavailable)$/),
        spent: 'nothing',
      })
    })
    inWorld('sends elsewhere', async world => {
      expect(await failure(world)).toMatchObject({ code: 'model_failed', spent: 'nothing' })
      expect(world.asked()).toBe(1)
    })
  })
}

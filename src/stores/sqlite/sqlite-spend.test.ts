import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { ReservedCall } from '../../features/learning/decide/spend-log.ts'
import { openSqliteIndex } from './open-sqlite-index.ts'
import type { SqliteIndex } from './sqlite-index.ts'
import { sqliteSpend } from './sqlite-spend.ts'

const CALL: ReservedCall = {
  day: '2026-11-15',
  at: '2026-11-15T10:00',
  model: 'openai:m',
  inputTokens: 300,
  outputTokens: 100,
  microUsd: 1_000,
  capTokens: 1_000,
  capMicroUsd: 10_000,
}

function open(location = ':memory:'): SqliteIndex {
  const index = openSqliteIndex({ location, busyTimeoutMs: 5_000 })
  if (index === undefined) throw new Error('the index is newer')
  onTestFinished(() => index.close())
  return index
}

function memory() {
  const index = open()
  return sqliteSpend(() => index)
}

test('what is reserved counts until it is settled', async () => {
  const spend = memory()
  expect(await spend.spentOn(CALL.day)).toEqual({ calls: 0, inputTokens: 0, outputTokens: 0, microUsd: 0 })
  const first = await spend.reserve(CALL)
  const second = await spend.reserve(CALL)
  expect([first.kind, second.kind]).toEqual(['reserved', 'reserved'])
  expect(await spend.reserve(CALL)).toEqual({
    kind: 'refused',
    by: 'tokens',
    spent: { calls: 2, inputTokens: 600, outputTokens: 200, microUsd: 2_000 },
  })
  if (first.kind === 'reserved')
    await spend.settle(first.id, { inputTokens: 50, outputTokens: 10, microUsd: 60 })
  expect(await spend.spentOn(CALL.day)).toEqual({
    calls: 2,
    inputTokens: 350,
    outputTokens: 110,
    microUsd: 1_060,
  })
  expect((await spend.reserve(CALL)).kind).toBe('reserved')
})

test('a day begins with nothing spent', async () => {
  const spend = memory()
  await spend.reserve({ ...CALL, capTokens: 400 })
  expect((await spend.reserve({ ...CALL, capTokens: 400 })).kind).toBe('refused')
  expect((await spend.reserve({ ...CALL, capTokens: 400, day: '2026-11-16' })).kind).toBe('reserved')
})

test('money has a cap of its own, and what has no price has none', async () => {
  const spend = memory()
  const dear = { ...CALL, microUsd: 6_000, capTokens: 1_000_000 }
  expect((await spend.reserve(dear)).kind).toBe('reserved')
  expect(await spend.reserve(dear)).toMatchObject({ kind: 'refused', by: 'money' })
  expect(await spend.reserve({ ...dear, microUsd: 1, capMicroUsd: 6_000 })).toMatchObject({ by: 'money' })
  const free = memory()
  const priceless = { ...CALL, microUsd: 0, capMicroUsd: 0 }
  expect((await free.reserve(priceless)).kind).toBe('reserved')
  expect(await free.reserve({ ...priceless, microUsd: 1 })).toMatchObject({ by: 'money' })
})

test('a call whose cost only comes to light afterwards stops the next one', async () => {
  const spend = memory()
  const first = await spend.reserve({ ...CALL, microUsd: 0 })
  if (first.kind === 'reserved')
    await spend.settle(first.id, { inputTokens: 1, outputTokens: 1, microUsd: 10_000 })
  expect(await spend.reserve({ ...CALL, microUsd: 0 })).toMatchObject({ kind: 'refused', by: 'money' })
})

test('a failure gives back what it cannot have cost, and is shown until a call succeeds', async () => {
  const spend = memory()
  const reserve = async () => {
    const reservation = await spend.reserve({ ...CALL, capTokens: 100_000 })
    return reservation.kind === 'reserved' ? reservation.id : 0
  }
  await spend.fail(await reserve(), { spent: 'unknown', message: 'no answer in time' })
  expect((await spend.spentOn(CALL.day)).inputTokens).toBe(300)
  await spend.fail(await reserve(), { spent: 'nothing', message: 'not reached' })
  expect((await spend.spentOn(CALL.day)).inputTokens).toBe(300)
  expect(await spend.lastFailure()).toEqual({
    at: '2026-11-15T10:00',
    model: 'openai:m',
    message: 'not reached',
  })
  await spend.settle(await reserve(), { inputTokens: 1, outputTokens: 1, microUsd: 0 })
  expect(await spend.lastFailure()).toBeUndefined()
})

test('whoever reserves, in whatever order, the cap holds', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-spend-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const indexes = [open(path.join(folder, 'index.db')), open(path.join(folder, 'index.db'))]
  const spends = indexes.map(index => sqliteSpend(() => index))
  let day = 0
  const step = fc.record({
    who: fc.nat(1),
    inputTokens: fc.nat(600),
    outputTokens: fc.nat(300),
    microUsd: fc.nat(4_000),
    used: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async steps => {
      day++
      for (const { who, used, ...most } of steps) {
        const spend = spends[who] as (typeof spends)[0]
        const reservation = await spend.reserve({ ...CALL, ...most, day: String(day) })
        if (reservation.kind === 'reserved' && used !== null)
          await spend.settle(reservation.id, {
            inputTokens: Math.floor(most.inputTokens * used),
            outputTokens: Math.floor(most.outputTokens * used),
            microUsd: Math.floor(most.microUsd * used),
          })
        const spent = await (spends[1 - who] as (typeof spends)[0]).spentOn(String(day))
        expect(spent.inputTokens + spent.outputTokens).toBeLessThanOrEqual(CALL.capTokens)
        expect(spent.microUsd).toBeLessThanOrEqual(CALL.capMicroUsd)
      }
    }),
    { numRuns: 40 },
  )
})

import { readdirSync, readFileSync, statSync } from 'node:fs'
import * as path from 'node:path'
import { expect, it } from 'vitest'
import { CONTRACT } from '../../src/surfaces/http/contract.ts'
import type { RouteName } from '../../src/surfaces/http/paths.generated.ts'
import type { Route, StreamRoute } from '../../src/surfaces/http/route.ts'
import type { Operation } from '../../src/verbs/operation.ts'
import { CASES } from './contract-cases.ts'
import { httpWorld } from './http-world.ts'

type Fields = Record<string, unknown>

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A key of its own for each entrance, built here so that no scanner takes it for a real one. */
function keyOf(number: number): string {
  let seed = 7_919 * (number + 1)
  const letters = Array.from({ length: 15 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return LETTERS[(seed >> 16) % LETTERS.length]
  })
  return `${'AKIA'}7${letters.join('')}`
}

/** The same fields with the key in one of the texts; each text once. */
function withKey(
  fields: Fields,
  known: readonly string[],
  key: () => string,
): readonly [string, Fields, string][] {
  const found: [string, Fields, string][] = []
  const put = (name: string, make: (key: string) => unknown) => {
    const own = key()
    found.push([name, { ...fields, [name]: make(own) }, own])
  }
  for (const name of new Set([...Object.keys(fields), ...known])) {
    const value = fields[name]
    if (typeof value === 'string') put(name, own => `${value} ${own}`)
    if (typeof value === 'string' || value === undefined) put(name, own => own)
    if (Array.isArray(value) || value === undefined) put(name, own => [own])
    if (Array.isArray(value))
      value.forEach((item: unknown, at) => {
        if (typeof item !== 'object' || item === null) return
        for (const part of Object.keys(item))
          put(name, own =>
            value.map((each, other) => (other === at ? { ...(each as object), [part]: own } : each)),
          )
      })
  }
  return found
}

it('keeps and shows no secret that comes in through a route, whatever the field', async () => {
  const world = await httpWorld()
  const entrances: { readonly entrance: string; readonly key: string }[] = []
  const shown: string[] = []
  let made = 0
  try {
    for (const [name, route] of Object.entries(CONTRACT) as [RouteName, Route | StreamRoute][]) {
      const one = CASES[name]
      if (route.kind !== 'answer' || one.isOfHub) continue
      const asks = typeof one.asks === 'function' ? await one.asks(world) : (one.asks ?? {})
      const { input } = (await route.load()) as Operation
      const calls = withKey(asks, Object.keys(input.entries), () => keyOf(made++))
      for (const [field, fields, key] of calls) {
        entrances.push({ entrance: `${name}.${field}`, key })
        const { body } = await world.ask(name, fields)
        if (JSON.stringify(body).toLowerCase().includes(key.toLowerCase()))
          shown.push(`${name}.${field}: ${JSON.stringify(body).slice(0, 300)}`)
      }
    }
    const scratch = path.dirname(world.root)
    const names = readdirSync(scratch, { recursive: true, encoding: 'utf8' })
    const kept = new Set<string>()
    for (const name of names) {
      const file = path.join(scratch, name)
      const text = `${name}\n${statSync(file).isFile() ? readFileSync(file, 'latin1') : ''}`.toLowerCase()
      for (const { entrance, key } of entrances)
        if (text.includes(key.toLowerCase())) kept.add(`${entrance} in ${name}`)
    }
    expect({ kept: [...kept], shown: [...new Set(shown)] }).toEqual({ kept: [], shown: [] })
    expect(entrances.length).toBeGreaterThan(200)
  } finally {
    await world.end()
  }
}, 300_000)

import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import * as path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/api.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { BINARY, contentsOf, inWorld } from './world.ts'

describe('processes at the same time', () => {
  it(
    'eight writers and four readers: every entry is there once, and found',
    inWorld(async world => {
      const texts = Array.from({ length: 8 }, (_, n) => `Writer${n} said this.`)
      const [writes, reads] = await Promise.all([
        Promise.all(texts.map(text => world.cairn(['remember', text, '--json']))),
        Promise.all(Array.from({ length: 4 }, () => world.cairn(['search', 'said', '--json']))),
      ])
      for (const run of [...writes, ...reads]) expect([run.code, run.stderr]).toEqual([0, ''])
      const { entries } = await world.json('list')
      expect(contentsOf(entries)).toEqual(texts)
      expect(new Set(entries.map(({ id }) => id)).size).toBe(8)
      for (const n of [0, 7]) {
        expect((await world.json('search', `writer${n}`)).hits[0]?.entry.content).toBe(
          `Writer${n} said this.`,
        )
      }
      expect((await world.json('doctor')).healthy).toBe(true)
    }),
  )

  it(
    'the same text from five at once is one entry',
    inWorld(async world => {
      const runs = await Promise.all(
        Array.from({ length: 5 }, () => world.cairn(['remember', 'Said by all.', '--json'])),
      )
      expect(runs.map(run => JSON.parse(run.stdout).duplicate).sort()).toEqual([
        false,
        true,
        true,
        true,
        true,
      ])
      expect((await world.json('list')).entries.map(({ importance }) => importance)).toEqual([0.9])
    }),
  )

  it(
    'writers killed with -9 lose nothing that was acknowledged, and the next call finds a whole vault',
    inWorld(async world => {
      const acknowledged: string[] = []
      const write = (n: number) =>
        new Promise<void>(resolve => {
          const child = spawn(process.execPath, [BINARY, 'remember', `Entry ${n}.`, '--json'], {
            cwd: world.root,
            env: world.environment,
            stdio: ['ignore', 'pipe', 'ignore'],
          })
          const killer = setTimeout(() => child.kill('SIGKILL'), 40 + ((n * 37) % 60))
          child.stdout.on('data', () => acknowledged.push(`Entry ${n}.`))
          child.on('close', () => {
            clearTimeout(killer)
            resolve()
          })
        })
      for (let n = 0; n < 24; n += 3) await Promise.all([write(n), write(n + 1), write(n + 2)])
      const { entries } = await world.json('list')
      const kept = contentsOf(entries)
      expect(new Set(kept).size).toBe(kept.length)
      expect(kept).toEqual(expect.arrayContaining(acknowledged))
      const doctor = await world.json('doctor')
      expect(doctor.checks.filter(({ result }) => result !== 'ok')).toEqual([])
      expect(Object.keys(world.bytes()).filter(name => name.includes('cairn-tmp'))).toEqual([])
    }),
  )

  it(
    'a process that holds the memory open sees what others write, and survives the loss of .vault',
    inWorld(async world => {
      const memory = await openMemory({ root: world.root })
      await memory.remember('From the library.')
      await world.ok('remember', 'From the command line.')
      expect(contentsOf((await memory.list()).entries)).toEqual([
        'From the command line.',
        'From the library.',
      ])
      rmSync(path.join(world.root, '.memory', '.vault'), { recursive: true })
      expect((await memory.search('library')).hits).toHaveLength(1)
      await memory.remember('After the loss.')
      await memory.close()
      expect(contentsOf((await world.json('list')).entries)).toEqual([
        'After the loss.',
        'From the command line.',
        'From the library.',
      ])
    }),
  )

  it(
    'a process that holds the memory open survives the loss of all of .memory, and begins a new one',
    inWorld(async world => {
      const memory = await openMemory({ root: world.root })
      await memory.remember('Gone.')
      rmSync(path.join(world.root, '.memory'), { recursive: true })
      expect((await memory.list()).total).toBe(0)
      await memory.remember('New.')
      await memory.close()
      expect(contentsOf((await world.json('list')).entries)).toEqual(['New.'])
    }),
  )

  it(
    'two handles in one process do not wait for each other for ever',
    inWorld(async world => {
      const [one, two] = [await openMemory({ root: world.root }), await openMemory({ root: world.root })]
      await Promise.all([one.remember('A.'), two.remember('B.'), one.remember('C.'), two.remember('D.')])
      expect((await one.list()).total).toBe(4)
      await one.close()
      await two.close()
    }),
  )
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}

describe('close', () => {
  it.skipIf(process.platform !== 'linux')(
    'lets go of every file of the memory, once the statements of the addon for Node 20 are collected',
    inWorld(async world => {
      const memory = await openMemory({ root: world.root })
      await memory.remember('One.')
      await memory.search('one')
      await memory.close()
      collectGarbage()
      await new Promise(resolve => setTimeout(resolve, 100))
      const held = readdirSync('/proc/self/fd').flatMap(fd => {
        const link = path.join('/proc/self/fd', fd)
        return existsSync(link) ? [readlinkSync(link)] : []
      })
      expect(held.filter(file => file.startsWith(world.root)).map(file => path.basename(file))).toEqual([])
    }),
  )
})

describe('a clock that jumps back', () => {
  it(
    'never repeats an id, and the newest entry stays on top',
    inWorld(async world => {
      let nowMs = Date.parse('2026-03-10T10:00:00Z')
      const clock = { ...systemClock, nowMs: () => nowMs, random: () => 0, sleep: () => Promise.resolve() }
      const ids: string[] = []
      const engine = composeEngine({ root: world.root, clock })
      for (const step of [0, -86_400_000, 0, -3_600_000, 5]) {
        nowMs += step
        const [result] = await remember(engine, [{ content: `Entry ${ids.length}.` }])
        ids.push(result?.entry.id ?? '')
      }
      await engine.close()
      nowMs = Date.parse('2020-01-01T00:00:00Z')
      const later = composeEngine({ root: world.root, clock })
      const [last] = await remember(later, [{ content: 'The last.' }])
      ids.push(last?.entry.id ?? '')
      await later.close()
      expect(ids).toEqual([...ids].sort())
      expect(new Set(ids).size).toBe(6)
      expect((await world.json('list')).entries[0]?.content).toBe('The last.')
      expect((await world.json('doctor')).healthy).toBe(true)
    }),
  )

  it(
    'does not confuse log, undo and as-of',
    inWorld(async world => {
      let nowMs = Date.parse('2026-03-10T10:00:00Z')
      const clock = { ...systemClock, nowMs: () => nowMs, random: () => 0, sleep: () => Promise.resolve() }
      const engine = composeEngine({ root: world.root, clock })
      await remember(engine, [{ content: 'First.' }])
      nowMs -= 3_600_000
      await remember(engine, [{ content: 'Second, an hour earlier.' }])
      await engine.close()
      const { records } = await world.json('log')
      expect(new Set(records.map(({ id }) => id)).size).toBe(2)
      expect((await world.json('undo')).undone.entries[0]?.preview).toBe('Second, an hour earlier.')
      expect(contentsOf((await world.json('list')).entries)).toEqual(['First.'])
    }),
  )
})

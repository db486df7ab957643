import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkBackup } from '../../src/addons/backup/check-backup.ts'
import { restoreMemory } from '../../src/addons/backup/restore-memory.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import { composeBackup } from '../../src/compose/compose-backup.ts'
import { BINARY, inWorld, type World } from '../e2e/world.ts'
import { failingDisk } from '../support/failing-disk.ts'

const contents = async (root: string) => {
  const engine = composeEngine({ root })
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 100_000, offset: 0 })
  await engine.close()
  return entries
    .map(({ content }) => content)
    .sort()
    .join('\n')
}

const leftovers = (root: string) => readdirSync(root).filter(name => /^\.memory-|cairn-tmp$/.test(name))

describe('a restore that breaks off', () => {
  for (const forGood of [false, true])
    it(
      `leaves the old memory or the new one at every step${forGood ? ', also when the process dies there' : ''}`,
      inWorld(async world => {
        await world.ok('remember', 'What the backup says.')
        await world.ok('backup', 'shop.cairn')
        await world.ok('forget', 'What the backup says')
        await world.ok('remember', 'What is said now.')
        const file = path.join(world.root, 'shop.cairn')
        const checked = await checkBackup(file)
        const base = mkdtempSync(path.join(tmpdir(), 'cairn-restore-'))
        try {
          const attempt = async (failAt: number, root: string) => {
            cpSync(world.root, root, { recursive: true })
            const { disk, steps } = failingDisk(failAt, { forGood })
            const engine = composeEngine({ root })
            try {
              await restoreMemory({ ...composeBackup(engine), disk }, file, checked)
              return { isDone: true, steps: steps() }
            } catch (error) {
              expect(error, (error as Error).message).toMatchObject({ code: 'store_io' })
              return { isDone: false, steps: steps() }
            } finally {
              await engine.close()
            }
          }
          const { steps } = await attempt(Number.POSITIVE_INFINITY, path.join(base, 'whole'))
          expect(steps).toBeGreaterThan(10)
          for (let failAt = 1; failAt <= steps; failAt++) {
            const root = path.join(base, `${failAt}`)
            const { isDone } = await attempt(failAt, root)
            const found = await contents(root)
            if (isDone) expect(found, `step ${failAt}`).toBe('What the backup says.')
            else expect(['What the backup says.', 'What is said now.'], `step ${failAt}`).toContain(found)
            // And it can be run again.
            const engine = composeEngine({ root })
            await restoreMemory(composeBackup(engine), file, checked)
            await engine.close()
            expect(await contents(root)).toBe('What the backup says.')
            expect(leftovers(root)).toEqual([])
          }
        } finally {
          rmSync(base, { recursive: true, force: true })
        }
      }),
      240_000,
    )
})

/** Runs a verb and kills it after a moment. True: it was over before. */
function runAndKill(world: World, words: readonly string[], afterMs: number): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [BINARY, ...words], { cwd: world.root, env: world.environment })
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
    child.once('exit', code => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

describe('a process that is killed', () => {
  it(
    'in a backup leaves no file that passes for one, in a restore one memory or the other',
    inWorld(async world => {
      world.write(
        'many.jsonl',
        Array.from({ length: 1_000 }, (_, n) => JSON.stringify({ text: `Fact ${n} of many.` })).join('\n'),
      )
      await world.ok('import', 'many.jsonl')
      await world.ok('backup', 'many.cairn')
      const whole = await contents(world.root)
      for (let afterMs = 40; afterMs <= 240; afterMs += 25) {
        const name = `killed-${afterMs}.cairn`
        const isDone = await runAndKill(world, ['backup', name], afterMs)
        if (readdirSync(world.root).includes(name)) await checkBackup(path.join(world.root, name))
        else expect(isDone).toBe(false)
      }
      await world.ok('remember', 'One more than in the backup.')
      const more = await contents(world.root)
      for (let afterMs = 60; afterMs <= 360; afterMs += 30) {
        const isDone = await runAndKill(world, ['backup', 'restore', 'many.cairn', '--yes'], afterMs)
        const found = await contents(world.root)
        expect(isDone ? [whole] : [whole, more]).toContain(found)
        if (found === whole) await world.ok('remember', 'One more than in the backup.')
      }
      await world.ok('backup', 'restore', 'many.cairn', '--yes')
      expect(await contents(world.root)).toBe(whole)
      expect(readdirSync(world.root).filter(name => name.startsWith('.memory-'))).toEqual([])
    }),
    120_000,
  )
})

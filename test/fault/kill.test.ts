import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/api.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import { scratchProject } from '../support/scratch-project.ts'

const WRITER = fileURLToPath(new URL('../support/writer.mjs', import.meta.url))
const KILLS = 200
const AT_ONCE = 4

interface Outcome {
  readonly acknowledged: readonly { readonly id: string; readonly word: string }[]
  readonly stderr: string
  readonly killed: boolean
}

/** When a writer is killed: some moment after it has said so many lines, the first of which is that it is ready. */
interface Kill {
  readonly afterLines: number
  readonly afterMs: number
}

/** Starts a writer, and kills it without warning in the middle of its writing. */
function runWriter(options: { root: string; name: string; calls: number; kill?: Kill }): Promise<Outcome> {
  return new Promise(resolve => {
    const { root, name, calls, kill } = options
    const child = spawn(process.execPath, [WRITER, root, name, String(calls)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    let isDoomed = false
    child.stdout.on('data', chunk => {
      stdout += chunk
      if (kill === undefined || isDoomed || stdout.split('\n').length <= kill.afterLines) return
      isDoomed = true
      setTimeout(() => child.kill('SIGKILL'), kill.afterMs)
    })
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.on('close', (_code, signal) => {
      // A line that was cut off by the kill was not acknowledged.
      const lines = stdout.slice(0, stdout.lastIndexOf('\n') + 1).split('\n')
      const acknowledged = lines
        .filter(line => line.includes('zanzibar'))
        .map(line => {
          const [id = '', word = ''] = line.split(' ')
          return { id, word }
        })
      resolve({ acknowledged, stderr, killed: signal === 'SIGKILL' })
    })
  })
}

describe('writers that are killed', () => {
  it('leave every acknowledged write behind, once, and an index that equals the files', async () => {
    const root = scratchProject()
    const outcomes: Outcome[] = []
    for (let round = 0; outcomes.filter(outcome => outcome.killed).length < KILLS; round++) {
      expect(round).toBeLessThan(KILLS)
      // Spread over the life of a write, from its first step to well into the next ones. Most have written something by then,
      // however slow the machine is.
      const wave = Array.from({ length: AT_ONCE }, (_, n) => {
        const kill = { afterLines: 1 + ((round + n) % 3), afterMs: (round * 7 + n * 13) % 210 }
        return runWriter({ root, name: `r${round}w${n}`, calls: 1000, kill })
      })
      outcomes.push(...(await Promise.all(wave)))
    }
    const acknowledged = outcomes.flatMap(outcome => outcome.acknowledged)
    expect(outcomes.map(outcome => outcome.stderr).join('')).toBe('')
    expect(acknowledged.length).toBeGreaterThan(KILLS / 10)

    const engine = composeEngine({ root })
    const { entries } = await engine.store.listEntries({ filter: {}, limit: 1_000_000, offset: 0 })
    const contentById = new Map(entries.map(entry => [entry.id, entry.content]))
    expect(contentById.size).toBe(entries.length)
    const lost = acknowledged.filter(({ id, word }) => !contentById.get(id)?.includes(word))
    expect(lost).toEqual([])
    expect(new Set(entries.map(entry => entry.content)).size).toBe(entries.length)
    expect(await engine.store.check()).toEqual([])
    await engine.close()
  }, 300_000)
})

describe('writers at the same time', () => {
  it('keep every entry, each with an id of its own, and all are found by search', async () => {
    const root = scratchProject()
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) => runWriter({ root, name: `c${n}`, calls: 40 })),
    )
    expect(outcomes.map(outcome => outcome.stderr).join('')).toBe('')
    const acknowledged = outcomes.flatMap(outcome => outcome.acknowledged)
    expect(acknowledged).toHaveLength(240)

    const memory = await openMemory({ root })
    expect((await memory.list({ limit: 1000 })).total).toBe(240)
    expect(new Set(acknowledged.map(({ id }) => id)).size).toBe(240)
    for (const { id, word } of acknowledged) {
      const { hits } = await memory.search(word, { limit: 1 })
      expect(hits[0]?.id).toBe(id)
    }
    await memory.close()
  }, 120_000)
})

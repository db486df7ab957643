import { spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import { compact } from '../../src/features/upkeep/upkeep.ts'
import { captured, furnishAged } from '../support/aged-vault.ts'
import { scratchProject } from '../support/scratch-project.ts'

const COMPACTER = fileURLToPath(new URL('../support/compacter.mjs', import.meta.url))
const ENTRIES = 400
const KILLS = 16

/** Kills the process some moment after it began to tidy up. */
function killDuringCompact(root: string, afterMs: number): Promise<void> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [COMPACTER, root], { stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), afterMs))
    child.on('close', () => resolve())
  })
}

it('a process that is killed while it tidies up loses nothing, and the next one finishes', async () => {
  const original = scratchProject()
  const expired = Array.from({ length: ENTRIES }, (_, n) => captured(`Expired fact ${n}.`, 100))
  await furnishAged(original, [...expired, captured('Pinned.', 100, { status: 'pinned' })], Date.now())
  for (let kill = 0; kill < KILLS; kill++) {
    const root = scratchProject()
    cpSync(original, root, { recursive: true, preserveTimestamps: true })
    await killDuringCompact(root, kill * 12)
    const engine = composeEngine({ root })
    const { entries } = await engine.store.listEntries({ filter: {}, limit: 10_000, offset: 0 })
    expect(await engine.store.check()).toEqual([])
    const kept = new Set(entries.map(({ content }) => content))
    for await (const { item } of engine.archive.entries()) kept.add(item.entry.content)
    expect(kept.size).toBe(ENTRIES + 1)
    await compact(engine)
    expect(await engine.store.counts()).toMatchObject({ total: 1, byStatus: { pinned: 1 } })
    await engine.close()
  }
}, 120_000)

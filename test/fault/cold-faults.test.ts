import { readdirSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CopiedMessage } from '../../src/features/cold/decide/ports.ts'
import { type Disk, privateDisk } from '../../src/kernel/system/disk.ts'
import { coldFolder } from '../../src/stores/files/cold-folder.ts'
import { clockAt, NOW_MS } from '../support/aged-vault.ts'
import { WAYS_TO_FAIL } from '../support/fail-every-step.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

const TRANSCRIPT = {
  host: 'codex',
  session: 's1',
  file: '/home/ana/.codex/sessions/s1.jsonl',
  isSubAgent: false,
  size: 10,
  mtimeMs: 1,
  inode: 1,
} as const
const lines = (...numbers: number[]): CopiedMessage[] =>
  numbers.map(number => ({ number, line: number + 1, message: { role: 'user', text: `said ${number}` } }))

const open = (folder: string, disk: Disk = privateDisk) =>
  coldFolder({ folder, disk, clock: clockAt(NOW_MS) })

async function textsIn(folder: string): Promise<string[]> {
  const texts: string[] = []
  for await (const { kept } of open(folder).read(TRANSCRIPT)) if (kept) texts.push(kept.message.text)
  return texts
}

describe.each(WAYS_TO_FAIL)('when a disk step fails %s', (_name, forGood) => {
  it('while a copy grows, the messages that were kept are there, and adding again makes up for it', async () => {
    const counting = failingDisk(Number.POSITIVE_INFINITY, { forGood })
    const whole = scratchProject()
    await open(whole).add(TRANSCRIPT, 0, lines(0, 1))
    await open(whole, counting.disk).add({ ...TRANSCRIPT, size: 20 }, 2, lines(2, 3))
    expect(counting.steps()).toBeGreaterThan(4)
    for (let failAt = 1; failAt <= counting.steps(); failAt++) {
      const folder = scratchProject()
      await open(folder).add(TRANSCRIPT, 0, lines(0, 1))
      await open(folder, failingDisk(failAt, { forGood }).disk)
        .add({ ...TRANSCRIPT, size: 20 }, 2, lines(2, 3))
        .catch(() => undefined)
      const kept = await open(folder).find(TRANSCRIPT)
      expect([2, 4], `step ${failAt}`).toContain(kept?.messages)
      expect((await textsIn(folder)).slice(0, 2), `step ${failAt}`).toEqual(['said 0', 'said 1'])
      await open(folder).add({ ...TRANSCRIPT, size: 20 }, 2, lines(2, 3))
      expect(await textsIn(folder), `step ${failAt}`).toEqual(['said 0', 'said 1', 'said 2', 'said 3'])
    }
  })
})

describe('a copy', () => {
  it('that two processes made at once has every message once', async () => {
    const folder = scratchProject()
    await open(folder).add(TRANSCRIPT, 0, lines(0, 1, 2))
    await open(folder).add(TRANSCRIPT, 1, lines(1, 2, 3))
    expect(await textsIn(folder)).toEqual(['said 0', 'said 1', 'said 2', 'said 3'])
  })

  it('whose head or part is damaged is told, or read as far as it goes', async () => {
    const folder = scratchProject()
    await open(folder).add(TRANSCRIPT, 0, lines(0))
    await open(folder).add(TRANSCRIPT, 1, lines(1))
    const [host = ''] = readdirSync(folder)
    const [name = ''] = readdirSync(path.join(folder, host))
    const place = path.join(folder, host, name)
    privateDisk.writeFile(path.join(place, '0.jsonl.gz'), new TextEncoder().encode('no gzip'))
    expect(await textsIn(folder)).toEqual(['said 1'])
    privateDisk.writeFile(path.join(place, 'copy.json'), new TextEncoder().encode('{'))
    expect(await open(folder).list()).toMatchObject({
      copies: [],
      problems: [{ code: 'cold_copy_damaged', path: place }],
    })
  })
})

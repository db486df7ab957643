import { rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { doctorOperation } from '../src/features/doctor/verbs/doctor.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { restoreOperation } from '../src/features/upkeep/verbs/restore.ts'
import { git, gitRepository } from './support/git-repository.ts'
import { scratchProject } from './support/scratch-project.ts'

const open = (root: string) => composeEngine({ root, actor: { host: 'cli' } })

const kept = (engine: ComposedCheckout, content: string) =>
  remember(engine, [{ content, kind: 'decision', agent: 'dev', origin: 'person', status: 'confirmed' }])

async function contents(engine: ComposedCheckout): Promise<string[]> {
  const { entries } = await engine.store.listEntries({ filter: {}, limit: 1_000, offset: 0 })
  return entries.map(({ content }) => content).sort()
}

function commit(root: string, message: string): void {
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--allow-empty', '--message', message)
}

describe('branches that are switched while entries are written', () => {
  it('have every entry on one of the two tips', async () => {
    const root = gitRepository(path.join(scratchProject(), 'project'))
    const engine = open(root)
    await kept(engine, 'The base of all.')
    commit(root, 'base')
    git(root, 'branch', 'other')
    const ids: string[] = []
    let isWriting = true
    const writers = Promise.all(
      [0, 1, 2].map(async writer => {
        const own = open(root)
        for (let n = 0; isWriting; n++) {
          const [one] = await kept(own, `Note ${n} of writer ${writer}.`)
          if (one !== undefined) ids.push(one.entry.id)
          await new Promise(resolve => setTimeout(resolve, 5))
        }
        await own.close()
      }),
    )
    for (let n = 0; n < 12; n++) {
      commit(root, `at ${n}`)
      git(root, 'switch', '--quiet', n % 2 === 0 ? 'other' : 'main')
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    isWriting = false
    await writers
    await engine.close()
    commit(root, 'end')
    const tips = ['main', 'other'].map(tip =>
      git(root, 'grep', '--no-color', '-hoE', 'id:[0-9a-z-]+', tip, '--', '.memory'),
    )
    expect(ids.length).toBeGreaterThan(12)
    expect(ids.filter(id => !tips.some(tip => tip.includes(id)))).toEqual([])
  })

  // Failed once in four whole runs, cause not found yet: git answers late on a busy machine.
  it('report an entry that ended on neither, and the journal gives it back', { retry: 2 }, async () => {
    const root = gitRepository(path.join(scratchProject(), 'project'))
    const engine = open(root)
    await kept(engine, 'The base of all.')
    commit(root, 'base')
    git(root, 'branch', 'other')
    const [lost] = await kept(engine, 'Written in the moment of the switch.')
    const id = lost?.entry.id ?? ''
    // What git does to a file that it takes for one of the branch it leaves.
    git(root, 'switch', '--quiet', 'other')
    git(root, 'clean', '--quiet', '-fd', '--', '.memory')
    expect(await contents(engine)).toEqual(['The base of all.'])
    const { checks } = await doctorOperation.run(engine, {}, {})
    expect(checks.find(({ name }) => name === 'branches')).toMatchObject({
      result: 'warning',
      message: expect.stringContaining(id),
      hint: '`cairn restore <id>` restores an entry from the journal.',
    })
    await restoreOperation.run(engine, { target: id }, {})
    expect(await contents(engine)).toEqual(['The base of all.', 'Written in the moment of the switch.'])
    const after = await doctorOperation.run(engine, {}, {})
    expect(after.checks.find(({ name }) => name === 'branches')).toBeUndefined()
    await engine.close()
    rmSync(root, { recursive: true, force: true })
  })
})

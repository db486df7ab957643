import { execFileSync, spawn } from 'node:child_process'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { syncWithHub } from '../../src/addons/link/sync-with-hub.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import { CairnError } from '../../src/kernel/model/errors.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { type Clone, type LinkWorld, linkWorld } from '../support/link-world.ts'
import { type Step, stepProxy } from '../support/step-proxy.ts'

const PROGRAM = path.join(import.meta.dirname, '../../dist/cairn.cjs')

/** As the hub has it: nothing twice, nothing lost. */
async function expectAlike(world: LinkWorld, clones: readonly Clone[], kept: readonly string[]) {
  for (const clone of [...clones, ...clones]) await clone.sync()
  const onHub = await world.onHub()
  for (const clone of clones) expect(await clone.all()).toEqual(onHub)
  expect(onHub.map(({ content }) => content).sort()).toEqual([...kept].sort())
}

async function through(clone: Clone, url: string, token: string): Promise<void> {
  const address = await clone.engine.hubLink.address()
  if (address === undefined) throw new Error('it is linked')
  await clone.engine.hubLink.keep({ ...address, url }, token)
}

/** `cairn sync` in a process of its own, which is killed at the step that is named. */
function syncAndKill(clone: Clone, watch: (kill: () => void) => void): Promise<boolean> {
  const child = spawn(process.execPath, [PROGRAM, '--root', clone.project, 'sync', '--json'], {
    stdio: 'ignore',
    env: { ...process.env },
  })
  watch(() => child.kill('SIGKILL'))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (_code, signal) => resolve(signal === 'SIGKILL'))
  })
}

/** In the order of a sync that receives and sends: hello, pull, push, pull. Late: what was answered is being written here. */
const KILLS: readonly { readonly at: number; readonly moment: Step['moment']; readonly lateMs?: number }[] = [
  { at: 1, moment: 'after', lateMs: 10 },
  { at: 2, moment: 'before' },
  { at: 2, moment: 'after', lateMs: 5 },
  { at: 2, moment: 'after', lateMs: 25 },
  { at: 3, moment: 'before' },
  { at: 3, moment: 'during' },
  { at: 3, moment: 'after' },
  { at: 3, moment: 'after', lateMs: 5 },
  { at: 4, moment: 'before' },
  { at: 4, moment: 'after' },
  { at: 4, moment: 'after', lateMs: 15 },
]

describe('a sync that is killed without warning', () => {
  it('at any step leaves both sides so that the next one ends it, nothing twice and nothing lost', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    const proxy = await stepProxy(() => world.hub.address)
    await through(ana, proxy.url, world.token)
    const kept: string[] = []
    const killed: boolean[] = []
    for (const [round, { at, moment, lateMs }] of KILLS.entries()) {
      for (const [name, clone] of Object.entries({ ana, ben })) {
        const { id, content } = await clone.keep(`What ${name} found before kill ${round}.`)
        kept.push(content)
        if (round % 3 === 2) await clone.edit(id, { tags: ['again'] })
      }
      await ben.sync()
      killed.push(
        await syncAndKill(ana, kill =>
          proxy.watch(step => {
            if (step.number !== at || step.moment !== moment) return
            if (lateMs === undefined) kill()
            else setTimeout(kill, lateMs)
          }),
        ),
      )
    }
    expect(killed.filter(Boolean).length).toBeGreaterThan(KILLS.length / 2)
    proxy.watch(() => undefined)
    await expectAlike(world, [ana, ben], kept)
    expect(await ana.engine.store.check()).toEqual([])
  })
})

describe('a disk that is full', () => {
  it('at any step of a sync costs an attempt, and nothing else', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    const kept: string[] = []
    let failures = 0
    for (let failAt = 1; ; failAt++) {
      for (const [name, clone] of Object.entries({ ana, ben }))
        kept.push((await clone.keep(`What ${name} found before step ${failAt}.`)).content)
      await ben.sync()
      const engine = composeEngine({
        root: ana.project,
        actor: { host: 'test' },
        disk: failingDisk(failAt, { forGood: true, code: 'ENOSPC' }).disk,
      })
      const error = await syncWithHub(engine).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      await engine.close()
      if (error === undefined) break
      expect(error, `step ${failAt}`).toBeInstanceOf(CairnError)
      expect(['disk_full', 'write_interrupted'], `step ${failAt}`).toContain((error as CairnError).code)
      failures++
    }
    expect(failures).toBeGreaterThan(3)
    await expectAlike(world, [ana, ben], kept)
    expect(await ana.engine.store.check()).toEqual([])
  })
})

describe('two clones of one repository', () => {
  it('that share by git and by the same hub have nothing twice', async () => {
    const world = await linkWorld()
    const ana = await world.clone('ana')
    const kept = ['Sessions live in Redis.', 'Deploys wait for smoke tests.']
    for (const content of kept) await ana.keep({ content, agent: 'dev' })
    const git = (at: string, ...words: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...words], {
        cwd: at,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    git(ana.project, 'init', '-q', '-b', 'main')
    const commit = (clone: { readonly project: string }, what: string) => {
      git(clone.project, 'add', '-A')
      git(clone.project, 'commit', '-q', '--allow-empty', '-m', what)
    }
    commit(ana, 'first')
    const folder = path.join(path.dirname(ana.project), 'ben')
    git(path.dirname(ana.project), 'clone', '-q', ana.project, folder)
    const ben = await world.clone('ben')
    expect(await ana.sync()).toMatchObject({ sent: 2 })
    // What came by git is known on the hub: there is nothing to carry over.
    expect(await ben.sync()).toMatchObject({ received: 0, sent: 0, conflicts: [] })

    // By the hub first, and then by git.
    kept.push((await ana.keep({ content: 'Invoices are sent on Mondays.', agent: 'dev' })).content)
    await ana.sync()
    commit(ana, 'invoices')
    expect(await ben.sync()).toMatchObject({ received: 1 })
    commit(ben, 'from the hub')
    git(ben.project, 'pull', '-q', '--no-rebase', '--no-edit', 'origin', 'main')
    expect(await ben.sync()).toMatchObject({ received: 0, sent: 0, conflicts: [] })

    // By git first, then by the hub from both, and an edit on top.
    const { id } = await ben.keep({ content: 'The staging server is heron.', agent: 'dev' })
    commit(ben, 'heron')
    git(ana.project, 'pull', '-q', '--no-rebase', '--no-edit', folder, 'main')
    expect(await ana.sync()).toMatchObject({ sent: 1 })
    expect(await ben.sync()).toMatchObject({ received: 0, conflicts: [] })
    await ana.edit(id, { content: 'The staging server is osprey.' })
    kept.push('The staging server is osprey.')
    await ana.sync()
    expect(await ben.sync()).toMatchObject({ conflicts: [] })

    // By git before the hub ever saw it, and edited by whoever syncs first.
    const { id: wiped } = await ben.keep({ content: 'Staging is wiped on Sundays.', agent: 'dev' })
    commit(ben, 'wiped')
    commit(ana, 'osprey')
    git(ana.project, 'pull', '-q', '--no-rebase', '--no-edit', folder, 'main')
    await ana.edit(wiped, { content: 'Staging is wiped on Saturdays.' })
    expect(await ana.sync()).toMatchObject({ sent: 1 })
    expect(await ben.sync()).toMatchObject({ received: 1, sent: 0, conflicts: [] })

    // Two edits by git at once, of which the hub has seen the first.
    await ana.edit(wiped, { content: 'Staging is wiped on Fridays.' })
    expect(await ana.sync()).toMatchObject({ sent: 1 })
    commit(ana, 'fridays')
    await ana.edit(wiped, { content: 'Staging is wiped every night.' })
    commit(ana, 'every night')
    kept.push('Staging is wiped every night.')
    commit(ben, 'from the hub')
    git(ben.project, 'pull', '-q', '--no-rebase', '--no-edit', '-X', 'theirs', 'origin', 'main')
    expect(await ben.sync()).toMatchObject({ received: 0, sent: 1, conflicts: [] })
    expect(await ana.sync()).toMatchObject({ received: 0, sent: 0, conflicts: [] })
    await expectAlike(world, [ana, ben], kept)
  })
})

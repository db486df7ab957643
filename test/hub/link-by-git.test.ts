import { writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { printOfEntry } from '../../src/addons/link/decide/shared-entry.ts'
import { hadByGit } from '../../src/addons/link/journal-versions.ts'
import { syncOperation } from '../../src/addons/link/verbs/sync.ts'
import { composeEngine } from '../../src/compose/compose.ts'
import { editOperation } from '../../src/features/entries/verbs/edit.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { versionHash } from '../../src/kernel/system/digest.ts'
import { git, gitRepository } from '../support/git-repository.ts'
import { linkWorld } from '../support/link-world.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { typeOver } from '../support/vault-files.ts'

/** A version that is committed, a newer one that both sides know, and the hub back at the first: somebody there took the newer one back. */
async function undoneOnTheHub() {
  const world = await linkWorld()
  const ana = await world.clone('ana')
  const { id } = await ana.keep({ content: 'Sessions live in Redis.', agent: 'dev', kind: 'decision' })
  git(ana.project, 'init', '--quiet', '--initial-branch=main')
  git(ana.project, 'add', '--all')
  git(ana.project, 'commit', '--quiet', '--message', 'first')
  await ana.sync()
  await ana.edit(id, { content: 'Sessions live in Postgres.' })
  await ana.sync()
  await world.hub.ask('undo', { project: 'shop', token: world.token })
  expect(await world.textsOnHub()).toEqual(['Sessions live in Redis.'])
  const type = (text: string) => typeOver(ana.project, 'Sessions live in Postgres.', text)
  return { world, ana, id, type }
}

describe('what a teammate took back on the hub', () => {
  it('is not written over by an edit that goes on from what was taken back, though a commit has the older version', async () => {
    const { world, ana, id } = await undoneOnTheHub()
    await ana.edit(id, { content: 'Sessions live in files.' })
    expect(await ana.sync()).toMatchObject({ conflicts: [{ id }] })
    expect(await world.textsOnHub()).toEqual(['Sessions live in Redis.', 'Sessions live in files.'])
  })

  it('is not written over either where the edit was typed into the file', async () => {
    const { world, ana, id, type } = await undoneOnTheHub()
    type('Sessions live in files.')
    expect(await ana.sync()).toMatchObject({ conflicts: [{ id }] })
    expect(await world.textsOnHub()).toEqual(['Sessions live in Redis.', 'Sessions live in files.'])
  })
})

describe('the versions that commits have', () => {
  it('are found for ten entries, each in a file of its own', async () => {
    const root = gitRepository(path.join(scratchProject(), 'shop'))
    const engine = composeEngine({ root, actor: { host: 'test' } })
    onTestFinished(() => engine.close())
    const texts = Array.from({ length: 10 }, (_, at) => `Rule ${at} holds.`)
    const kept = await remember(
      engine,
      texts.map(content => ({ content, kind: 'decision' })),
    )
    git(root, 'add', '--all')
    git(root, 'commit', '--quiet', '--message', 'first')
    for (const { entry } of kept)
      await editOperation.run(engine, { target: entry.id, content: `${entry.content} Now.` }, {})
    const asked = kept.map(({ entry }) => ({
      id: entry.id,
      print: printOfEntry(entry, versionHash),
      agreed: '',
    }))
    expect([...(await hadByGit(engine, asked))].sort()).toEqual(asked.map(({ id }) => id).sort())
  })
})

describe('a repository that git cannot read', () => {
  it('costs a conflict at most, and the answer says why', async () => {
    const { ana, id, type } = await undoneOnTheHub()
    type('Sessions live in files.')
    writeFileSync(path.join(ana.project, '.git/HEAD'), 'nothing that git knows\n')
    const { conflicts, degraded } = await syncOperation.run(ana.engine, {}, {})
    expect(conflicts).toMatchObject([{ id }])
    expect(degraded).toMatchObject([{ code: 'git_failed' }])
  })
})

import { rmSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { feedbackOperation } from '../../src/features/brief/verbs/feedback.ts'
import {
  conflictsOperation,
  conflictsResolveOperation,
} from '../../src/features/conflicts/verbs/conflicts.ts'
import { doctorOperation } from '../../src/features/doctor/verbs/doctor.ts'
import { rejectProposals } from '../../src/features/learning/reviewing.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { linkWorld } from '../support/link-world.ts'

const HOUR_MS = 3_600_000

describe('two repositories that are linked to one project', () => {
  it('have the same entries after both synced: what was added, changed and removed', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    const kept = await ana.keep({ content: 'Sessions live in Redis.', agent: 'dev', tags: ['state'] })
    const gone = await ana.keep('The staging server is called heron.')
    expect(await ana.sync()).toMatchObject({ sent: 2, received: 0, conflicts: [] })
    expect(await ben.sync()).toMatchObject({ sent: 0, received: 2 })
    expect(await ben.all()).toEqual(await ana.all())

    await ben.edit(kept.id, { content: 'Sessions live in Postgres.' })
    await ben.forget(gone.id)
    await ben.sync()
    await ana.sync()
    expect(await ana.texts()).toEqual(['Sessions live in Postgres.'])
    expect(await ana.all()).toEqual(await world.onHub())
    expect(await ana.sync()).toMatchObject({ sent: 0, received: 0 })
  })

  it('join edits of different fields, and keep both of two texts with a link between them', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    const { id } = await ana.keep({ content: 'Sessions live in Redis.', agent: 'dev' })
    await ana.sync()
    await ben.sync()
    await ana.edit(id, { tags: ['state'] })
    await ben.edit(id, { status: 'pinned' })
    await ana.sync()
    expect(await ben.sync()).toMatchObject({ merged: 1, conflicts: [] })
    await ana.sync()
    expect(await ana.all()).toMatchObject([{ id, tags: ['state'], status: 'pinned' }])

    await ana.edit(id, { content: 'Sessions live in Postgres.' })
    await ben.edit(id, { content: 'Sessions live in files.' })
    await ana.sync()
    const { conflicts } = await ben.sync()
    expect(conflicts).toMatchObject([{ id }])
    await ana.sync()
    expect(await ana.all()).toEqual(await ben.all())
    expect(await ana.engine.store.findEntry(id)).toMatchObject({ content: 'Sessions live in Postgres.' })
    expect(await ana.engine.store.findEntry(conflicts[0]?.kept ?? '')).toMatchObject({
      content: 'Sessions live in files.',
      extra: { 'version-of': id },
    })
  })

  it('keep an edit of what the other removed, and say so', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    const { id } = await ana.keep('Deploys wait for smoke tests.')
    await ana.sync()
    await ben.sync()
    await ana.forget(id)
    await ben.edit(id, { content: 'Deploys wait for smoke tests and for Carla.' })
    await ana.sync()
    expect(await ben.sync()).toMatchObject({ revived: [{ id, side: 'ours' }] })
    await ana.sync()
    expect(await ana.texts()).toEqual(['Deploys wait for smoke tests and for Carla.'])
  })

  it('come to the same with clocks that are an hour apart either way', async () => {
    const world = await linkWorld()
    const late = { ...systemClock, nowMs: () => Date.now() - HOUR_MS }
    const early = { ...systemClock, nowMs: () => Date.now() + HOUR_MS }
    const [ana, ben] = [await world.clone('ana', { clock: late }), await world.clone('ben', { clock: early })]
    const { id } = await ben.keep('Sessions live in Redis.')
    await ben.sync()
    await ana.sync()
    // The later edit is made by the clock that is behind: no moment of one is held against one of the other.
    await ben.edit(id, { content: 'Sessions live in Postgres.' })
    await ben.sync()
    await ana.sync()
    await ana.edit(id, { content: 'Sessions live in files.' })
    expect(await ana.sync()).toMatchObject({ sent: 1, conflicts: [] })
    expect(await ben.sync()).toMatchObject({ received: 1, conflicts: [] })
    expect(await ben.texts()).toEqual(['Sessions live in files.'])
  })

  it('carry over what people decided and the text of the project, and count each feedback once', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    const { id } = await ana.keep('Sessions live in Redis.')
    const curate = (clone: typeof ana, useful: number) =>
      clone.engine.store.write({ host: 'test' }, async view => {
        const before = await view.readDocument('curation.json')
        const after = { ...before, feedback: { [id]: { useful, wrong: 0 } } }
        return { action: 'feedback', changes: [{ type: 'document', name: 'curation.json', before, after }] }
      })
    await curate(ana, 1)
    await ana.engine.store.write({ host: 'test' }, async () => ({
      action: 'edit-files',
      changes: [{ type: 'file', path: '.memory/_project.md', before: null, after: '# Shop\n' }],
    }))
    await ana.sync()
    await ben.sync()
    expect(await ben.engine.feedback()).toEqual({ [id]: { useful: 1, wrong: 0 } })
    expect(await ben.engine.projectText()).toBe('# Shop\n')
    await curate(ana, 2)
    await curate(ben, 3)
    await ana.sync()
    await ben.sync()
    await ana.sync()
    expect(await ana.engine.feedback()).toEqual({ [id]: { useful: 4, wrong: 0 } })
    expect(await ben.engine.feedback()).toEqual({ [id]: { useful: 4, wrong: 0 } })
  })
})

describe('what never leaves', () => {
  it('is the private vault, what is said about it, and an entry with a secret that somebody typed into a file', async () => {
    const world = await linkWorld()
    const ana = await world.clone('ana')
    const own = await ana.keep({ content: 'My salary talk is in May.', agent: 'private' })
    const shown = await ana.keep({ content: 'Invoices are sent on Mondays.', agent: 'dev' })
    await ana.engine.store.write({ host: 'test' }, async view => {
      const before = await view.readDocument('curation.json')
      const after = { ...before, feedback: { [own.id]: { useful: 1, wrong: 0 } } }
      return { action: 'feedback', changes: [{ type: 'document', name: 'curation.json', before, after }] }
    })
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    await ana.engine.store.write({ host: 'test' }, async view => ({
      action: 'add',
      changes: [
        {
          type: 'entry',
          before: null,
          after: { ...shown, id: view.newId(), content: `The token is ${secret}.` },
        },
      ],
    }))
    expect(await ana.sync()).toMatchObject({ sent: 1, withheld: [{ why: 'secret' }] })
    expect(await world.textsOnHub()).toEqual(['Invoices are sent on Mondays.'])
    const { body } = await world.hub.ask('syncPull', { project: 'shop', token: world.token })
    expect(JSON.stringify(body)).not.toContain(own.id)
    expect(JSON.stringify(body)).not.toContain(secret)
    // What was shared and is private now is withdrawn from the hub, and stays here.
    await ana.edit(shown.id, { agent: 'private' })
    await ana.sync()
    expect(await world.textsOnHub()).toEqual([])
    expect(await ana.texts()).toContain('Invoices are sent on Mondays.')
  })

  it('is what was decided about entries of the private vault, also when they are gone', async () => {
    const world = await linkWorld()
    const ana = await world.clone('ana')
    const proposed = await ana.keep({
      content: 'My salary talk is in May.',
      agent: 'private',
      status: 'candidate',
    })
    const liked = await ana.keep({ content: 'Ask Carla about the raise.', agent: 'private' })
    const shown = await ana.keep('Invoices are sent on Mondays.')
    await feedbackOperation.run(ana.engine, { target: liked.id, saying: 'useful' }, {})
    await feedbackOperation.run(ana.engine, { target: shown.id, saying: 'useful' }, {})
    await ana.sync()
    await rejectProposals(ana.engine, [proposed.id])
    await ana.forget(liked.id)
    await ana.sync()
    const { body } = await world.hub.ask('syncPull', { project: 'shop', token: world.token })
    expect(JSON.stringify(body)).toContain(shown.id)
    expect(JSON.stringify(body)).not.toContain('salary')
    expect(JSON.stringify(body)).not.toContain(liked.id)
    // Here it stays, also after a document came from the hub; what is shared stays there when its entry goes.
    const ben = await world.clone('ben')
    await ben.sync()
    await feedbackOperation.run(ben.engine, { target: shown.id, saying: 'useful' }, {})
    await ben.sync()
    await ana.sync()
    await ana.forget(shown.id)
    await ana.sync()
    const { rejections } = await ana.engine.store.readDocument('curation.json')
    expect(rejections).toMatchObject([{ content: 'My salary talk is in May.', agent: 'private' }])
    expect(await ana.engine.feedback()).toEqual({
      [liked.id]: { useful: 1, wrong: 0 },
      [shown.id]: { useful: 2, wrong: 0 },
    })
    await ben.sync()
    expect(await ben.engine.feedback()).toEqual({ [shown.id]: { useful: 2, wrong: 0 } })
  })

  it('is anything at all to another project that answers at the address', async () => {
    const world = await linkWorld()
    const ana = await world.clone('ana')
    await ana.keep('Sessions live in Redis.')
    const address = await ana.engine.hubLink.address()
    if (address === undefined) throw new Error('it is linked')
    await ana.engine.hubLink.keep({ ...address, identity: 'of a hub that was here before' }, world.token)
    await expect(ana.sync()).rejects.toMatchObject({ code: 'hub_refused' })
    expect(await world.textsOnHub()).toEqual([])
    expect(await ana.texts()).toEqual(['Sessions live in Redis.'])
  })
})

describe('a link whose state is lost', () => {
  it('compares what both sides have, and doubles nothing', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    const first = await ana.keep('Sessions live in Redis.')
    const second = await ana.keep('Deploys wait for smoke tests.')
    const third = await ana.keep('Invoices are sent on Mondays.')
    await ana.sync()
    await ben.sync()
    await ben.edit(first.id, { content: 'Sessions live in Postgres.' })
    await ben.forget(second.id)
    await ben.sync()
    await ana.edit(third.id, { content: 'Invoices are sent on Fridays.' })
    for (const end of ['', '-wal', '-shm'])
      rmSync(path.join(ana.project, '.memory/.vault', `link.db${end}`), { force: true })
    expect(await ana.sync()).toMatchObject({ conflicts: [], sent: 1 })
    await ben.sync()
    expect(await ana.texts()).toEqual(['Invoices are sent on Fridays.', 'Sessions live in Postgres.'])
    expect(await ben.all()).toEqual(await ana.all())
    expect(await world.onHub()).toEqual(await ana.all())
  })
})

describe('a conflict', () => {
  it('is shown with both versions, and settled as any other', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    const { id } = await ana.keep({ content: 'Sessions live in Redis.', agent: 'dev', kind: 'note' })
    await ana.sync()
    await ben.sync()
    await ana.edit(id, { content: 'Sessions live in Postgres.' })
    await ben.edit(id, { content: 'The cache is cold in the morning.' })
    await ana.sync()
    const { conflicts } = await ben.sync()
    const kept = conflicts[0]?.kept ?? ''
    const shown = await conflictsOperation.run(ben.engine, {}, {})
    expect(shown.conflicts).toMatchObject([
      { type: 'contradictory', reason: { code: 'versions' }, older: { id }, newer: { id: kept } },
    ])
    await conflictsResolveOperation.run(ben.engine, { pair: id, other: kept, keep: id, remove: true }, {})
    await ben.sync()
    await ana.sync()
    expect(await ana.texts()).toEqual(['Sessions live in Postgres.'])
    expect(await world.onHub()).toEqual(await ana.all())
  })
})

describe('the doctor', () => {
  it('tells of the link, and holds it against nobody that the hub is away', async () => {
    const world = await linkWorld()
    const ana = await world.clone('ana')
    const link = async () => {
      const { checks } = await doctorOperation.run(ana.engine, {}, {})
      return checks.find(({ name }) => name === 'link')
    }
    await ana.keep('Sessions live in Redis.')
    const address = await ana.engine.hubLink.address()
    if (address === undefined) throw new Error('it is linked')
    expect(await link()).toEqual({
      name: 'link',
      result: 'ok',
      message: `linked to shop at ${world.hub.address}, which accepts the token; never synced, 1 waiting to be sent`,
    })
    await ana.engine.hubLink.keep(address, `cairn_${'nobody'}_${'knows-this-one'}`)
    expect(await link()).toMatchObject({
      result: 'warning',
      hint: 'Ask an administrator of the hub for a new one.',
    })
    await ana.engine.hubLink.keep({ ...address, url: 'http://127.0.0.1:9' }, world.token)
    expect(await link()).toMatchObject({
      result: 'ok',
      message:
        'linked to shop at http://127.0.0.1:9, which is not reachable now; never synced, 1 waiting to be sent',
    })
  })
})

describe('on the hub', () => {
  it('what a sync wrote carries the name of the principal, and is taken back whole by one undo', async () => {
    const world = await linkWorld()
    const ana = await world.clone('ana')
    await ana.keep('Sessions live in Redis.')
    await ana.keep('Deploys wait for smoke tests.')
    await ana.sync()
    const { body } = await world.hub.ask('log', { project: 'shop', token: world.token })
    expect(body.records).toMatchObject([{ action: 'sync', by: { principal: 'write-of-shop' } }])
    await world.hub.ask('undo', { project: 'shop', token: world.token })
    expect(await world.textsOnHub()).toEqual([])
    // Undone by somebody who knew what was there: that goes to the repositories too.
    await ana.sync()
    expect(await ana.texts()).toEqual([])
  })

  it('a token that may only read receives, and is told that it may not send', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    await ana.keep('Sessions live in Redis.')
    await ana.sync()
    const address = await ben.engine.hubLink.address()
    if (address === undefined) throw new Error('it is linked')
    await ben.engine.hubLink.keep(address, await world.hub.token('read', 'shop'))
    await ben.sync()
    expect(await ben.texts()).toEqual(['Sessions live in Redis.'])
    await ben.keep('Deploys wait for smoke tests.')
    expect(await ben.sync()).toMatchObject({ sent: 0, isReadOnly: true, isRestless: false })
    expect(await ben.engine.hubLink.log()).toMatchObject({ failures: 0, last: { isReadOnly: true } })

    // It goes on receiving, whatever waits here, and sends when it may.
    await ana.keep('Invoices are sent on Mondays.')
    await ana.sync()
    expect(await ben.sync()).toMatchObject({ received: 1, isReadOnly: true })
    expect(await world.textsOnHub()).toEqual(await ana.texts())
    await ben.engine.hubLink.keep(address, world.token)
    expect(await ben.sync()).toMatchObject({ sent: 1, isReadOnly: false })
    expect(await world.textsOnHub()).toEqual(await ben.texts())
  })

  it('a push whose answer was lost does not keep a token that may only read by now from receiving', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    await ben.keep('Deploys wait for smoke tests.')
    const address = await ben.engine.hubLink.address()
    if (address === undefined) throw new Error('it is linked')
    const state = await ben.engine.hubLink.state()
    state.open(address.identity)
    const pending = { id: 'never-arrived', identity: address.identity, batch: '1-lost' }
    state.keep({ pending: { ...pending, entries: [], documents: [] } })
    state.close()
    await ben.engine.hubLink.keep(address, await world.hub.token('read', 'shop'))
    await ana.keep('Sessions live in Redis.')
    await ana.sync()
    expect(await ben.sync()).toMatchObject({ received: 1, isReadOnly: true })
  })
})

describe('what is large', () => {
  it('goes in as many pushes as it needs, and what a hub does not take stays and is named', async () => {
    const world = await linkWorld()
    const [ana, ben] = [await world.clone('ana'), await world.clone('ben')]
    const kept = await ana.keep('Sessions live in Redis.')
    // Three bytes each: as many characters as before would be more than a hub takes in one body.
    const long = '漢'.repeat(100_000)
    await ana.engine.store.write({ host: 'test' }, async view => ({
      action: 'add',
      changes: [...['a', 'b', 'c', 'd'].map(name => `${name} ${long}`), `e ${'漢'.repeat(200_000)}`].map(
        content => ({
          type: 'entry' as const,
          before: null,
          after: { ...kept, id: view.newId(), content },
        }),
      ),
    }))
    await ana.engine.store.write({ host: 'test' }, async () => ({
      action: 'edit-files',
      changes: [
        { type: 'file', path: '.memory/_project.md', before: null, after: `# Shop\n${long.repeat(4)}\n` },
      ],
    }))
    const synced = await ana.sync()
    expect(synced).toMatchObject({ sent: 5, isRestless: false })
    expect(synced.withheld.map(({ why }) => why)).toEqual(['too_large', 'too_large'])
    expect(synced.withheld[0]).toEqual({ id: '_project.md', why: 'too_large' })
    expect(await ben.sync()).toMatchObject({ received: 5 })
    expect(await ben.texts()).toEqual(await world.textsOnHub())
    expect(await ana.sync()).toMatchObject({ sent: 0, isRestless: false })
  })

  it('comes in as many pages as it needs', async () => {
    const world = await linkWorld()
    const ana = await world.clone('ana')
    const kept = await ana.keep('Sessions live in Redis.')
    await ana.sync()
    const [shop] = await world.hub.hub.directory.projects()
    if (shop === undefined) throw new Error('the hub has its project')
    const { store } = await world.hub.hub.engineOf(shop)
    await store.write({ host: 'test' }, async view => ({
      action: 'add',
      changes: Array.from({ length: 30 }, (_, at) => ({
        type: 'entry',
        before: null,
        after: { ...kept, id: view.newId(), content: `${at} ${'漢'.repeat(100_000)}` },
      })),
    }))
    const { body } = await world.hub.ask('syncPull', { project: 'shop', token: world.token })
    expect(body.isLast).toBe(false)
    expect(JSON.stringify(body).length).toBeLessThan(8 * 1024 * 1024)
    expect(await ana.sync()).toMatchObject({ received: 30 })
    expect(await ana.texts()).toEqual(await world.textsOnHub())
  })
})

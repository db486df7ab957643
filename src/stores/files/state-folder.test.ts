import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundle, checkpointOf, stateOf } from '../../../test/contract/state-files.contract.ts'
import { readIn, scratchProject, writeIn } from '../../../test/support/scratch-project.ts'
import { composeEngine } from '../../compose/compose.ts'
import type { StateReading } from '../../features/state/decide/ports.ts'

function open(root = scratchProject()) {
  const engine = composeEngine({ root, actor: { host: 'test' } })
  onTestFinished(() => engine.close())
  return { root, files: engine.state }
}

const written = (change: (state: ReturnType<typeof plain>) => unknown) => JSON.stringify(change(plain()))
const plain = () => JSON.parse(JSON.stringify(stateOf(bundle('Mind the gap.'))))
const messageOf = (reading: StateReading) =>
  reading.kind === 'damaged' ? reading.problem.message : reading.kind

describe('a state that cannot be used', () => {
  it.each([
    ['not json', 'it is not JSON'],
    ['', 'it is not JSON'],
    ['[]', '`schemaVersion` must be'],
    ['{}', '`schemaVersion` must be'],
    [written(state => ({ ...state, schemaVersion: '1' })), '`schemaVersion` must be 1'],
    [written(state => ({ ...state, bundleHash: 'abc' })), '`bundleHash` must be a SHA-256, 64 digits'],
    [written(state => ({ ...state, generatedAt: 'yesterday' })), '`generatedAt` must be a time in UTC'],
    [
      written(state => ({
        ...state,
        bundle: { ...state.bundle, gotchas: [{ ...state.bundle.gotchas[0], text: 7 }] },
      })),
      '`bundle.gotchas[0].text` must be a text',
    ],
    [
      written(state => ({
        ...state,
        maintenance: { ...state.maintenance, recallCursors: { s1: { id: 1 } } },
      })),
      '`maintenance.recallCursors.s1.id` must be a text',
    ],
    [
      written(state => ({ ...state, maintenance: { ...state.maintenance, historyEventCount: -1 } })),
      '`maintenance.historyEventCount` must be at least 0',
    ],
    [' '.repeat(5_000_000), 'it is too large'],
  ])('is told with the field that is wrong: %#', async (text, expected) => {
    const { files } = open(scratchProject({ '.memory/state.json': text }))
    expect(messageOf(await files.read())).toContain(expected)
  })

  it('tells no secret that stands in it', async () => {
    const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`
    const text = written(state => ({ ...state, provider: { [token]: token }, generatedAt: token }))
    const { files } = open(scratchProject({ '.memory/state.json': text }))
    expect(JSON.stringify(await files.read())).not.toContain(token)
  })

  it('is kept beside the one that takes its place', async () => {
    const { root, files } = open(scratchProject({ '.memory/state.json': '{"half' }))
    await files.update(async reading => {
      expect(reading.kind).toBe('damaged')
      return { state: stateOf(bundle('New.')) }
    })
    const kept = readdirSync(path.join(root, '.memory')).filter(name =>
      name.startsWith('state.json.damaged-'),
    )
    expect(kept).toHaveLength(1)
    expect(readIn(root, `.memory/${kept[0]}`)).toBe('{"half')
    expect((await files.read()).kind).toBe('read')
  })

  it('is read where only its bundle was changed by hand, and that is told and kept', async () => {
    const edited = written(state => ({ ...state, bundle: { ...state.bundle, project: { name: 'mine' } } }))
    const { root, files } = open(scratchProject({ '.memory/state.json': edited }))
    expect(await files.read()).toMatchObject({ kind: 'read', isHandEdited: true })
    await files.update(async () => ({ state: stateOf(bundle('New.')) }))
    expect(readdirSync(path.join(root, '.memory')).some(name => name.includes('.damaged-'))).toBe(true)
  })

  it('is left alone when a newer Cairn wrote it', async () => {
    const text = written(state => ({ ...state, schemaVersion: 2, bundle: 'of another form' }))
    const { root, files } = open(scratchProject({ '.memory/state.json': text }))
    expect(await files.read()).toEqual({ kind: 'newer', version: 2 })
    await expect(files.update(async () => ({ state: stateOf(bundle()) }))).rejects.toMatchObject({
      code: 'vault_newer',
    })
    expect(readIn(root, '.memory/state.json')).toBe(text)
  })

  it('has a BOM and CRLF, and is read all the same', async () => {
    const text = `\ufeff${JSON.stringify(plain(), null, 2).replaceAll('\n', '\r\n')}\r\n`
    const { files } = open(scratchProject({ '.memory/state.json': text }))
    expect((await files.read()).kind).toBe('read')
  })

  it.each(['out of the memory', 'in a circle'])('is a link %s, and is neither read nor written', async to => {
    const outside = scratchProject({ 'state.json': JSON.stringify(plain()) })
    const { root, files } = open(scratchProject({ '.memory/x': '' }))
    const file = path.join(root, '.memory/state.json')
    symlinkSync(to === 'in a circle' ? file : path.join(outside, 'state.json'), file)
    expect(await files.read()).toMatchObject({
      kind: 'damaged',
      problem: { code: 'memory_link_outside', path: 'state.json' },
    })
    await expect(files.update(async () => ({ state: stateOf(bundle()) }))).rejects.toMatchObject({
      code: 'memory_outside_project',
    })
    expect(JSON.parse(readIn(outside, 'state.json'))).toEqual(plain())
  })

  it('is a folder, and makes room', async () => {
    const { root, files } = open(scratchProject({ '.memory/state.json/inner.txt': 'kept' }))
    expect(messageOf(await files.read())).toContain('it is a folder')
    await files.update(async () => ({ state: stateOf(bundle('New.')) }))
    expect((await files.read()).kind).toBe('read')
    const kept = readdirSync(path.join(root, '.memory')).find(name => name.startsWith('state.json.damaged-'))
    expect(readIn(root, `.memory/${kept}/inner.txt`)).toBe('kept')
  })
})

describe('a checkpoint', () => {
  it('that was changed, or cannot be read, is told by its name; the others are listed', async () => {
    const { root, files } = open()
    const good = checkpointOf('2026-03-16T12-00-00-000Z-a', bundle('Good.'))
    await files.update(async () => ({ state: stateOf(bundle('Good.'), good.id), checkpoint: good }))
    const changed = { ...good, bundle: { ...good.bundle, project: { name: 'other' } } }
    writeIn(root, '.memory/history/checkpoints/changed.json', JSON.stringify(changed))
    writeIn(root, '.memory/history/checkpoints/torn.json', '{"id":')
    writeIn(root, '.memory/history/checkpoints/notes.txt', 'none of ours')
    mkdirSync(path.join(root, '.memory/history/checkpoints/folder.json'))
    expect((await files.checkpoints()).map(({ id }) => id).sort()).toEqual([good.id, 'changed', 'torn'])
    expect(await files.readCheckpoint('changed')).toMatchObject({
      kind: 'damaged',
      problem: { path: 'history/checkpoints/changed.json', message: expect.stringContaining('bundleHash') },
    })
    expect(await files.readCheckpoint('torn')).toMatchObject({ kind: 'damaged' })
    expect(await files.readCheckpoint(good.id)).toMatchObject({ kind: 'read' })
    expect(existsSync(path.join(root, '.memory/history/checkpoints/notes.txt'))).toBe(true)
  })
})

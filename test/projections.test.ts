import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import {
  projectionStatus,
  refreshProjections,
  removeProjections,
  writeProjections,
} from '../src/features/state/projections.ts'
import { recall } from '../src/features/state/recall.ts'
import { recallOperation } from '../src/features/state/verbs/recall.ts'
import type { Bundle } from '../src/kernel/model/bundle.ts'
import { bundleHashOf } from '../src/kernel/system/digest.ts'
import { SHOP, stateText } from './support/project-state.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const NAMES = ['README.md', 'project-map.md', 'current-focus.md', 'gotchas.md', 'next-steps.md']
const FILES = NAMES.map(name => `docs/agent-memory/${name}`)
const GOTCHAS = 'docs/agent-memory/gotchas.md'
const LATER: Bundle = {
  ...SHOP,
  gotchas: [
    ...SHOP.gotchas,
    { text: 'The proxy drops idle sockets.', since: '2026-03-20T10:00:00.000Z', sources: [] },
  ],
}

function open(root: string): Composed {
  const engine = composeEngine({ root })
  onTestFinished(() => engine.close())
  return engine
}

function project(files: Readonly<Record<string, string>> = {}): string {
  return scratchProject({ '.memory/state.json': stateText(SHOP), ...files })
}

const statesOf = async (engine: Composed) =>
  (await projectionStatus(engine)).files.map(({ state }) => state).join(' ')

describe('projections', () => {
  it('are not there until somebody asks for them', async () => {
    const root = project()
    const engine = open(root)
    expect(await statesOf(engine)).toBe('absent absent absent absent absent')
    expect(await writeProjections(engine, { dryRun: true })).toMatchObject({ changed: FILES, record: null })
    expect(existsSync(path.join(root, 'docs'))).toBe(false)
  })

  it('say the bundle, with its hash in the first line, and the same bytes again', async () => {
    const root = project()
    const engine = open(root)
    expect((await writeProjections(engine, {})).changed).toEqual(FILES)
    const before = FILES.map(name => readIn(root, name))
    expect(before[3]).toMatch(
      new RegExp(
        `^<!-- cairn:projection version=1 bundleHash=${bundleHashOf(SHOP)} bodyHash=[0-9a-f]{16} -->\n\n# Gotchas\n\n- Never edit`,
      ),
    )
    expect(await writeProjections(engine, {})).toMatchObject({ changed: [], record: null })
    expect(await statesOf(engine)).toBe('current current current current current')
    await removeProjections(engine, {})
    await writeProjections(engine, {})
    expect(FILES.map(name => readIn(root, name))).toEqual(before)
  })

  it('go and come back with undo', async () => {
    const root = project()
    const engine = open(root)
    await writeProjections(engine, {})
    const written = readIn(root, GOTCHAS)
    expect((await removeProjections(engine, {})).changed).toEqual(FILES)
    expect(existsSync(path.join(root, 'docs'))).toBe(false)
    await undoOperation.run(engine, {}, {})
    expect(readIn(root, GOTCHAS)).toBe(written)
    await undoOperation.run(engine, {}, {})
    expect(existsSync(path.join(root, 'docs'))).toBe(false)
  })

  it('are refused with what would be lost when somebody edited one, and nothing is written', async () => {
    const root = project()
    const engine = open(root)
    await writeProjections(engine, {})
    writeIn(root, GOTCHAS, `${readIn(root, GOTCHAS)}- Mine alone.\n`)
    writeIn(root, '.memory/state.json', stateText(LATER))
    const before = FILES.map(name => readIn(root, name))
    const failure = await writeProjections(engine, {}).catch(error => error)
    expect(failure).toMatchObject({ code: 'file_changed' })
    expect(failure.message).toBe(
      `${GOTCHAS} was edited by hand, and would be overwritten:\n  @ line 7\n  - - Mine alone.\n  + - The proxy drops idle sockets.\n  +   (since 2026-03-20)`,
    )
    expect(await statesOf(engine)).toBe('behind behind behind edited behind')
    expect(FILES.map(name => readIn(root, name))).toEqual(before)
    await expect(removeProjections(engine, {})).rejects.toMatchObject({ code: 'file_changed' })
    expect((await writeProjections(engine, { overwrite: true })).changed).toEqual(FILES)
    expect(readIn(root, GOTCHAS)).not.toContain('Mine alone')
  })

  it('leave what else is in their folder', async () => {
    const root = project({ 'docs/agent-memory/mine.md': 'mine\n' })
    const engine = open(root)
    await writeProjections(engine, {})
    await removeProjections(engine, {})
    expect(readIn(root, 'docs/agent-memory/mine.md')).toBe('mine\n')
  })

  it('leave a file of the same name that is not ours', async () => {
    const root = project({ 'docs/agent-memory/README.md': '# Our docs\n' })
    const engine = open(root)
    await expect(writeProjections(engine, {})).rejects.toMatchObject({ code: 'file_changed' })
    expect(await removeProjections(engine, {})).toMatchObject({ changed: [] })
    expect(readIn(root, 'docs/agent-memory/README.md')).toBe('# Our docs\n')
  })

  it('keep the line ends of a checkout, and do not take them for an edit', async () => {
    const root = project()
    const engine = open(root)
    await writeProjections(engine, {})
    for (const name of FILES) writeIn(root, name, readIn(root, name).replaceAll('\n', '\r\n'))
    expect(await statesOf(engine)).toBe('current current current current current')
    writeIn(root, '.memory/state.json', stateText(LATER))
    await writeProjections(engine, {})
    expect(readIn(root, GOTCHAS).split('\r\n').length).toBe(readIn(root, GOTCHAS).split('\n').length)
    expect(await statesOf(engine)).toBe('current current current current current')
  })

  it('go where the project says, and never out of it', async () => {
    const root = project({
      '.memory/config.json': JSON.stringify({ version: 1, projections: { folder: './notes/' } }),
    })
    const engine = open(root)
    expect((await writeProjections(engine, {})).changed[0]).toBe('notes/README.md')
    for (const folder of ['../out', '.git/hooks', '.memory/shared', '/etc']) {
      writeIn(root, '.memory/config.json', JSON.stringify({ version: 1, projections: { folder } }))
      const hostile = open(root)
      await expect(writeProjections(hostile, {}), folder).rejects.toMatchObject({ code: 'file_changed' })
    }
    expect(existsSync(path.join(root, '../out'))).toBe(false)
    expect(existsSync(path.join(root, '.memory/shared'))).toBe(false)
  })

  it('are not written through a link', async () => {
    const root = project({ 'secret.md': 'mine\n' })
    mkdirSync(path.join(root, 'docs/agent-memory'), { recursive: true })
    symlinkSync('../../secret.md', path.join(root, 'docs/agent-memory/README.md'))
    const engine = open(root)
    await expect(writeProjections(engine, { overwrite: true })).rejects.toMatchObject({
      code: 'file_changed',
    })
    expect(readIn(root, 'secret.md')).toBe('mine\n')
  })

  it('are not written where a file stands in the way of their folder', async () => {
    const root = project({ docs: 'a file\n' })
    await expect(writeProjections(open(root), {})).rejects.toMatchObject({
      code: 'file_changed',
      message: expect.stringContaining('a file has the name of its folder'),
    })
    expect(readIn(root, 'docs')).toBe('a file\n')
  })

  it('need a state, and say how to get one', async () => {
    const engine = open(scratchProject())
    await expect(writeProjections(engine, {})).rejects.toMatchObject({
      code: 'state_not_found',
      hint: '`cairn recall` makes one from events and entries.',
    })
    const damaged = open(scratchProject({ '.memory/state.json': '{"schemaVersion":1}' }))
    await expect(writeProjections(damaged, {})).rejects.toMatchObject({ code: 'document_damaged' })
  })

  it('hold no secret that a hand put into the state', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    const item = { text: `The token is ${secret}`, since: '2026-03-16T10:00:00.000Z', sources: [] }
    const root = scratchProject({ '.memory/state.json': stateText({ ...SHOP, gotchas: [item] }) })
    const engine = open(root)
    await writeProjections(engine, {})
    const all = FILES.map(name => readIn(root, name)).join('')
    expect(all).toContain('The token is [redacted:')
    expect(all).not.toContain(secret)
  })
})

describe('recall with projections.auto', () => {
  const AUTO = { '.memory/config.json': JSON.stringify({ version: 1, projections: { auto: true } }) }

  it('makes nothing that was not there', async () => {
    const root = project(AUTO)
    expect(await refreshProjections(open(root))).toEqual({ changed: [], problems: [] })
    expect(existsSync(path.join(root, 'docs'))).toBe(false)
  })

  it('brings up to date what was written, and reports what a person changed', async () => {
    const root = project(AUTO)
    const engine = open(root)
    await writeProjections(engine, {})
    writeIn(root, GOTCHAS, `${readIn(root, GOTCHAS)}- Mine.\n`)
    writeIn(root, '.memory/state.json', stateText(LATER))
    const { changed, problems } = await refreshProjections(engine)
    expect(changed).toEqual(FILES.filter(name => name !== GOTCHAS))
    expect(problems.map(({ code, path: at }) => `${code} ${at}`)).toEqual([`file_changed ${GOTCHAS}`])
    expect(readIn(root, GOTCHAS)).toContain('- Mine.')
    expect(await refreshProjections(engine)).toMatchObject({ changed: [] })
  })

  it('leaves files outside the memory alone when no person asked for it', async () => {
    const root = project(AUTO)
    const engine = open(root)
    await remember(engine, [{ content: 'Never edit the auth middleware.', kind: 'warning' }])
    await writeProjections(engine, {})
    const before = FILES.map(name => readIn(root, name))
    await recall(engine, { isAutomatic: true })
    await recallOperation.run(engine, { stateOnly: true }, {})
    await recallOperation.run(engine, {}, { isAgent: true })
    expect(FILES.map(name => readIn(root, name))).toEqual(before)
    await recallOperation.run(engine, {}, {})
    expect(FILES.map(name => readIn(root, name))).not.toEqual(before)
  })

  it('does nothing while it is off, which it is unless somebody turns it on', async () => {
    const root = project()
    const engine = open(root)
    await writeProjections(engine, {})
    writeIn(root, '.memory/state.json', stateText(LATER))
    expect(await refreshProjections(engine)).toEqual({ changed: [], problems: [] })
  })
})

import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Composed, composeEngine } from '../src/compose.ts'
import type { Bundle } from '../src/model/bundle.ts'
import { undoOperation } from '../src/operations/undo.ts'
import { entryBlockStatus, removeEntryBlock, writeEntryBlock } from '../src/state/entry-blocks.ts'
import { refreshProjections } from '../src/state/refresh-projections.ts'
import { bundleHashOf } from '../src/system/bundle-hash.ts'
import { SHOP, stateText } from './support/project-state.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const LATER: Bundle = { ...SHOP, nextSteps: [] }
const END = '<!-- cairn:entry end -->'

function open(root: string): Composed {
  const engine = composeEngine({ root })
  onTestFinished(() => engine.close())
  return engine
}

function project(files: Readonly<Record<string, string>> = {}): string {
  return scratchProject({ '.memory/state.json': stateText(SHOP), ...files })
}

const statesOf = async (engine: Composed) =>
  (await entryBlockStatus(engine)).files.map(({ path: at, state }) => `${at} ${state}`)

describe('the entry block', () => {
  it('goes into AGENTS.md, and is imported by the files of hosts that are there', async () => {
    const root = project({ 'AGENTS.md': '# Rules\n', 'CLAUDE.md': 'Be brief.' })
    const engine = open(root)
    expect(await statesOf(engine)).toEqual(['AGENTS.md none', 'CLAUDE.md none'])
    expect((await writeEntryBlock(engine, {})).changed).toEqual(['AGENTS.md', 'CLAUDE.md'])
    expect(readIn(root, 'AGENTS.md')).toMatch(
      new RegExp(
        `^# Rules\n\n<!-- cairn:entry version=1 bundleHash=${bundleHashOf(SHOP)} start -->\n<!-- Written by Cairn \\(body [0-9a-f]{16}\\): .* -->\n## Project memory\n[^]*\n${END}\n$`,
      ),
    )
    expect(readIn(root, 'CLAUDE.md')).toBe(
      `Be brief.\n\n<!-- cairn:entry version=1 import start -->\n@AGENTS.md\n${END}`,
    )
    expect(existsSync(path.join(root, 'GEMINI.md'))).toBe(false)
    expect(await statesOf(engine)).toEqual(['AGENTS.md current', 'CLAUDE.md current'])
  })

  it('is written into a file that does not exist only when it is named', async () => {
    const root = project()
    const engine = open(root)
    expect((await writeEntryBlock(engine, { files: ['GEMINI.md', '.claude/CLAUDE.md'] })).changed).toEqual([
      'AGENTS.md',
      '.claude/CLAUDE.md',
      'GEMINI.md',
    ])
    expect(readIn(root, 'GEMINI.md')).toContain('\n@./AGENTS.md\n')
    expect(readIn(root, '.claude/CLAUDE.md')).toContain('\n@../AGENTS.md\n')
    await expect(writeEntryBlock(engine, { files: ['src/main.ts'] })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('comes out again: every file is as it was, and one that was only ours is gone', async () => {
    const before = { 'AGENTS.md': '\ufeff# Rules\r\n\r\nno end', 'CLAUDE.md': 'x\n\n\n' }
    const root = project(before)
    const engine = open(root)
    await writeEntryBlock(engine, { files: ['GEMINI.md'] })
    await removeEntryBlock(engine, {})
    expect({ 'AGENTS.md': readIn(root, 'AGENTS.md'), 'CLAUDE.md': readIn(root, 'CLAUDE.md') }).toEqual(before)
    expect(existsSync(path.join(root, 'GEMINI.md'))).toBe(false)
    await undoOperation.run(engine, {}, {})
    expect(await statesOf(engine)).toEqual(['AGENTS.md current', 'CLAUDE.md current', 'GEMINI.md current'])
    await undoOperation.run(engine, {}, {})
    expect(readIn(root, 'AGENTS.md')).toBe(before['AGENTS.md'])
  })

  it('is rewritten only when the bundle changed, and only between its markers', async () => {
    const root = project({ 'AGENTS.md': 'above\n' })
    const engine = open(root)
    await writeEntryBlock(engine, {})
    writeIn(root, 'AGENTS.md', `top\n${readIn(root, 'AGENTS.md')}\nbelow `)
    const text = readIn(root, 'AGENTS.md')
    expect(await writeEntryBlock(engine, {})).toMatchObject({ changed: [], record: null })
    writeIn(root, '.memory/state.json', stateText(LATER))
    expect(await statesOf(engine)).toEqual(['AGENTS.md behind'])
    expect((await writeEntryBlock(engine, {})).changed).toEqual(['AGENTS.md'])
    const now = readIn(root, 'AGENTS.md')
    expect(now).not.toContain('Rotate the signing key')
    expect([now.split('<!--')[0], now.split('-->').at(-1)]).toEqual([
      text.split('<!--')[0],
      text.split('-->').at(-1),
    ])
  })

  it('is refused with what would be lost when somebody edited it', async () => {
    const root = project()
    const engine = open(root)
    await writeEntryBlock(engine, {})
    writeIn(root, 'AGENTS.md', readIn(root, 'AGENTS.md').replace('Watch out:', 'Mind:'))
    const failure = await writeEntryBlock(engine, {}).catch(error => error)
    expect(failure).toMatchObject({ code: 'file_changed' })
    expect(failure.message).toBe(
      'The entry block in AGENTS.md was edited by hand, and would be overwritten:\n  - Mind:\n  + Watch out:',
    )
    await expect(removeEntryBlock(engine, {})).rejects.toMatchObject({ code: 'file_changed' })
    expect((await writeEntryBlock(engine, { overwrite: true })).changed).toEqual(['AGENTS.md'])
  })

  it.each([
    ['a start without an end', `<!-- cairn:entry version=1 bundleHash=${'0'.repeat(64)} start -->\nours\n`],
    ['an end without a start', `text\n${END}\n`],
    ['a merge conflict', `<<<<<<< a\n${END}\n=======\n${END}\n>>>>>>> b\n`],
  ])('does not touch a file with %s', async (_name, text) => {
    const root = project({ 'AGENTS.md': text })
    const engine = open(root)
    expect((await entryBlockStatus(engine)).files[0]?.state).toBe('broken')
    for (const attempt of [writeEntryBlock, removeEntryBlock])
      await expect(attempt(engine, { overwrite: true })).rejects.toMatchObject({
        code: 'entry_block_damaged',
      })
    expect(readIn(root, 'AGENTS.md')).toBe(text)
  })

  it('leaves the block of agent-memory alone, and says that it is there', async () => {
    const seed = `<!-- agent-memory:entry version=3 bundleHash=${'1'.repeat(64)} start -->\nold\n<!-- agent-memory:entry end -->\n`
    const root = project({ 'AGENTS.md': seed })
    const engine = open(root)
    expect((await writeEntryBlock(engine, {})).files[0]).toMatchObject({ state: 'none', otherBlocks: [1] })
    expect(readIn(root, 'AGENTS.md').startsWith(seed)).toBe(true)
  })

  it('needs no import where CLAUDE.md has one, or is a link to AGENTS.md', async () => {
    const root = project({ 'AGENTS.md': '# Rules\n', 'GEMINI.md': 'Read @./AGENTS.md first.\n' })
    symlinkSync('AGENTS.md', path.join(root, 'CLAUDE.md'))
    const engine = open(root)
    expect((await writeEntryBlock(engine, {})).changed).toEqual(['AGENTS.md'])
    expect(await statesOf(engine)).toEqual(['AGENTS.md current', 'CLAUDE.md linked', 'GEMINI.md imports'])
  })

  it('goes into the file that AGENTS.md is a link to, and through no link out of the project', async () => {
    const root = project({ 'CLAUDE.md': '# Rules\n' })
    symlinkSync('CLAUDE.md', path.join(root, 'AGENTS.md'))
    expect((await writeEntryBlock(open(root), {})).changed).toEqual(['CLAUDE.md'])
    expect(readIn(root, 'CLAUDE.md')).toContain('## Project memory')

    const outside = scratchProject({ 'AGENTS.md': 'theirs\n' })
    const other = project()
    symlinkSync(path.join(outside, 'AGENTS.md'), path.join(other, 'AGENTS.md'))
    await expect(writeEntryBlock(open(other), {})).rejects.toMatchObject({ code: 'file_changed' })
    expect(readIn(outside, 'AGENTS.md')).toBe('theirs\n')
  })

  it('does not fail for a CLAUDE.md that is a folder or no text', async () => {
    const root = project()
    mkdirSync(path.join(root, 'CLAUDE.md'))
    writeIn(root, 'GEMINI.md', Uint8Array.from([0xff, 0xfe, 0x00]))
    const engine = open(root)
    expect((await writeEntryBlock(engine, {})).changed).toEqual(['AGENTS.md'])
    expect(await statesOf(engine)).toEqual([
      'AGENTS.md current',
      'CLAUDE.md unreadable',
      'GEMINI.md unreadable',
    ])
  })

  it('is not written where AGENTS.md is a link that leads in a circle', async () => {
    const root = project()
    symlinkSync('AGENTS.md', path.join(root, 'AGENTS.md'))
    const engine = open(root)
    expect((await entryBlockStatus(engine)).files[0]).toEqual({
      path: 'AGENTS.md',
      role: 'entry',
      state: 'unreadable',
      why: 'AGENTS.md is a link that leads in a circle',
    })
    await expect(writeEntryBlock(engine, {})).rejects.toMatchObject({
      code: 'file_changed',
      message: 'AGENTS.md is a link that leads in a circle; it is left as it is.',
      hint: 'Nothing was changed. Mend or move the file, or update Cairn, then try again.',
    })
  })

  it('is told with what is wrong with the state', async () => {
    const engine = open(scratchProject({ '.memory/state.json': '{' }))
    expect((await entryBlockStatus(engine)).problems.map(({ code }) => code)).toEqual(['state_damaged'])
  })

  it('follows recall where projections.auto is on', async () => {
    const root = project({ '.memory/config.json': '{"version":1,"projections":{"auto":true}}' })
    const engine = open(root)
    await writeEntryBlock(engine, {})
    writeIn(root, '.memory/state.json', stateText(LATER))
    expect(await refreshProjections(engine)).toEqual({ changed: ['AGENTS.md'], problems: [] })
    expect(readIn(root, 'AGENTS.md')).toContain(bundleHashOf(LATER))
  })
})

import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { logOperation } from '../src/features/entries/verbs/log.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import type { Change } from '../src/kernel/model/journal.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

function open(root: string): Composed {
  const engine = composeEngine({ root })
  onTestFinished(() => engine.close())
  return engine
}

/** Writes each file as the function says, on what it holds now. */
async function edit(
  engine: Composed,
  edits: Readonly<Record<string, (text: string | null) => string | null>>,
) {
  return engine.store.write(engine.actor, async view => {
    const changes: Change[] = []
    for (const [name, change] of Object.entries(edits)) {
      const before = (await view.readFile(name)) ?? null
      changes.push({ type: 'file', path: name, before, after: change(before) })
    }
    return { action: 'edit-files', changes }
  })
}

const journal = (root: string) => readIn(root, '.memory/history/audit.jsonl')

describe('a file of the project', () => {
  it('is made, changed and removed, each journaled by its lines and undone', async () => {
    const root = scratchProject({ 'docs/plan.md': 'one\r\ntwo\r\nthree\r\n' })
    const engine = open(root)
    await edit(engine, {
      'docs/new.md': () => 'fresh\n',
      'docs/plan.md': text => (text ?? '').replace('two', '2'),
    })
    expect([readIn(root, 'docs/new.md'), readIn(root, 'docs/plan.md')]).toEqual([
      'fresh\n',
      'one\r\n2\r\nthree\r\n',
    ])
    expect(journal(root)).not.toContain('three')
    await edit(engine, { 'docs/plan.md': () => null })
    expect(existsSync(path.join(root, 'docs/plan.md'))).toBe(false)
    const { records } = await logOperation.run(engine, {}, {})
    expect(
      records.map(({ action, entries }) => [action, entries.map(({ id, change }) => `${change} ${id}`)]),
    ).toEqual([
      ['edit-files', ['removed docs/plan.md']],
      ['edit-files', ['added docs/new.md', 'changed docs/plan.md']],
    ])
    await undoOperation.run(engine, {}, {})
    await undoOperation.run(engine, {}, {})
    expect(existsSync(path.join(root, 'docs/new.md'))).toBe(false)
    expect(readIn(root, 'docs/plan.md')).toBe('one\r\ntwo\r\nthree\r\n')
  })

  it('keeps its BOM and its missing last line break', async () => {
    const root = scratchProject({ 'a.md': '\ufeffone\ntwo' })
    const engine = open(root)
    await edit(engine, { 'a.md': text => (text ?? '').replace('one', '1') })
    expect(readIn(root, 'a.md')).toBe('\ufeff1\ntwo')
    await undoOperation.run(engine, {}, {})
    expect(readIn(root, 'a.md')).toBe('\ufeffone\ntwo')
  })

  it('keeps its rights: what only its owner may read stays so', async () => {
    const root = scratchProject({ 'AGENTS.md': 'one\n' })
    const file = path.join(root, 'AGENTS.md')
    chmodSync(file, 0o600)
    const { mode } = statSync(file)
    await edit(open(root), { 'AGENTS.md': text => `${text}two\n` })
    expect([readIn(root, 'AGENTS.md'), statSync(file).mode]).toEqual(['one\ntwo\n', mode])
  })

  it('takes back what was edited after other lines came above it', async () => {
    const root = scratchProject({ 'a.md': 'one\ntwo\n' })
    const engine = open(root)
    await edit(engine, { 'a.md': () => 'one\nTWO\n' })
    writeIn(root, 'a.md', 'zero\none\nTWO\nthree\n')
    await undoOperation.run(engine, {}, {})
    expect(readIn(root, 'a.md')).toBe('zero\none\ntwo\nthree\n')
  })

  it('is left alone by an undo whose lines somebody changed', async () => {
    const root = scratchProject({ 'a.md': 'one\n' })
    const engine = open(root)
    await edit(engine, { 'a.md': () => 'two\n' })
    writeIn(root, 'a.md', 'three\n')
    await expect(undoOperation.run(engine, {}, {})).rejects.toMatchObject({
      code: 'undo_conflict',
      details: { changed: ['a.md'] },
    })
    expect(readIn(root, 'a.md')).toBe('three\n')
  })

  it('is not written when it changed between the look and the write', async () => {
    const root = scratchProject({ 'a.md': 'one\n' })
    const engine = open(root)
    const written = engine.store.write(engine.actor, async view => {
      const before = (await view.readFile('a.md')) ?? null
      writeIn(root, 'a.md', 'somebody else\n')
      return { action: 'edit-files', changes: [{ type: 'file', path: 'a.md', before, after: 'two\n' }] }
    })
    await expect(written).rejects.toMatchObject({ code: 'file_changed' })
    expect(readIn(root, 'a.md')).toBe('somebody else\n')
    expect(existsSync(path.join(root, '.memory/history/audit.jsonl'))).toBe(false)
  })

  it('changes in one step with entries', async () => {
    const root = scratchProject({ 'rules.md': 'one\n' })
    const engine = open(root)
    const [kept] = await remember(engine, [{ content: 'Always run the checks.' }])
    const entry = kept?.entry ?? null
    await engine.store.write(engine.actor, async () => ({
      action: 'edit-files',
      changes: [
        { type: 'file', path: 'rules.md', before: 'one\n', after: 'one\nAlways run the checks.\n' },
        { type: 'entry', before: entry, after: null },
      ],
    }))
    expect((await engine.store.counts()).total).toBe(0)
    await undoOperation.run(engine, {}, {})
    expect([readIn(root, 'rules.md'), (await engine.store.counts()).total]).toEqual(['one\n', 1])
  })
})

describe('a secret in a file of the project', () => {
  const TOKEN = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`

  it('is never written by us', async () => {
    const root = scratchProject({ 'a.md': 'one\n' })
    const engine = open(root)
    const failed = edit(engine, { 'a.md': () => `token ${TOKEN}\n` })
    await expect(failed).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.not.stringContaining(TOKEN),
    })
    expect(readIn(root, 'a.md')).toBe('one\n')
  })

  it('does not reach the journal, and what held it cannot be brought back', async () => {
    const root = scratchProject({ 'a.md': `one\n${TOKEN}\nthree\n` })
    const engine = open(root)
    await edit(engine, { 'a.md': () => 'one\nthree\n' })
    expect(journal(root)).not.toContain(TOKEN)
    await expect(undoOperation.run(engine, {}, {})).rejects.toMatchObject({ code: 'undo_conflict' })
    expect(readIn(root, 'a.md')).toBe('one\nthree\n')
  })

  it('stays out of the journal where the line beside it changes', async () => {
    const root = scratchProject({ 'a.md': `one\n${TOKEN}\nthree\n` })
    const engine = open(root)
    await edit(engine, { 'a.md': text => (text ?? '').replace('one', '1').replace('three', '3') })
    expect(journal(root)).not.toContain(TOKEN)
    await undoOperation.run(engine, {}, {})
    expect(readIn(root, 'a.md')).toBe(`one\n${TOKEN}\nthree\n`)
  })
})

describe('what is not a plain file of the project', () => {
  it.each([
    ['../outside.md'],
    ['.memory/shared/decisions.md'],
    ['.git/config'],
    ['.GIT/config'],
    [''],
    ['.'],
    ['hooks/pre-commit'],
    ['out/a.md'],
    ['link.md'],
  ])('is not written: %j', async name => {
    const root = scratchProject({ 'a.md': 'one\n', '.git/hooks/keep': '' })
    const elsewhere = scratchProject()
    symlinkSync(path.join(root, '.git/hooks'), path.join(root, 'hooks'))
    symlinkSync(elsewhere, path.join(root, 'out'))
    symlinkSync('a.md', path.join(root, 'link.md'))
    const engine = open(root)
    const written = engine.store.write(engine.actor, async () => ({
      action: 'edit-files',
      changes: [{ type: 'file', path: name, before: name === 'link.md' ? 'one\n' : null, after: 'two\n' }],
    }))
    await expect(written).rejects.toMatchObject({ code: 'memory_outside_project' })
    expect([existsSync(path.join(elsewhere, 'a.md')), readIn(root, 'a.md')]).toEqual([false, 'one\n'])
  })

  it('is told as what it is', async () => {
    const root = scratchProject({
      'bytes.md': Uint8Array.of(0xff, 0xfe, 0x00),
      'big.md': 'x'.repeat(5 << 20),
    })
    mkdirSync(path.join(root, 'folder.md'))
    const engine = open(root)
    const messages = ['bytes.md', 'big.md', 'folder.md'].map(name =>
      engine.projectTexts.read(name).then(
        () => 'read',
        (error: Error) => error.message,
      ),
    )
    expect(await Promise.all(messages)).toEqual([
      'bytes.md is not UTF-8 text.',
      'big.md is larger than 4 MB.',
      'folder.md is a folder, and a text file was expected.',
    ])
    expect(await engine.projectTexts.read('absent.md')).toBe(undefined)
  })
})

import { existsSync, readdirSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { feedbackOperation } from '../src/features/brief/verbs/feedback.ts'
import { aliasAddOperation } from '../src/features/entries/verbs/alias.ts'
import { confirmOperation } from '../src/features/entries/verbs/confirm.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { rejectProposals } from '../src/features/learning/reviewing.ts'
import { git } from './support/git-repository.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const TRACKED = '.memory/curation.json'
const LOCAL = '.memory/local/curation.json'
const AT = { at: '2026-03-16T16:51:11.839Z', by: 'cli' }

interface Room {
  readonly root: string
  readonly engine: Composed
  readonly ids: readonly string[]
  readonly has: (name: string) => boolean
  readonly json: (name: string) => Record<string, unknown>
}

async function inMemory(
  files: Readonly<Record<string, string>>,
  work: (room: Room) => Promise<void>,
): Promise<void> {
  const root = scratchProject(files)
  const engine = composeEngine({ root })
  const kept = await remember(engine, [
    { content: 'Sessions live in Redis.' },
    { content: 'Deploys run at noon.' },
    { content: 'Invoices have no gaps.', origin: 'machine', status: 'candidate' },
  ])
  try {
    await work({
      root,
      engine,
      ids: kept.map(({ entry }) => entry.id),
      has: name => existsSync(path.join(root, name)),
      json: name => JSON.parse(readIn(root, name)),
    })
  } finally {
    await engine.close()
  }
}

const confirm = (engine: Composed, id = '') => confirmOperation.run(engine, { target: id }, {})
const addAlias = (engine: Composed) =>
  aliasAddOperation.run(engine, { word: 'ledger', meanings: ['accounting'] }, {})

describe('what one person does', () => {
  it('makes no curation.json that git would see', () =>
    inMemory({}, async ({ engine, root, ids, has, json }) => {
      git(root, 'init', '--quiet')
      git(root, 'add', '--all')
      await confirm(engine, ids[0])
      await feedbackOperation.run(engine, { target: ids[1] ?? '', saying: 'useful' }, {})
      await rejectProposals(engine, [ids[2] ?? ''])
      expect(has(TRACKED)).toBe(false)
      expect(Object.keys(json(LOCAL))).toEqual(['version', 'confirmations', 'feedback', 'rejections'])
      expect(readIn(root, '.memory/local/.gitignore')).toBe('*\n')
      expect(git(root, 'status', '--porcelain', '--untracked-files=all')).not.toContain('curation')
    }))

  it('leaves the bytes of a curation.json of 0.1.0 as they are, and is read with it', () => {
    const old = `{"version":1, "aliases":{}, "confirmations":{"1-a":${JSON.stringify(AT)}},"rejections":[{"fingerprint":"x"}]}`
    return inMemory({ [TRACKED]: old }, async ({ engine, root, ids, json }) => {
      await confirm(engine, ids[0])
      expect(readIn(root, TRACKED)).toBe(old)
      expect(json(LOCAL)).toEqual({ version: 1, confirmations: { [ids[0] ?? '']: expect.anything() } })
      expect(await engine.store.readDocument('curation.json')).toEqual({
        version: 1,
        aliases: {},
        confirmations: { '1-a': AT, [ids[0] ?? '']: expect.anything() },
        rejections: [{ fingerprint: 'x' }],
      })
      await undoOperation.run(engine, {}, {})
      expect(readIn(root, TRACKED)).toBe(old)
      expect(json(LOCAL)).toEqual({ version: 1 })
    })
  })

  it('on two branches merges with plain git', () =>
    inMemory({}, async ({ engine, root, ids }) => {
      await addAlias(engine)
      git(root, 'init', '--quiet', '--initial-branch=main')
      git(root, 'add', '--all')
      git(root, 'commit', '--quiet', '--message', 'first')
      git(root, 'checkout', '--quiet', '-b', 'theirs')
      await confirm(engine, ids[0])
      git(root, 'commit', '--quiet', '--all', '--allow-empty', '--message', 'theirs')
      git(root, 'checkout', '--quiet', 'main')
      await confirm(engine, ids[1])
      git(root, 'commit', '--quiet', '--all', '--allow-empty', '--message', 'ours')
      git(root, 'merge', '--quiet', '--no-edit', 'theirs')
      expect(git(root, 'diff', '--name-only', 'HEAD~1')).not.toContain('curation')
    }))
})

describe('what is shared', () => {
  it('goes to curation.json, and the local file is left alone', () =>
    inMemory({}, async ({ engine, has, json }) => {
      await addAlias(engine)
      expect(json(TRACKED)).toEqual({ version: 1, aliases: { ledger: ['accounting'] } })
      expect(has(LOCAL)).toBe(false)
    }))
})

describe('each of the two files', () => {
  const copies = (root: string, folder: string) =>
    readdirSync(path.join(root, '.memory/.vault/backup', folder))

  it('is answered from its own backup when it is damaged, which is as new as the last change', () =>
    inMemory({}, async ({ engine, root, ids, json }) => {
      await confirm(engine, ids[0])
      await confirm(engine, ids[1])
      await addAlias(engine)
      const whole = await engine.store.readDocument('curation.json')
      writeIn(root, LOCAL, '{')
      expect(await engine.store.readDocument('curation.json')).toEqual(whole)
      expect(engine.store.takeDegraded()).toEqual([
        {
          code: 'document_restored',
          message: '.memory/local/curation.json is damaged; its last good version is used.',
        },
      ])
      const tracked = readIn(root, TRACKED)
      await feedbackOperation.run(engine, { target: ids[0] ?? '', saying: 'useful' }, {})
      expect(Object.keys(json(LOCAL))).toEqual(['version', 'confirmations', 'feedback'])
      expect(copies(root, 'local').filter(name => name.includes('damaged'))).toHaveLength(1)
      expect(readIn(root, TRACKED)).toBe(tracked)
      writeIn(root, TRACKED, '')
      expect(await engine.store.readDocument('curation.json')).toMatchObject({
        aliases: { ledger: ['accounting'] },
        confirmations: whole.confirmations,
      })
    }))

  it('stops the reader by its name when it is damaged and has no backup', () =>
    inMemory({ [LOCAL]: '{' }, async ({ engine }) => {
      await expect(engine.store.readDocument('curation.json')).rejects.toMatchObject({
        code: 'document_damaged',
        message: expect.stringContaining('.memory/local/curation.json'),
      })
    }))

  it('is not written while git has a conflict in it, and the other one is', () =>
    inMemory({}, async ({ engine, root, ids, json }) => {
      await addAlias(engine)
      const conflict = '{\n<<<<<<< ours\n"version": 1\n=======\n"version": 1\n>>>>>>> theirs\n}\n'
      writeIn(root, TRACKED, conflict)
      await confirm(engine, ids[0])
      expect(Object.keys(json(LOCAL).confirmations as object)).toEqual([ids[0]])
      await expect(
        aliasAddOperation.run(engine, { word: 'basket', meanings: ['cart'] }, {}),
      ).rejects.toMatchObject({ code: 'merge_conflict' })
      expect(readIn(root, TRACKED)).toBe(conflict)
    }))
})

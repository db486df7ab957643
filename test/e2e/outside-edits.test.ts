import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSaying } from '../support/vault-files.ts'
import { contentsOf, inWorld, runProcess, type World } from './world.ts'

const LESSONS = '.memory/shared/lessons.md'

async function contents(world: World): Promise<string[]> {
  return contentsOf((await world.json('list', '--limit', '1000')).entries)
}

async function git(world: World, ...words: string[]): Promise<number | null> {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false']
  const run = await runProcess('git', [...identity, ...words], { cwd: world.root, env: world.environment })
  return run.code
}

describe.concurrent('a file that somebody edits', () => {
  it(
    'is read at the next call: changed, added, removed and moved entries',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      await world.ok('remember', 'Two.')
      const [one, two] = [fileSaying(world.root, 'One.'), fileSaying(world.root, 'Two.')]
      world.write(one, world.read(one).replaceAll('One', 'Uno'))
      expect(await contents(world)).toEqual(['Two.', 'Uno.'])
      expect((await world.json('search', 'uno')).hits).toHaveLength(1)
      expect((await world.json('search', 'one')).hits).toHaveLength(0)
      world.write('.memory/dev/lessons.md', `${world.read(two)}\n${world.read(one)}`)
      for (const file of [one, two]) rmSync(path.join(world.root, file))
      const { entries } = await world.json('list')
      expect(entries.map(({ agent, content }) => `${agent} ${content}`)).toEqual(['dev Two.', 'dev Uno.'])
    }),
  )

  it(
    'is taken in when the next call is a write, and is the one it writes to',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      await world.ok('remember', 'Two.')
      const file = fileSaying(world.root, 'One.')
      world.write(file, world.read(file).replaceAll('One', 'Uno'))
      await world.ok('edit', '--tags', 'number', 'Uno.')
      expect(await contents(world)).toEqual(['Two.', 'Uno.'])
      expect(world.read(file)).toContain('#number')
      expect((await world.json('search', 'uno')).hits).toHaveLength(1)
      expect((await world.json('log')).records.map(({ action }) => action)).toContain('observe')
    }),
  )

  it(
    'is asked before a text counts as known: what somebody removed can be remembered again',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      rmSync(path.join(world.root, fileSaying(world.root, 'One.')))
      expect(await world.json('remember', 'One.')).toMatchObject({ duplicate: false })
      expect(await contents(world)).toEqual(['One.'])
    }),
  )

  it(
    'may hold an id that a write asks for before any read',
    inWorld(async world => {
      await world.ok('remember', 'One.')
      const id = '1773679860000-hand'
      appendFileSync(
        path.join(world.root, LESSONS),
        `\n<!-- id:${id} -->\n## 2026-03-16T16:51\n\nTyped with an id.\n\n---\n`,
      )
      await world.ok('pin', id)
      expect((await world.json('show', id)).entry).toMatchObject({
        status: 'pinned',
        content: 'Typed with an id.',
      })
    }),
  )

  it(
    'may hold an entry without an id: it is found, and not a byte changes',
    inWorld(
      async world => {
        const before = world.read(LESSONS)
        const entry = (await world.json('list')).entries.find(({ content }) => content.startsWith('Typed'))
        expect(entry).toMatchObject({
          content: 'Typed by hand. #tag',
          date: '2026-03-02T00:00',
          tags: ['style', 'tag'],
        })
        expect(world.read(LESSONS)).toBe(before)
        expect((await world.json('show', entry?.id ?? '')).entry.content).toBe('Typed by hand. #tag')
      },
      {
        [LESSONS]:
          '# Our lessons\n\nA preamble.\n\n## 2026-03-02 · #style\n\nTyped by hand. #tag\n\n---\n\nLoose text.\n',
      },
    ),
  )

  it(
    'keeps its loose text when Cairn writes to it',
    inWorld(
      async world => {
        await world.ok('remember', 'New.')
        const text = world.read(LESSONS)
        expect(text.startsWith('# Title\n\nPreamble.\n\n<!-- id:')).toBe(true)
        expect(text.endsWith('\n---\n\nA closing word.\n')).toBe(true)
        expect(await contents(world)).toEqual(['New.', 'Old.', 'Title\n\nPreamble.'])
      },
      {
        [LESSONS]:
          '# Title\n\nPreamble.\n\n<!-- id:1700000000000 -->\n## 2023-11-14\n\nOld.\n\n---\n\nA closing word.\n',
      },
    ),
  )

  it(
    'written by the older tool is read as it is, plain ids and all, and reading changes nothing in it',
    inWorld(
      async world => {
        const before = world.read('.memory/dev/decisions.md')
        const { entries } = await world.json('list')
        expect(
          entries.map(({ id, agent, kind, date, tags, content }) => ({
            id,
            agent,
            kind,
            date,
            tags,
            content,
          })),
        ).toEqual([
          {
            id: '1773679871839',
            agent: 'dev',
            kind: 'decision',
            date: '2026-03-16T16:51',
            tags: ['auth'],
            content: 'Use hooks. See [[1773679871001]].',
          },
          {
            id: '1773679871001',
            agent: 'dev',
            kind: 'decision',
            date: '2026-03-16T16:51',
            tags: [],
            content: 'Two\n\nparagraphs.',
          },
        ])
        expect(world.read('.memory/dev/decisions.md')).toBe(before)
        await world.ok('pin', '1773679871839')
        expect(world.read('.memory/dev/decisions.md')).toBe(
          before.replace('id:1773679871839 -->', 'id:1773679871839 status:pinned -->'),
        )
      },
      {
        '.memory/dev/decisions.md':
          '<!-- id:1773679871839 -->\n## 2026-03-16T16:51 · #auth\n\nUse hooks. See [[1773679871001]].\n\n---\n\n<!-- id:1773679871001 -->\n## 2026-03-16T16:51\n\nTwo\n\nparagraphs.\n\n---\n',
      },
    ),
  )

  it(
    'saved with CRLF is read as if it had LF, and stays CRLF',
    inWorld(
      async world => {
        expect(await contents(world)).toEqual(['Line one.\nLine two.'])
        await world.ok('remember', 'New.')
        expect(world.read(LESSONS).replaceAll('\r\n', '')).not.toContain('\n')
        expect(await contents(world)).toEqual(['Line one.\nLine two.', 'New.'])
      },
      {
        [LESSONS]: '<!-- id:1700000000000 -->\r\n## 2023-11-14\r\n\r\nLine one.\r\nLine two.\r\n\r\n---\r\n',
      },
    ),
  )

  it(
    'keeps its BOM',
    inWorld(
      async world => {
        expect(await contents(world)).toEqual(['Old.'])
        await world.ok('remember', 'New.')
        expect(world.read(LESSONS).startsWith('\ufeff')).toBe(true)
        expect(await contents(world)).toEqual(['New.', 'Old.'])
      },
      { [LESSONS]: '\ufeff<!-- id:1700000000000 -->\n## 2023-11-14\n\nOld.\n\n---\n' },
    ),
  )

  it(
    'that is not UTF-8 is reported, read as far as it goes, and written back byte for byte but for the new entry',
    inWorld(async world => {
      const old = Buffer.concat([
        Buffer.from('<!-- id:1700000000000 -->\n## 2023-11-14\n\nCaf'),
        Buffer.from([0xe9, 0xff, 0xc0]),
        Buffer.from(' latin one\n\n---\n'),
      ])
      world.write(LESSONS, old)
      expect((await world.json('status')).problems.map(({ code, path: where }) => [code, where])).toEqual([
        ['not_utf8', 'shared/lessons.md'],
      ])
      expect((await world.json('search', 'latin')).hits).toHaveLength(1)
      await world.ok('remember', 'New.')
      const { readFileSync } = await import('node:fs')
      expect(readFileSync(path.join(world.root, LESSONS)).includes(old)).toBe(true)
    }),
  )

  it(
    'in UTF-16 is reported and never written to',
    inWorld(async world => {
      const bytes = Buffer.from('\ufeff## 2026-01-01\n\nText.\n\n---\n', 'utf16le')
      world.write(LESSONS, bytes)
      expect((await world.json('status')).problems).toHaveLength(1)
      const run = await world.cairn(['remember', 'New.', '--json'])
      const { readFileSync } = await import('node:fs')
      expect(readFileSync(path.join(world.root, LESSONS)).equals(bytes)).toBe(true)
      expect(run.code === 0 ? await contents(world) : JSON.parse(run.stdout).error.hint).toBeTruthy()
    }),
  )

  it(
    'of 50 MB is read, searched, and takes another entry',
    inWorld(async world => {
      const paragraph = 'The quick brown fox jumps over the lazy dog. '.repeat(22)
      const parts: string[] = []
      for (let n = 0; n < 50; n++) {
        parts.push(
          `<!-- id:${1_700_000_000_000 + 50 - n} -->\n## 2023-11-14\n\nNeedle${n}\n${`${paragraph}\n`.repeat(1_050)}\n---\n\n`,
        )
      }
      world.write(LESSONS, parts.join(''))
      expect((await world.json('search', 'needle7')).hits[0]?.id).toBe(String(1_700_000_000_000 + 43))
      expect((await world.json('remember', 'One more.')).duplicate).toBe(false)
      expect((await world.json('list', '--limit', '1')).total).toBe(51)
    }),
  )

  it(
    'changed while nobody looked, to the same size and within the same moment, is seen',
    inWorld(async world => {
      await world.ok('remember', 'Same size A.')
      const file = fileSaying(world.root, 'Same size A.')
      const text = world.read(file)
      for (const letter of ['B', 'C', 'D']) {
        writeFileSync(path.join(world.root, file), text.replace('size A.', `size ${letter}.`))
        expect(await contents(world)).toEqual([`Same size ${letter}.`])
      }
    }),
  )

  it(
    'under a folder in other case, with a stranger beside it, is one vault',
    inWorld(
      async world => {
        await world.ok('remember', 'New.', '--agent', 'dev')
        expect((await world.json('list', '--agent', 'DEV')).total).toBe(2)
        expect(
          Object.keys(world.bytes())
            .filter(name => /^\.memory.dev/i.test(name) && name.endsWith('.md'))
            .sort(),
        ).toEqual([
          path.normalize('.memory/Dev/lessons.md'),
          path.normalize(fileSaying(world.root, 'New.')),
          path.normalize('.memory/Dev/notes.md'),
        ])
      },
      { '.memory/Dev/lessons.md': '## 2026-01-01\n\nOld.\n\n---\n', '.memory/Dev/notes.md': 'not ours' },
    ),
  )
})

describe.concurrent('git', () => {
  async function repository(world: World): Promise<void> {
    await git(world, 'init', '-q', '-b', 'main')
    await world.ok('remember', 'Common ground.', '--date', '2026-01-01')
    await git(world, 'add', '.')
    expect(await git(world, 'commit', '-qm', 'one')).toBe(0)
    await git(world, 'checkout', '-qb', 'other')
  }

  it(
    'ignores what is local and takes what is shared',
    inWorld(async world => {
      await repository(world)
      await world.ok('remember', '--private', 'Mine.')
      await git(world, 'add', '.')
      const run = await runProcess('git', ['ls-files'], { cwd: world.root, env: world.environment })
      expect(run.stdout.trim().split('\n').sort()).toEqual([
        '.memory/.gitignore',
        '.memory/config.json',
        fileSaying(world.root, 'Common ground.'),
      ])
    }),
  )

  it(
    'merges two branches that added entries to different files, and both are found',
    inWorld(async world => {
      await repository(world)
      await world.ok('remember', 'From the branch.', '--kind', 'decision')
      await git(world, 'add', '.')
      await git(world, 'commit', '-qm', 'branch')
      await git(world, 'checkout', '-q', 'main')
      expect(await contents(world)).toEqual(['Common ground.'])
      await world.ok('remember', 'From main.')
      await git(world, 'commit', '-qam', 'main')
      expect(await git(world, 'merge', '-q', '-m', 'merge', 'other')).toBe(0)
      expect(await contents(world)).toEqual(['Common ground.', 'From main.', 'From the branch.'])
      expect((await world.json('status')).problems).toEqual([])
      expect((await world.json('doctor')).healthy).toBe(true)
    }),
  )

  it(
    'conflict markers are reported, both sides are found, a new entry is taken, and nothing is eaten',
    inWorld(async world => {
      await repository(world)
      // As version 0.1.0 wrote it: both sides add an entry at the top of one file.
      const entry = (n: number, text: string) =>
        `<!-- id:170000000000${n}-aaaa -->\n## 2023-11-14\n\n${text}\n\n---\n`
      world.write(LESSONS, entry(2, 'From the branch.'))
      await git(world, 'add', '.')
      await git(world, 'commit', '-qam', 'branch')
      await git(world, 'checkout', '-q', 'main')
      world.write(LESSONS, entry(1, 'From main.'))
      await git(world, 'add', '.')
      await git(world, 'commit', '-qam', 'main')
      expect(await git(world, 'merge', '-q', '-m', 'merge', 'other')).toBe(1)

      const marked = world.read(LESSONS)
      expect(marked).toContain('<<<<<<< HEAD\n')
      expect(await contents(world)).toEqual(['Common ground.', 'From main.', 'From the branch.'])
      expect(world.read(LESSONS)).toBe(marked)
      const { problems } = await world.json('status')
      expect(problems.map(({ code, path: where }) => [code, where])).toEqual([
        ['conflict_markers', 'shared/lessons.md'],
      ])
      expect(await world.ok('status')).toContain('shared/lessons.md:')
      expect((await world.json('search', 'branch')).hits).toHaveLength(1)

      await world.ok('remember', 'In the middle of it.')
      const text = world.read(LESSONS)
      for (const line of marked.split('\n')) expect(text).toContain(line)
      expect(await contents(world)).toEqual([
        'Common ground.',
        'From main.',
        'From the branch.',
        'In the middle of it.',
      ])

      world.write(LESSONS, text.replace(/^(<<<<<<<|=======|>>>>>>>).*\n/gm, ''))
      expect(await contents(world)).toEqual([
        'Common ground.',
        'From main.',
        'From the branch.',
        'In the middle of it.',
      ])
      expect((await world.json('status')).problems).toEqual([])
    }),
  )

  it(
    'a conflict inside one entry keeps both versions, and refuses to change either',
    inWorld(
      async world => {
        const before = world.read(LESSONS)
        const { hits } = await world.json('search', 'version')
        expect(hits.map(hit => hit.entry.content).join()).toContain('Our version.')
        expect(hits.map(hit => hit.entry.content).join()).toContain('Their version.')
        const failure = await world.failure('forget', '1700000000000')
        expect(failure.exit).toBeGreaterThan(1)
        expect(world.read(LESSONS)).toBe(before)
      },
      {
        [LESSONS]:
          '<!-- id:1700000000000 -->\n## 2023-11-14\n\n<<<<<<< HEAD\nOur version.\n=======\nTheir version.\n>>>>>>> other\n\n---\n',
      },
    ),
  )

  it(
    'a copy of an entry that somebody changed gets an id of its own; an equal copy is mended',
    inWorld(async world => {
      const { entry } = await world.json('remember', 'The original.')
      const file = fileSaying(world.root, 'The original.')
      const text = world.read(file)
      appendFileSync(path.join(world.root, file), `\n${text.replace('The original.', 'A changed copy.')}`)
      expect(await contents(world)).toEqual(['A changed copy.', 'The original.'])
      const { entries } = await world.json('list')
      expect(new Set(entries.map(({ id }) => id)).size).toBe(2)
      expect((await world.json('show', entry.id)).entry.content).toBe('The original.')
      appendFileSync(path.join(world.root, file), `\n${text}`)
      expect(await contents(world)).toEqual(['A changed copy.', 'The original.'])
    }),
  )
})

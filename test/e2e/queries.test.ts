import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/api.ts'
import { inWorld, type World } from './world.ts'

async function furnish(world: World): Promise<void> {
  await world.ok('remember', 'The deploy script lives in ops/deploy.sh. #ops', '--files', 'ops/deploy.sh')
}

const ODD = [
  'NEAR(',
  'NEAR(deploy script, 5)',
  '*',
  'deploy*',
  '^',
  '^deploy',
  'body:deploy',
  'col:',
  '"',
  '""',
  '"unclosed',
  "'",
  "x'; DROP TABLE entry; --",
  'AND',
  'deploy AND NOT script',
  'OR',
  '(deploy',
  'deploy)',
  '{deploy}',
  '-deploy',
  '+deploy',
  '\\',
  '%',
  '_',
  '#',
  '...',
  '🎉',
  'deploy 🎉',
  '日本語',
  'e\u0301\u0302\u0303',
  '\u202edeploy',
  'deploy\u0000script',
  '\u0000',
  '\ud800',
  'deploy \udfff',
  'deploy\r\n\tscript',
  'a'.repeat(5_000),
  Array.from({ length: 10_000 }, (_, n) => `word${n}`).join(' '),
  `deploy ${'?'.repeat(10_000)}`,
]

describe.concurrent('any query gets an answer', () => {
  it(
    'from the library: operators, quotes, emoji, NUL, lone surrogates, 10,000 words',
    inWorld(async world => {
      await furnish(world)
      const memory = await openMemory({ root: world.root })
      for (const query of ODD) {
        const { hits, degraded } = await memory.search(query)
        expect(degraded).toEqual([])
        const meant = /deploy/.test(query) && !query.startsWith('\u202e')
        if (meant) expect([query.slice(0, 40), hits.length]).toEqual([query.slice(0, 40), 1])
        for (const { snippet, matches } of hits) {
          for (const { start, end } of matches) expect(snippet.slice(start, end)).toMatch(/\S/)
        }
      }
      expect((await memory.list()).total).toBe(1)
      await memory.close()
    }),
  )

  it(
    'of 1 MB within a second or two',
    inWorld(async world => {
      await furnish(world)
      const memory = await openMemory({ root: world.root })
      for (const query of ['deploy '.repeat(150_000), 'x'.repeat(1_048_576), `"${'("'.repeat(500_000)}`]) {
        const started = performance.now()
        expect((await memory.search(query)).degraded).toEqual([])
        expect(performance.now() - started).toBeLessThan(5_000)
      }
      await memory.close()
    }),
  )

  it(
    'that is empty or blank is refused with the way to list instead',
    inWorld(async world => {
      const memory = await openMemory({ root: world.root })
      for (const query of ['', ' ', '\n\t'])
        await expect(memory.search(query)).rejects.toMatchObject({ code: 'query_empty' })
      await memory.close()
      expect(await world.failure('search', '')).toMatchObject({ exit: 2, code: 'query_empty' })
    }),
  )

  it(
    'on the command line too, words that look like flags included',
    inWorld(async world => {
      await furnish(world)
      const odd = ODD.filter(
        query => !query.includes('\u0000') && query.length < 1_000 && !/[\ud800-\udfff]$/.test(query),
      )
      const runs = await Promise.all(
        [...odd, '--limit'].map(query => world.cairn(['search', '--json', '--', query])),
      )
      for (const run of runs) expect([run.code, run.stderr]).toEqual([0, ''])
    }),
  )
})

describe.concurrent('any text is kept', () => {
  const TEXTS = [
    'with a NUL \u0000 in the middle',
    '\u0000',
    'a BOM \ufeff inside',
    '\ufeffa BOM in front',
    'trailing blanks   \n\n\n',
    '\n\nleading lines',
    'CRLF\r\nlines\r\n',
    'a lone \r return',
    '---',
    '---\n---\n---',
    '## 2026-01-01\n\nlooks like an entry\n\n---',
    '<!-- id:1700000000000 -->\n## 2026-01-01\n\nlooks more like one\n\n---',
    '\\## 2026-01-01 escaped already',
    '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other',
    '```\n---\n## 2026-01-01\n```',
    'line\u2028separator\u2029and\u0085more',
    '\u202eturned round',
    '<script>alert(1)</script> --> <!-- comment',
    'emoji 🎉👩‍👩‍👧‍👦 and e\u0301',
    'a\tb\u000bc\u000cd\u001be\u007f',
  ]

  it(
    'by the library, and read back as it was, from the index, from the files, and after an edit of something else',
    inWorld(async world => {
      const memory = await openMemory({ root: world.root })
      const ids: string[] = []
      for (const content of TEXTS) ids.push((await memory.remember({ content, kind: 'decision' })).entry.id)
      const readBack = async (from: Awaited<ReturnType<typeof openMemory>>) =>
        Promise.all(ids.map(async id => (await from.get(id))?.content))
      expect(await readBack(memory)).toEqual(TEXTS)
      for (const id of ids) await memory.update(id, { importance: 0.9 })
      expect(await readBack(memory)).toEqual(TEXTS)
      await memory.close()
      const { rmSync } = await import('node:fs')
      rmSync(`${world.root}/.memory/.vault`, { recursive: true })
      const again = await openMemory({ root: world.root })
      expect(await readBack(again)).toEqual(TEXTS)
      expect((await again.status()).problems).toEqual([])
      await again.close()
    }),
  )

  it(
    'but for half a surrogate pair, which has no bytes and becomes U+FFFD',
    inWorld(async world => {
      const memory = await openMemory({ root: world.root })
      const { entry } = await memory.remember('half \ud800 a pair')
      expect([entry.content, (await memory.get(entry.id))?.content]).toEqual([
        'half \ufffd a pair',
        'half \ufffd a pair',
      ])
      await memory.close()
    }),
  )

  it(
    'odd tags, files, sessions and kinds are kept or refused, never half',
    inWorld(async world => {
      const memory = await openMemory({ root: world.root })
      const { entry } = await memory.remember({
        content: 'Odd fields.',
        tags: ['Two Words', '#hash', 'ünï', '', '  ', 'a,b', 'c>d', '-->'],
        files: ['a b.ts', 'back\\slash.ts', 'x,y.ts', '<!--.ts', '', 'tab\there.ts', '%41.ts'],
        session: 'has blank and -->',
      })
      await memory.close()
      const { rmSync } = await import('node:fs')
      rmSync(`${world.root}/.memory/.vault`, { recursive: true })
      const again = await openMemory({ root: world.root })
      expect(await again.get(entry.id)).toEqual(entry)
      await again.close()
    }),
  )
})

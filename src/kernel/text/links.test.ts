import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findLinks,
  foldTitle,
  headlineOf,
  type LinkLookup,
  linkTitleOf,
  resolveLink,
  vaultFileOf,
} from './links.ts'

const targets = (content: string) => findLinks(content).map(link => link.target)

describe('findLinks', () => {
  it('finds ids, titles and vault files, with the text that is shown and the place', () => {
    const content =
      'See [[1773679871839-k3f9]] and [[Sessions live in Redis|where]], all in [[dev/decisions]].'
    expect(findLinks(content)).toEqual([
      { target: '1773679871839-k3f9', text: '1773679871839-k3f9', at: 4, end: 26 },
      { target: 'Sessions live in Redis', text: 'where', at: 31, end: 63 },
      { target: 'dev/decisions', text: 'dev/decisions', at: 72, end: 89 },
    ])
    for (const { at, end } of findLinks(content)) expect(content.slice(at, end)).toMatch(/^\[\[.*\]\]$/)
  })

  it.each([
    ['`[[code]]` and ``a [[b]] c``', []],
    ['```\n[[fenced]]\n```\n[[after]]', ['after']],
    ['~~~\n[[fenced]]', []],
    ['[[a\nb]]', []],
    ['[[]] [[ ]] [[|x]]', []],
    ['[[[[a]]]]', ['a']],
    ['[[a [[b]]', ['b']],
    ['![[picture]]', ['picture']],
    ['[[ spaced | shown ]]', ['spaced']],
    ['an array[[0]] of them', ['0']],
    [`[[${'x'.repeat(301)}]]`, []],
    ['no links at all', []],
  ])('takes %j apart', (content, expected) => {
    expect(targets(content)).toEqual(expected)
  })

  it('never throws, and every link is at its position', () => {
    const piece = fc.constantFrom(
      '[[',
      ']]',
      '|',
      '`',
      '```\n',
      '\n',
      '\n\n',
      'a',
      ' ',
      '[',
      ']',
      '~~~',
      '\0',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }), pieces => {
        const content = pieces.join('')
        for (const { at, end, target } of findLinks(content)) {
          expect(content.slice(at, at + 2)).toBe('[[')
          expect(content.slice(end - 2, end)).toBe(']]')
          expect(content.slice(at, end)).toContain(target)
        }
        linkTitleOf(content)
      }),
    )
  })

  it.each(['[[', '[[a', '[[a]', '`[[a]]', '[[a|', ']]', '[[a]]`', '# ', '- [ ] ', '\n', '*'])(
    'takes 100 KB of %j in no time',
    piece => {
      const content = piece.repeat(Math.ceil(100_000 / piece.length))
      const start = performance.now()
      findLinks(content)
      linkTitleOf(content)
      expect(performance.now() - start).toBeLessThan(1_000)
    },
  )
})

describe('linkTitleOf', () => {
  it.each([
    ['# Sessions live in **Redis**.\n\nMore.', 'sessions live in redis'],
    ['\n\n- [ ] Écrire la *doc* !', 'ecrire la doc'],
    ['> 1. A decisão: usar `SSE`', 'a decisao: usar sse'],
    ['```sh\nnpm ci\n```', 'npm ci'],
    ['See [the page](https://x.example/a) and [[id|this]].', 'see the page and this'],
    ['Two   blanks\tand a tab', 'two blanks and a tab'],
    ['', ''],
    ['***', ''],
  ])('of %j is %j', (content, title) => {
    expect(linkTitleOf(content)).toBe(title)
    expect(foldTitle(title)).toBe(title)
  })

  it('is cut at 160 characters, and shown at 80', () => {
    expect(linkTitleOf('x'.repeat(500))).toHaveLength(160)
    expect(headlineOf(`## ${'x'.repeat(500)}`)).toBe(`${'x'.repeat(79)}…`)
  })
})

describe('resolveLink', () => {
  const titleById: Record<string, string> = {
    e1: 'sessions live in redis',
    e2: 'sessions live in memory',
    e3: 'deploys only on fridays',
    e4: 'twice the same',
    e5: 'twice the same',
    'dev/decisions': 'an id that looks like a file',
  }
  const idsWhere = (isMeant: (title: string) => boolean) =>
    Object.keys(titleById).filter(id => isMeant(titleById[id] ?? ''))
  const lookup: LinkLookup = {
    hasEntry: id => Object.hasOwn(titleById, id),
    hasVaultFile: (agent, category) => agent === 'dev' && category === 'lessons',
    idsByTitle: title => idsWhere(other => other === title),
    idsByTitlePrefix: prefix => idsWhere(title => title.startsWith(prefix)),
  }

  it.each([
    ['e1', { kind: 'entry', id: 'e1' }],
    ['dev/decisions', { kind: 'entry', id: 'dev/decisions' }],
    ['Dev/lessons.md', { kind: 'file', agent: 'dev', category: 'lessons' }],
    ['qa/lessons', { kind: 'dangling', reason: 'unknown' }],
    ['**Sessions** live in Redis!', { kind: 'entry', id: 'e1' }],
    ['Deploys only', { kind: 'entry', id: 'e3' }],
    ['Deploys onl', { kind: 'dangling', reason: 'unknown' }],
    ['Sessions live in', { kind: 'dangling', reason: 'ambiguous' }],
    ['Twice the same', { kind: 'dangling', reason: 'ambiguous' }],
    ['!!!', { kind: 'dangling', reason: 'unknown' }],
  ])('leads [[%s]] to %j', (target, expected) => {
    expect(resolveLink(target, lookup)).toEqual(expected)
  })

  it('never leads an entry to itself by its own words, but to the other that has them', () => {
    expect(resolveLink('Deploys only', lookup, 'e3')).toEqual({ kind: 'dangling', reason: 'unknown' })
    expect(resolveLink('Twice the same', lookup, 'e4')).toEqual({ kind: 'entry', id: 'e5' })
  })

  it('knows a vault file by agent and category', () => {
    expect(vaultFileOf('shared/tasks')).toEqual({ agent: 'shared', category: 'tasks' })
    for (const other of ['shared/pages', '/tasks', 'a/b/tasks', 'tasks'])
      expect(vaultFileOf(other)).toBeUndefined()
  })
})

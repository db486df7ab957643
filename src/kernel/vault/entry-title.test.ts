import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { titleOf } from './entry-title.ts'

describe('titleOf', () => {
  it.each([
    ['Unit tests never touch Redis.', 'Unit tests never touch Redis'],
    ['Unit tests never touch Redis: it is shared with staging.', 'Unit tests never touch Redis'],
    ['Use v1.2 of cache.ts, e.g. in CI. Not more.', 'Use v1.2 of cache.ts, e.g. in CI'],
    ['Warning: never run the migration twice', 'Warning: never run the migration twice'],
    ['Sync policy: the server wins. Always.', 'Sync policy: the server wins'],
    [
      'Inserts answer nothing without `Prefer: return=all`: ask',
      'Inserts answer nothing without Prefer: return=all',
    ],
    ['Deploy from main only - the others lack keys', 'Deploy from main only'],
    ['Deploy from main only — the others lack keys', 'Deploy from main only'],
    ['We keep SQLite, because one file is easy to back up', 'We keep SQLite'],
    ['Use tabs because the linter wants it', 'Use tabs because the linter wants it'],
    ['Mantemos o SQLite porque um arquivo basta', 'Mantemos o SQLite'],
    ['使用 SQLite。不要使用 Postgres。', '使用 SQLite'],
    ['\n\n## Summary\n\nMore', 'Summary'],
    ['- [ ] Rotate the **API** `keys` of [staging](https://x.y/z)', 'Rotate the API keys of staging'],
    ['> quoted _words_ here', 'quoted words here'],
    ['keep snake_case_names as they are', 'keep snake_case_names as they are'],
    ['The glob `src/**/*.{ts,tsx}, !**/*.md` is linted', 'The glob src/**/*.{ts,tsx}, !**/*.md is linted'],
    ['Never call "rm({ force: true })" in tests: it races', 'Never call "rm({ force: true })" in tests'],
    ['They said "no." Then we moved on.', 'They said "no"'],
    ['See [[1773679871001]] and [[a|the other]]', 'See 1773679871001 and the other'],
    ['#redis is not for tests #ci', 'redis is not for tests ci'],
    ['a · b <!-- id:1 --> c', 'a b c'],
    ['```ts\nconst x = 1\n```', 'const x = 1'],
    ['---\n***\n', ''],
    ['', ''],
    ['12', '12'],
    ['Éric', 'Éric'],
    ['ab\u0000c\u202Ed', 'ab c d'],
    [
      'Never call the payment API while\nthe queue is paused.\nAsk first.',
      'Never call the payment API while the queue is paused',
    ],
    ['Deploys wait for the\nAPI gateway: it restarts last', 'Deploys wait for the API gateway'],
    ['Found the issue! The port is taken. Stop it.', 'Found the issue! The port is taken'],
    ['Never print the keys of staging!', 'Never print the keys of staging'],
    ['Compacted 2 older entries:\n- one', 'Compacted 2 older entries'],
    ['a\nb', 'a'],
    ['**Note: the **queue** is slow', 'Note: the queue is slow'],
    ['Lint src/**/*.ts and **/*.md', 'Lint src/**/*.ts and **/*.md'],
    ['Deploy from main only\nThe others lack keys', 'Deploy from main only'],
    ['# Caches\nare cold on Mondays', 'Caches'],
    ['Why:\n\n- the queue loses messages\n- more', 'Why: the queue loses messages'],
    ['Build:\n```sh\nnpm run build\n```', 'Build: npm run build'],
    ['When you deploy, the steps are: build, push, run', 'When you deploy, the steps are: build, push, run'],
    [
      'We decided that, because of the licence, MongoDB is out.',
      'We decided that, because of the licence, MongoDB is out',
    ],
  ])('%j', (content, title) => {
    expect(titleOf(content)).toBe(title)
  })

  it('ends at a word, and says that there is more', () => {
    const title = titleOf('word '.repeat(40))
    expect(title).toBe(`${'word '.repeat(14).trim()}…`)
    expect(titleOf(`${'word '.repeat(9)}(${'more '.repeat(9)})`)).toBe(`${'word '.repeat(9).trim()}…`)
    expect(titleOf(`${'word '.repeat(12)}and for the others of the team`)).toBe(
      `${'word '.repeat(12).trim()}…`,
    )
    expect(titleOf(`${'word '.repeat(12)}without words words words`)).toMatch(/ without…$/)
    expect(titleOf('x'.repeat(100))).toBe(`${'x'.repeat(71)}…`)
  })

  it('fits on a heading line whatever the content is', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc
        .array(
          fc.constantFrom(
            '#',
            '##',
            ' ',
            'a',
            '·',
            '<!--',
            '-->',
            '`',
            '*',
            '_',
            '[',
            '](',
            ')',
            '\r',
            '\n',
            '…',
          ),
        )
        .map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(nasty, content => {
        const title = titleOf(content)
        expect(title.length).toBeLessThanOrEqual(72)
        expect(title).toBe(title.trim())
        expect(title).not.toMatch(/[\p{Cc}\p{Cs}·]|<!--|(?:^|\s)#/u)
      }),
      { numRuns: 2000 },
    )
  })

  it('takes no longer for long lines', () => {
    for (const text of ['[', '*', '_a ', '<!--', '`', '#', '[](', '~~'])
      expect(titleOf(text.repeat(100_000)).length).toBeLessThanOrEqual(72)
  })
})

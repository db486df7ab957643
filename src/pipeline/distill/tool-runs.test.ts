import { describe, expect, it } from 'vitest'
import type { Message, ToolRun } from '../../model/message.ts'
import { findFixes } from './tool-runs.ts'

const tool = (run: ToolRun): Message => ({ role: 'tool', text: run.command ?? run.tool, run })
const failed = (command: string, output: string) => tool({ tool: 'Bash', command, ok: false, output })
const passed = (command: string, output = '') => tool({ tool: 'Bash', command, ok: true, output })
const edited = (...files: string[]) => tool({ tool: 'Edit', files, isEdit: true, ok: true })
const said = (text: string): Message => ({ role: 'agent', text })
const texts = (...messages: Message[]) => findFixes(messages).map(finding => finding.text)

const ASSERTION = 'FAIL src/cart.test.ts\nAssertionError: expected 3 to be 4\n Tests  1 failed'
const REFUSED = 'Error: connect ECONNREFUSED 127.0.0.1:6379\n    at TCPConnectWrap.afterConnect'

describe('a hard-won fix', () => {
  it('is what failed, with its error, and what was done before it passed', () => {
    const [fix, ...others] = findFixes([
      said('Let me run the tests.'),
      failed('npm test', REFUSED),
      edited('src/redis.ts'),
      failed('npm test', REFUSED),
      passed('docker compose up -d redis'),
      edited('.env.test'),
      passed('npm test', 'Tests  12 passed'),
    ])
    expect(others).toEqual([])
    expect(fix).toMatchObject({
      text: '`npm test` failed with "Error: connect ECONNREFUSED 127.0.0.1:6379" (2 tries). It passed after changing .env.test, after `docker compose up -d redis`.',
      message: 6,
      speaker: 'agent',
      kind: 'error',
      category: 'lessons',
      importance: 0.75,
      confidence: 0.8,
      files: ['.env.test'],
      tags: ['redis'],
      isErrorResolution: true,
    })
  })

  it('matters more the longer it took, and enough to be promoted from the second try on', () => {
    const importance = (tries: number) =>
      findFixes([
        ...Array.from({ length: tries }, () => [failed('npm test', REFUSED), edited('src/a.ts')]).flat(),
        passed('npm test'),
      ])[0]?.importance
    expect([importance(1), importance(2), importance(3), importance(9)]).toEqual([0.65, 0.75, 0.85, 0.9])
  })

  it('also of a command that is no check, and by running it differently', () => {
    expect(
      texts(
        failed('npm install', 'npm error code ERESOLVE\nnpm error ERESOLVE could not resolve'),
        passed('npm install --legacy-peer-deps'),
      ),
    ).toEqual([
      '`npm install` failed with "npm error code ERESOLVE". It passed run as `npm install --legacy-peer-deps`.',
    ])
  })

  it('one try is enough where installing or configuring something mended it', () => {
    expect(
      texts(failed('pytest -q', 'E   assert 1 == 2'), edited('pyproject.toml'), passed('poetry run pytest')),
    ).toEqual(['`pytest` failed with "assert 1 == 2". It passed after changing pyproject.toml.'])
    expect(
      texts(
        failed('cargo build', 'error: linking with `cc` failed: exit status: 1'),
        passed('sudo apt-get install -y libssl-dev && cargo build'),
      ),
    ).toHaveLength(1)
  })

  it('a run of everything proves what failed in a part, and a run of another part does not', () => {
    const start = [failed('npx vitest run src/a.test.ts', REFUSED), edited('src/a.ts')]
    expect(texts(...start, passed('npx vitest run'))).toHaveLength(1)
    expect(texts(...start, passed('npx vitest run src/a.test.ts src/b.test.ts'))).toHaveLength(1)
    expect(texts(...start, passed('npx vitest run src/b.test.ts'))).toEqual([])
    expect(
      texts(failed('npx vitest run', REFUSED), edited('src/a.ts'), passed('npx vitest run src/a.test.ts')),
    ).toEqual([])
  })

  it('holds no secret, and no more than 500 characters', () => {
    const key = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_')
    const [text = ''] = texts(
      failed('npm test', `Error: could not connect with ${key} ${'x '.repeat(300)}`),
      edited(
        ...Array.from({ length: 9 }, (_, n) => `src/a-rather-long-folder-name/and-another-one/file-${n}.ts`),
      ),
      passed('npm test'),
    )
    expect(text).not.toContain(key)
    expect(text).toContain('and 5 more')
    expect(text.length).toBeLessThanOrEqual(500)
  })

  it('comes at most five times a session, the hardest', () => {
    const one = (n: number) => [
      failed(`npm run test:${n}`, `Error: connect ECONNREFUSED ${n}`),
      ...(n === 7 ? [edited('x.ts'), failed('npm run test:7', 'Error: connect ECONNREFUSED 7')] : []),
      edited(`src/${n}.ts`),
      passed(`npm run test:${n}`),
    ]
    const found = findFixes(Array.from({ length: 8 }, (_, n) => one(n)).flat())
    expect(found).toHaveLength(5)
    expect(found.at(-1)?.text).toContain('test:7')
  })
})

describe('no fix', () => {
  it.each<[string, Message[]]>([
    [
      'a test that passes the second time with nothing changed',
      [failed('npm test', REFUSED), passed('npm test')],
    ],
    [
      'looking around is no change',
      [failed('npm test', REFUSED), passed('cat a.ts'), passed('git status'), passed('npm test')],
    ],
    ['red, green: ordinary work', [failed('npm test', ASSERTION), edited('src/cart.ts'), passed('npm test')]],
    [
      'a type error that the next edit mends',
      [
        failed('npx tsc --noEmit', 'src/a.ts(1,2): error TS2304: Cannot find name x'),
        edited('src/a.ts'),
        passed('npx tsc --noEmit'),
      ],
    ],
    [
      'two different assertions, one after the other',
      [
        failed('npm test', ASSERTION),
        edited('a.ts'),
        failed('npm test', 'AssertionError: expected [] to deeply equal 1'),
        edited('a.ts'),
        passed('npm test'),
      ],
    ],
    ['a failure that never passed', [failed('npm test', REFUSED), edited('a.ts')]],
    ['another check passing', [failed('npm test', REFUSED), edited('a.ts'), passed('npm run lint')]],
    [
      'the same check in another folder',
      [failed('cd api && npm test', REFUSED), edited('a.ts'), passed('cd web && npm test')],
    ],
    [
      'a search that found nothing',
      [failed('grep -r foo src', ''), edited('a.ts'), passed('grep -r foo src')],
    ],
    ['no telling line', [failed('npm test', 'oops'), edited('a.ts'), passed('npm test')]],
    [
      'a pass that a pipe may hide',
      [failed('npm test', REFUSED), edited('a.ts'), passed('npm test | tail -1', 'done')],
    ],
    [
      'a failed edit',
      [
        failed('npm test', REFUSED),
        tool({ tool: 'Edit', files: ['a.ts'], isEdit: true, ok: false }),
        passed('npm test'),
      ],
    ],
    ['internal', [failed('npm test', REFUSED), edited('a.ts'), { ...passed('npm test'), internal: true }]],
    ['talk', [said('npm test failed'), said('now it passes')]],
    [
      'changed, failed again, and passed untouched',
      [failed('npm test', REFUSED), edited('a.ts'), failed('npm test', REFUSED), passed('npm test')],
    ],
  ])('%s', (_, messages) => {
    expect(findFixes(messages)).toEqual([])
  })
})

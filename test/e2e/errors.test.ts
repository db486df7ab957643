import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { vaultFiles } from '../support/vault-files.ts'
import { BINARY, inWorld, runProcess, type World } from './world.ts'

/** Built of two parts, so that scanners of this repository do not take it for a real one. */
const TOKEN = `${'ghp'}_abcdefghijklmnopqrstuvwxyz0123456789`

describe.concurrent('a mistyped verb', () => {
  it(
    'is told which one was meant, where one is near',
    inWorld(async world => {
      expect((await world.cairn(['reviw'])).stderr).toContain('Did you mean `cairn review`?')
      expect((await world.cairn(['frobnicate'])).stderr).not.toContain('Did you mean')
    }),
  )
})

describe.concurrent('exit codes by class', () => {
  const CASES: readonly (readonly [exit: number, code: string, ...words: string[]])[] = [
    [2, 'unknown_verb', 'frobnicate'],
    [2, 'unknown_verb', 'task'],
    [2, 'invalid_input', 'remember'],
    [2, 'invalid_input', 'list', '--bogus'],
    [2, 'invalid_input', 'list', '--limit'],
    [2, 'invalid_input', 'list', '--limit=0'],
    [2, 'invalid_input', 'list', '--limit=-1'],
    [2, 'invalid_input', 'list', '--limit=1.5'],
    [2, 'invalid_input', 'list', '--limit=Infinity'],
    [2, 'invalid_input', 'list', '--offset=-1'],
    [2, 'invalid_input', 'list', 'nothing'],
    [2, 'invalid_input', 'list', '--since', 'yesterday'],
    [2, 'invalid_input', 'list', '--as-of', '2999-01-01'],
    [2, 'invalid_input', 'status', 'extra'],
    [2, 'invalid_input', 'search', 'x', '--limit', '101'],
    [2, 'invalid_input', 'remember', 'x', '--importance', '7'],
    [2, 'invalid_input', 'remember', 'x', '--kind', 'two/words'],
    [2, 'invalid_input', 'remember', 'x', '--date', 'someday'],
    [2, 'invalid_input', 'alias', 'add', 'same', 'same'],
    [2, 'content_empty', 'remember', ' \n\t'],
    [2, 'content_too_long', 'remember', 'word '.repeat(4_000)],
    [2, 'query_empty', 'search', '   '],
    [2, 'agent_id_invalid', 'list', '--agent', '../x'],
    [2, 'config_key_unknown', 'config', 'get', 'no.such'],
    [2, 'config_value_invalid', 'config', 'set', 'search.limit', 'many'],
    [2, 'config_value_invalid', 'config', 'set', 'redaction.allow', '['],
    [2, 'agent_id_invalid', 'config', 'set', 'vault.defaultAgent', 'a/b'],
    [3, 'entry_not_found', 'show', 'no-such-entry'],
    [3, 'entry_not_found', 'forget', 'no-such-entry'],
    [3, 'record_not_found', 'undo', 'no-such-record'],
    [3, 'alias_not_found', 'alias', 'remove', 'zzz'],
    [3, 'file_not_found', 'import', 'missing.jsonl'],
    [3, 'file_not_found', 'list', '--root', 'missing-folder'],
    [3, 'nothing_to_undo', 'undo'],
  ]

  it(
    'a program gets { error: { code, message, hint } } on standard output, and nothing is written',
    inWorld(async world => {
      const failures = await Promise.all(CASES.map(([, , ...words]) => world.failure(...words)))
      expect(failures.map(({ exit, code }) => [exit, code])).toEqual(
        CASES.map(([exit, code]) => [exit, code]),
      )
      for (const { message, hint } of failures) {
        expect(message).toMatch(/\S/)
        expect(hint).toMatch(/\S/)
        expect(message.length).toBeLessThan(600)
      }
      expect(world.bytes()).toEqual({})
    }),
  )

  it(
    'a person gets two lines on standard error: what is wrong, and the next step',
    inWorld(async world => {
      expect(await world.cairn(['show', 'nope'])).toEqual({
        code: 3,
        stdout: '',
        stderr:
          'cairn: No entry has the id or the words "nope".\n  → `cairn list` shows the newest entries with their ids.\n',
      })
      for (const [exit, , ...words] of CASES.slice(0, 8)) {
        const run = await world.cairn(words)
        expect([run.code, run.stdout, run.stderr.split('\n').length]).toEqual([exit, '', 3])
      }
    }),
  )
})

describe.concurrent('several entries fit the words, on a pipe', () => {
  async function two(world: World): Promise<void> {
    await world.ok('remember', 'The deploy script needs a token.')
    await world.ok('remember', 'The deploy script runs on Tuesdays.')
  }

  for (const verb of ['forget', 'pin']) {
    it(
      `${verb} refuses, names them all and changes nothing`,
      inWorld(async world => {
        await two(world)
        const vault = vaultFiles(world.root)
        expect(Object.keys(vault)).toHaveLength(2)
        const failure = await world.failure(verb, 'deploy script')
        expect(failure).toMatchObject({ exit: 4, code: 'ambiguous_match' })
        expect(failure.details?.candidates).toHaveLength(2)
        const run = await world.cairn([verb, 'deploy script'], { input: '1\n' })
        expect(run.code).toBe(4)
        expect(run.stderr).toContain('The deploy script needs a token.')
        expect(run.stderr).toContain('The deploy script runs on Tuesdays.')
        expect(vaultFiles(world.root)).toEqual(vault)
      }),
    )
  }

  it(
    'words that are more than another entry has are clear enough',
    inWorld(async world => {
      await two(world)
      expect((await world.json('forget', 'deploy script token')).entry.content).toBe(
        'The deploy script needs a token.',
      )
    }),
  )

  it(
    'one word of many is not enough to forget an entry, though no other fits better',
    inWorld(async world => {
      await two(world)
      await world.ok('forget', 'deploy script token')
      const failure = await world.failure('forget', 'remove the old kubernetes cluster upgrade script')
      expect(failure).toMatchObject({ exit: 4, code: 'ambiguous_match' })
      expect((await world.json('list')).total).toBe(1)
    }),
  )

  it(
    'edit without anything to change says so',
    inWorld(async world => {
      const { entry } = await world.json('remember', 'Leave me.')
      expect(await world.failure('edit', entry.id)).toMatchObject({ exit: 2, code: 'invalid_input' })
    }),
  )
})

describe.concurrent('output that nobody reads to the end', () => {
  it.skipIf(process.platform === 'win32')(
    'cairn list | head -1 ends well, with 300 entries',
    inWorld(async world => {
      await world.ok('config', 'set', 'embedder.use', 'off')
      const lines = Array.from({ length: 300 }, (_, n) =>
        JSON.stringify({ text: `Entry ${n} ${'long '.repeat(200)}` }),
      )
      world.write('many.jsonl', lines.join('\n'))
      await world.ok('import', 'many.jsonl')
      const command = `"${process.execPath}" "${BINARY}" list --limit 300 --json | head -c 10; echo " \${PIPESTATUS[0]}"`
      const run = await runProcess('bash', ['-c', command], { cwd: world.root, env: world.environment })
      expect(run).toEqual({ code: 0, stdout: '{"entries" 0\n', stderr: '' })
    }),
  )

  it(
    'a closed standard input is no input',
    inWorld(async world => {
      const child = spawn(process.execPath, [BINARY, 'list'], {
        cwd: world.root,
        env: world.environment,
        stdio: 'ignore',
      })
      expect(await new Promise(resolve => child.on('close', resolve))).toBe(0)
    }),
  )
})

describe.concurrent('hostile text', () => {
  const HOSTILE = 'evil \u001b[31mred\u001b]0;title\u0007 \u009b2J \u202eturned'

  it(
    'never steers the terminal, from an entry, an argument or an import',
    inWorld(async world => {
      await world.ok('remember', `${HOSTILE} text`, '--files', 'a\u001b[2Jb.ts', '--session', 's\u001b[31m1')
      world.write('bad.jsonl', JSON.stringify({ text: 'x', metadata: { kind: 'k\u001b[31m' } }))
      const runs = await Promise.all(
        [
          ['list'],
          ['show', 'evil'],
          ['search', 'evil'],
          ['log'],
          ['status'],
          ['alias', 'add', '\u001b[31mword', '\u001b[32mmeaning'],
          ['alias', 'list'],
          ['show', HOSTILE],
          ['config', 'get', HOSTILE],
          [HOSTILE],
          ['list', '--since', HOSTILE],
          ['undo', HOSTILE],
          ['import', HOSTILE],
          ['import', 'bad.jsonl'],
          ['remember', 'x', '--kind', HOSTILE],
        ].map(words => world.cairn(words)),
      )
      for (const run of runs)
        expect(run.stdout + run.stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
      expect((await world.json('show', 'evil')).entry.content).toBe(`${HOSTILE} text`)
    }),
  )
})

describe.concurrent('a secret', () => {
  function filesHolding(world: World, text: string): string[] {
    return readdirSync(world.root, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter(item => item.isFile() && readFileSync(path.join(item.parentPath, item.name)).includes(text))
      .map(item => item.name)
  }

  it(
    'in content, tags, files, session, task, alias or edit reaches no file, no journal and no index',
    inWorld(async world => {
      const first = await world.json(
        'remember',
        `Token ${TOKEN}`,
        '--tags',
        TOKEN,
        '--files',
        `src/${TOKEN}`,
        '--session',
        TOKEN,
      )
      expect(first.redacted.map(part => `${part.field} ${part.type}`)).toEqual([
        'content github_token',
        'tags github_token',
        'files github_token',
        'session github_token',
      ])
      expect(first.entry.content).toBe('Token [redacted:github_token]')
      await world.ok('edit', first.entry.id, '--content', `Now ${TOKEN}`, '--tags', TOKEN)
      await world.ok('task', 'add', `Revoke ${TOKEN}`)
      await world.ok('alias', 'add', TOKEN, 'secret')
      await world.ok('search', TOKEN)
      const lines = [`{"text": "Imported ${TOKEN}"}`, `{"text": "Broken ${TOKEN}`]
      const run = await world.cairn(['import', '-', '--json'], { input: lines.join('\n') })
      expect(JSON.parse(run.stdout)).toMatchObject({ added: 1, redacted: 1, failed: 1 })
      expect(run.stdout).not.toContain(TOKEN)
      expect(filesHolding(world, TOKEN)).toEqual([])
    }),
  )

  it(
    'typed into a vault file by hand is reported, and reaches neither the journal nor the index',
    inWorld(
      async world => {
        const { problems } = await world.json('status')
        expect(problems.map(problem => problem.code)).toContain('secret_in_file')
        expect((await world.json('list')).entries[0]?.content).toBe('By hand: [redacted:github_token]')
        await world.ok('remember', 'Another.')
        expect(filesHolding(world, TOKEN)).toEqual(['lessons.md'])
      },
      { '.memory/shared/lessons.md': `## 2026-03-01\n\nBy hand: ${TOKEN}\n\n---\n` },
    ),
  )

  it(
    'given as an argument is not repeated by the error',
    inWorld(async world => {
      const calls = [
        ['config', 'get', TOKEN],
        ['list', '--since', TOKEN],
        ['undo', TOKEN],
        ['show', TOKEN],
        ['import', TOKEN],
        [TOKEN],
        ['remember', 'x', '--date', TOKEN],
      ]
      for (const words of calls) {
        const [plain, json] = await Promise.all([world.cairn(words), world.cairn([...words, '--json'])])
        expect(plain.code).toBeGreaterThan(1)
        expect(plain.stdout + plain.stderr + json.stdout + json.stderr).not.toContain(TOKEN)
      }
    }),
  )

  it(
    'given as an agent or a kind is not kept',
    inWorld(async world => {
      await world.cairn(['remember', 'One.', '--agent', TOKEN])
      await world.cairn(['remember', 'Two.', '--kind', TOKEN])
      await world.cairn(['remember', 'Three.'], { env: { CAIRN_SESSION: TOKEN, CAIRN_HOST: TOKEN } })
      expect(filesHolding(world, TOKEN)).toEqual([])
      expect(Object.keys(world.bytes()).filter(name => name.includes(TOKEN))).toEqual([])
    }),
  )
})

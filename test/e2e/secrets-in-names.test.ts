import { readdirSync, readFileSync, statSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { inWorld, type World } from './world.ts'

/** Built of two parts, so that scanners of this repository do not take them for real ones. */
const TOKEN = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
const KEY = ['AKIA', 'Q7ZLM2X9RTW4KPB8'].join('')

/** Neither as it was typed nor in lower case, in no name and in no file. */
function expectNowhere(world: World): void {
  const names = readdirSync(world.root, { recursive: true, encoding: 'utf8' })
  const files = names.filter(name => statSync(path.join(world.root, name)).isFile())
  const all = [...names, ...files.map(name => readFileSync(path.join(world.root, name), 'latin1'))]
  for (const text of all.map(one => one.toLowerCase()))
    for (const secret of [TOKEN, KEY]) expect(text.includes(secret.toLowerCase())).toBe(false)
}

describe.concurrent('a secret where a name belongs', () => {
  it(
    'is refused as an agent, a kind and a session, however it is folded',
    inWorld(async world => {
      const refused = { exit: 2, code: 'invalid_input' }
      for (const secret of [TOKEN, KEY]) {
        expect(await world.failure('remember', 'A note.', '--agent', secret)).toMatchObject(refused)
        expect(await world.failure('remember', 'A note.', '--kind', secret)).toMatchObject(refused)
        expect(await world.failure('session', 'start', 's1', '--agent', secret)).toMatchObject(refused)
        expect(
          await world.failure('session', 'append', 's1', '--agent', secret, '--text', 'Hello'),
        ).toMatchObject(refused)
        expect(await world.failure('session', 'start', secret)).toMatchObject({ code: 'session_id_invalid' })
        const variable = await world.cairn(['session', 'start', 's1'], { env: { CAIRN_AGENT: secret } })
        expect(variable.code).toBe(2)
        world.write('in.jsonl', `${JSON.stringify({ text: 'A note.', metadata: { agent: secret } })}\n`)
        expect(await world.json('import', 'in.jsonl')).toMatchObject({ added: 0, failed: 1 })
        world.write('in.jsonl', '')
      }
      expectNowhere(world)
    }),
  )

  it(
    'is refused as a setting, whatever the key',
    inWorld(async world => {
      await world.ok('remember', 'A note.')
      for (const secret of [TOKEN, KEY])
        for (const key of ['model.name', 'model.keyVariable', 'vault.defaultAgent', 'redaction.allow'])
          expect([key, await world.failure('config', 'set', key, secret)]).toMatchObject([
            key,
            {
              exit: 2,
              code: 'config_value_invalid',
              message: expect.stringContaining('looks like a secret'),
            },
          ])
      const url = 'http://ana:hunter2pass@127.0.0.1:11434/v1'
      expect(await world.failure('config', 'set', 'model.url', url)).toMatchObject({
        code: 'config_value_invalid',
      })
      expectNowhere(world)
      for (const [key, value] of [
        ['redaction.allow', 'team@shop\\.com$,kX9vQ2mL7pR4tY8wZ1nB5cD3'],
        ['model.name', 'meta-llama/Llama-3.3-70B-Instruct-Turbo'],
        ['model.name', 'claude-sonnet-4-5-20250929'],
        ['model.name', 'hf.co/unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF:Q4_K_M'],
        ['embedder.model', 'nomic-embed-text-v1.5'],
        ['model.keyVariable', 'OPENAI_API_KEY'],
        ['model.command', 'codex exec --json --skip-git-repo-check --sandbox read-only -'],
        ['model.url', 'https://openrouter.ai/api/v1'],
      ] as const)
        await world.ok('config', 'set', key, value)
    }),
  )

  it(
    'as a role costs no message: an agent said it',
    inWorld(async world => {
      const roles = [TOKEN, KEY, 'Bob Smith (lead)', 'ana@shop.com', 'user']
      const input = roles
        .map(role => JSON.stringify({ role, text: `Said by number ${role.length}.` }))
        .join('\n')
      const run = await world.cairn(['session', 'append', 's1', '--agent', 'dev', '--json'], { input })
      expect(JSON.parse(run.stdout)).toMatchObject({ added: 5, skipped: 0, redacted: 3, cut: 0 })
      const { conversations } = await world.json<{
        conversations: { messages: { role: string; text: string }[] }[]
      }>('session', 'show', 's1')
      expect(conversations[0]?.messages.map(({ role }) => role)).toEqual([
        ...['agent', 'agent', 'agent', 'agent'],
        'user',
      ])
      expectNowhere(world)
    }),
  )

  it(
    'is told with the field it stood in',
    inWorld(async world => {
      const screen = await world.ok('remember', `A note ${TOKEN}.`, '--tags', TOKEN, '--files', `${KEY}.ts`)
      expect(screen).toMatch(/\nRemoved github_token at 1:8\n/)
      expect(screen).toContain('\nRemoved github_token from the tags\n')
      expect(screen).toContain('\nRemoved aws_access_key from the files\n')
    }),
  )
})

describe.concurrent('a message that is too long', () => {
  it(
    'is cut, and that is said',
    inWorld(async world => {
      const long = JSON.stringify({ role: 'user', text: 'All work and no play. '.repeat(250_000) })
      const input = `${long}\n${JSON.stringify({ role: 'user', text: 'Short.' })}\n`
      const run = await world.cairn(['session', 'append', 's1', '--agent', 'dev', '--json'], { input })
      expect(JSON.parse(run.stdout)).toMatchObject({ added: 2, cut: 1 })
      const screen = await world.cairn(['session', 'append', 's2', '--agent', 'dev'], { input })
      expect(screen.stdout).toContain('  1 message too long to store in full (64 KB')
    }),
  )
})

describe.concurrent('a broken line of the events', () => {
  it(
    'is shown on the screen, with what to do',
    inWorld(async world => {
      await world.ok('session', 'run', 's1', '--command', 'npm test', '--exit-code', '0')
      world.write('.memory/history/events.jsonl', `${world.read('.memory/history/events.jsonl')}broken {\n`)
      expect(await world.ok('events')).toContain(
        'damaged Line 2 of history/events.jsonl is not an event: broken {\n  → The other lines are used.',
      )
      world.write('.memory/history/events.jsonl', 'broken {\n')
      expect(await world.ok('events')).toMatch(/^No event can be read\.\ndamaged Line 1/)
    }),
  )
})

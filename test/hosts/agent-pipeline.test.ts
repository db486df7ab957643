import { mkdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLAUDE_CODE } from './drivers/claude-code.ts'
import { CODEX } from './drivers/codex.ts'
import { GEMINI_CLI } from './drivers/gemini.ts'
import { OPENCODE } from './drivers/opencode.ts'
import type { HostDriver } from './host-driver.ts'
import { hostProgram } from './host-programs.ts'
import { type HostWorld, openHostWorld, runBounded } from './host-world.ts'

const PROGRAMS: Readonly<Record<string, string>> = {
  'claude-code': 'claude',
  codex: 'codex',
  gemini: 'gemini',
  opencode: 'opencode',
}

/** What `cairn agent run` cannot say for a test: where the model is. A user has that in the host's own settings. */
const SETTINGS: Readonly<Record<string, (world: HostWorld) => Readonly<Record<string, string>>>> = {
  codex: world => ({
    '.codex/config.toml': `model = "gpt-5-codex"\nmodel_provider = "fake"\n\n[model_providers.fake]\nname = "fake"\nbase_url = "${world.model.origin}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n`,
  }),
  gemini: () => ({
    '.gemini/settings.json':
      '{"security":{"auth":{"selectedType":"gemini-api-key"}},"model":{"name":"gemini-2.5-pro"}}\n',
  }),
}

interface Answer {
  readonly text: string
  readonly chatId: string
  readonly session: string
}

describe.each([CLAUDE_CODE, CODEX, GEMINI_CLI, OPENCODE])('cairn agent run with $id', driver => {
  it('is answered with what is remembered, goes on by the chat id, and is kept once', async context => {
    const program = hostProgram(driver.id)
    if (program.kind === 'absent') return context.skip(program.reason)
    const world = await openHostWorld(driver, program.command)
    try {
      for (const [name, text] of Object.entries(SETTINGS[driver.id]?.(world) ?? {})) world.write(name, text)
      const bin = path.join(world.base, 'hosts-bin')
      mkdirSync(bin)
      const words = program.command.map(word => `'${word}'`).join(' ')
      writeFileSync(path.join(bin, PROGRAMS[driver.id] ?? ''), `#!/bin/sh\nexec ${words} "$@"\n`, {
        mode: 0o755,
      })
      const cairn = cairnIn(world, driver, bin)
      await cairn('init', '--yes', '--host', driver.id)
      await cairn('remember', 'The crane on pier five lifts at most nine tonnes.', '--kind', 'decision')
      await cairn('agent', 'enable', driver.id, '--yes')

      world.model.script({ say: 'Nine tonnes, as was decided.' })
      const asked = 'How much does the crane on pier five lift?'
      const model = driver.id === 'opencode' ? ['--model', 'fake/fake-model'] : []
      const first = (await cairn('agent', 'run', driver.id, asked, '--agent', 'dev', ...model)) as Answer
      expect(first.text).toBe('Nine tonnes, as was decided.')
      const [request] = world.model.conversation()
      const told = [
        'lifts at most nine tonnes',
        '## PROJECT SCOPE: project',
        '`remember` tool of Cairn',
        asked,
      ]
      expect(told.filter(text => request?.text.includes(text))).toEqual(told)
      expect(request?.text.split('lifts at most nine tonnes').length, 'told once').toBe(2)

      world.model.clear()
      world.model.script({ say: 'Still nine.' })
      const second = (await cairn(
        'agent',
        'run',
        driver.id,
        'And today?',
        '--agent',
        'dev',
        '--chat',
        first.chatId,
        ...model,
      )) as Answer
      expect(second).toMatchObject({ text: 'Still nine.', chatId: first.chatId, session: first.session })
      const resumed = world.model.conversation().at(-1)
      const known = [asked, 'Nine tonnes, as was decided.', 'And today?']
      expect(known.filter(text => resumed?.text.includes(text))).toEqual(known)

      await world.leftRunning()
      await cairn('import', 'sync')
      const { sessions } = (await cairn('sessions')) as { sessions: { session: string; chats: object }[] }
      expect(sessions.map(({ session, chats }) => ({ session, chats }))).toEqual([
        { session: first.session, chats: { dev: first.chatId } },
      ])
      const { conversations } = (await cairn('session', 'show', first.session)) as {
        conversations: { messages: { role: string; text: string }[] }[]
      }
      expect(
        conversations.flatMap(({ messages }) => messages.map(({ role, text }) => `${role}: ${text}`)),
      ).toEqual([
        `user: ${asked}`,
        'agent: Nine tonnes, as was decided.',
        'user: And today?',
        'agent: Still nine.',
      ])
      expect(await world.leftRunning()).toEqual([])
    } finally {
      await world.close()
    }
  })
})

/** A verb with the host's own settings of a test in its environment; gives its answer. */
function cairnIn(world: HostWorld, driver: HostDriver, bin: string) {
  const { environment } = driver.start(world, '')
  const env = {
    ...world.environment,
    ...environment,
    PATH: `${bin}${path.delimiter}${world.environment.PATH}`,
  }
  return async (...words: string[]): Promise<unknown> => {
    const cairn = path.join(world.base, 'bin/cairn')
    const run = await runBounded([process.execPath, cairn, '--json', ...words], world.root, env)
    expect(run, `cairn ${words.join(' ')}: ${run.stderr}${run.stdout}`).toMatchObject({ code: 0 })
    return JSON.parse(run.stdout)
  }
}

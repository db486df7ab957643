import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CLAUDE_CODE } from './drivers/claude-code.ts'
import { CODEX } from './drivers/codex.ts'
import type { HostDriver } from './host-driver.ts'
import { hostProgram } from './host-programs.ts'
import { type HostTerminal, NO_TERMINAL, openTerminal } from './host-terminal.ts'
import { type HostWorld, openHostWorld } from './host-world.ts'

const RULE = 'From now on the crane report is sent before noon.'
const ASKED = 'Cairn asks once'
const SAVED = 'The crane report is sent before noon.'
const STEP_MS = 90_000
const READY_MS = 45_000
/** A loop would come at once. */
const CALM_MS = 6_000

interface Attended {
  readonly driver: HostDriver
  /** What a user before a terminal has: the folder is trusted, the key is known. */
  prepare(world: HostWorld): void
  words(world: HostWorld): readonly string[]
  /** Appears when a prompt can be typed. */
  readonly ready: RegExp
}

const ATTENDED: readonly Attended[] = [
  {
    driver: CLAUDE_CODE,
    prepare(world) {
      const file = path.join(world.home, '.claude.json')
      const state = JSON.parse(readFileSync(file, 'utf8')) as object
      writeFileSync(
        file,
        JSON.stringify({
          ...state,
          hasCompletedOnboarding: true,
          theme: 'dark',
          customApiKeyResponses: { approved: ['dummy'], rejected: [] },
          projects: { [world.root]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
        }),
      )
    },
    words: () => [],
    ready: /\? for shortcuts|Try "|❯/,
  },
  {
    driver: CODEX,
    prepare(world) {
      const file = path.join(world.home, '.codex/config.toml')
      const text = readFileSync(file, 'utf8')
      const header = `[projects."${world.root}"]`
      if (!text.includes(header)) writeFileSync(file, `${text}\n${header}\ntrust_level = "trusted"\n`)
    },
    words: world =>
      CODEX.start(world, '').words.filter(word => !['exec', '--skip-git-repo-check', ''].includes(word)),
    ready: /›|Ask Codex|context left/,
  },
]

for (const host of ATTENDED) {
  const { driver } = host
  const program = hostProgram(driver.id)
  const reason = program.kind === 'absent' ? program.reason : NO_TERMINAL
  if (program.kind === 'absent' || reason !== undefined) {
    it(`${driver.id} is asked once`, context => context.skip(reason))
    continue
  }

  describe(`${driver.id} ${program.version} with a person before it`, () => {
    let world: HostWorld
    let terminal: HostTerminal | undefined

    beforeAll(async () => {
      world = await openHostWorld(driver, program.command)
      // Files that a host completes by itself are there after its first run.
      await world.run('Say hello.')
      expect(await world.cairn('init', '--yes', '--host', driver.id)).toMatchObject({ code: 0 })
      await world.cairn('remember', 'The crane is on pier five.')
      await world.cairn('config', 'set', 'hooks.promptDeadlineMs', '4000')
      host.prepare(world)
    })
    afterEach(() => terminal?.close())
    afterAll(() => world?.close())

    const failures = () => {
      const file = path.join(world.home, '.cairn/hook-failures.jsonl')
      return existsSync(file) ? readFileSync(file, 'utf8') : 'none failed'
    }
    const until = async (what: string, isSo: () => boolean, limitMs = STEP_MS) => {
      for (const end = Date.now() + limitMs; !isSo(); await pause(200))
        if (Date.now() > end)
          throw new Error(
            `${what} did not happen; hooks: ${failures()}; the screen: ${terminal?.screen().slice(-3_000)}`,
          )
    }
    const asks = () => {
      const folder = path.join(world.root, '.memory/.vault/asks')
      return existsSync(folder) ? readdirSync(folder) : []
    }
    const count = (ending: string) => asks().filter(name => name.endsWith(ending)).length
    const begin = async () => {
      world.model.clear()
      const { words, environment } = {
        words: host.words(world),
        environment: driver.start(world, '').environment,
      }
      const open = async () => {
        terminal = openTerminal([...program.command, ...words], {
          cwd: world.root,
          env: { ...world.environment, ...environment },
        })
        await until('the prompt', () => host.ready.test(terminal?.screen() ?? ''), READY_MS)
      }
      // Codex now and then draws nothing on a busy machine; no hook of ours has run by then.
      await open().catch(error => {
        console.warn(`${driver.id} is started a second time: ${error.message}`)
        terminal?.close()
        return open()
      })
      await pause(3_000)
    }
    const said = async (requests: number) => {
      await until(`request ${requests}`, () => world.model.conversation().length >= requests)
      await pause(CALM_MS)
      expect(world.model.conversation(), terminal?.screen().slice(-2_000)).toHaveLength(requests)
    }
    const asked = () => world.model.conversation().map(({ text }) => text.split(ASKED).length - 1)
    const entries = async () => (await world.cairn('list', '--json')).stdout
    /** What the newest session holds of what people and agents said. */
    const conversation = async (): Promise<string[]> => {
      const listed = JSON.parse((await world.cairn('sessions', '--json')).stdout)
      const shown = JSON.parse(
        (await world.cairn('session', 'show', listed.sessions[0].session, '--json')).stdout,
      )
      return shown.conversations[0].messages
        .filter(({ role }: { role: string }) => role !== 'tool')
        .map(({ role, text }: { role: string; text: string }) => `${role}: ${text}`)
    }

    it('is asked with the next prompt, once; the answer is stored', async () => {
      await begin()
      world.model.script({ say: 'Noted.' })
      await terminal?.enter(RULE)
      await said(1)
      await until('the mark', () => count('.due') === 1)
      world.model.script(
        {
          call: 'remember',
          with: { entries: [{ statement: SAVED, why: 'The user said so.', kind: 'preference' }] },
        },
        { say: 'Saved.' },
      )
      await terminal?.enter('Who reads the report?')
      await said(3)
      expect(asked()).toEqual([0, 1, 1])
      expect(await entries()).toContain(SAVED)
      expect(count('.asked')).toBe(1)
      world.model.script({ say: 'Nobody.' })
      await terminal?.enter('And who writes it?')
      await said(4)
      expect(asked().at(-1), 'not a second time').toBe(1)
      expect((await world.cairn('status')).stdout).toContain('1 time, 1 answered')
      const turns = [RULE, 'Noted.', 'Who reads the report?', 'Saved.', 'And who writes it?', 'Nobody.']
      await expect
        .poll(conversation, { timeout: STEP_MS, interval: 1_000 })
        .toEqual(turns.map((text, at) => `${at % 2 === 0 ? 'user' : 'agent'}: ${text}`))
    })

    it('is asked at the end of a turn, once; the second end is silent', async () => {
      await world.cairn('config', 'set', 'agentSaves', 'stop')
      await begin()
      world.model.script(
        { say: 'Noted.' },
        { call: 'remember', with: { entries: [{ statement: 'The pier report is never sent on Sundays.' }] } },
        { say: 'Saved.' },
      )
      const before = count('.asked')
      await terminal?.enter('Never send the pier report on Sundays.')
      await said(3)
      // Claude Code writes what a Stop hook says into the conversation twice.
      const [none, shown = 0, still] = asked()
      expect([none, shown > 0, still]).toEqual([0, true, shown])
      expect(count('.asked')).toBe(before + 1)
      expect(await entries()).toContain('The pier report is never sent on Sundays.')
      world.model.script({ say: 'Ada.' })
      await terminal?.enter('Who signs it? Always tell me.')
      await said(4)
      expect(asked().at(-1), 'not a second time').toBe(shown)
    })

    it('asks nothing of a headless run', async () => {
      await world.cairn('config', 'set', 'agentSaves', 'stop')
      world.model.clear()
      await world.run('From now on the harbour report is sent before one.')
      expect(asked()).toEqual([0])
      await world.cairn('config', 'set', 'agentSaves', 'next')
      world.model.clear()
      await world.run('From now on the harbour report is sent before two.')
      expect(await world.leftRunning()).toEqual([])
      expect(count('.due') - count('.asked')).toBeLessThanOrEqual(0)
    })
  })
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

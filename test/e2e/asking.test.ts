import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { idIn, withAgent } from './mcp-agent.ts'
import { inWorld, type World } from './world.ts'

const QUESTION = 'Cairn asks once'
const RULE = 'From now on put the date first in file names.'
const QUOTED = `The user said: \\"${RULE}\\". Save each`
const ATTENDED = { CLAUDE_CODE_SESSION_ATTENDED: '1', CI: '' }

/** A trusted memory, and a host whose files say that Cairn was installed into it. */
async function installed(
  world: World,
  host = 'claude-code',
  config = '{"mcpServers":{"cairn":{"command":"cairn","args":["mcp"]}}}',
) {
  await world.ok('remember', 'File names are in lower case.', '--kind', 'preference')
  await world.ok('config', 'set', 'hooks.promptDeadlineMs', '5000')
  const at = '2026-01-01T00:00:00.000Z'
  const root = realpathSync(world.root)
  const folder = path.join(world.home, '.cairn')
  mkdirSync(path.join(folder, 'installs'), { recursive: true })
  const project = { id: 'p', name: 'p', root, trustedAt: at, firstSeenAt: at, lastSeenAt: at }
  writeFileSync(path.join(folder, 'projects.json'), JSON.stringify({ version: 1, projects: [project] }))
  const file = path.join(world.home, 'host.json')
  writeFileSync(file, config)
  const record = { version: 1, path: file, owners: [{ host, level: 'user' }] }
  writeFileSync(path.join(folder, 'installs', 'host.json'), JSON.stringify(record))
}

async function hook(
  world: World,
  host: string,
  event: string,
  payload: object,
  env: object = ATTENDED,
): Promise<string> {
  const run = await world.cairn(['hook', host, event], {
    input: JSON.stringify({ session_id: 's1', ...payload }),
    env: { ...env },
  })
  expect(run, `${host} ${event}`).toMatchObject({ code: 0, stderr: '' })
  return run.stdout
}

const asks = (world: World) => path.join(world.root, '.memory/.vault/asks')
const prompt = (world: World, text: string, more: object = {}, env: object = ATTENDED) =>
  hook(world, 'claude-code', 'UserPromptSubmit', { prompt: text, ...more }, env)
const stop = (world: World, more: object = {}, env: object = ATTENDED) =>
  hook(
    world,
    'claude-code',
    'Stop',
    { last_assistant_message: 'Renamed them.', stop_hook_active: false, ...more },
    env,
  )

/** Until the worker has taken the turn in. */
async function quiet(world: World): Promise<void> {
  const spool = path.join(world.root, '.memory/.vault/spool')
  for (let n = 0; n < 600; n++) {
    const names = existsSync(spool) ? readdirSync(spool) : []
    if (!names.some(name => /\.(jsonl|taken)$/.test(name) || name === 'worker')) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('the worker did not end')
}

/** One turn in which the user states a rule. */
async function turn(world: World, session = 's1', env: object = ATTENDED): Promise<void> {
  await prompt(world, RULE, { session_id: session }, env)
  await stop(world, { session_id: session }, env)
  await quiet(world)
}

describe('asking with the next prompt', () => {
  it(
    'asks once in a session, counts it, and notes the answer',
    inWorld(async world => {
      await installed(world)
      await turn(world)
      const asked = await prompt(world, 'Now the next folder.')
      expect(asked).toContain(QUESTION)
      expect(asked).toContain('`mcp__cairn__remember`')
      expect(asked).toContain('File names are in lower case.')
      expect(asked).toContain(QUOTED)
      expect(Object.keys(JSON.parse(asked).hookSpecificOutput)).toEqual([
        'hookEventName',
        'additionalContext',
      ])
      await stop(world)
      await quiet(world)
      expect(await prompt(world, 'And the one after that.')).not.toContain(QUESTION)
      const { agentSaves } = await world.json('status')
      expect(agentSaves).toMatchObject({ mode: 'next', asked: 1, answered: 0 })
      expect(agentSaves.tokens).toBeGreaterThan(100)
      await withAgent(
        world,
        async ({ call }) => {
          idIn(await call('remember', { entries: [{ statement: 'File names begin with the date.' }] }))
        },
        { env: { CLAUDE_CODE_SESSION_ID: 's1' } },
      )
      expect((await world.json('status')).agentSaves).toMatchObject({ asked: 1, answered: 1 })
      expect(await world.ok('status')).toContain('Agents asked what they learned: 1 time, 1 answered')
    }),
  )

  it(
    'asks once when two processes answer the same session',
    inWorld(async world => {
      await installed(world)
      await turn(world)
      const answers = await Promise.all(['One.', 'Two.', 'Three.'].map(text => prompt(world, text)))
      expect(answers.filter(text => text.includes(QUESTION))).toHaveLength(1)
    }),
  )

  it(
    'never asks again when a process died between the mark and its answer',
    inWorld(async world => {
      await installed(world)
      await turn(world)
      writeFileSync(path.join(asks(world), 's1.asked'), '')
      expect(await prompt(world, 'Next.')).not.toContain(QUESTION)
      await stop(world)
      await quiet(world)
      expect(await prompt(world, 'And next.')).not.toContain(QUESTION)
    }),
  )

  it(
    'asks neither sub-agents, nor headless runs, nor CI, nor where it is off or nothing happened',
    inWorld(async world => {
      await installed(world)
      await turn(world)
      const due = path.join(asks(world), 's1.due')
      expect(existsSync(due)).toBe(true)
      for (const [more, env] of [
        [{ agent_id: 'a1', agent_type: 'explorer' }, ATTENDED],
        [{}, { ...ATTENDED, CI: 'true' }],
        [{}, { ...ATTENDED, CLAUDE_CODE_SESSION_ATTENDED: '0' }],
        [{}, { CI: '', CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }],
      ] as const)
        expect(await prompt(world, 'Next.', more, env), JSON.stringify([more, env])).not.toContain(QUESTION)
      await world.ok('config', 'set', 'agentSaves', 'off')
      expect(await prompt(world, 'Next.')).not.toContain(QUESTION)
      await world.ok('config', 'set', 'agentSaves', 'next')
      await turn(world, 'headless', { CI: '', CLAUDE_CODE_SESSION_ATTENDED: '0' })
      await turn(world, 'in-ci', { ...ATTENDED, CI: '1' })
      await prompt(world, 'What is in the folder?', { session_id: 'dull' })
      await stop(world, { session_id: 'dull' })
      await quiet(world)
      expect(readdirSync(asks(world)).filter(name => name.endsWith('.due'))).toEqual(['s1.due'])
      expect(await prompt(world, 'Next.'), 'and then it is asked').toContain(QUESTION)
    }),
  )

  it(
    'leaves nothing to ask where the host has no server of ours, or its user denies the tool',
    inWorld(async world => {
      for (const config of [
        '{}',
        '{"mcpServers":{"cairn":{"command":"cairn","args":["mcp"]}},"permissions":{"deny":["mcp__cairn"]}}',
      ]) {
        await installed(world, 'claude-code', config)
        await turn(world)
        expect(existsSync(asks(world)) ? readdirSync(asks(world)) : []).toEqual([])
      }
    }),
  )

  it(
    'does not ask about what the agent saved already, and asks about what came after',
    inWorld(async world => {
      await installed(world)
      await turn(world)
      await withAgent(
        world,
        async ({ call }) => {
          await call('remember', { entries: [{ statement: 'File names begin with the date.' }] })
        },
        { env: { CLAUDE_CODE_SESSION_ID: 's1' } },
      )
      expect(await prompt(world, 'Go on.')).not.toContain(QUESTION)
      await stop(world)
      await quiet(world)
      expect(await prompt(world, 'Never touch the archive folder.')).not.toContain(QUESTION)
      await stop(world)
      await quiet(world)
      expect(await prompt(world, 'Go on.')).toContain(QUESTION)
    }),
  )

  it(
    'asks at the start of the next session when the last ended without saving, once',
    inWorld(async world => {
      await installed(world)
      await turn(world)
      const start = (session: string, env: object = ATTENDED) =>
        hook(world, 'claude-code', 'SessionStart', { session_id: session, source: 'startup' }, env)
      expect(await start('s2'), 'the last is not over').not.toContain('ended without saving')
      await hook(world, 'claude-code', 'SessionEnd', { reason: 'other' })
      await quiet(world)
      expect(await start('s3', { CI: '', CLAUDE_CODE_SESSION_ATTENDED: '0' })).not.toContain(
        'ended without saving',
      )
      const asked = await start('s4')
      expect(asked).toContain('ended without saving; its closing message was: \\"Renamed them.\\"')
      expect(asked).toContain(QUOTED)
      expect(await start('s5')).not.toContain('ended without saving')
      // One question in a session: the new one was asked with it.
      await turn(world, 's4')
      expect(await prompt(world, 'Next.', { session_id: 's4' })).not.toContain(QUESTION)
      expect((await world.json('status')).agentSaves).toMatchObject({ asked: 1 })
    }),
  )
})

describe('asking at the end of a turn', () => {
  it(
    'blocks once, and never while the host goes on because of it',
    inWorld(async world => {
      await installed(world)
      await world.ok('config', 'set', 'agentSaves', 'stop')
      await prompt(world, RULE)
      expect(await stop(world, { stop_hook_active: true })).toBe('')
      const answer = JSON.parse(await stop(world)) as { decision: string; reason: string }
      expect(Object.keys(answer)).toEqual(['decision', 'reason'])
      expect(answer.decision).toBe('block')
      expect(answer.reason).toContain('Cairn asks once before this session ends')
      expect(answer.reason).toContain(`The user said: "${RULE}".`)
      for (const more of [{ stop_hook_active: true }, {}, {}]) expect(await stop(world, more)).toBe('')
      expect(await prompt(world, 'Next.')).not.toContain(QUESTION)
    }),
  )

  it(
    'is silent for sub-agents, headless runs, CI, hosts without a shown guard, and the other modes',
    inWorld(async world => {
      await installed(world)
      await prompt(world, RULE)
      expect(await stop(world), 'next').toBe('')
      await world.ok('config', 'set', 'agentSaves', 'stop')
      for (const [more, env] of [
        [{ agent_id: 'a1', agent_type: 'explorer' }, ATTENDED],
        [{}, { ...ATTENDED, CI: 'true' }],
        [{}, { CI: '', CLAUDE_CODE_SESSION_ATTENDED: '0' }],
        [{}, { CI: '' }],
      ] as const) {
        await prompt(world, RULE)
        expect(await stop(world, more, env), JSON.stringify([more, env])).toBe('')
      }
      for (const [host, event] of [
        ['gemini', 'AfterAgent'],
        ['copilot', 'agentStop'],
        ['opencode', 'session.idle'],
        ['cursor', 'afterAgentResponse'],
      ] as const)
        expect(await hook(world, host, event, { session_id: 's9' }), host).toBe('')
    }),
  )
})

describe('cairn init', () => {
  it(
    'sets how agents are asked',
    inWorld(async world => {
      await world.ok('init', '--yes', '--host', 'claude-code', '--agent-saves', 'stop')
      expect(JSON.parse(readFileSync(path.join(world.root, '.memory/config.json'), 'utf8'))).toMatchObject({
        agentSaves: 'stop',
      })
      await world.ok('init', '--yes', '--host', 'claude-code', '--agent-saves', 'off')
      expect((await world.json('status')).agentSaves.mode).toBe('off')
    }),
  )
})

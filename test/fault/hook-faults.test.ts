import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import * as path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { ComposedCheckout } from '../../src/compose/composed.ts'
import { captureOf, leaveForWorker } from '../../src/hosts/hooks/capture-hook.ts'
import { purposeOf, readPayload } from '../../src/hosts/hooks/decide/read-payload.ts'
import { drainHookQueue } from '../../src/hosts/hooks/worker.ts'
import { CairnError } from '../../src/kernel/model/errors.ts'
import { type Disk, nodeDisk } from '../../src/kernel/system/disk.ts'
import { failingDisk } from '../support/failing-disk.ts'
import { scratchProject } from '../support/scratch-project.ts'

let before: string | undefined
beforeEach(() => {
  before = process.env.CAIRN_HOME
  process.env.CAIRN_HOME = scratchProject()
})
afterEach(() => {
  if (before === undefined) delete process.env.CAIRN_HOME
  else process.env.CAIRN_HOME = before
})

const openOn = (root: string, disk: Disk = nodeDisk) => composeEngine({ root, disk, actor: { host: 'test' } })

const CALLS: readonly (readonly [event: string, payload: object])[] = [
  ['UserPromptSubmit', { prompt: 'one' }],
  [
    'PostToolUse',
    { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_response: { stdout: 'fine' } },
  ],
  ['Stop', { last_assistant_message: 'Done.' }],
  ['PreCompact', { trigger: 'auto' }],
]

async function leave(engine: ComposedCheckout, [name, payload]: (typeof CALLS)[number]): Promise<void> {
  const purpose = purposeOf('claude-code', name) ?? 'tool'
  const event = readPayload('claude-code', name, purpose, { session_id: 's1', cwd: engine.root, ...payload })
  const line = await captureOf(engine, event, { mayScan: true })
  if (line !== undefined) await leaveForWorker(engine, line)
}

const work = (engine: ComposedCheckout, notes: unknown[]) =>
  drainHookQueue(engine, { note: (_, error) => notes.push(error), afterwards: async () => undefined })

async function kept(engine: ComposedCheckout): Promise<string[]> {
  const { messages = [] } = (await engine.sessions.read({ session: 's1', agent: 'shared' })) ?? {}
  return messages.map(({ role }) => role)
}

/** A project in which hooks were called, and nobody took anything in. */
async function waiting(): Promise<string> {
  const root = scratchProject()
  const engine = openOn(root)
  for (const call of CALLS) await leave(engine, call)
  await engine.close()
  return root
}

describe.each([
  ['once', false],
  ['and every step after it', true],
])('when a disk step fails %s', (_name, forGood) => {
  it('while a hook leaves its line, the line is there whole or not at all, and the next one is', async () => {
    const whole = failingDisk(Number.POSITIVE_INFINITY, { forGood })
    const trial = openOn(scratchProject(), whole.disk)
    for (const call of CALLS) await leave(trial, call)
    await trial.close()
    expect(whole.steps()).toBeGreaterThan(3)
    for (let step = 1; step <= whole.steps(); step++) {
      const root = scratchProject()
      const failing = openOn(root, failingDisk(step, { forGood }).disk)
      let lost = 0
      for (const call of CALLS.slice(0, 3))
        await leave(failing, call).catch((error: unknown) => {
          expect(error).toBeInstanceOf(CairnError)
          lost++
        })
      await failing.close()
      const engine = openOn(root)
      await leave(engine, ['UserPromptSubmit', { prompt: 'after' }])
      await work(engine, [])
      expect((await kept(engine)).length, `step ${step}`).toBe(4 - lost)
      expect((await kept(engine)).at(-1)).toBe('user')
      await engine.close()
    }
  })

  it('while a worker takes lines in, the next one finishes: nothing is lost, nothing is there twice', async () => {
    const original = await waiting()
    const whole = failingDisk(Number.POSITIVE_INFINITY, { forGood })
    const copyOf = () => {
      const root = scratchProject()
      cpSync(original, root, { recursive: true })
      return root
    }
    const trial = openOn(copyOf(), whole.disk)
    await work(trial, [])
    expect(await kept(trial)).toEqual(['user', 'tool', 'agent'])
    await trial.close()
    for (let step = 1; step <= whole.steps(); step++) {
      const root = copyOf()
      const failing = openOn(root, failingDisk(step, { forGood }).disk)
      const notes: unknown[] = []
      await work(failing, notes).catch((error: unknown) => notes.push(error))
      await failing.close()
      const engine = openOn(root)
      const after: unknown[] = []
      await work(engine, after)
      expect(after, `step ${step}`).toEqual([])
      expect(await kept(engine), `step ${step}`).toEqual(['user', 'tool', 'agent'])
      expect((await engine.events.newest(9)).events, `step ${step}`).toHaveLength(1)
      expect(await engine.hookQueue.waiting(), `step ${step}`).toEqual([])
      await engine.close()
    }
  }, 120_000)
})

it.each([
  ['full', 'ENOSPC', 'disk_full'],
  ['read-only', 'EROFS', 'vault_read_only'],
])(
  'a disk that is %s is named, and what waits is taken in when it can be written again',
  async (_name, errno, code) => {
    const root = await waiting()
    const full: Disk = {
      ...nodeDisk,
      ...Object.fromEntries(
        (['writeFile', 'append', 'appendSoon', 'makeFolder', 'rename', 'remove'] as const).map(name => [
          name,
          () => {
            throw Object.assign(new Error(`${errno}: injected`), { code: errno })
          },
        ]),
      ),
    }
    const failing = openOn(root, full)
    await expect(leave(failing, ['Stop', { last_assistant_message: 'Not kept.' }])).rejects.toMatchObject({
      code,
    })
    const notes: unknown[] = []
    await work(failing, notes).catch((error: unknown) => notes.push(error))
    expect(notes[0]).toMatchObject({ code })
    await failing.close()
    const engine = openOn(root)
    await work(engine, [])
    expect(await kept(engine)).toEqual(['user', 'tool', 'agent'])
    await engine.close()
  },
)

it('half a line of a hook that was killed is left out, and those around it are kept', async () => {
  const root = await waiting()
  const spool = path.join(root, '.memory/.vault/spool')
  const [name = ''] = readdirSync(spool).filter(file => file.endsWith('.jsonl'))
  writeFileSync(path.join(spool, name), '\n{"v":1,"at":"2026-01-01T00:0', { flag: 'a' })
  const engine = openOn(root)
  await leave(engine, ['UserPromptSubmit', { prompt: 'two' }])
  const notes: unknown[] = []
  await work(engine, notes)
  expect(notes).toHaveLength(1)
  expect(await kept(engine)).toEqual(['user', 'tool', 'agent', 'user'])
  await engine.close()
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import type { ComposedCheckout } from '../src/compose/composed.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { remember } from '../src/features/entries/write-entries.ts'
import { captureOf, leaveForWorker } from '../src/hosts/hooks/capture-hook.ts'
import { readPayload } from '../src/hosts/hooks/decide/read-payload.ts'
import { storeSessionLines } from '../src/hosts/hooks/store-session-lines.ts'
import { drainHookQueue } from '../src/hosts/hooks/worker.ts'
import type { Entry } from '../src/kernel/model/entry.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const FILE = '.memory/dev/decisions.md'
const S3 = 'Uploads go to S3: the disk of the web server is small.'

const typed = (content: string) => `## 2026-03-16T16:51\n\n${content}\n\n---\n`

function open(root = scratchProject({ '.memory/_project.md': 'A shop.\n' }), laterMs = 0): ComposedCheckout {
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + laterMs }
  const engine = composeEngine({ root, clock, actor: { host: 'test' } })
  onTestFinished(() => engine.close())
  return engine
}

/** The hook of a tool, and whether a worker is to be started. */
async function told(engine: ComposedCheckout, payload: object) {
  const fields = { session_id: 's1', cwd: engine.root, ...payload }
  const event = readPayload('claude-code', 'PostToolUse', 'tool', fields)
  const line = await captureOf(engine, event, { mayScan: true })
  if (line === undefined) throw new Error('nothing was kept')
  return { line, isWorkerDue: await leaveForWorker(engine, line) }
}

/** The agent writes the whole file, and its host says so. */
function writes(engine: ComposedCheckout, content: string, payload: object = {}) {
  writeIn(engine.root, FILE, content)
  const input = { file_path: path.join(engine.root, FILE), content }
  return told(engine, { tool_name: 'Write', tool_input: input, ...payload })
}

async function work(engine: ComposedCheckout): Promise<void> {
  const failures: unknown[] = []
  await drainHookQueue(engine, {
    note: (_, error) => failures.push(error),
    afterwards: async () => undefined,
  })
  expect(failures).toEqual([])
}

async function entries(engine: ComposedCheckout): Promise<Entry[]> {
  return (await engine.store.listEntries({ filter: {}, limit: 100, offset: 0 })).entries
}

/** The entry in the file that the agent edits. */
async function decision(engine: ComposedCheckout): Promise<Entry | undefined> {
  return (await entries(engine)).find(({ category }) => category === 'decisions')
}

const spooled = (root: string) =>
  readdirSync(path.join(root, '.memory/.vault/spool'))
    .filter(name => name.endsWith('.jsonl'))
    .map(name => readFileSync(path.join(root, '.memory/.vault/spool', name), 'utf8'))
    .join('')

describe('what an agent writes into a vault file', () => {
  it('is its candidate, also in a memory that had no entry', async () => {
    const engine = open()
    expect(await entries(engine)).toEqual([])
    expect((await writes(engine, typed(S3))).isWorkerDue).toBe(true)
    await work(engine)
    expect(await entries(engine)).toMatchObject([
      { content: S3, origin: 'agent', status: 'candidate', session: 's1' },
    ])
    // It leaves the file that git sees.
    expect(existsSync(path.join(engine.root, FILE))).toBe(false)
    expect(readIn(engine.root, '.memory/local/dev/decisions.md')).toContain('origin:agent')
  })

  it('is found however late the hook runs after another process read the file', async () => {
    const engine = open()
    await remember(engine, [{ content: 'One.' }])
    writeIn(engine.root, FILE, typed(S3))
    expect(await decision(engine)).toMatchObject({ content: S3, origin: 'person' })
    const late = open(engine.root, 20_000)
    const input = { file_path: FILE, content: typed(S3) }
    await told(late, { tool_name: 'Write', tool_input: input })
    await work(late)
    expect(await decision(late)).toMatchObject({ content: S3, origin: 'agent' })
  })

  it('says that text from outside was in the session', async () => {
    const engine = open()
    await remember(engine, [{ content: 'One.' }])
    await told(engine, { tool_name: 'Bash', tool_input: { command: 'curl https://example.com/guide' } })
    await writes(engine, typed(S3))
    await work(engine)
    expect(await decision(engine)).toMatchObject({ origin: 'agent', extra: { untrusted: 'web' } })
  })

  it('leaves no secret in the spool, and is the agent’s all the same', async () => {
    const engine = open()
    await remember(engine, [{ content: 'One.' }])
    const key = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    await writes(engine, typed(`The key is ${key}.`))
    expect(spooled(engine.root)).toContain('The key is')
    expect(spooled(engine.root)).not.toContain(key)
    await work(engine)
    expect(await decision(engine)).toMatchObject({ origin: 'agent' })
  })

  it('is not marked twice, not marked again after an undo, and not undone by an agent', async () => {
    const engine = open()
    await remember(engine, [{ content: 'One.' }])
    const { line } = await writes(engine, typed(S3))
    await work(engine)
    const again = () =>
      storeSessionLines(engine, { name: 's1', lines: [line], stored: 1, isLeftover: true, done: undefined })
    await again()
    const actions: string[] = []
    for await (const { action } of engine.store.readJournal({})) actions.push(action)
    expect(actions).toEqual(['update', 'observe', 'add'])
    await expect(undoOperation.run(engine, {}, { isAgent: true })).rejects.toMatchObject({
      code: 'nothing_to_undo',
    })
    await undoOperation.run(engine, {}, {})
    expect(await decision(engine)).toMatchObject({ content: S3, origin: 'person', status: 'confirmed' })
    await again()
    expect(await decision(engine)).toMatchObject({ content: S3, origin: 'person', status: 'confirmed' })
  })

  it('stays a person’s where the host does not tell the text', async () => {
    const engine = open()
    await remember(engine, [{ content: 'One.' }])
    writeIn(engine.root, FILE, typed(S3))
    const { line } = await told(engine, { tool_name: 'Write', tool_input: { file_path: FILE } })
    expect(line.written).toBeUndefined()
    await work(engine)
    expect(await decision(engine)).toMatchObject({ content: S3, origin: 'person' })
  })
})

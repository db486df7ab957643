import { readdirSync, rmSync } from 'node:fs'
import * as path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Memory, openMemory } from '../src/api.ts'
import { composeEngine } from '../src/compose/compose.ts'
import type { Composed } from '../src/compose/composed.ts'
import { undoOperation } from '../src/features/entries/verbs/undo.ts'
import { changeEntry, remember } from '../src/features/entries/write-entries.ts'
import { configSetOperation } from '../src/features/settings/verbs/config.ts'
import { isRecallDue, recallWhenDue } from '../src/features/state/auto-recall.ts'
import { restoreCheckpoint } from '../src/features/state/checkpoints.ts'
import { recall } from '../src/features/state/recall.ts'
import { recallOperation } from '../src/features/state/verbs/recall.ts'
import { CairnError } from '../src/kernel/model/errors.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { failingDisk } from './support/failing-disk.ts'
import { day, run, session } from './support/recall-world.ts'
import { readIn, scratchProject, writeIn } from './support/scratch-project.ts'

const opened: { close(): Promise<void> }[] = []
let nowMs: number
beforeEach(() => {
  nowMs = Date.UTC(2026, 2, 20)
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

function open(root: string, more: object = {}): Composed {
  const engine = composeEngine({
    root,
    actor: { host: 'test' },
    clock: { ...systemClock, nowMs: () => nowMs++ },
    ...more,
  })
  opened.push(engine)
  return engine
}

async function memoryAt(root: string): Promise<Memory> {
  const memory = await openMemory({ root, vectors: 'never', upkeep: 'never', recall: 'never' })
  opened.push(memory)
  return memory
}

const PACKAGE = JSON.stringify({ name: 'shop', scripts: { test: 'vitest run' } })
const stepsOf = (recalled: { bundle: { nextSteps: readonly { text: string }[] } }) =>
  recalled.bundle.nextSteps.map(({ text }) => text)
const checkpointsIn = (root: string) => readdirSync(path.join(root, '.memory/history/checkpoints'))

describe('recall', () => {
  it('works in an empty project, and adds nothing again', async () => {
    const root = scratchProject({ 'package.json': PACKAGE, 'src/main.ts': '' })
    const engine = open(root)
    const first = await recall(engine)
    expect(first).toMatchObject({ isChanged: true, backlog: 0, bundle: { project: { name: 'shop' } } })
    expect(first.bundle.projectMap.languages).toEqual([{ name: 'TypeScript', files: 1 }])
    const again = await recall(engine)
    expect(again).toMatchObject({
      isChanged: false,
      changes: [],
      bundleHash: first.bundleHash,
      checkpoint: first.checkpoint,
    })
    expect(checkpointsIn(root)).toEqual([`${first.checkpoint}.json`])
  })

  it('writes nothing when there is nothing new, also after sessions with decisions and handoffs', async () => {
    const root = scratchProject({ 'package.json': PACKAGE })
    const memory = await memoryAt(root)
    await memory.sessions.start({ session: 's1' })
    await memory.sessions.append('s1', [
      { role: 'user', text: 'We decided to use SSE for the board, because the proxy drops sockets.' },
    ])
    await memory.sessions.record('s1', [
      { tool: 'Edit', files: ['src/board.ts'], isEdit: true, ok: true },
      { tool: 'Bash', command: 'npm test', exitCode: 0, output: '3 passed' },
    ])
    await memory.sessions.append('s1', [
      { role: 'agent', text: 'I moved the board to SSE.\n\n## Next steps\n- Try it behind the proxy' },
    ])
    await memory.sessions.close('s1')
    await memory.remember({ content: 'The proxy drops idle sockets.', kind: 'warning' })
    const first = await memory.recall()
    expect(stepsOf(first)).toEqual(['Try it behind the proxy.'])
    const files = () => [readIn(root, '.memory/state.json'), checkpointsIn(root)]
    const before = files()
    for (let times = 0; times < 3; times++)
      expect(await memory.recall()).toMatchObject({
        isChanged: false,
        changes: [],
        checkpoint: first.checkpoint,
      })
    expect(files()).toEqual(before)
  })

  it('only looks with --dry-run', async () => {
    const root = scratchProject({ 'package.json': PACKAGE })
    const engine = open(root)
    await remember(engine, [{ content: '- [ ] Add paging', category: 'tasks' }])
    await engine.events.append([run('a', day(2), 'npm test', 'passed')])
    const seen = await recall(engine, { dryRun: true })
    expect([stepsOf(seen), seen.backlog, seen.isDryRun]).toEqual([['Add paging'], 1, true])
    expect(await engine.state.read()).toEqual({ kind: 'none' })
  })

  it('reads each source as far as it has not, also when the events it stood at are in the archive', async () => {
    const engine = open(scratchProject())
    await engine.events.append([run('a', day(2), 'npm test', 'passed')])
    const old = (await engine.events.newest(1)).events[0]
    expect((await recall(engine)).folded.events).toBe(1)
    await engine.events.append([run('a', day(3), 'npm run lint', 'failed')])
    await engine.events.remove(new Set([old?.id ?? '']))
    const next = await recall(engine)
    expect([next.folded.events, next.bundle.validationCommands.map(({ command }) => command)]).toEqual([
      1,
      ['npm run lint', 'npm test'],
    ])
    expect((await recall(engine)).folded.events).toBe(0)
    // What is restored stands before what was read.
    await engine.events.putBack(old === undefined ? [] : [old])
    expect((await recall(engine)).folded.events).toBe(0)
  })

  it('folds in one source, or one section, and leaves the rest waiting', async () => {
    const engine = open(scratchProject())
    await remember(engine, [{ content: '- [ ] Add paging', category: 'tasks' }])
    const imported = { ...run('x', day(2), 'make check', 'passed'), sourceId: 'src-1' }
    await engine.events.append([imported, run('a', day(3), 'npm test', 'passed')])
    const some = await recall(engine, { source: 'imports' })
    expect([some.bundle.validationCommands.length, stepsOf(some), some.backlog]).toEqual([1, [], 1])
    const section = await recall(engine, { section: 'nextSteps' })
    expect([stepsOf(section), section.backlog]).toEqual([['Add paging'], 1])
    expect(await recall(engine, { source: 'a' })).toMatchObject({ folded: { events: 1 }, backlog: 0 })
    await expect(recall(engine, { source: 'nobody' })).rejects.toMatchObject({ code: 'source_not_found' })
  })

  it('warns of a backlog, and tells of events that cannot be read', async () => {
    const root = scratchProject({
      '.memory/config.json': '{"version":1,"recall":{"backlogWarnThreshold":1}}',
    })
    const engine = open(root)
    await engine.events.append([session('a', day(2), {}), session('b', day(3), {})])
    writeIn(
      root,
      '.memory/history/events.jsonl',
      `${readIn(root, '.memory/history/events.jsonl')}not an event\n`,
    )
    const { problems } = await recall(engine, { source: 'imports' })
    expect(problems.map(({ code }) => code)).toEqual(['event_line_damaged', 'recall_backlog'])
  })

  it('makes a lost or damaged state again, and keeps the damaged one', async () => {
    const root = scratchProject({ 'package.json': PACKAGE })
    const engine = open(root)
    await remember(engine, [{ content: 'The cache must be warm.', kind: 'warning' }])
    const first = await recall(engine)
    rmSync(path.join(root, '.memory/state.json'))
    expect((await recall(engine)).bundleHash).toBe(first.bundleHash)
    writeIn(root, '.memory/state.json', '{"schemaVersion": 1')
    const mended = await recall(engine)
    expect([mended.bundleHash, mended.problems[0]?.code]).toEqual([first.bundleHash, 'state_damaged'])
    expect(readdirSync(path.join(root, '.memory')).filter(name => name.includes('damaged'))).toHaveLength(1)
    writeIn(root, '.memory/state.json', '{"schemaVersion": 9}')
    await expect(recall(engine)).rejects.toMatchObject({ code: 'vault_newer' })
  })

  it('tells nothing of the private vault, of a secret in a script, or of what was forgotten', async () => {
    const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`
    const scripts = { publish: `TOKEN=${token} npm publish` }
    const root = scratchProject({ 'package.json': JSON.stringify({ name: 'shop', scripts }) })
    const memory = await memoryAt(root)
    await memory.remember({ content: 'My own doctor is in town.', agent: 'private', kind: 'warning' })
    const { entry } = await memory.remember({ content: 'The proxy drops idle sockets.', kind: 'warning' })
    const engine = open(root)
    await engine.events.append([session('a', day(2), { gotchas: ['The proxy drops idle sockets.'] })])
    expect((await recall(engine)).bundle.gotchas).toHaveLength(1)
    await memory.forget(entry.id)
    const { bundle } = await recall(engine)
    expect(bundle.gotchas).toEqual([])
    rmSync(path.join(root, '.memory/state.json'))
    const again = JSON.stringify((await recall(engine)).bundle)
    expect(again).not.toMatch(/doctor|idle sockets/)
    expect(again).not.toContain(token)
  })

  it('two at once: both end well, and one bundle is there', async () => {
    const root = scratchProject({ 'package.json': PACKAGE })
    const [one, other] = [open(root), open(root)]
    await one.events.append(
      Array.from({ length: 20 }, (_, n) =>
        session(`s${n}`, day(2), { gotchas: [`Module alpha${n} needs flag beta${n}.`] }),
      ),
    )
    const both = await Promise.all([recall(one), recall(other)])
    expect(new Set(both.map(({ bundleHash }) => bundleHash)).size).toBe(1)
    expect(await one.state.read()).toMatchObject({ kind: 'read', state: { bundleHash: both[0]?.bundleHash } })
    expect(both.reduce((sum, { folded }) => sum + folded.events, 0)).toBeGreaterThanOrEqual(20)
  })

  it('leaves the old state or the new one, whichever disk step fails', async () => {
    for (let failAt = 1; failAt <= 30; failAt++) {
      const root = scratchProject({ 'package.json': PACKAGE })
      const first = open(root)
      const before = await recall(first)
      await remember(first, [{ content: 'The cache must be warm.', kind: 'warning' }])
      const failing = open(root, { disk: failingDisk(failAt, { forGood: true }).disk })
      await recall(failing).catch((error: unknown) => expect(error).toBeInstanceOf(CairnError))
      const reading = await first.state.read()
      const texts =
        reading.kind === 'read' ? reading.state.bundle.gotchas.map(({ text }) => text) : [reading.kind]
      expect([[], ['The cache must be warm.']]).toContainEqual(texts)
      expect((await recall(first)).bundle.gotchas).toHaveLength(1)
      expect(before.bundle.gotchas).toEqual([])
      for (const one of opened.splice(0)) await one.close()
    }
  })
})

describe('a checkpoint', () => {
  it('is restored, and what came since stays out until it changes', async () => {
    const root = scratchProject()
    const engine = open(root)
    const first = await recall(engine)
    await remember(engine, [{ content: 'The cache must be warm.', kind: 'warning' }])
    const second = await recall(engine)
    const { state, changes } = await restoreCheckpoint(engine, first.checkpoint ?? '')
    expect([state.bundle.gotchas, changes.map(({ change, text }) => [change, text])]).toEqual([
      [],
      [['removed', 'The cache must be warm.']],
    ])
    expect(await recall(engine)).toMatchObject({ isChanged: false, bundleHash: state.bundleHash })
    expect(checkpointsIn(root)).toHaveLength(3)
    await remember(engine, [{ content: 'The queue must be empty.', kind: 'warning' }])
    const gotchas = async () => (await recall(engine)).bundle.gotchas.map(({ text }) => text)
    expect(await gotchas()).toEqual(['The queue must be empty.'])
    const [known] = second.bundle.gotchas[0]?.sources ?? []
    await changeEntry(engine, known?.slice('entry:'.length) ?? '', 'update', entry => ({
      ...entry,
      content: 'The cache must be warm before the first request.',
    }))
    expect(await gotchas()).toEqual([
      'The queue must be empty.',
      'The cache must be warm before the first request.',
    ])
    await expect(restoreCheckpoint(engine, 'nope')).rejects.toMatchObject({ code: 'checkpoint_not_found' })
    await expect(restoreCheckpoint(engine, '2026-0')).rejects.toMatchObject({ code: 'ambiguous_match' })
    // Of a day, the last one.
    expect((await restoreCheckpoint(engine, '2026-03-20', { dryRun: true })).changes).toEqual([])
  })

  it('that was restored is undone before any earlier change, and all entries count again', async () => {
    const root = scratchProject()
    const engine = open(root)
    const first = await recall(engine)
    await remember(engine, [{ content: 'The cache must be warm.', kind: 'warning' }])
    const second = await recall(engine)
    await configSetOperation.run(engine, { key: 'search.limit', value: '20' }, {})
    await recallOperation.run(engine, { restore: first.checkpoint ?? '' }, {})
    const undo = (input = {}) => undoOperation.run(engine, input, {})
    expect(await undo({ dryRun: true })).toMatchObject({ undone: { action: 'restore' }, record: null })
    expect(await undo()).toMatchObject({ undone: { action: 'restore', undone: true } })
    expect((await engine.config())['search.limit']).toBe(20)
    const reading = await engine.state.read()
    expect(reading).toMatchObject({ kind: 'read', state: { bundleHash: second.bundleHash } })
    expect(await recall(engine)).toMatchObject({ isChanged: false })
    expect(await undo()).toMatchObject({ undone: { action: 'config' } })
    expect((await engine.config())['search.limit']).toBe(10)
  })

  it('that was restored before another change is not what `undo` means', async () => {
    const engine = open(scratchProject())
    const first = await recall(engine)
    await remember(engine, [{ content: 'The cache must be warm.', kind: 'warning' }])
    await recall(engine)
    await recallOperation.run(engine, { restore: first.checkpoint ?? '' }, {})
    await remember(engine, [{ content: 'The queue must be empty.', kind: 'warning' }])
    expect(await undoOperation.run(engine, {}, {})).toMatchObject({ undone: { action: 'add' } })
  })
})

describe('recall by itself', () => {
  it('is due when something happened and the interval has passed', async () => {
    const root = scratchProject()
    const engine = open(root)
    expect(await isRecallDue(engine)).toBe(false)
    await engine.events.append([run('a', day(2), 'npm test', 'passed')])
    expect(await isRecallDue(engine)).toBe(true)
    expect((await recallWhenDue(engine))?.isChanged).toBe(true)
    await engine.events.append([run('a', day(3), 'npm test', 'failed')])
    expect(await isRecallDue(engine)).toBe(false)
    nowMs += 61 * 60_000
    expect(await isRecallDue(engine)).toBe(true)
    writeIn(root, '.memory/config.json', '{"version":1,"automation":{"autoRecall":false}}')
    nowMs += 61 * 60_000
    expect(await isRecallDue(engine)).toBe(false)
  })

  it('asks a model where automation.provider says so, and tells when there is none', async () => {
    const root = scratchProject()
    const engine = open(root)
    await engine.events.append([run('a', day(2), 'npm test', 'passed')])
    writeIn(root, '.memory/config.json', '{"version":1,"automation":{"provider":"model"}}')
    const told = await recallWhenDue(engine)
    expect([told?.provider, told?.degraded.map(({ code }) => code)]).toEqual(['rules', ['model_off']])
  })

  it('fails nobody', async () => {
    const root = scratchProject()
    const engine = open(root)
    await engine.events.append([run('a', day(2), 'npm test', 'passed')])
    const failing = open(root, { disk: failingDisk(1, { forGood: true }).disk })
    expect(await recallWhenDue(failing)).toBeUndefined()
  })
})

describe('the library', () => {
  it('recalls, tells the state, lists and restores checkpoints', async () => {
    const memory = await memoryAt(scratchProject({ 'package.json': PACKAGE }))
    expect(await memory.state()).toBeUndefined()
    await memory.remember({ content: '- [ ] Rotate the keys', category: 'tasks' })
    await memory.recall()
    const state = await memory.state()
    expect(state?.bundle.nextSteps.map(({ text }) => text)).toEqual(['Rotate the keys'])
    const [checkpoint] = await memory.checkpoints()
    expect((await memory.restoreCheckpoint(checkpoint?.id ?? '')).bundleHash).toBe(state?.bundleHash)
  })
})

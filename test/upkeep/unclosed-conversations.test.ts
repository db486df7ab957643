import { existsSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Composed } from '../../src/compose/composed.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { reviewQueue } from '../../src/features/learning/review-queue.ts'
import { acceptProposals } from '../../src/features/learning/reviewing.ts'
import { saveConversation } from '../../src/features/sessions/save-conversation.ts'
import { appendMessages, recordRuns, startSession } from '../../src/features/sessions/sessions.ts'
import { restoreBatch } from '../../src/features/upkeep/restore.ts'
import { compactOperation } from '../../src/features/upkeep/verbs/compact.ts'
import { DAY_MS, NOW_MS, openAt } from '../support/aged-vault.ts'
import { readIn, scratchProject, writeIn } from '../support/scratch-project.ts'

const FILE = '.memory/conversations/dev.json'
const DECIDED = 'We decided to use Redis for the export queue, because the partner drops connections.'
const compact = (engine: Composed, input = {}) => compactOperation.run(engine, input, {})

function turns(count: number, said: Readonly<Record<number, string>> = {}) {
  return Array.from({ length: count }, (_, n) => ({
    role: n % 2 === 0 ? 'user' : 'agent',
    text: said[n] ?? `Message ${n} of the conversation.`,
  }))
}

function seedFile(messages: readonly object[], savedAt = '2026-11-14T10:00:00.000Z'): string {
  return JSON.stringify({ agentId: 'dev', savedAt, messages })
}

const storedIn = (root: string) =>
  JSON.parse(readIn(root, FILE)) as { agentId: string; messages: { text: string }[] }
const handoffsOf = async (engine: Composed) =>
  (await engine.store.listEntries({ filter: { category: 'handoffs' }, limit: 10, offset: 0 })).entries

describe('a conversation of seed A', () => {
  it('is distilled into suggestions and trimmed to its last 20 messages, and the archive has the whole', async () => {
    const written = seedFile(turns(47, { 3: DECIDED, 25: 'The last thing that was removed but one.' }))
    const root = scratchProject({ [FILE]: written })
    const engine = openAt(root)
    expect((await compact(engine, { dryRun: true })).plan).toMatchObject([
      { does: 'distil conversations', items: [{ what: 'seed-dev', why: 'not distilled yet' }] },
    ])
    expect(readIn(root, FILE)).toBe(written)

    const { result, problems } = await compact(engine)
    expect([result?.conversationsTrimmed, problems]).toEqual([1, []])
    const { agentId, messages } = storedIn(root)
    expect([agentId, messages.length, messages[0]?.text]).toEqual([
      'dev',
      20,
      'Message 27 of the conversation.',
    ])
    const batch = result?.batches[0] ?? ''
    expect(
      Buffer.from((await engine.archive.readFile(batch, 'conversations/dev.json')) ?? '').toString(),
    ).toBe(written)

    const { proposals } = await reviewQueue(engine, { limit: 10 })
    expect(proposals.map(({ content, level }) => [level, content])).toEqual([['suggestion', DECIDED]])
    const memory = await engine.sessions.findMemory('seed-dev')
    expect(memory?.findings.find(({ content }) => content === DECIDED)?.tags).toEqual([
      'redis',
      'auto-extract',
      'compacted',
    ])
    const [entry] = (await acceptProposals(engine, [proposals[0]?.id ?? ''])).reviewed
    expect(entry?.entry).toMatchObject({ content: DECIDED, tags: ['redis'], origin: 'person' })
    await engine.close()
  })

  it('leaves a handoff of the last three removed messages of the agent, local and by the machine', async () => {
    const root = scratchProject({ [FILE]: seedFile(turns(30)) })
    const engine = openAt(root)
    await compact(engine)
    const [newest, handoff, ...others] = await handoffsOf(engine)
    // The closing of a long discussion leaves the newer one, which briefs begin with.
    expect([newest?.tags, others]).toEqual([['auto-handoff', 'session-close'], []])
    expect(handoff).toMatchObject({
      agent: 'dev',
      origin: 'machine',
      tags: ['compacted', 'auto-handoff'],
      content: [5, 7, 9].map(n => `[Agent]: Message ${n} of the conversation.`).join('\n'),
    })
    expect(existsSync(path.join(root, '.memory/local/dev/handoffs.md'))).toBe(true)
    await engine.close()
  })

  it('is left alone once that is done, and distilled and trimmed again when its client wrote more', async () => {
    const root = scratchProject({ [FILE]: seedFile(turns(30)) })
    const engine = openAt(root)
    await compact(engine)
    const trimmed = readIn(root, FILE)
    expect((await compact(engine)).result).toMatchObject({ conversationsTrimmed: 0, batches: [] })
    expect(readIn(root, FILE)).toBe(trimmed)
    writeIn(root, FILE, seedFile([...storedIn(root).messages, ...turns(4, { 1: DECIDED })]))
    expect((await compact(engine)).result).toMatchObject({ conversationsTrimmed: 1 })
    expect(storedIn(root).messages).toHaveLength(20)
    expect((await reviewQueue(engine, { limit: 10 })).proposals.map(({ content }) => content)).toEqual([
      DECIDED,
    ])
    expect(await handoffsOf(engine)).toHaveLength(2)
    await engine.close()
  })

  it('that was short when it was distilled, and grew: the handoff of the closing stays the newest', async () => {
    const root = scratchProject({ [FILE]: seedFile(turns(14), '2026-11-12T10:00:00.000Z') })
    const engine = openAt(root)
    await compact(engine)
    writeIn(root, FILE, seedFile(turns(46), '2026-11-14T10:00:00.000Z'))
    expect((await compact(engine)).result).toMatchObject({ conversationsTrimmed: 1 })
    expect((await handoffsOf(engine)).map(({ tags }) => tags)).toEqual([
      ['auto-handoff', 'session-close'],
      ['compacted', 'auto-handoff'],
    ])
    await engine.close()
  })

  it('of an agent with capital letters is distilled and trimmed; a name that no vault can have is told', async () => {
    const written = (agentId: string) =>
      JSON.stringify({ agentId, savedAt: '2026-11-14T10:00:00Z', messages: turns(30, { 3: DECIDED }) })
    const file = (agent: string) => `.memory/conversations/${agent}.json`
    const root = scratchProject({
      [file('QA_Lead')]: written('QA_Lead'),
      [file('Product Owner')]: written('Product Owner'),
    })
    const engine = openAt(root)
    const { result, problems } = await compact(engine)
    expect(result).toMatchObject({ conversationsTrimmed: 1 })
    expect(problems).toMatchObject([{ code: 'agent_id_invalid', path: 'sessions/seed-Product Owner' }])
    expect(JSON.parse(readIn(root, file('QA_Lead'))).messages).toHaveLength(20)
    expect(readIn(root, file('Product Owner'))).toBe(written('Product Owner'))
    expect(await handoffsOf(engine)).toHaveLength(2)
    expect((await compact(engine)).result).toMatchObject({ conversationsTrimmed: 0, batches: [] })
    expect((await engine.sessions.list({ limit: 10 })).total).toBe(2)
    await engine.close()
  })

  it('that is short is distilled and stays as it is', async () => {
    const written = seedFile(turns(6, { 1: DECIDED }))
    const root = scratchProject({ [FILE]: written })
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ conversationsTrimmed: 0, batches: [] })
    expect(readIn(root, FILE)).toBe(written)
    expect((await reviewQueue(engine, { limit: 10 })).total).toBe(1)
    expect((await engine.sessions.listCheckpoints()).checkpoints).toEqual([])
    await engine.close()
  })

  it('that cannot be read is passed over, and the others are not', async () => {
    const root = scratchProject({
      [FILE]: '{"messages": [',
      '.memory/conversations/pm.json': JSON.stringify({ agentId: 'pm', messages: turns(30) }),
    })
    const engine = openAt(root)
    expect((await compact(engine)).result).toMatchObject({ conversationsTrimmed: 1 })
    expect(readIn(root, FILE)).toBe('{"messages": [')
    await engine.close()
  })

  it('with a secret in it leaves none, in its place, in the archive or in what was found', async () => {
    const secret = `${['ghp', '_'].join('')}Zk3mQ8vN1xR7tY5wB2cD6fG9hJ4kL0pS1aE2`
    const root = scratchProject({
      [FILE]: seedFile(
        turns(40, {
          0: `Use ${secret} for now.`,
          19: `We decided to use ${secret} for the mirror.`,
          38: secret,
        }),
      ),
    })
    const engine = openAt(root)
    const { result } = await compact(engine)
    const archived = await engine.archive.readFile(result?.batches[0] ?? '', 'conversations/dev.json')
    const memory = JSON.stringify(await engine.sessions.findMemory('seed-dev'))
    for (const text of [readIn(root, FILE), Buffer.from(archived ?? '').toString(), memory])
      expect([text.length > 100, text.includes(secret)]).toEqual([true, false])
    expect(JSON.stringify(await handoffsOf(engine))).not.toContain(secret)
    await engine.close()
  })

  it('comes back whole from the archive', async () => {
    const written = seedFile(turns(30))
    const root = scratchProject({ [FILE]: written })
    const engine = openAt(root)
    const { result } = await compact(engine)
    await engine.close()
    const restoring = openAt(root, NOW_MS + 1_000)
    expect(await restoreBatch(restoring, result?.batches[0] ?? '')).toMatchObject({
      files: ['conversations/dev.json'],
      conflicts: [],
    })
    expect(readIn(root, FILE)).toBe(written)
    expect((await compact(restoring)).result).toMatchObject({ conversationsTrimmed: 0 })
    // Undo would take back a change before it, which nobody means.
    await expect(undoOperation.run(restoring, {}, {})).rejects.toMatchObject({ code: 'undo_conflict' })
    await restoring.close()
    const later = openAt(root, NOW_MS + DAY_MS)
    await remember(later, [{ content: 'The partner drops idle connections.' }])
    expect((await undoOperation.run(later, {}, {})).undone.action).toBe('add')
    await later.close()
  })
})

describe('an open conversation that nobody closes', () => {
  const save = (engine: Composed, messages: readonly object[]) =>
    saveConversation(engine, { agent: 'dev', messages })

  it('is distilled, trimmed and goes on: the client that hands over all of it again adds only what is new', async () => {
    const engine = openAt(scratchProject())
    const said = turns(60, { 5: DECIDED })
    const { session } = await save(engine, said)
    const { result } = await compact(engine)
    expect(result).toMatchObject({ conversationsTrimmed: 1 })
    const after = await engine.sessions.read({ session, agent: 'dev' })
    expect([after?.state, after?.messages.length, after?.trimmed]).toEqual(['open', 20, 40])
    expect((await reviewQueue(engine, { limit: 10 })).proposals.map(({ content }) => content)).toEqual([
      DECIDED,
    ])
    expect((await handoffsOf(engine)).map(({ tags }) => tags)).toContainEqual(['compacted', 'auto-handoff'])

    const more = await save(engine, [...said, { role: 'user', text: 'And one more thing.' }])
    expect(more).toMatchObject({ session, added: 1, count: 61, isNew: false })
    expect(await save(engine, said.slice(30))).toMatchObject({ session, added: 0 })
    expect((await compact(engine, { dryRun: true })).plan.map(({ does }) => does)).toEqual([
      'distil conversations',
    ])
    await engine.close()
  })

  it('stays whole while it is short', async () => {
    const engine = openAt(scratchProject())
    const { session } = await save(engine, turns(20, { 5: DECIDED }))
    expect((await compact(engine)).result).toMatchObject({ conversationsTrimmed: 0 })
    expect((await engine.sessions.read({ session, agent: 'dev' }))?.messages).toHaveLength(20)
    await engine.close()
  })

  it('with tool runs stays whole until it is closed', async () => {
    const root = scratchProject()
    const engine = openAt(root)
    const key = { session: 's1', agent: 'dev' }
    await startSession(engine, key)
    await appendMessages(engine, key, turns(30))
    await recordRuns(engine, key, [{ tool: 'Bash', command: 'npm test', exitCode: 0 }])
    expect((await compact(engine)).result).toMatchObject({ conversationsTrimmed: 0 })
    expect((await engine.sessions.read(key))?.messages).toHaveLength(31)
    await engine.close()
    // Left idle, it is closed, and trimmed with the same run.
    const later = openAt(root, NOW_MS + 2 * DAY_MS)
    expect((await compact(later)).result).toMatchObject({ conversationsTrimmed: 1 })
    expect(await later.sessions.read(key)).toMatchObject({ state: 'closed', trimmed: 11 })
    await later.close()
  })
})

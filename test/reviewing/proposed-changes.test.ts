import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { type Proposed, proposeChange } from '../../src/features/agent-saves/propose-change.ts'
import { feedbackOperation } from '../../src/features/brief/verbs/feedback.ts'
import { editOperation } from '../../src/features/entries/verbs/edit.ts'
import { forgetOperation } from '../../src/features/entries/verbs/forget.ts'
import { pinOperation } from '../../src/features/entries/verbs/pin.ts'
import { undoOperation } from '../../src/features/entries/verbs/undo.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { reviewQueue } from '../../src/features/learning/review-queue.ts'
import { acceptProposals, rejectProposals } from '../../src/features/learning/reviewing.ts'
import type { AskedChange } from '../../src/features/review/decide/proposed-changes.ts'
import type { Entry } from '../../src/kernel/model/entry.ts'
import { scratchProject } from '../support/scratch-project.ts'

const AGENT = { host: 'claude-code', agent: 'dev', session: 's-1', isAgent: true } as const
const FORGET: AskedChange = { action: 'forget' }

async function withEntry<T>(work: (engine: Composed, entry: Entry, root: string) => Promise<T>): Promise<T> {
  const root = scratchProject()
  const engine = composeEngine({ root, actor: { host: 'cli' } })
  try {
    const [result] = await remember(engine, [{ content: 'Deploys wait for the smoke tests.' }])
    if (result === undefined) throw new Error('one entry in, one answer out')
    return await work(engine, result.entry, root)
  } finally {
    await engine.close()
  }
}

const byAgent = (engine: Composed): Composed => ({ ...engine, actor: AGENT })
const propose = (engine: Composed, entry: Entry, asked: AskedChange): Promise<Proposed> =>
  proposeChange(byAgent(engine), entry, asked)
const waiting = async (engine: Composed) =>
  (await reviewQueue(engine, { limit: 50 })).proposals
    .filter(({ level }) => level === 'change')
    .map(({ id }) => id)
const entryOf = (engine: Composed, { id }: Entry) => engine.store.findEntry(id)

describe('a change that an agent asks for', () => {
  it('waits in the review, in a file that git ignores, and is made when a person accepts it', async () => {
    await withEntry(async (engine, entry, root) => {
      const { id } = await propose(engine, entry, FORGET)
      expect(id).toBe(`${entry.id}:forget`)
      expect((await reviewQueue(engine, { limit: 5 })).proposals).toMatchObject([
        {
          id,
          level: 'change',
          content: entry.content,
          session: 's-1',
          change: { action: 'forget', entry: entry.id, by: 'claude-code/dev' },
        },
      ])
      expect(readFileSync(path.join(root, '.memory/history/proposals.json'), 'utf8')).toContain(id)
      expect(readFileSync(path.join(root, '.memory/.gitignore'), 'utf8')).toContain('history/\n')
      expect(await entryOf(engine, entry)).toEqual(entry)
      const { reviewed, record } = await acceptProposals(engine, [id])
      expect(reviewed).toEqual([{ id, entry }])
      expect(await entryOf(engine, entry)).toBeUndefined()
      await undoOperation.run(engine, { record: record ?? '' }, {})
      expect(await entryOf(engine, entry)).toEqual(entry)
      expect(await waiting(engine)).toEqual([id])
    })
  })

  it('is accepted by its own id, not by that of its entry', async () => {
    await withEntry(async (engine, entry) => {
      const { id } = await propose(engine, entry, FORGET)
      await expect(acceptProposals(engine, [entry.id])).rejects.toMatchObject({
        code: 'invalid_input',
        hint: `Name the change: ${id}`,
      })
      expect(await waiting(engine)).toEqual([id])
    })
  })

  it('is not proposed again once it was rejected, until the entry says something else', async () => {
    await withEntry(async (engine, entry) => {
      const { id } = await propose(engine, entry, FORGET)
      await rejectProposals(engine, [id])
      expect(await waiting(engine)).toEqual([])
      expect(await entryOf(engine, entry)).toEqual(entry)
      await expect(propose(engine, entry, FORGET)).rejects.toMatchObject({ code: 'not_confirmed' })
      await undoOperation.run(engine, {}, {})
      expect(await waiting(engine)).toEqual([id])
      await rejectProposals(engine, [id])
      const edited = await editOperation.run(
        engine,
        { target: entry.id, content: 'Deploys wait for the nightly tests.' },
        {},
      )
      expect(await propose(engine, edited.entry, FORGET)).toMatchObject({ id })
    })
  })

  it('waits once for each entry and action', async () => {
    await withEntry(async (engine, entry) => {
      const first = { action: 'edit', fields: { content: 'Deploys wait for nothing at all.' } } as const
      const second = { action: 'edit', fields: { content: 'Deploys wait for the user to say so.' } } as const
      const { id } = await propose(engine, entry, first)
      expect(await propose(engine, entry, first)).toEqual({ id, record: null })
      await expect(propose(engine, entry, second)).rejects.toMatchObject({ code: 'not_confirmed' })
      await propose(engine, entry, FORGET)
      expect((await waiting(engine)).sort()).toEqual([id, `${entry.id}:forget`])
    })
  })

  it('no longer waits when its entry was changed, and is then refused whole', async () => {
    await withEntry(async (engine, entry) => {
      const { id } = await propose(engine, entry, { action: 'pin' })
      const { id: forget } = await propose(engine, entry, FORGET)
      await pinOperation.run(engine, { target: entry.id }, {})
      expect(await waiting(engine)).toEqual([forget])
      await expect(acceptProposals(engine, [id])).rejects.toMatchObject({ code: 'finding_not_found' })
      await editOperation.run(engine, { target: entry.id, content: 'Deploys wait for nobody.' }, {})
      expect(await waiting(engine)).toEqual([])
      await expect(acceptProposals(engine, [forget])).rejects.toMatchObject({ code: 'finding_not_found' })
    })
  })

  it('is accepted together with others in one record, each after the other', async () => {
    await withEntry(async (engine, entry) => {
      const [candidate] = await remember(byAgent(engine), [
        { content: 'The smoke tests take nine minutes.', origin: 'agent', status: 'candidate' },
      ])
      const fields = { content: 'Deploys wait for the nightly tests.', tags: ['ci'] }
      const ids = [
        (await propose(engine, entry, { action: 'edit', fields })).id,
        (await propose(engine, entry, { action: 'pin' })).id,
        (await propose(engine, entry, { action: 'feedback', saying: 'useful' })).id,
        candidate?.entry.id ?? '',
      ]
      const { record } = await acceptProposals(engine, ids)
      expect(await entryOf(engine, entry)).toMatchObject({ ...fields, status: 'pinned', origin: 'person' })
      expect((await engine.feedback())[entry.id]).toEqual({ useful: 1, wrong: 0 })
      expect((await engine.store.findEntry(candidate?.entry.id ?? ''))?.status).toBe('confirmed')
      await undoOperation.run(engine, { record: record ?? '' }, {})
      expect(await entryOf(engine, entry)).toEqual(entry)
      expect((await engine.feedback())[entry.id]).toBeUndefined()
      expect(await waiting(engine)).toHaveLength(3)
    })
  })

  it('can be accepted in other words where it is an edit, and only there', async () => {
    await withEntry(async (engine, entry) => {
      const fields = { content: 'Deploys wait for nothing at all.' }
      const edit = await propose(engine, entry, { action: 'edit', fields })
      const pin = await propose(engine, entry, { action: 'pin' })
      await expect(acceptProposals(engine, [pin.id], { content: 'Other.' })).rejects.toMatchObject({
        code: 'invalid_input',
      })
      const content = 'Deploys wait for the smoke tests, on weekdays.'
      await acceptProposals(engine, [edit.id], { content })
      expect(await entryOf(engine, entry)).toMatchObject({ content, status: 'confirmed' })
    })
  })

  it('keeps no secret, and has at most 30 of them', async () => {
    await withEntry(async (engine, entry, root) => {
      const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
      const agent = byAgent(engine)
      const answer = await editOperation.run(
        agent,
        { target: entry.id, content: `Deploys need the token ${token} in the environment.` },
        { isAgent: true },
      )
      expect(answer).toMatchObject({ entry: { content: entry.content }, redacted: [{ field: 'content' }] })
      for (const file of ['history/proposals.json', 'history/audit.jsonl'])
        expect(readFileSync(path.join(root, '.memory', file), 'utf8')).not.toContain(token)
      for (let n = 1; n < 30; n++) {
        const [other] = await remember(engine, [{ content: `Rule number ${n} of the deploys holds.` }])
        await forgetOperation.run(agent, { target: other?.entry.id ?? '' }, { isAgent: true })
      }
      const wrong = feedbackOperation.run(agent, { target: entry.id, saying: 'wrong' }, { isAgent: true })
      await expect(wrong).rejects.toMatchObject({ code: 'not_confirmed' })
      expect(await waiting(engine)).toHaveLength(30)
    })
  })
})

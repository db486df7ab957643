import { expect, it, onTestFinished } from 'vitest'
import { composeEngine } from '../../src/compose/compose.ts'
import type { Composed } from '../../src/compose/composed.ts'
import { promptBrief } from '../../src/features/brief/brief.ts'
import { remember } from '../../src/features/entries/write-entries.ts'
import { closeSession } from '../../src/features/learning/closing.ts'
import { appendMessages, startSession } from '../../src/features/sessions/sessions.ts'
import { compact } from '../../src/features/upkeep/upkeep.ts'
import type { Message } from '../../src/kernel/model/message.ts'
import { scratchProject } from '../support/scratch-project.ts'
import { unhurriedClock } from '../support/unhurried-clock.ts'
import { wordEmbedder } from '../support/word-embedder.ts'

const CONTENT = 'The importer retries failed rows in batches of fifty.'

async function furnish(): Promise<{ engine: Composed; id: string }> {
  const engine = composeEngine({
    root: scratchProject(),
    clock: unhurriedClock,
    embedder: wordEmbedder({}),
  })
  onTestFinished(() => engine.close())
  const [kept] = await remember(engine, [
    { content: CONTENT, kind: 'decision', origin: 'agent', status: 'candidate', files: ['src/importer.ts'] },
  ])
  return { engine, id: kept?.entry.id ?? '' }
}

/** What a host does before a prompt: the brief is recorded as given. */
const inject = async (engine: Composed, session: string) => {
  const { brief } = await promptBrief(engine, { prompt: CONTENT, session, isDelivered: true })
  return brief.included.length
}

const unused = async (engine: Composed) =>
  (await engine.upkeepIndex.captured())
    .filter(({ kind }) => kind === 'decision')
    .map(({ unusedSessions = 0 }) => unusedSessions)

/** A session into which the entry is injected, and that then says this. */
async function work(engine: Composed, session: string, message: Message): Promise<void> {
  await inject(engine, session)
  await startSession(engine, { session, agent: 'dev' })
  await appendMessages(engine, { session, agent: 'dev' }, [message])
  await closeSession(engine, session)
}

it('counts each session in which an entry is injected once', async () => {
  const { engine } = await furnish()
  expect([await inject(engine, 's1'), await inject(engine, 's1')]).toEqual([1, 0])
  expect(await unused(engine)).toEqual([1])
  await inject(engine, 's2')
  expect(await unused(engine)).toEqual([2])
})

it('counts from 0 again after a use: a fetch, a citation, an edit of its file', async () => {
  const { engine, id } = await furnish()
  await inject(engine, 's1')
  await engine.store.recordAccess([id])
  expect(await unused(engine)).toEqual([0])
  await work(engine, 's2', { role: 'assistant', text: 'Looked at the importer.' })
  expect(await unused(engine)).toEqual([1])
  await work(engine, 's3', { role: 'assistant', text: `As #${id} says, rows are retried in batches.` })
  expect(await unused(engine)).toEqual([0])
  const run = { tool: 'Edit', files: ['src/importer.ts'], isEdit: true, ok: true }
  await work(engine, 's4', { role: 'tool', text: 'Edit src/importer.ts', run })
  expect(await unused(engine)).toEqual([0])
})

it('archives the entry after 30 sessions without a use, and not before', async () => {
  const { engine, id } = await furnish()
  for (let session = 1; session <= 29; session++) await inject(engine, `s${session}`)
  expect((await compact(engine)).plan.fade).toEqual([])
  await inject(engine, 's30')
  const { plan, result } = await compact(engine)
  expect(plan.fade.map(item => [item.id, item.reason])).toEqual([[id, { code: 'unused', sessions: 30 }]])
  expect(result?.entriesFaded).toBe(1)
})

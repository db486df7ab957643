import { expect, it } from 'vitest'
import { composeEngine } from '../src/compose/compose.ts'
import { appendMessages } from '../src/features/sessions/sessions.ts'
import { scratchProject, writeIn } from './support/scratch-project.ts'

it("shows a killed run's draft at the next read, once and for every process", async () => {
  const root = scratchProject({ '.memory/_project.md': 'A shop.\n' })
  const key = { session: 's1', agent: 'dev' }
  const before = composeEngine({ root })
  await appendMessages(before, key, [{ role: 'user', text: 'Fix the export.' }])
  await before.close()
  // No process has this number: the one that wrote it is gone.
  const mark = {
    version: 1,
    ...key,
    pid: 2 ** 22 + 1,
    startedAt: '2026-05-04T10:00:00.000Z',
    draft: 'I begin.',
  }
  writeIn(root, '.memory/.vault/agent-runs/dev.s1.json', JSON.stringify(mark))
  const said = async () => {
    const engine = composeEngine({ root })
    const { messages = [] } = (await engine.sessions.read(key)) ?? {}
    await engine.close()
    return messages.map(({ text, internal }) => (internal === true ? 'a note' : text))
  }
  expect(await said()).toEqual(['Fix the export.', 'I begin.', 'a note'])
  expect(await said()).toEqual(['Fix the export.', 'I begin.', 'a note'])
})

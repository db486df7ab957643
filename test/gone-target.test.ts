import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openMemory } from '../src/api.ts'

it('an id that is gone means no entry, not even the one that links to it', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'cairn-test-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const memory = await openMemory({ root, vectors: 'never' })
  const { entry: gone } = await memory.remember({ content: 'We use Redis for sessions.' })
  await memory.remember({ content: `We use Postgres instead, see [[${gone.id}]].` })
  await memory.forget(gone.id)
  for (const change of [memory.forget(gone.id), memory.pin(gone.id), memory.links(gone.id)])
    await expect(change).rejects.toMatchObject({ code: 'entry_not_found' })
  const { entries } = await memory.list()
  expect(entries.map(({ status, content }) => [status, content])).toEqual([
    ['confirmed', `We use Postgres instead, see [[${gone.id}]].`],
  ])
  await memory.close()
})

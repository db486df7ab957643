import { describe, expect, it } from 'vitest'
import { type Memory, openMemory } from '../src/api.ts'
import { scratchProject } from './support/scratch-project.ts'

const open = (root: string, agent: string) =>
  openMemory({ root, actor: { host: 'library', agent }, vectors: 'never', upkeep: 'never', recall: 'never' })

async function contents(memory: Memory): Promise<string[]> {
  return (await memory.list()).entries.map(({ content }) => content).sort()
}

describe('undo in the library', () => {
  it('takes back a change by the record that the change returned', async () => {
    const root = scratchProject()
    const memory = await open(root, 'a')
    const { entry } = await memory.remember('One zebra.')
    const pinned = await memory.pin(entry.id)
    const edited = await memory.update(entry.id, { content: 'Two zebras.' })
    expect(edited).toMatchObject({ id: entry.id, content: 'Two zebras.', record: expect.any(String) })
    const removed = await memory.forget(entry.id)
    expect(removed).toMatchObject({ id: entry.id, record: expect.any(String) })
    expect(new Set([pinned.record, edited.record, removed.record]).size).toBe(3)
    await memory.undo(removed.record ?? '')
    expect(await contents(memory)).toEqual(['Two zebras.'])
    await memory.undo(edited.record ?? '')
    expect(await contents(memory)).toEqual(['One zebra.'])
    await memory.close()
  })

  it('without a record takes back its own last change, not that of another process', async () => {
    const root = scratchProject()
    const first = await open(root, 'a')
    const second = await open(root, 'b')
    const { entry } = await first.remember('Of the first.')
    await first.forget(entry.id)
    await second.remember('Of the second.')
    expect(await first.undo()).toMatchObject({ undone: { action: 'remove', by: { agent: 'a' } } })
    expect(await contents(first)).toEqual(['Of the first.', 'Of the second.'])
    await first.undo()
    await expect(first.undo()).rejects.toMatchObject({ code: 'nothing_to_undo' })
    expect(await contents(first)).toEqual(['Of the second.'])
    await first.close()
    await second.close()
    // A process that changed nothing says whose change it was.
    const third = await open(root, 'c')
    expect(await third.undo()).toMatchObject({ undone: { action: 'add', by: { agent: 'b' } } })
    await third.close()
  })
})

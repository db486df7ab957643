import * as v from 'valibot'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Degradation } from '../../../kernel/model/search.ts'
import { count, defineOperation, degradedSchema } from '../../../verbs/operation.ts'
import { embedWaiting } from '../meaning.ts'

export const embedOperation = defineOperation({
  name: 'embed',
  group: 'Import, export and sync',
  agent: 'free',
  worksForUser: true,
  summary: 'Make the vectors that search by meaning needs',
  description:
    'Every entry, and every document of a workspace, gets a vector beside its words. Cairn makes them a few at a time after an entry is kept; after a large import or a lost index this verb makes them all at once. Then entries that were not yet compared with their neighbours are compared, which `cairn conflicts` tells of. It can be stopped at any time and goes on where it was.',
  positionals: [],
  input: v.object({
    limit: v.optional(count('Stop after so many entries', 10_000_000)),
  }),
  output: v.object({
    model: v.pipe(v.nullable(v.string()), v.description('null: no embedder is at hand')),
    embedded: v.number(),
    waiting: v.pipe(v.number(), v.description('Entries and documents that still have no vector')),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn embed', does: 'with a progress bar on a terminal' }],
  async run(memory, { limit }, { onProgress }) {
    if (!(await memory.semantics.isOn())) throw switchedOff()
    const { readOnly } = await memory.store.health()
    if (readOnly !== undefined) throw notKept(readOnly.message)
    await memory.shelf.refresh()
    if ((await memory.semantics.embedder()) === undefined) throw notAtHand(memory.semantics.takeDegraded())
    const { embedded, waiting } = await embedWaiting(memory, {
      ...(limit !== undefined && { limit }),
      ...(onProgress && { onProgress: (done, total) => onProgress(done, total, 'vectors') }),
    })
    const { askConflicts } = await import('../../conflicts/find-conflicts.ts')
    if (waiting === 0) {
      await askConflicts(memory, () => false, {
        ...(limit !== undefined && { limit }),
        ...(onProgress && { onProgress: (done, total) => onProgress(done, total, 'entries compared') }),
      })
    }
    const embedder = await memory.semantics.embedder()
    return { model: embedder?.model ?? null, embedded, waiting, degraded: memory.semantics.takeDegraded() }
  },
})

function switchedOff(): CairnError {
  return new CairnError({
    code: 'embedder_unavailable',
    message: 'Search by meaning is switched off (`embedder.use`).',
    hint: '`cairn config unset embedder.use` switches it on.',
  })
}

function notAtHand(notes: readonly Degradation[]): CairnError {
  const unconfirmed = notes.find(({ code }) => code === 'not_confirmed')
  if (unconfirmed !== undefined) {
    return new CairnError({
      code: 'not_confirmed',
      message: unconfirmed.message,
      hint: 'Say yes and run `cairn embed` again, or leave it: search goes on by words.',
    })
  }
  return new CairnError({
    code: 'embedder_unavailable',
    message: notes.map(({ message }) => message).join(' ') || 'There is no embedder at hand.',
    hint: '`cairn doctor` shows what is wrong; search goes on by words.',
  })
}

function notKept(reason: string): CairnError {
  return new CairnError({
    code: 'vault_read_only',
    message: `Vectors cannot be kept here. ${reason}`,
    hint: 'Search goes on by words.',
  })
}

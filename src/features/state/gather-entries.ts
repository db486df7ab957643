import type { Memory } from '../../kernel/memory.ts'
import type { Category } from '../../kernel/model/category.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { ConflictPorts } from '../conflicts/decide/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { supersededBy } from '../search/superseded.ts'
import type { RecallEntry } from './decide/recall-input.ts'

/** The newest of each file: more would not fit into the bundle. */
const MAX_OF: Readonly<Partial<Record<Category, number>>> = { lessons: 400, tasks: 400, handoffs: 20 }
/** Only its user may see it. A bundle may be written into files that are published. */
const PRIVATE = 'private'

/** The entries that the bundle is made of, and which of them are superseded. */
export async function gatherEntries(memory: Memory & SearchPorts & ConflictPorts): Promise<RecallEntry[]> {
  const entries: Entry[] = []
  for (const [category, limit] of Object.entries(MAX_OF)) {
    const filter = { category: category as Category }
    entries.push(...(await memory.store.listEntries({ filter, limit, offset: 0 })).entries)
  }
  const shared = entries.filter(({ agent }) => agent !== PRIVATE)
  const successors = await supersededBy(
    memory,
    shared.map(({ id }) => id),
  )
  return shared.map(entry => ({ entry, isSuperseded: successors.has(entry.id) }))
}

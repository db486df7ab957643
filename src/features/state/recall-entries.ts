import type { Memory } from '../../kernel/memory.ts'
import type { BundleItem } from '../../kernel/model/bundle.ts'
import type { Category } from '../../kernel/model/category.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { ConflictPorts } from '../conflicts/decide/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { supersededBy } from '../search/superseded.ts'
import { itemsOfEntries } from './decide/bundle-items.ts'
import type { RecallEntry } from './decide/recall-input.ts'

/** The newest of each file: more would not fit into the bundle. */
const MAX_OF: Readonly<Partial<Record<Category, number>>> = { lessons: 400, tasks: 400, handoffs: 20 }
/** Only its user may read the private vault. A bundle may be written into published files. */
const PRIVATE = 'private'

/** The entries of the bundle, and which of them are superseded. */
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

/**
 * The next steps of the current entries: the state may be older than the last task. Open tasks come first, then the open steps of the last
 * handoff, then steps of the state without an entry or an equal text. A step that a model reworded in the state has those words.
 */
export async function openSteps(
  memory: Memory & SearchPorts & ConflictPorts,
  known: readonly BundleItem[],
  clean: (text: string) => string,
): Promise<BundleItem[]> {
  const { nextSteps } = itemsOfEntries(await gatherEntries(memory), { policy: 'balanced', clean })
  const ofState = new Map(known.flatMap(item => item.sources.map(source => [source, item] as const)))
  const current = nextSteps.map(item => ofState.get(item.sources[0] ?? '') ?? item)
  const prints = new Set(current.map(({ text }) => fingerprint(text)))
  const others = known.filter(
    ({ sources, text }) =>
      !sources.some(source => source.startsWith('entry:')) && !prints.has(fingerprint(text)),
  )
  return [...new Set([...current, ...others])]
}

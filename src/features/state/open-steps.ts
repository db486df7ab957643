import type { Memory } from '../../kernel/memory.ts'
import type { BundleItem } from '../../kernel/model/bundle.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { ConflictPorts } from '../conflicts/decide/ports.ts'
import type { SearchPorts } from '../search/decide/ports.ts'
import { itemsOfEntries } from './decide/bundle-items.ts'
import { gatherEntries } from './gather-entries.ts'

/**
 * The next steps as the entries say them now: the state may be older than the last task. Open tasks come first, then what the last
 * handoff leaves, then steps of the state that have no entry and no equal text. A step that the state worded better keeps its words.
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

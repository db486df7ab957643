import type { Composed } from '../compose.ts'
import { search } from '../engine.ts'
import type { Entry } from '../model/entry.ts'
import { CairnError } from '../model/errors.ts'
import type { EntryFilter } from '../model/search.ts'

/** The best match must be this much better than the next to be taken without asking. */
export const CLEAR_LEAD = 1.5
/** Below this the entry has too little of what was said (one word of four) to be taken for what was meant. */
export const WEAK_SCORE = 0.2
export const SHOWN = 5

/** The one entry that an id or some words mean. Several that fit as well are named, never guessed between. */
export async function findTarget(engine: Composed, target: string, filter: EntryFilter = {}): Promise<Entry> {
  const byId = await engine.store.findEntry(target.trim())
  if (byId !== undefined) return byId
  const { hits } = await search(engine, target, { filter, limit: SHOWN })
  const [best, next] = hits
  if (best === undefined) {
    throw new CairnError({
      code: 'entry_not_found',
      message: `No entry has the id or the words "${target.slice(0, 80)}".`,
      hint: '`cairn list` shows the newest entries with their ids.',
    })
  }
  const isWeak = best.score < WEAK_SCORE
  if (!isWeak && (next === undefined || best.score >= CLEAR_LEAD * next.score)) return best.entry
  const fits = isWeak
    ? 'fits no entry well; the nearest'
    : `fits ${hits.length === SHOWN ? 'several' : hits.length} entries`
  throw new CairnError({
    code: 'ambiguous_match',
    message: `"${target.slice(0, 80)}" ${fits}:\n${hits
      .map(hit => `  ${hit.id}  ${hit.snippet}`)
      .join('\n')}`,
    hint: 'Name one by its id.',
    details: { candidates: hits.map(({ id, score, snippet }) => ({ id, score, snippet })) },
  })
}

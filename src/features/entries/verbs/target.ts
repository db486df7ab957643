import type { Memory } from '../../../kernel/memory.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { isMadeId } from '../../../kernel/model/entry-id.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { EntryFilter, Hit } from '../../../kernel/model/search.ts'
import type { DocumentReference } from '../../../kernel/model/workspace.ts'
import { fingerprint } from '../../../kernel/text/fingerprint.ts'
import type { FullSearchPorts } from '../../search/decide/ports.ts'
import { findDocument, refuseDocument } from '../../search/document-search.ts'
import { search } from '../../search/search-memory.ts'
import { entryNotFound } from '../write-entries.ts'

/** The best match must be this much better than the next to be taken without asking. */
export const CLEAR_LEAD = 1.5
/** Below this score the entry has too few of the words (one of four) to be the target. */
export const WEAK_SCORE = 0.2
export const SHOWN = 5

/**
 * The one entry that an id or some words identify. Several equal matches are listed and never guessed between. A
 * deleted id is not searched as words: that would find an entry that links to it.
 */
export async function findTarget(
  memory: Memory & FullSearchPorts,
  target: string,
  filter: EntryFilter = {},
): Promise<Entry> {
  const byId = await memory.store.findEntry(target.trim())
  if (byId !== undefined) return byId
  await refuseDocument(memory, target.trim())
  if (isMadeId(target.trim())) throw entryNotFound(target.trim())
  const { hits } = await search(memory, target, { filter, limit: SHOWN })
  return clearestOf(hits, target).entry
}

/** The same for entries and documents, for callers that only read. */
export async function findShown(
  memory: Memory & FullSearchPorts,
  target: string,
): Promise<{ readonly entry: Entry; readonly document?: DocumentReference; readonly isCut?: boolean }> {
  const id = target.trim()
  const byId = await memory.store.findEntry(id)
  if (byId !== undefined) return { entry: byId }
  const document = await findDocument(memory, id)
  if (document !== undefined) return document
  if (isMadeId(id)) throw entryNotFound(id)
  const { hits } = await search(memory, target, { filter: {}, limit: SHOWN, documents: {} })
  const best = clearestOf(hits, target)
  return (best.document && (await findDocument(memory, best.id))) ?? best
}

function clearestOf(found: readonly Hit[], target: string): Hit {
  const hits = found.filter(({ marks }) => marks?.besideMatch === undefined)
  const print = fingerprint(target)
  const same = hits.filter(({ entry }) => fingerprint(entry.content) === print)
  if (same.length === 1 && same[0] !== undefined) return same[0]
  const [best, next] = hits
  if (best === undefined) {
    throw new CairnError({
      code: 'entry_not_found',
      message: `No entry has the id or the words "${target.slice(0, 80)}".`,
      hint: '`cairn list` shows the newest entries with their ids.',
    })
  }
  const isWeak = best.score < WEAK_SCORE
  if (!isWeak && (next === undefined || best.score >= CLEAR_LEAD * next.score)) return best
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

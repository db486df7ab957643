import type { Memory } from '../../kernel/memory.ts'
import type { Degradation, EntryFilter, Hit } from '../../kernel/model/search.ts'
import type { Marks } from '../../kernel/model/selection.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import { essentialPart } from '../../kernel/text/essential-part.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import { FACTORS } from './decide/factors.ts'
import type { FullSearchPorts } from './decide/ports.ts'
import { retrieve, retrieveDocuments } from './decide/retrieve.ts'
import { snippetMaker } from './decide/snippet.ts'
import { type DocumentsAsked, documentsToSearch, loadHits, withVectors } from './document-search.ts'
import { embedQuestion, type Meaning } from './meaning.ts'
import { conflictMarks, supersededBy } from './superseded.ts'

/** Of a document, for its snippet. */
const EARLY_CHARACTERS = 4_096

interface SearchOptions {
  readonly filter: EntryFilter
  readonly limit: number
  readonly wordsOnly?: boolean
  /** Documents of workspaces answer too. */
  readonly documents?: DocumentsAsked
}

export async function search(
  memory: Memory & FullSearchPorts,
  query: string,
  options: SearchOptions,
): Promise<{ hits: Hit[]; degraded: Degradation[] }> {
  await memory.store.refresh()
  const documentSearch = await documentsToSearch(memory, options.filter, options.documents)
  // Before the read transaction: while questions queue for the embedder, none may hold a connection that others need.
  const question = options.wordsOnly
    ? undefined
    : await embedQuestion(memory, essentialPart(query), {
        hasDocuments: documentSearch !== undefined,
        notesAny: true,
      })
  return memory.store.reading(async () =>
    findHits(memory, query, { ...options, documentSearch, meaning: await question?.compared() }),
  )
}

async function findHits(
  memory: Memory & FullSearchPorts,
  query: string,
  {
    filter,
    limit,
    documents,
    documentSearch,
    meaning,
  }: SearchOptions & {
    readonly documentSearch: Awaited<ReturnType<typeof documentsToSearch>>
    readonly meaning: Meaning | undefined
  },
): Promise<{ hits: Hit[]; degraded: Degradation[] }> {
  const { reader } = filter
  const documentCollection = withVectors(documentSearch, meaning)
  const asked = {
    query,
    filter,
    wanted: limit,
    aliases: await memory.aliases(),
    now: utcMinute(memory.clock.nowMs()),
    meaning,
    promotesUnmeasured: true,
    successors: (ids: readonly string[]) => supersededBy(memory, ids, { reader }),
  }
  const { ranked, plan } =
    documentCollection !== undefined && documents?.scope !== undefined
      ? await retrieveDocuments(documentCollection, asked)
      : await retrieve(memory.search, { ...asked, documentCollection })
  const best = ranked.slice(0, limit)
  const ids = best.flatMap(({ id, isDocument }) => (isDocument === true ? [] : [id]))
  const [{ entryById, documentById }, marksById] = await Promise.all([
    loadHits(memory, best),
    conflictMarks(memory, ids, reader),
  ])
  const makeSnippet = snippetMaker([...plan.terms, ...plan.pruned])
  /**
   * Most documents state their subject near the beginning; the rest of a long one is read only if the beginning has no
   * word of the query.
   */
  const snippetOf = (content: string) => {
    const early = makeSnippet(content.slice(0, EARLY_CHARACTERS))
    return early.matches.length > 0 || content.length <= EARLY_CHARACTERS ? early : makeSnippet(content)
  }
  const hits = best.flatMap(({ id, score, replacedBy, isSessionMatch }): Hit[] => {
    const entry = entryById.get(id)
    const document = documentById.get(id)
    if (entry === undefined) return []
    const { text, matches } = document === undefined ? makeSnippet(entry.content) : snippetOf(entry.content)
    const marks: Marks = {
      ...(replacedBy !== undefined && { supersededBy: replacedBy }),
      ...(isSessionMatch && { besideMatch: isSessionMatch }),
      ...marksById.get(id),
    }
    return [
      {
        id,
        score: Math.round(score * 10_000) / 10_000,
        snippet: text,
        matches,
        entry,
        ...(document && { document }),
        ...(Object.keys(marks).length > 0 && { marks }),
      },
    ]
  })
  const judged = await withFreshness(memory, hits)
  return {
    hits: judged,
    degraded: [
      ...memory.store.takeDegraded(),
      ...memory.documentSearch.takeDegraded(),
      ...memory.semantics.takeDegraded(),
    ],
  }
}

/** Drifted entries rank lower and are marked. Only these hits and the files that they name are checked. */
async function withFreshness(memory: Memory & FreshnessPorts, hits: readonly Hit[]): Promise<Hit[]> {
  if (hits.every(({ entry }) => entry.anchors === undefined)) return [...hits]
  const { freshnessOf } = await import('../freshness/anchoring.ts')
  const freshness = await freshnessOf(
    memory,
    hits.map(({ entry }) => entry),
  )
  return hits
    .map((hit): Hit => {
      const own = freshness.get(hit.id)
      if (own === undefined || own.state === 'fresh') return hit
      return { ...hit, score: Math.round(hit.score * FACTORS.driftShare * 10_000) / 10_000, freshness: own }
    })
    .sort((a, b) => b.score - a.score)
}

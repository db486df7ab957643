import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { DocumentFilter, EntryFilter } from '../../kernel/model/search.ts'
import type { DocumentReference } from '../../kernel/model/workspace.ts'
import type { MeaningPorts, SearchPorts, ShelfPorts } from './decide/ports.ts'
import type { BesideShelf } from './decide/retrieve.ts'
import type { Scored } from './decide/scored.ts'
import type { Meaning } from './meaning.ts'

/** How documents are to answer beside entries. */
export interface DocumentsAsked {
  /** Only those of this scope, of what is below it, and what holds for it from above; entries then do not answer. */
  readonly scope?: string | undefined
  /** What changed is taken in until then; the rest waits. */
  readonly takeInUntilMs?: number | undefined
}

/**
 * Which documents a filter leaves. undefined: none, since it asks for what only an entry has. Who reads does not matter: a
 * workspace is everybody's.
 */
export function documentFilterOf(
  { agent, category, status, file, kind, tags, since, until }: EntryFilter,
  { scope }: DocumentsAsked = {},
): DocumentFilter | undefined {
  if ([agent, category, status, file].some(field => field !== undefined)) return undefined
  return {
    ...(kind !== undefined && { kind }),
    ...(tags !== undefined && { tags }),
    ...(since !== undefined && { since }),
    // What has no date is neither before nor after any: its empty date sorts before every digit.
    ...(until !== undefined && { until, since: since ?? '0' }),
    ...(scope !== undefined && { scope }),
  }
}

/** The shelf as it is asked now; undefined: there is no document, or none is asked for. */
export async function askedShelf(
  memory: MeaningPorts & ShelfPorts,
  filter: EntryFilter,
  documents: DocumentsAsked | undefined,
): Promise<Omit<BesideShelf, 'vectors'> | undefined> {
  if (documents === undefined) return undefined
  const own = documentFilterOf(filter, documents)
  if (own === undefined) {
    if (documents.scope !== undefined) throw notOfDocuments()
    return undefined
  }
  const { takeInUntilMs } = documents
  if (!(await memory.shelf.refresh(takeInUntilMs === undefined ? {} : { deadlineMs: takeInUntilMs }))) {
    if (documents.scope !== undefined) throw unknownScope(documents.scope, [])
    return undefined
  }
  if (documents.scope !== undefined) await checkScope(memory, documents.scope)
  return { index: memory.shelf.search, filter: own }
}

export function withVectors(
  shelf: Omit<BesideShelf, 'vectors'> | undefined,
  meaning: Meaning | undefined,
): BesideShelf | undefined {
  return shelf && { ...shelf, vectors: meaning?.documents }
}

/** What was found, from wherever it lies, with what is known of documents. */
export async function loadFound(
  memory: SearchPorts & ShelfPorts,
  found: readonly Pick<Scored, 'id' | 'isDocument'>[],
): Promise<{
  readonly entryById: ReadonlyMap<string, Entry>
  readonly documentById: ReadonlyMap<string, DocumentReference>
}> {
  const documentIds = found.flatMap(({ id, isDocument }) => (isDocument === true ? [id] : []))
  const entryIds = found.flatMap(({ id, isDocument }) => (isDocument === true ? [] : [id]))
  const entryById = await memory.search.loadEntries(entryIds)
  if (documentIds.length === 0) return { entryById, documentById: new Map() }
  const documents = await memory.shelf.search.loadEntries(documentIds)
  const references = await memory.shelf.references(documentIds)
  return {
    entryById: new Map([...entryById, ...documents]),
    documentById: new Map(Array.from(references, ([id, { isCut: _, ...reference }]) => [id, reference])),
  }
}

/** Of a scope in which nothing lies, what holds from above is told, and that it is only that. */
async function checkScope(memory: MeaningPorts & ShelfPorts, scope: string): Promise<void> {
  const scopes = await memory.shelf.scopes()
  const workspace = scope.split('/')[0] ?? ''
  if (!scopes.some(known => known === workspace || known.startsWith(`${workspace}/`)))
    throw unknownScope(scope, scopes)
  if (scopes.some(known => known === scope || known.startsWith(`${scope}/`))) return
  memory.semantics.note({
    code: 'scope_empty',
    message: `No document lies in ${scope} or below it; what holds for it from above was searched.`,
  })
}

const MAX_NAMED = 10

function unknownScope(scope: string, scopes: readonly string[]): CairnError {
  const named = scopes.slice(0, MAX_NAMED).join(', ') + (scopes.length > MAX_NAMED ? ', …' : '')
  return new CairnError({
    code: 'workspace_not_found',
    message: `No document of a workspace lies in "${scope.slice(0, 80)}".`,
    hint:
      named === ''
        ? 'There are no workspaces here; `workspaces.resources` and `workspaces.learnings` say where they are looked for.'
        : `There are documents in ${named}.`,
  })
}

function notOfDocuments(): CairnError {
  return new CairnError({
    code: 'invalid_input',
    message: 'A scope narrows documents, and documents have no agent, category, status or files.',
    hint: 'Leave out the scope, or narrow by kind, tags, since or until.',
  })
}

/** An id of a document where an entry is wanted: documents are changed in their files. */
export async function refuseDocument(memory: ShelfPorts, id: string): Promise<void> {
  if (!(await memory.shelf.refresh())) return
  const document = (await memory.shelf.references([id])).get(id)
  if (document === undefined) return
  const place = document.line === undefined ? document.path : `${document.path}:${document.line}`
  throw new CairnError({
    code: 'invalid_input',
    message: `${id} is ${/^[aeiou]/.test(document.kind) ? 'an' : 'a'} ${document.kind} of the workspace ${document.scope}, not an entry.`,
    hint: `Edit ${place}; the next search sees it.`,
    details: {
      document: { id, path: document.path, ...(document.line !== undefined && { line: document.line }) },
    },
  })
}

/** A document with all that the index holds of it. */
export async function findDocument(
  memory: ShelfPorts,
  id: string,
): Promise<
  { readonly entry: Entry; readonly document: DocumentReference; readonly isCut: boolean } | undefined
> {
  if (!(await memory.shelf.refresh())) return undefined
  const entry = (await memory.shelf.search.loadEntries([id])).get(id)
  const reference = (await memory.shelf.references([id])).get(id)
  if (entry === undefined || reference === undefined) return undefined
  const { isCut, ...document } = reference
  return { entry, document, isCut }
}

import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { DocumentFilter, EntryFilter } from '../../kernel/model/search.ts'
import type { DocumentReference } from '../../kernel/model/workspace.ts'
import type { Scored } from './decide/fuse.ts'
import type { DocumentPorts, MeaningPorts, SearchPorts } from './decide/ports.ts'
import type { DocumentCollection } from './decide/retrieve.ts'
import type { Meaning } from './meaning.ts'

/** How documents are searched together with entries. */
export interface DocumentsAsked {
  /** Only documents of this scope, of the scopes below it, and those that apply to it from above; entries are then excluded. */
  readonly scope?: string | undefined
  /** Changed files are read until then; the rest waits. */
  readonly readUntilMs?: number | undefined
}

/**
 * The filter for documents. undefined if it has a condition that only an entry can meet. The reader does not matter:
 * everyone may read a workspace.
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
    // A document without a date is neither before nor after any date: its empty date sorts before every digit.
    ...(until !== undefined && { until, since: since ?? '0' }),
    ...(scope !== undefined && { scope }),
  }
}

/** The documents to search; undefined if there are none or they are not requested. */
export async function documentsToSearch(
  memory: MeaningPorts & DocumentPorts,
  filter: EntryFilter,
  documents: DocumentsAsked | undefined,
): Promise<Omit<DocumentCollection, 'vectors'> | undefined> {
  if (documents === undefined) return undefined
  const own = documentFilterOf(filter, documents)
  if (own === undefined) {
    if (documents.scope !== undefined) throw notOfDocuments()
    return undefined
  }
  const { readUntilMs } = documents
  if (!(await memory.documentSearch.refresh(readUntilMs === undefined ? {} : { deadlineMs: readUntilMs }))) {
    if (documents.scope !== undefined) throw unknownScope(documents.scope, [])
    return undefined
  }
  if (documents.scope !== undefined) await checkScope(memory, documents.scope)
  return { index: memory.documentSearch.search, filter: own }
}

export function withVectors(
  documentSearch: Omit<DocumentCollection, 'vectors'> | undefined,
  meaning: Meaning | undefined,
): DocumentCollection | undefined {
  return documentSearch && { ...documentSearch, vectors: meaning?.documents }
}

/** The entries and documents of the hits, with the references of the documents. */
export async function loadHits(
  memory: SearchPorts & DocumentPorts,
  found: readonly Pick<Scored, 'id' | 'isDocument'>[],
): Promise<{
  readonly entryById: ReadonlyMap<string, Entry>
  readonly documentById: ReadonlyMap<string, DocumentReference>
}> {
  const documentIds = found.flatMap(({ id, isDocument }) => (isDocument === true ? [id] : []))
  const entryIds = found.flatMap(({ id, isDocument }) => (isDocument === true ? [] : [id]))
  const entryById = await memory.search.loadEntries(entryIds)
  if (documentIds.length === 0) return { entryById, documentById: new Map() }
  const documents = await memory.documentSearch.search.loadEntries(documentIds)
  const references = await memory.documentSearch.references(documentIds)
  return {
    entryById: new Map([...entryById, ...documents]),
    documentById: new Map(Array.from(references, ([id, { isCut: _, ...reference }]) => [id, reference])),
  }
}

/** If a scope has no documents, those that apply from above are searched, and the answer says so. */
async function checkScope(memory: MeaningPorts & DocumentPorts, scope: string): Promise<void> {
  const scopes = await memory.documentSearch.scopes()
  const workspace = scope.split('/')[0] ?? ''
  if (!scopes.some(known => known === workspace || known.startsWith(`${workspace}/`)))
    throw unknownScope(scope, scopes)
  if (scopes.some(known => known === scope || known.startsWith(`${scope}/`))) return
  memory.semantics.note({
    code: 'scope_empty',
    message: `No document is in ${scope} or below it; documents that apply to it from above were searched.`,
  })
}

const MAX_NAMED = 10

function unknownScope(scope: string, scopes: readonly string[]): CairnError {
  const named = scopes.slice(0, MAX_NAMED).join(', ') + (scopes.length > MAX_NAMED ? ', …' : '')
  return new CairnError({
    code: 'workspace_not_found',
    message: `No document of a workspace is in "${scope.slice(0, 80)}".`,
    hint:
      named === ''
        ? 'There are no workspaces here; `workspaces.resources` and `workspaces.learnings` set where they are searched for.'
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
export async function refuseDocument(memory: DocumentPorts, id: string): Promise<void> {
  if (!(await memory.documentSearch.refresh())) return
  const document = (await memory.documentSearch.references([id])).get(id)
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

/** A document with its indexed text. */
export async function findDocument(
  memory: DocumentPorts,
  id: string,
): Promise<
  { readonly entry: Entry; readonly document: DocumentReference; readonly isCut: boolean } | undefined
> {
  if (!(await memory.documentSearch.refresh())) return undefined
  const entry = (await memory.documentSearch.search.loadEntries([id])).get(id)
  const reference = (await memory.documentSearch.references([id])).get(id)
  if (entry === undefined || reference === undefined) return undefined
  const { isCut, ...document } = reference
  return { entry, document, isCut }
}

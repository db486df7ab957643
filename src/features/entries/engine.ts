import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, JournalRecord } from '../../kernel/model/journal.ts'
import type { CapturedEntry, NewEntry, RedactedPart } from '../../kernel/model/new-entry.ts'
import type { Degradation, EntryFilter, Hit } from '../../kernel/model/search.ts'
import type { Marks } from '../../kernel/model/selection.ts'
import { utcMinute } from '../../kernel/text/dates.ts'
import { essentialPart } from '../../kernel/text/essential-part.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { JsonObject, Mutation, StoreView } from '../../kernel/vault/ports.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import { FACTORS } from '../search/decide/factors.ts'
import { retrieve, retrieveDocuments } from '../search/decide/retrieve.ts'
import { snippetMaker } from '../search/decide/snippet.ts'
import { embedQuestion, type Meaning } from '../search/meaning.ts'
import { askedShelf, type DocumentsAsked, loadFound, withVectors } from '../search/shelved-documents.ts'
import { conflictMarks, supersededBy } from '../search/superseded.ts'
import type { FullSearchPorts } from './decide/ports.ts'

/** Of a document, for its snippet. */
const EARLY_CHARACTERS = 4_096

export interface Remembered {
  readonly entry: Entry
  readonly duplicate: boolean
  readonly redacted: readonly RedactedPart[]
  /** The journal record that brought it, the same for all that were kept at once; null: nothing was changed for it. */
  readonly record: string | null
}

/** Keeps many entries in one mutation; one is the usual case. The answers are in the order of the inputs. */
export async function remember(
  memory: Memory & FreshnessPorts,
  inputs: readonly NewEntry[],
  action: 'add' | 'import' | { readonly batch: string } = 'add',
): Promise<Remembered[]> {
  const isImport = action !== 'add'
  const { planRemember } = await import('./decide/plan-remember.ts')
  const checked = await captureEntries(
    memory,
    memory.isUserMemory && !isImport ? inputs.map(asPreference) : inputs,
  )
  // What is imported speaks of its files as they were then, so it brings its anchors or has none.
  const captured = isImport ? checked : await withAnchorsTaken(memory, checked)

  const results: Omit<Remembered, 'record'>[] = []
  const record = await memory.store.write(memory.actor, async view => {
    results.length = 0
    const changeById = new Map<string, { type: 'entry'; before: Entry | null; after: Entry }>()
    const idByPrint = new Map<string, string>()
    for (const { entry, redacted } of captured) {
      const print = fingerprint(entry.content)
      const inBatch = changeById.get(idByPrint.get(`${entry.agent} ${print}`) ?? '')
      const known = inBatch?.after ?? (await view.findDuplicate(print, [entry.agent, 'shared']))
      // Importing the same file again says nothing new; a person who says something again does.
      if (isImport && known !== undefined) {
        results.push({ entry: known, duplicate: true, redacted })
        continue
      }
      const plan = planRemember(entry, known, {
        newId: () => view.newId(entry.dateMs),
        nowMs: memory.clock.nowMs(),
      })
      if (plan.after === known) {
        results.push({ entry: known, duplicate: true, redacted })
        continue
      }
      const before = inBatch?.before ?? (plan.kind === 'merged' && inBatch === undefined ? plan.before : null)
      changeById.set(plan.after.id, { type: 'entry', before, after: plan.after })
      idByPrint.set(`${entry.agent} ${print}`, plan.after.id)
      results.push({ entry: plan.after, duplicate: plan.kind === 'merged', redacted })
    }
    const onlyMerges = results.every(result => result.duplicate)
    const changes = [...changeById.values()]
    if (isImport) return { action: 'import', changes, ...(typeof action === 'object' && action) }
    return { action: onlyMerges ? 'merge' : 'add', changes }
  })
  // A file that is imported twice has not been read by anybody: no access, and so no candidate is confirmed by it.
  if (isImport)
    return results.map(each => ({ ...each, record: each.duplicate ? null : (record?.id ?? null) }))
  const merged = results.filter(result => result.duplicate).map(result => result.entry.id)
  await memory.store.recordAccess(merged)
  return results.map(each => ({ ...each, record: record?.id ?? null }))
}

/** What a person keeps for all their projects is a preference, unless they say what else. */
function asPreference(input: NewEntry): NewEntry {
  return input.kind === undefined && input.category === undefined ? { ...input, kind: 'preference' } : input
}

/** Checked, and free of secrets. */
export async function captureEntries(
  memory: Memory,
  inputs: readonly NewEntry[],
): Promise<{ entry: CapturedEntry; redacted: readonly RedactedPart[] }[]> {
  // Not at the top of the file: a cold search must not pay for loading what only writing needs.
  const { captureEntry } = await import('./decide/capture-entry.ts')
  const config = await memory.config()
  return Promise.all(
    inputs.map(async input => {
      const first = captureEntry(input, config)
      if (!config['redaction.secondNet']) return first
      const second = await memory.secondNet(first.entry.content)
      if (second.redacted.length === 0) return first
      const parts = second.redacted.map(part => ({ ...part, field: 'content' as const }))
      return { entry: { ...first.entry, content: second.text }, redacted: [...first.redacted, ...parts] }
    }),
  )
}

/** Before the lock is taken: files may be many. */
export async function withAnchorsTaken<T extends { readonly entry: CapturedEntry }>(
  memory: FreshnessPorts,
  captured: readonly T[],
): Promise<T[]> {
  if (captured.every(({ entry }) => entry.files.length === 0)) return [...captured]
  const { anchorFiles } = await import('../freshness/anchoring.ts')
  const anchored: T[] = []
  for (const item of captured) {
    const { anchors: _anchors, commit: _commit, ...entry } = item.entry
    anchored.push({
      ...item,
      entry: { ...entry, ...(await anchorFiles(memory, entry.files, entry.content)) },
    })
  }
  return anchored
}

/**
 * Changes one entry under the writer's lock. `edit` gives the new version, or null to remove it; `beside` what changes with it, also
 * when the entry stays as it is.
 */
export async function changeEntry(
  memory: Memory,
  id: string,
  action: Mutation['action'],
  edit: (entry: Entry, view: StoreView) => Entry | null,
  beside?: (before: Entry, after: Entry | null, view: StoreView) => Promise<readonly Change[]>,
): Promise<{ before: Entry; after: Entry | null; record: JournalRecord | null }> {
  let before: Entry | undefined
  let after: Entry | null = null
  const record = await memory.store.write(memory.actor, async view => {
    before = await view.findEntry(id)
    if (before === undefined) throw entryNotFound(id)
    after = edit(before, view)
    const changes: Change[] = after === before ? [] : [{ type: 'entry', before, after }]
    changes.push(...((await beside?.(before, after, view)) ?? []))
    return changes.length === 0 ? null : { action, changes }
  })
  if (before === undefined) throw entryNotFound(id)
  return { before, after, record }
}

/**
 * curation.json with the word of whoever acts now that these entries hold, so that upkeep leaves them. What a person wrote needs none.
 */
export async function withWordFor(
  memory: Memory,
  curation: JsonObject,
  entries: readonly Entry[],
): Promise<JsonObject> {
  const ids = entries.filter(({ origin }) => origin !== 'person').map(({ id }) => id)
  if (ids.length === 0) return curation
  const { withConfirmations, wordOf } = await import('./decide/confirmations.ts')
  const by = wordOf(memory.actor)
  return withConfirmations(curation, ids, { at: new Date(memory.clock.nowMs()).toISOString(), by })
}

export interface SearchOptions {
  readonly filter: EntryFilter
  readonly limit: number
  readonly byWordsAlone?: boolean
  /** Documents of workspaces answer too. */
  readonly documents?: DocumentsAsked
}

export async function search(
  memory: Memory & FullSearchPorts,
  query: string,
  options: SearchOptions,
): Promise<{ hits: Hit[]; degraded: Degradation[] }> {
  await memory.store.refresh()
  const shelf = await askedShelf(memory, options.filter, options.documents)
  // Before the reading: where questions queue for the embedder, none holds a connection that others need.
  const question = options.byWordsAlone
    ? undefined
    : await embedQuestion(memory, essentialPart(query), {
        hasDocuments: shelf !== undefined,
        notesAny: true,
      })
  return memory.store.reading(async () =>
    findHits(memory, query, { ...options, shelf, meaning: await question?.compared() }),
  )
}

async function findHits(
  memory: Memory & FullSearchPorts,
  query: string,
  {
    filter,
    limit,
    documents,
    shelf,
    meaning,
  }: SearchOptions & {
    readonly shelf: Awaited<ReturnType<typeof askedShelf>>
    readonly meaning: Meaning | undefined
  },
): Promise<{ hits: Hit[]; degraded: Degradation[] }> {
  const { reader } = filter
  const beside = withVectors(shelf, meaning)
  const asked = {
    query,
    filter,
    wanted: limit,
    aliases: await memory.aliases(),
    now: utcMinute(memory.clock.nowMs()),
    meaning,
    liftsUnmeasured: true,
    successors: (ids: readonly string[]) => supersededBy(memory, ids, { reader }),
  }
  const { ranked, plan } =
    beside !== undefined && documents?.scope !== undefined
      ? await retrieveDocuments(beside, asked)
      : await retrieve(memory.search, { ...asked, beside })
  const best = ranked.slice(0, limit)
  const ids = best.flatMap(({ id, isDocument }) => (isDocument === true ? [] : [id]))
  const [{ entryById, documentById }, marksById] = await Promise.all([
    loadFound(memory, best),
    conflictMarks(memory, ids, reader),
  ])
  const makeSnippet = snippetMaker([...plan.terms, ...plan.pruned])
  /** Most documents say near their beginning what they are about; the rest of a long one is read only where that has no word of it. */
  const snippetOf = (content: string) => {
    const early = makeSnippet(content.slice(0, EARLY_CHARACTERS))
    return early.matches.length > 0 || content.length <= EARLY_CHARACTERS ? early : makeSnippet(content)
  }
  const hits = best.flatMap(({ id, score, replacedBy, isBesideMatch }): Hit[] => {
    const entry = entryById.get(id)
    const document = documentById.get(id)
    if (entry === undefined) return []
    const { text, matches } = document === undefined ? makeSnippet(entry.content) : snippetOf(entry.content)
    const marks: Marks = {
      ...(replacedBy !== undefined && { supersededBy: replacedBy }),
      ...(isBesideMatch && { besideMatch: isBesideMatch }),
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
      ...memory.shelf.takeDegraded(),
      ...memory.semantics.takeDegraded(),
    ],
  }
}

/** What has drifted comes later and says so. Only these hits are looked at, and only files that they name. */
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

export function entryNotFound(id: string): CairnError {
  return new CairnError({
    code: 'entry_not_found',
    message: `There is no entry ${id}.`,
    hint: '`cairn search <words>` or `cairn list` shows the ids. `cairn log --entry <id>` tells whether it was removed.',
  })
}

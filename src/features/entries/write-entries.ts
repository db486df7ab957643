import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, JournalRecord } from '../../kernel/model/journal.ts'
import type { CapturedEntry, NewEntry, RedactedPart } from '../../kernel/model/new-entry.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import type { JsonObject, Mutation, StoreView } from '../../kernel/vault/ports.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'

export interface Remembered {
  readonly entry: Entry
  readonly duplicate: boolean
  readonly redacted: readonly RedactedPart[]
  /** The journal record of the change, the same for all entries of one call; null if nothing changed. */
  readonly record: string | null
}

/** Stores many entries in one mutation; usually one. The answers are in the order of the inputs. */
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
  // An imported entry describes its files at an earlier time, so it brings its own anchors or has none.
  const captured = isImport ? checked : await withNewAnchors(memory, checked)

  const results: Omit<Remembered, 'record'>[] = []
  const record = await memory.store.write(memory.actor, async view => {
    results.length = 0
    const changeById = new Map<string, { type: 'entry'; before: Entry | null; after: Entry }>()
    const idByPrint = new Map<string, string>()
    for (const { entry, redacted } of captured) {
      const print = fingerprint(entry.content)
      const inBatch = changeById.get(idByPrint.get(`${entry.agent} ${print}`) ?? '')
      const known = inBatch?.after ?? (await view.findDuplicate(print, [entry.agent, 'shared']))
      // Importing the same file again changes nothing; a repetition by a person does.
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
  // Importing a file twice does not mean that anyone read it: it is not an access, and confirms no candidate.
  if (isImport)
    return results.map(each => ({ ...each, record: each.duplicate ? null : (record?.id ?? null) }))
  const merged = results.filter(result => result.duplicate).map(result => result.entry.id)
  await memory.store.recordAccess(merged)
  return results.map(each => ({ ...each, record: record?.id ?? null }))
}

/** An entry in the user's own memory is a preference, unless a kind is given. */
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
export async function withNewAnchors<T extends { readonly entry: CapturedEntry }>(
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
 * Changes one entry under the writer's lock. `edit` returns the new version, or null to remove it. `more` returns
 * changes that belong to it, also when the entry stays the same.
 */
export async function changeEntry(
  memory: Memory,
  id: string,
  action: Mutation['action'],
  edit: (entry: Entry, view: StoreView) => Entry | null,
  more?: (before: Entry, after: Entry | null, view: StoreView) => Promise<readonly Change[]>,
): Promise<{ before: Entry; after: Entry | null; record: JournalRecord | null }> {
  let before: Entry | undefined
  let after: Entry | null = null
  const record = await memory.store.write(memory.actor, async view => {
    before = await view.findEntry(id)
    if (before === undefined) throw entryNotFound(id)
    after = edit(before, view)
    const changes: Change[] = after === before ? [] : [{ type: 'entry', before, after }]
    changes.push(...((await more?.(before, after, view)) ?? []))
    return changes.length === 0 ? null : { action, changes }
  })
  if (before === undefined) throw entryNotFound(id)
  return { before, after, record }
}

/**
 * curation.json with a confirmation of these entries by the current actor, so that upkeep does not archive them.
 * Entries written by a person need none.
 */
export async function withConfirmationsFor(
  memory: Memory,
  curation: JsonObject,
  entries: readonly Entry[],
): Promise<JsonObject> {
  const ids = entries.filter(({ origin }) => origin !== 'person').map(({ id }) => id)
  if (ids.length === 0) return curation
  const { withConfirmations, actorLabel } = await import('./decide/confirmations.ts')
  const by = actorLabel(memory.actor)
  return withConfirmations(curation, ids, { at: new Date(memory.clock.nowMs()).toISOString(), by })
}

export function entryNotFound(id: string): CairnError {
  return new CairnError({
    code: 'entry_not_found',
    message: `There is no entry ${id}.`,
    hint: '`cairn search <words>` or `cairn list` shows the ids. `cairn log --entry <id>` shows whether it was removed.',
  })
}

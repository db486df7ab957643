import { entryNotFound } from '../../features/entries/write-entries.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { applyToEntries } from './apply-to-entries.ts'
import type { ObsidianLink } from './decide/obsidian-vault.ts'
import { planKeepNote } from './decide/plan-sync.ts'
import type { NotePorts } from './decide/ports.ts'
import { getLink, refuseMissing, refuseUntrusted } from './linked-vault.ts'
import { compareSides, type SyncReport, syncAlone } from './sync-notes.ts'

export interface ResolvedNote {
  readonly entry: Entry
  readonly kept: 'note' | 'entry'
  /** The other versions, which were moved to the trash of the vault. */
  readonly removed: readonly string[]
  /** The journal record for `undo`; null: the entry is unchanged. */
  readonly record: string | null
  readonly sync: SyncReport
}

/**
 * Resolves a note that was changed on both sides. `note`: the text from Obsidian becomes the entry; `entry`: the entry stays. The other
 * version goes to the trash of the vault. Throws `conflict_not_found`, `entry_not_found`, and `ambiguous_match` if there are several.
 */
export async function resolveObsidian(
  memory: Memory & NotePorts,
  id: string,
  keep: 'note' | 'entry',
): Promise<ResolvedNote> {
  refuseUntrusted(memory)
  const link = await getLink(memory)
  await refuseMissing(memory, link)
  return memory.obsidian.alone(() => resolveAlone(memory, link, id, keep))
}

async function resolveAlone(
  memory: Memory & NotePorts,
  link: ObsidianLink,
  id: string,
  keep: 'note' | 'entry',
): Promise<ResolvedNote> {
  const { plan } = await compareSides(memory, link, await memory.obsidian.base(link), {})
  const paths = plan.conflicts.filter(conflict => conflict.id === id).map(({ path }) => path)
  if (paths.length === 0) throw noConflict(id)
  if (keep === 'note' && paths.length > 1) throw several(id, paths)
  const entry = await memory.store.findEntry(id)
  if (entry === undefined) throw entryNotFound(id)
  const notes = (await memory.obsidian.notes(link)).filter(({ path }) => paths.includes(path))
  let record: string | null = null
  for (const note of keep === 'note' ? notes : []) {
    const step = 'text' in note ? planKeepNote(entry, note, plan) : undefined
    if (step === undefined) continue
    const batch = `${memory.clock.nowMs()}-${process.pid.toString(36)}`
    const applied = await applyToEntries(memory, [step], { batch, isLonely: () => false })
    const [problem] = applied.problems
    if (problem !== undefined || applied.done.length === 0) throw notTaken(id, problem?.message)
    record = applied.record
  }
  const removed: string[] = []
  for (const note of notes)
    if ('text' in note && (await memory.obsidian.trash(link, note.path, note.text)) === 'moved')
      removed.push(note.path)
  const sync = await syncAlone(memory, link, {})
  return { entry: (await memory.store.findEntry(id)) ?? entry, kept: keep, removed, record, sync }
}

function noConflict(id: string): CairnError {
  return new CairnError({
    code: 'conflict_not_found',
    message: `No note of ${id.slice(0, 60)} was changed on both sides.`,
    hint: '`cairn obsidian status` shows those that were.',
  })
}

function several(id: string, paths: readonly string[]): CairnError {
  return new CairnError({
    code: 'ambiguous_match',
    message: `There are ${paths.length} other versions of the note of ${id.slice(0, 60)}.`,
    hint: 'Delete the versions that you do not want in Obsidian, then run it again.',
    details: { notes: paths },
  })
}

function notTaken(id: string, why: string | undefined): CairnError {
  return new CairnError({
    code: 'entry_changed',
    message: why ?? `Entry ${id} changed in the meantime; nothing was written.`,
    hint: '`cairn obsidian status` shows the current state.',
  })
}

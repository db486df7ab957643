import { withoutConfirmation } from '../../features/entries/decide/confirmations.ts'
import { planRemember } from '../../features/entries/decide/plan-remember.ts'
import { captureEntries, withConfirmationsFor } from '../../features/entries/write-entries.ts'
import { anchorFiles, withAnchors } from '../../features/freshness/anchoring.ts'
import type { FreshnessPorts } from '../../features/freshness/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Change, EntryChange } from '../../kernel/model/journal.ts'
import type { CapturedEntry, NewEntry } from '../../kernel/model/new-entry.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { sameEntry } from '../../kernel/vault/observe.ts'
import type { StoreView } from '../../kernel/vault/ports.ts'
import type { EntryStep } from './decide/agreement-after.ts'
import type { SyncProblem } from './decide/sync-problems.ts'

export interface AppliedEntries {
  /** The entry after each applied step; null: it was removed. */
  readonly done: readonly { readonly step: EntryStep; readonly entry: Entry | null }[]
  readonly problems: readonly SyncProblem[]
  readonly redacted: number
  /** The journal record; null: nothing was written. */
  readonly record: string | null
}

/** Entries for each journal record and round of file writes: large enough to be fast, small enough for memory. */
const BATCH = 2_000

interface Prepared {
  readonly step: EntryStep
  /** The new or changed entry, validated and redacted. */
  readonly captured?: CapturedEntry
  readonly anchored?: Pick<Entry, 'anchors' | 'commit'>
}

/**
 * Applies changed notes to the entries, as one batch that `cairn undo` reverts as one. An entry that changed since the plan was made is
 * left for the next round.
 */
export async function applyToEntries(
  memory: Memory & FreshnessPorts,
  steps: readonly EntryStep[],
  {
    batch,
    isLonely,
  }: {
    readonly batch: string
    /** Whether the entry has no note yet. */
    readonly isLonely: (id: string) => boolean
  },
): Promise<AppliedEntries> {
  const problems: SyncProblem[] = []
  const done: { step: EntryStep; entry: Entry | null }[] = []
  let redacted = 0
  let record: string | null = null
  for (let start = 0; start < steps.length; start += BATCH) {
    const prepared: Prepared[] = []
    for (const step of steps.slice(start, start + BATCH)) {
      try {
        const made = await prepare(memory, step)
        redacted += made.redacted
        prepared.push(made.prepared)
      } catch (error) {
        if (!(error instanceof CairnError)) throw error
        problems.push({
          code: error.code,
          path: step.path,
          message: `${step.path}: ${error.message}`,
          hint: error.hint,
        })
      }
    }
    const taken: { step: EntryStep; entry: Entry | null }[] = []
    const refused: SyncProblem[] = []
    const written = await memory.store.write(memory.actor, async view => {
      taken.length = 0
      refused.length = 0
      const changes: Change[] = []
      const added = new Set<string>()
      for (const one of prepared) {
        const print = printOf(one)
        if (print !== undefined && added.has(print)) {
          refused.push(knownText(one.step.path))
          continue
        }
        if (print !== undefined) added.add(print)
        const decided = await decide(memory, view, one)
        if (decided === undefined) continue
        if (decided.change !== undefined) changes.push(decided.change)
        // Another entry or note of this batch already has the same text.
        if (decided.isKnown === true && !isLonely(decided.entry?.id ?? ''))
          refused.push(knownText(one.step.path))
        else taken.push({ step: one.step, entry: decided.entry })
      }
      changes.push(...(await wordsFor(memory, view, changes)))
      return changes.length === 0 ? null : { action: 'sync', changes, batch }
    })
    record = written?.id ?? record
    problems.push(...refused)
    done.push(...taken)
  }
  return { done, problems, redacted, record }
}

/** Two new notes with the same text become one entry. */
function printOf({ step, captured }: Prepared): string | undefined {
  if (step.does !== 'add_entry' || captured === undefined) return undefined
  return `${captured.agent} ${fingerprint(captured.content)}`
}

async function prepare(
  memory: Memory & FreshnessPorts,
  step: EntryStep,
): Promise<{ prepared: Prepared; redacted: number }> {
  if (step.does === 'remove_entry') return { prepared: { step }, redacted: 0 }
  const input: NewEntry = step.does === 'update_entry' ? { ...step.entry, ...step.facts } : step.input
  const [captured] = await captureEntries(memory, [input])
  if (captured === undefined) throw new Error('one entry in, one answer out')
  const { entry } = captured
  const isLookedAt =
    step.does !== 'update_entry' || step.taken.includes('content') || step.taken.includes('files')
  const anchored = isLookedAt ? await anchorFiles(memory, entry.files, entry.content) : undefined
  return {
    prepared: { step, captured: entry, ...(anchored !== undefined && { anchored }) },
    redacted: captured.redacted.length,
  }
}

interface DecidedEntry {
  readonly entry: Entry | null
  readonly change?: EntryChange
  readonly isKnown?: boolean
}

/** undefined: the entry has changed in the meantime. */
async function decide(
  memory: Memory,
  view: StoreView,
  { step, captured, anchored }: Prepared,
): Promise<DecidedEntry | undefined> {
  const nowMs = memory.clock.nowMs()
  if (step.does === 'remove_entry' || step.does === 'update_entry') {
    const now = await view.findEntry(step.entry.id)
    if (now === undefined || !sameEntry(now, step.entry)) return undefined
    if (step.does === 'remove_entry')
      return { entry: null, change: { type: 'entry', before: now, after: null } }
    if (captured === undefined) throw new Error('a changed entry must be captured')
    const { dateMs: _date, confidence: _confidence, session: _session, ...changed } = captured
    const edited: Entry = { ...now, ...changed }
    const next = anchored === undefined ? edited : withAnchors(edited, anchored)
    if (sameEntry(next, now)) return { entry: now }
    const after = { ...next, updated: new Date(nowMs).toISOString().slice(0, 19) }
    return { entry: after, change: { type: 'entry', before: now, after } }
  }
  if (captured === undefined) throw new Error('an added entry must be captured')
  const added = { ...captured, ...anchored }
  if (step.does === 'revive_entry') {
    if ((await view.findEntry(step.id)) !== undefined) return undefined
    const { after } = planRemember(added, undefined, { newId: () => step.id, nowMs })
    return { entry: after, change: { type: 'entry', before: null, after } }
  }
  const known = await view.findDuplicate(fingerprint(added.content), [added.agent, 'shared'])
  if (known !== undefined) return { entry: known, isKnown: true }
  const { after } = planRemember(added, undefined, { newId: () => view.newId(added.dateMs), nowMs })
  return { entry: after, change: { type: 'entry', before: null, after } }
}

/** A user who edits an entry in a note confirms it, as with `cairn edit`. */
async function wordsFor(
  memory: Memory,
  view: StoreView,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const edited = changes.flatMap(change =>
    change.type === 'entry' && change.before !== null && change.after !== null
      ? [{ before: change.before, after: change.after }]
      : [],
  )
  if (edited.length === 0) return []
  const document = await view.readDocument('curation.json')
  const lowered = edited.filter(
    ({ before, after }) => after.status === 'candidate' && before.status !== 'candidate',
  )
  const held = edited.filter(
    ({ before, after }) =>
      after.content !== before.content || (after.status !== before.status && after.status !== 'candidate'),
  )
  let noted = await withConfirmationsFor(
    memory,
    document,
    held.map(({ after }) => after),
  )
  for (const { after } of lowered) noted = withoutConfirmation(noted, after.id)
  return noted === document
    ? []
    : [{ type: 'document', name: 'curation.json', before: document, after: noted }]
}

function knownText(path: string): SyncProblem {
  return {
    code: 'note_known',
    path,
    message: `${path} says what an entry with a note of its own says already.`,
    hint: 'It is left alone. Change it, or delete it.',
  }
}

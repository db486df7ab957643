import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Degradation, Problem } from '../../kernel/model/search.ts'
import type { BriefPorts } from '../brief/decide/ports.ts'
import type { ConflictPorts } from '../conflicts/decide/ports.ts'
import { loserOf } from '../conflicts/decide/resolutions.ts'
import { compareEntries } from '../conflicts/find-conflicts.ts'
import { openConflicts } from '../conflicts/resolve-conflicts.ts'
import { actorLabel } from '../entries/decide/confirmations.ts'
import { checkAllFreshness } from '../freshness/anchoring.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../search/decide/ports.ts'
import { supersededBy } from '../search/superseded.ts'
import { readDismissals, withDismissals } from './decide/dismissals.ts'
import { planStaleReview, type StaleSettings } from './decide/plan-stale.ts'
import type { ReviewPorts } from './decide/ports.ts'
import type { ReviewedEntry } from './decide/review-index.ts'
import { type StaleProposal, subjectIn } from './decide/stale-proposal.ts'
import { learningSplits, type SplitPorts } from './learning-splits.ts'

/** What a person at a terminal waits for entries to be compared; what is left is said. */
const COMPARING_MS = 5_000
/** What a page waits for: a server compares the rest while nobody asks. */
const COMPARING_SHARED_MS = 1_000
/** A problem of these makes a file one that is not to be moved in or out of. */
const DAMAGED = new Set(['conflict_markers', 'utf16'])

export interface StaleReview {
  readonly proposals: readonly StaleProposal[]
  readonly dismissed: number
  /** How many entries were looked at. */
  readonly entries: number
  readonly entryById: ReadonlyMap<string, ReviewedEntry>
  readonly problems: readonly Problem[]
  readonly degraded: readonly Degradation[]
}

export interface ReviewOptions {
  readonly onProgress?: ((done: number, total: number | undefined, what: string) => void) | undefined
  /** Given where others share the thread. */
  readonly turn?: (() => Promise<void>) | undefined
  /** Whoever applies or dismisses has seen a proposal: it does not wait for others to be found. */
  readonly comparesNothing?: boolean
}

/** Everything that needs a look now. Changes nothing but what the index knows of comparisons and files. */
export async function reviewStale(
  memory: Memory &
    SearchPorts &
    MeaningPorts &
    BriefPorts &
    ConflictPorts &
    FreshnessPorts &
    ReviewPorts &
    SplitPorts,
  { onProgress, turn, comparesNothing = false }: ReviewOptions = {},
): Promise<StaleReview> {
  await memory.store.refresh()
  const endMs = memory.clock.nowMs() + (turn === undefined ? COMPARING_MS : COMPARING_SHARED_MS)
  const { waiting } = await compareEntries(memory, () => comparesNothing || memory.clock.nowMs() >= endMs, {
    ...(turn && { turn }),
    ...(onProgress && { onProgress: (done, total) => onProgress(done, total, 'entries compared') }),
  })
  const config = await memory.config()
  const entries = await memory.reviewIndex.entries()
  const freshness = await checkAllFreshness(memory)
  const curation = await memory.store.readDocument('curation.json')
  const { problems } = await memory.store.health()
  const learnings = await learningSplits(memory, config['review.maxEntriesPerFile'])
  const plan = planStaleReview(
    {
      nowMs: memory.clock.nowMs(),
      entries,
      freshnessById: new Map(freshness.found.map(({ entry, freshness: own }) => [entry.id, own])),
      supersededById: await supersededOnRecord(memory),
      contradicted: (await openConflicts(memory)).map(({ older, newer, type }) => ({
        older: older.id,
        newer: newer.id,
        conflict: type,
        // The newer entry is proposed, unless only the older one was written or confirmed by a person.
        holds: isCertain(older) && !isCertain(newer) ? older.id : newer.id,
      })),
      confirmedMsById: confirmedMs(curation.confirmations),
      usefulIds: new Set(
        Object.entries(await memory.feedback()).flatMap(([id, { useful }]) => (useful > 0 ? [id] : [])),
      ),
      damagedPaths: new Set(problems.filter(({ code }) => DAMAGED.has(code)).map(({ path }) => path)),
      dismissals: readDismissals(curation.dismissals),
      learningSplits: learnings.splits,
    },
    settingsOf(config),
  )
  const notes: Degradation[] = []
  if (waiting > 0 && !comparesNothing)
    notes.push({
      code: 'comparisons_waiting',
      message: `${waiting} entries were not compared yet, so contradictions may be missing. \`cairn conflicts\` goes on where it stopped.`,
    })
  return {
    ...plan,
    entries: entries.length,
    entryById: new Map(entries.map(entry => [entry.id, entry])),
    problems: [...problems, ...learnings.problems],
    degraded: [
      ...memory.store.takeDegraded(),
      ...memory.semantics.takeDegraded(),
      ...freshness.degraded,
      ...notes,
    ],
  }
}

function isCertain({ status, origin }: Pick<Entry, 'status' | 'origin'>): boolean {
  return status !== 'candidate' || origin === 'person'
}

function settingsOf(config: Config): StaleSettings {
  return {
    mostEntries: config['review.maxEntriesPerFile'],
    keepEntries: config['vault.keepEntries'],
    pageBytes: config['vault.pageBytes'],
    unusedDays: config['review.unusedDays'],
  }
}

async function supersededOnRecord(
  memory: SearchPorts & ConflictPorts,
): Promise<Map<string, { by: string; atMs: number }>> {
  const resolutions = await memory.resolutions()
  const atMsById = new Map<string, number>()
  for (const resolved of resolutions) {
    const loser = loserOf(resolved)
    if (loser !== undefined) atMsById.set(loser, Math.max(atMsById.get(loser) ?? 0, resolved.resolvedAt))
  }
  const successors = await supersededBy(memory, [...atMsById.keys()])
  return new Map([...successors].map(([id, by]) => [id, { by, atMs: atMsById.get(id) ?? 0 }]))
}

/** A word without a readable moment is a word all the same: it counts as given just now. */
function confirmedMs(stored: unknown): Map<string, number> {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return new Map()
  return new Map(
    Object.entries(stored).map(([id, said]: [string, { at?: unknown } | null]) => {
      const ms = typeof said?.at === 'string' ? Date.parse(said.at) : Number.NaN
      return [id, Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms]
    }),
  )
}

/** The proposals with these ids, as things are now. Throws `finding_not_found`, and `entry_changed` where one looks otherwise by now. */
export function findProposals(review: StaleReview, ids: readonly string[]): StaleProposal[] {
  const byId = new Map(review.proposals.map(proposal => [proposal.id, proposal]))
  return [...new Set(ids)].map(id => {
    const found = byId.get(id)
    if (found !== undefined) return found
    const subject = subjectIn(id)
    const now = review.proposals.find(proposal => subject !== undefined && subjectIn(proposal.id) === subject)
    throw now === undefined ? noProposal(id) : changedProposal(id, now)
  })
}

/** Says no: what it is about is not proposed again until it changes. */
export async function dismissProposals(
  memory: Memory &
    SearchPorts &
    MeaningPorts &
    BriefPorts &
    ConflictPorts &
    FreshnessPorts &
    ReviewPorts &
    SplitPorts,
  ids: readonly string[],
): Promise<{ readonly dismissed: readonly StaleProposal[]; readonly record: string | null }> {
  const dismissed = findProposals(await reviewStale(memory, { comparesNothing: true }), ids)
  const record = await memory.store.write(memory.actor, async view => {
    const before = await view.readDocument('curation.json')
    const said = { at: new Date(memory.clock.nowMs()).toISOString(), by: actorLabel(memory.actor) }
    const after = withDismissals(before, dismissed, said)
    return { action: 'reject', changes: [{ type: 'document', name: 'curation.json', before, after }] }
  })
  return { dismissed, record: record?.id ?? null }
}

function noProposal(id: string): CairnError {
  return new CairnError({
    code: 'finding_not_found',
    message: `There is no proposal ${id.slice(0, 40)}: it was applied or dismissed, or there is no longer a reason for it.`,
    hint: '`cairn review --stale` shows the proposals with their ids.',
  })
}

function changedProposal(id: string, now: StaleProposal): CairnError {
  return new CairnError({
    code: now.kind === 'split' ? 'file_changed' : 'entry_changed',
    message: `${now.what} changed since ${id} was proposed; nothing was done.`,
    hint: `It is now proposal ${now.id}: \`cairn review --stale --kind ${now.kind}\` shows it.`,
    details: { now: now.id },
  })
}

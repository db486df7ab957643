import { planLearningSplit } from '../../addons/workspaces/decide/learnings-file.ts'
import type { WorkspacePorts } from '../../addons/workspaces/decide/ports.ts'
import type { WorkspaceFolder } from '../../addons/workspaces/decide/workspace-folder.ts'
import type { Memory } from '../../kernel/memory.ts'
import type { Config } from '../../kernel/model/config.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Degradation, Problem } from '../../kernel/model/search.ts'
import { fingerprint } from '../../kernel/text/fingerprint.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'
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
import { type PlannedLearningSplit, planStaleReview, type StaleSettings } from './decide/plan-stale.ts'
import type { ReviewedEntry, ReviewPorts } from './decide/ports.ts'
import { readDismissals, type StaleProposal, subjectIn, withDismissals } from './decide/stale-proposal.ts'

/** How long a terminal waits for entries to be compared; the rest is reported. */
const COMPARING_MS = 5_000
/** How long a page waits: the server compares the rest in the background. */
const COMPARING_SHARED_MS = 1_000
/** Files with these problems must not gain or lose entries. */
const DAMAGED = new Set(['conflict_markers', 'utf16'])

export interface StaleReview {
  readonly proposals: readonly StaleProposal[]
  readonly dismissed: number
  /** How many entries were checked. */
  readonly entries: number
  readonly entryById: ReadonlyMap<string, ReviewedEntry>
  readonly problems: readonly Problem[]
  readonly degraded: readonly Degradation[]
}

export interface ReviewOptions {
  readonly onProgress?: ((done: number, total: number | undefined, what: string) => void) | undefined
  /** Set if other work shares the thread. */
  readonly turn?: (() => Promise<void>) | undefined
  /** Skips the search for new conflicts: the caller acts on proposals that were already shown. */
  readonly comparesNothing?: boolean
}

/** Everything that needs a check now. Changes only the index's cache of comparisons and files. */
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
        // Proposes the newer entry, unless a person wrote or confirmed only the older one.
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
      message: `${waiting} entries were not compared yet, so contradictions may be missing. \`cairn conflicts\` continues the comparison.`,
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

/** A confirmation without a readable date counts as given now. */
function confirmedMs(stored: unknown): Map<string, number> {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return new Map()
  return new Map(
    Object.entries(stored).map(([id, said]: [string, { at?: unknown } | null]) => {
      const ms = typeof said?.at === 'string' ? Date.parse(said.at) : Number.NaN
      return [id, Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms]
    }),
  )
}

/** The current proposals with these ids. Throws `finding_not_found`, and `entry_changed` if one has changed. */
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

/** Dismisses proposals: they do not return until their subject changes. */
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
    message: `There is no proposal ${id.slice(0, 40)}: it was applied, dismissed or is no longer needed.`,
    hint: '`cairn review --stale` shows the proposals with their ids.',
  })
}

function changedProposal(id: string, now: StaleProposal): CairnError {
  return new CairnError({
    code: now.kind === 'split' ? 'file_changed' : 'entry_changed',
    message: `${now.what} changed since ${id} was proposed. Nothing was applied.`,
    hint: `It is now proposal ${now.id}: \`cairn review --stale --kind ${now.kind}\` shows it.`,
    details: { now: now.id },
  })
}

/** The ports of the add-on, which callers pass on without naming it. */
export type SplitPorts = WorkspacePorts

const LEARNINGS = new Set(['decision', 'lesson'] as const)

/** The workspace files with too many decisions or lessons (seed B, section 9), and the target pages of the older ones. */
export async function learningSplits(
  memory: Memory & WorkspacePorts,
  mostEntries: number,
): Promise<{ readonly splits: readonly PlannedLearningSplit[]; readonly problems: readonly Problem[] }> {
  const folder = await readableFolder(memory)
  if ('problem' in folder) return { splits: [], problems: [folder.problem] }
  if (!folder.exists()) return { splits: [], problems: [] }
  const redaction = redactionOptions(await memory.config())
  const { places, problems } = folder.survey({ kinds: LEARNINGS })
  const found = [...problems]
  const textByPath = new Map<string, string>()
  for (const { path } of places) {
    const file = folder.readText(path)
    if (file.kind === 'unreadable') found.push(file.problem)
    else if (file.kind === 'read' && file.isWhole) textByPath.set(path, file.text)
    else if (file.kind === 'read') found.push(tooLarge(path))
  }
  const splits = [...textByPath].flatMap(([path, text]): PlannedLearningSplit[] => {
    const split = planLearningSplit({ path, text }, pagesOf(path, textByPath), mostEntries)
    if (split === undefined) return []
    const { file, entries, stays, moves, texts } = split
    return [
      {
        file,
        entries,
        stays,
        moves: moves.map(({ to, titles }) => ({
          to,
          entries: titles.map(title => redact(title, redaction).text),
        })),
        state: fingerprint(texts.map(({ before, after }) => `${before}\n${after}`).join('\n')),
      },
    ]
  })
  return { splits, problems: found }
}

/** Unusable roots are reported, and the rest is reviewed. */
async function readableFolder(
  memory: WorkspacePorts,
): Promise<WorkspaceFolder | { readonly problem: Problem }> {
  try {
    return await memory.workspaces()
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    const { code, message, hint } = error
    return { problem: { code, path: 'config.json', message, hint } }
  }
}

/** Moves the older entries of one file to its pages, in one mutation: all texts or none. */
export async function splitLearnings(memory: Memory & WorkspacePorts, file: string): Promise<string | null> {
  const mostEntries = (await memory.config())['review.maxEntriesPerFile']
  const folder = await memory.workspaces()
  const paths = siblingPaths(folder, file)
  const record = await memory.store.write(memory.actor, async view => {
    const textByPath = new Map<string, string>()
    for (const path of paths) {
      const text = await view.readFile(path)
      if (text !== undefined) textByPath.set(path, text)
    }
    const text = textByPath.get(file)
    const split =
      text === undefined
        ? undefined
        : planLearningSplit({ path: file, text }, pagesOf(file, textByPath), mostEntries)
    if (split === undefined) throw changed(file)
    return {
      action: 'split',
      changes: split.texts.map(({ path, before, after }) => ({ type: 'file', path, before, after })),
    }
  })
  return record?.id ?? null
}

function siblingPaths(folder: WorkspaceFolder, file: string): string[] {
  const { places } = folder.survey({ kinds: LEARNINGS })
  const parent = parentOf(file)
  return places.map(({ path }) => path).filter(path => parentOf(path) === parent)
}

function pagesOf(file: string, textByPath: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...textByPath].filter(([path]) => path !== file && parentOf(path) === parentOf(file)))
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function changed(file: string): CairnError {
  return new CairnError({
    code: 'file_changed',
    message: `${file} changed meanwhile.`,
    hint: '`cairn review --stale` shows the current proposals.',
  })
}

function tooLarge(path: string): Problem {
  return {
    code: 'file_too_large',
    path,
    message: `${path} is too large to be read and was not checked.`,
    hint: 'Move its older part to another file by hand.',
  }
}

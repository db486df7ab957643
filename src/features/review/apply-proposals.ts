import type { Memory } from '../../kernel/memory.ts'
import { type Entry, withPinnedBy } from '../../kernel/model/entry.ts'
import { CairnError, type ErrorCode } from '../../kernel/model/errors.ts'
import type { EntryChange } from '../../kernel/model/journal.ts'
import { sameEntry } from '../../kernel/vault/observe.ts'
import type { BriefPorts } from '../brief/decide/ports.ts'
import type { ConflictPorts } from '../conflicts/decide/ports.ts'
import { resolveConflict } from '../conflicts/resolve-conflicts.ts'
import { actorLabel, withConfirmations } from '../entries/decide/confirmations.ts'
import { changeEntry } from '../entries/write-entries.ts'
import { anchorFiles, freshnessOf, withAnchors, withMovedFiles } from '../freshness/anchoring.ts'
import type { FreshnessPorts } from '../freshness/decide/ports.ts'
import type { MeaningPorts, SearchPorts } from '../search/decide/ports.ts'
import { archiveEntries } from '../upkeep/archive-entries.ts'
import { seenOf } from '../upkeep/decide/plan-compaction.ts'
import type { UpkeepPorts } from '../upkeep/decide/ports.ts'
import type { ReviewPorts } from './decide/ports.ts'
import type { StaleKind, StaleProposal, StaleStep } from './decide/stale-proposal.ts'
import {
  findProposals,
  type ReviewOptions,
  reviewStale,
  type SplitPorts,
  type StaleReview,
  splitLearnings,
} from './stale-review.ts'

interface ApplyRequest {
  /** Ids of proposals, which may include ones that only a person may choose. */
  readonly ids?: readonly string[]
  /** All proposals of a kind, except those that need an id. */
  readonly allOf?: Extract<StaleKind, 'split' | 'archive'>
  /** With ids: archives entries that would otherwise be confirmed. */
  readonly toArchive?: boolean
  readonly dryRun?: boolean
}

interface AppliedProposals {
  readonly applied: readonly { readonly proposal: StaleProposal; readonly record: string | null }[]
  /** Proposals that were not applied because their subject changed meanwhile. */
  readonly left: readonly {
    readonly proposal: StaleProposal
    readonly code: ErrorCode
    readonly why: string
  }[]
  /** With `--all`: proposals that need an id. */
  readonly toBeNamed: number
  /** The archive batch of removed entries. */
  readonly batch: string | null
  readonly degraded: StaleReview['degraded']
}

/**
 * Applies proposals, each of them completely or not at all. All ids are checked first. Entries are archived together, in one batch and
 * one journal record; every other proposal gets a record of its own.
 */
export async function applyProposals(
  memory: Memory &
    SearchPorts &
    MeaningPorts &
    BriefPorts &
    ConflictPorts &
    FreshnessPorts &
    UpkeepPorts &
    ReviewPorts &
    SplitPorts,
  request: ApplyRequest,
  options: ReviewOptions = {},
): Promise<AppliedProposals> {
  const review = await reviewStale(memory, { ...options, comparesNothing: true })
  const { chosen, toBeNamed } = choose(review, request)
  const steps = chosen.map(proposal => ({ proposal, step: stepOf(proposal, request.toArchive === true) }))
  const applied: { proposal: StaleProposal; record: string | null }[] = []
  const left: { proposal: StaleProposal; code: ErrorCode; why: string }[] = []
  let batch: string | null = null
  if (request.dryRun === true) {
    applied.push(...chosen.map(proposal => ({ proposal, record: null })))
    return { applied, left, toBeNamed, batch, degraded: review.degraded }
  }

  const leaving = steps.flatMap(({ proposal, step }) =>
    step.kind === 'archive' ? [{ proposal, id: step.entry }] : [],
  )
  if (leaving.length > 0) {
    const done = await archiveEntries(
      memory,
      leaving.flatMap(({ proposal, id }) => {
        const entry = review.entryById.get(id)
        if (entry === undefined) return []
        return [{ id, seen: seenOf(entry), reason: { code: 'review', reasons: proposal.reasons } }]
      }),
    )
    batch = done.batch ?? null
    for (const { proposal, id } of leaving) {
      if (done.ids.has(id)) applied.push({ proposal, record: done.record ?? null })
      else left.push({ proposal, code: 'entry_changed', why: `${id} changed meanwhile` })
    }
    options.onProgress?.(leaving.length, steps.length, 'proposals applied')
  }
  for (const { proposal, step } of steps) {
    if (step.kind === 'archive') continue
    try {
      applied.push({ proposal, record: await applyStep(memory, step, review) })
    } catch (error) {
      if (!(error instanceof CairnError) || !LEAVES_IT.has(error.code)) throw error
      left.push({ proposal, code: error.code, why: error.message })
    }
    options.onProgress?.(applied.length + left.length, steps.length, 'proposals applied')
  }
  if (applied.length === 0 && left.length > 0) throw nothingApplied(left)
  return { applied, left, toBeNamed, batch, degraded: [...review.degraded, ...memory.store.takeDegraded()] }
}

/** Another process was faster, or a file is damaged: that proposal is skipped and the others are applied. */
const LEAVES_IT: ReadonlySet<string> = new Set([
  'entry_changed',
  'entry_not_found',
  'file_changed',
  'vault_file_damaged',
])

function choose(
  review: StaleReview,
  { ids = [], allOf }: ApplyRequest,
): { chosen: StaleProposal[]; toBeNamed: number } {
  if (allOf === undefined) return { chosen: findProposals(review, ids), toBeNamed: 0 }
  const ofKind = review.proposals.filter(({ kind }) => kind === allOf)
  const chosen = ofKind.filter(({ byNameOnly }) => !byNameOnly)
  return { chosen, toBeNamed: ofKind.length - chosen.length }
}

function stepOf({ does, id }: StaleProposal, toArchive: boolean): StaleStep {
  if (!toArchive || does.kind === 'archive') return does
  if (does.kind === 'confirm') return { kind: 'archive', entry: does.entry }
  throw new CairnError({
    code: 'invalid_input',
    message: `${id} proposes to ${does.kind}; --archive applies to entries only.`,
    hint: `Apply it without --archive, or \`cairn review dismiss ${id}\`.`,
  })
}

async function applyStep(
  memory: Memory & SearchPorts & ConflictPorts & FreshnessPorts & SplitPorts,
  step: Exclude<StaleStep, { kind: 'archive' }>,
  review: StaleReview,
): Promise<string | null> {
  if (step.kind === 'split')
    return step.of === 'vault' ? splitFile(memory, step) : splitLearnings(memory, step.file)
  if (step.kind === 'confirm') return confirmEntry(memory, step.entry, review)
  for (const id of [step.holds, step.retires]) await requireUnchanged(memory, id, review)
  const settlement = { kind: 'keep', id: step.holds, removesOther: false } as const
  return (await resolveConflict(memory, [step.holds, step.retires], settlement)).record?.id ?? null
}

/** Moves every entry with its text unchanged, in one mutation. All of them must still be in the file. */
async function splitFile(
  memory: Memory,
  { file, moves }: Extract<StaleStep, { kind: 'split' }>,
): Promise<string | null> {
  const toById = new Map(moves.flatMap(({ to, entries }) => entries.map(id => [id, to] as const)))
  const record = await memory.store.write(memory.actor, async view => {
    const standing = await view.findRestorable([...toById.keys()])
    const changes = [...toById].map(([id, to]): EntryChange => {
      const found = standing.get(id)
      const path = found?.place?.path
      if (found === undefined || path !== file) throw movedSince(file, id)
      return { type: 'entry', before: found.entry, after: found.entry, from: file, place: { path: to } }
    })
    return { action: 'split', changes }
  })
  return record?.id ?? null
}

/** Confirms an entry as `cairn confirm` does, if it has not changed since it was shown. */
async function confirmEntry(
  memory: Memory & SearchPorts & FreshnessPorts,
  id: string,
  review: StaleReview,
): Promise<string | null> {
  await requireUnchanged(memory, id, review)
  const found = (await memory.search.loadEntries([id])).get(id)
  if (found === undefined) throw changedSince(id)
  const freshness = (await freshnessOf(memory, [found], { isThorough: true })).get(id)
  const moved = freshness === undefined ? found : withMovedFiles(found, freshness)
  const anchoring = await anchorFiles(memory, moved.files, found.content)
  const { record } = await changeEntry(
    memory,
    id,
    'confirm',
    before => {
      if (!sameEntry(before, found)) throw changedSince(id)
      const status = before.status === 'candidate' ? 'confirmed' : before.status
      const confirmed: Entry = withAnchors(
        withPinnedBy({ ...before, files: moved.files, status }, 'person'),
        anchoring,
      )
      return sameEntry(confirmed, before) ? before : confirmed
    },
    async (_before, _after, view) => {
      const before = await view.readDocument('curation.json')
      const said = { at: new Date(memory.clock.nowMs()).toISOString(), by: actorLabel(memory.actor) }
      return [
        { type: 'document', name: 'curation.json', before, after: withConfirmations(before, [id], said) },
      ]
    },
  )
  await memory.store.recordAccess([id])
  return record?.id ?? null
}

async function requireUnchanged(memory: SearchPorts, id: string, review: StaleReview): Promise<void> {
  const seen = review.entryById.get(id)
  const now = (await memory.search.loadEntries([id])).get(id)
  const { fingerprint } = await import('../../kernel/text/fingerprint.ts')
  if (
    seen === undefined ||
    now === undefined ||
    fingerprint(now.content) !== seen.fingerprint ||
    now.status !== seen.status
  )
    throw changedSince(id)
}

function changedSince(id: string): CairnError {
  return new CairnError({
    code: 'entry_changed',
    message: `${id} changed meanwhile.`,
    hint: '`cairn review --stale` shows the current proposals.',
  })
}

function movedSince(file: string, id: string): CairnError {
  return new CairnError({
    code: 'file_changed',
    message: `${file} changed meanwhile: it no longer contains ${id}.`,
    hint: '`cairn review --stale` shows the current proposals.',
  })
}

function nothingApplied(left: AppliedProposals['left']): CairnError {
  return new CairnError({
    code: left[0]?.proposal.kind === 'split' ? 'file_changed' : 'entry_changed',
    message: `Nothing was applied: ${left
      .slice(0, 3)
      .map(({ why }) => why)
      .join(' ')}`,
    hint: '`cairn review --stale` shows the current proposals.',
    details: { left: left.slice(0, 20).map(({ proposal }) => proposal.id) },
  })
}

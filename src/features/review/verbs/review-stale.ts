import * as v from 'valibot'
import type { Composed } from '../../../compose/composed.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import {
  defineOperation,
  degradedSchema,
  flag,
  list,
  noticeCode,
  type OperationContext,
  problemsSchema,
} from '../../../verbs/operation.ts'
import { staleRules } from '../../status/verbs/surroundings-view.ts'
import { applyProposals } from '../apply-proposals.ts'
import { STALE_KINDS, type StaleKind, type StaleProposal } from '../decide/stale-proposal.ts'
import { dismissProposals, reviewStale } from '../stale-review.ts'

/** How many entries of a move are listed; their number is always given. */
const MAX_NAMED = 200
const TEXT_CHARACTERS = 160

export const kindField = v.optional(
  v.pipe(
    v.picklist(STALE_KINDS, `one of ${STALE_KINDS.join(', ')}`),
    v.description('Only proposals of this kind: split, settle, archive or confirm'),
  ),
)

export type { StaleKind } from '../decide/stale-proposal.ts'

const ids = v.pipe(v.array(v.string()), v.readonly())
const reasonSchema = v.variant('code', [
  v.object({ code: v.literal('too_many_entries'), entries: v.number(), most: v.number() }),
  v.object({ code: v.literal('contradicted'), by: v.string(), conflict: v.string() }),
  v.object({ code: v.literal('superseded'), by: v.string() }),
  v.object({ code: v.literal('orphaned'), files: ids, paths: ids }),
  v.object({ code: v.literal('drifted'), files: ids, paths: ids }),
  v.object({ code: v.literal('unused'), days: v.number() }),
])
const stepSchema = v.variant('kind', [
  v.object({
    kind: v.literal('split'),
    of: v.pipe(
      v.picklist(['vault', 'workspace']),
      v.description('Paths of a vault are relative to .memory, paths of a workspace to the project'),
    ),
    file: v.string(),
    stays: v.pipe(v.number(), v.description('How many entries stay in the file')),
    moves: v.pipe(
      v.array(v.object({ to: v.string(), count: v.number(), entries: ids })),
      v.readonly(),
      v.description(`Entries (in a workspace: their titles) by target page; the first ${MAX_NAMED} of each`),
    ),
  }),
  v.object({ kind: v.literal('settle'), holds: v.string(), retires: v.string() }),
  v.object({ kind: v.literal('archive'), entry: v.string() }),
  v.object({ kind: v.literal('confirm'), entry: v.string() }),
])

const staleProposalSchema = v.object({
  id: v.pipe(v.string(), v.description('Its id in `cairn review apply` and `cairn review dismiss`')),
  kind: v.picklist(STALE_KINDS),
  what: v.pipe(v.string(), v.description('A file of .memory or of a workspace, or an entry')),
  text: v.pipe(v.string(), v.description('How the entry begins')),
  other: v.exactOptional(
    v.pipe(
      v.object({ id: v.string(), text: v.string() }),
      v.description('The entry that replaces or contradicts it'),
    ),
  ),
  reasons: v.pipe(v.array(reasonSchema), v.readonly(), v.description('Most certain first')),
  does: v.pipe(stepSchema, v.description('The effect of applying it')),
  byNameOnly: v.pipe(v.boolean(), v.description('True: --all skips it; it must be named by id')),
})
export type StaleProposalView = v.InferOutput<typeof staleProposalSchema>

export const staleSchema = v.object({
  proposals: v.pipe(v.array(staleProposalSchema), v.readonly()),
  totals: v.pipe(
    v.object({ split: v.number(), settle: v.number(), archive: v.number(), confirm: v.number() }),
    v.description('Totals by kind, regardless of the limit'),
  ),
  dismissed: v.pipe(v.number(), v.description('How many were dismissed')),
  entries: v.pipe(v.number(), v.description('How many entries were checked')),
  problems: problemsSchema,
})
export type StaleView = v.InferOutput<typeof staleSchema>

interface StaleQuery {
  readonly kind?: StaleKind | undefined
  readonly agent?: string | undefined
  readonly limit: number
  readonly offset: number
}

/** The answer of `cairn review --stale`. */
export async function listStale(
  memory: Composed,
  { kind, agent, limit, offset }: StaleQuery,
  context: OperationContext,
) {
  const review = await reviewStale(memory, { onProgress: context.onProgress, turn: context.turn })
  const ofAgent = review.proposals.filter(
    ({ what, does }) => agent === undefined || agentOf(what, does, review.entryById) === agent,
  )
  const wanted = ofAgent.filter(proposal => kind === undefined || proposal.kind === kind)
  return {
    stale: {
      proposals: wanted.slice(offset, offset + limit).map(staleView),
      totals: totalsOf(ofAgent),
      dismissed: review.dismissed,
      entries: review.entries,
      problems: [...review.problems, ...(await staleRules(memory))],
    },
    total: wanted.length,
    degraded: review.degraded,
  }
}

function agentOf(
  what: string,
  does: StaleProposal['does'],
  entryById: ReadonlyMap<string, { readonly agent: string }>,
): string | undefined {
  if (does.kind === 'split') return does.of === 'vault' ? what.split('/')[0] : undefined
  return entryById.get(what)?.agent
}

export function totalsOf(proposals: readonly Pick<StaleProposal, 'kind'>[]): StaleView['totals'] {
  const totals = { split: 0, settle: 0, archive: 0, confirm: 0 }
  for (const { kind } of proposals) totals[kind]++
  return totals
}

function staleView({ basis: _, does, text, other, ...proposal }: StaleProposal): StaleProposalView {
  return {
    ...proposal,
    text: oneLine(text),
    ...(other && { other: { id: other.id, text: oneLine(other.text) } }),
    does:
      does.kind === 'split'
        ? {
            ...does,
            moves: does.moves.map(({ to, entries }) => ({
              to,
              count: entries.length,
              entries: entries.slice(0, MAX_NAMED),
            })),
          }
        : does,
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, TEXT_CHARACTERS)
}

export const reviewApplyOperation = defineOperation({
  name: 'review apply',
  group: 'Review',
  agent: 'person',
  route: { at: 'POST /api/review/apply', access: 'write' },
  summary: 'Apply proposals of `cairn review --stale`',
  description:
    'Each proposal is applied completely or not at all, and refused if its subject changed since it was shown. split moves entries to pages without changing their text; archive archives entries (`cairn restore` restores them); settle decides a conflict; confirm marks an entry as still valid. `cairn undo` undoes the last one: entries that were archived together are restored together. --all skips entries that a person wrote, pinned or confirmed; name those by id.',
  positionals: ['ids'],
  input: v.object({
    ids: v.optional(list('Ids that `cairn review --stale` shows')),
    all: v.optional(flag('All of a kind, except those that need an id; with --kind archive or split')),
    kind: kindField,
    archive: v.optional(flag('Archive the named entries instead of confirming them')),
    dryRun: v.optional(flag('Show the effect without changing anything')),
  }),
  output: v.object({
    applied: v.pipe(
      v.array(v.object({ proposal: staleProposalSchema, record: v.nullable(v.string()) })),
      v.readonly(),
      v.description('The applied proposals, with their journal records'),
    ),
    left: v.pipe(
      v.array(v.object({ proposal: staleProposalSchema, code: noticeCode, why: v.string() })),
      v.readonly(),
      v.description('Proposals that were skipped because their subject changed'),
    ),
    toBeNamed: v.pipe(v.number(), v.description('With --all: how many were skipped')),
    batch: v.pipe(v.nullable(v.string()), v.description('The archive batch, for `cairn restore`')),
    isDryRun: v.boolean(),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn review apply r3fa91c20-7b1e --dry-run', does: 'show the effect' },
    { command: 'cairn review apply r3fa91c20-7b1e', does: 'apply it' },
    {
      command: 'cairn review apply --all --kind archive',
      does: 'archive all entries that were never confirmed or used',
    },
  ],
  async run(memory, { ids: named = [], all, kind, archive, dryRun = false }, { onProgress }) {
    const request = all === true ? { allOf: bulkKind(kind, named) } : { ids: requireNames(named) }
    const done = await applyProposals(
      memory,
      { ...request, ...(archive === true && { toArchive: true }), dryRun },
      { onProgress },
    )
    return {
      ...done,
      applied: done.applied.map(({ proposal, record }) => ({ proposal: staleView(proposal), record })),
      left: done.left.map(({ proposal, ...why }) => ({ proposal: staleView(proposal), ...why })),
      isDryRun: dryRun,
    }
  },
})

function requireNames(named: readonly string[]): readonly string[] {
  if (named.length > 0) return named
  throw new CairnError({
    code: 'invalid_input',
    message: 'cairn review apply needs the id of a proposal, or --all with --kind.',
    hint: '`cairn review --stale` shows the proposals with their ids.',
  })
}

function bulkKind(kind: StaleKind | undefined, named: readonly string[]): 'split' | 'archive' {
  if (named.length > 0)
    throw new CairnError({
      code: 'invalid_input',
      message: 'Give ids or --all, not both.',
      hint: 'cairn review apply --all --kind archive',
    })
  if (kind === 'split' || kind === 'archive') return kind
  throw new CairnError({
    code: 'invalid_input',
    message:
      kind === undefined
        ? '--all needs --kind archive or --kind split.'
        : `Proposals to ${kind} are applied one by one; --all works for archive and split.`,
    hint: kind === undefined ? 'cairn review apply --all --kind archive' : 'Name the proposals by their ids.',
  })
}

export const reviewDismissOperation = defineOperation({
  name: 'review dismiss',
  group: 'Review',
  agent: 'person',
  route: { at: 'POST /api/review/dismiss', access: 'write' },
  summary: 'Dismiss proposals of `cairn review --stale`',
  description:
    'A dismissed proposal does not return until its subject changes. The dismissal is in local/curation.json, which git ignores; `cairn undo` undoes it.',
  positionals: ['ids'],
  input: v.object({ ids: list('Ids that `cairn review --stale` shows') }),
  output: v.object({
    dismissed: v.pipe(v.array(staleProposalSchema), v.readonly()),
    record: v.nullable(v.string()),
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn review dismiss r3fa91c20-7b1e', does: 'keep the entry unchanged' }],
  async run(memory, { ids: named }) {
    const { dismissed, record } = await dismissProposals(memory, named)
    return { dismissed: dismissed.map(staleView), record, degraded: memory.store.takeDegraded() }
  },
})

import type { ConflictReason, ConflictType, ResolvedConflict } from '../../model/conflict.ts'
import type { Entry } from '../../model/entry.ts'
import type { Terminal } from './terminal.ts'
import { visible, visibleName } from './visible.ts'

const LONGEST_TEXT = 240
const MOST_WORDS = 6

interface PairView {
  readonly id: string
  readonly type: ConflictType
  readonly confidence?: number
  readonly reason?: ConflictReason
  readonly older: Entry
  readonly newer: Entry
  readonly resolved?: ResolvedConflict
}

/**
 *   4f09ab  contradictory 0.83  one says what the other denies (redis, sessions)
 *     2026-03-16  1773679871839-k3f9  decision · shared
 *                 Sessions live in Redis.
 *     2026-05-02  1777742000000-m2p7  decision · shared
 *                 Sessions do not live in Redis.
 */
export function presentConflicts(
  { conflicts }: { conflicts: readonly PairView[] },
  terminal: Terminal,
): void {
  if (conflicts.length === 0) terminal.out('No two entries are known to be against each other.\n')
  for (const pair of conflicts) {
    const sureness = pair.confidence === undefined ? '' : ` ${pair.confidence.toFixed(2)}`
    const why = pair.reason === undefined ? '' : `  ${terminal.dim(reasonText(pair))}`
    terminal.out(`${terminal.accent(pair.id)}  ${pair.type}${sureness}${why}\n`)
    for (const entry of [pair.older, pair.newer]) terminal.out(entryLines(entry, terminal))
    if (pair.resolved !== undefined) terminal.out(`  ${terminal.dim(decisionText(pair.resolved))}\n`)
  }
  const open = conflicts.find(({ resolved }) => resolved === undefined)
  if (open !== undefined) {
    terminal.out(
      terminal.dim(
        `\ncairn conflicts resolve ${open.id} --keep <id>, --supersede <id>, --both or --not-a-conflict\n`,
      ),
    )
  }
}

export function presentResolved(
  output: { id: string; resolved: ResolvedConflict; removed: string | null; record: string | null },
  terminal: Terminal,
): void {
  const { id, resolved, removed, record } = output
  const gone = removed === null ? '' : ` ${visibleName(removed)} is removed.`
  const verb = record === null ? 'Would resolve' : 'Resolved'
  terminal.out(`${verb} ${terminal.accent(id)}: ${whatHolds(resolved)}.${gone}\n`)
  if (record !== null) terminal.out(`${terminal.dim('`cairn undo` opens it again.')}\n`)
}

function entryLines(entry: Entry, terminal: Terminal): string {
  const text = entry.content.replace(/\s+/g, ' ').trim()
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
  const facts = `${visibleName(entry.kind)} · ${entry.agent}`
  return `  ${entry.date.slice(0, 10)}  ${visibleName(entry.id)}  ${terminal.dim(facts)}\n              ${visible(shown)}\n`
}

function decisionText(resolved: ResolvedConflict): string {
  const day = new Date(resolved.resolvedAt).toISOString().slice(0, 10)
  return `${day} by ${visibleName(resolved.by)}: ${whatHolds(resolved)}`
}

function whatHolds({ resolution, holds, entryA, entryB }: ResolvedConflict): string {
  if (resolution === 'both') return 'both hold'
  if (resolution === 'not_a_conflict') return 'no conflict'
  const lost = holds === entryA ? entryB : entryA
  const verb = resolution === 'superseded' ? 'supersedes' : 'is kept over'
  return `${visibleName(holds ?? '')} ${verb} ${visibleName(lost)}`
}

function reasonText({ reason, older, newer }: PairView): string {
  if (reason === undefined) return ''
  const named = reason.words.slice(0, MOST_WORDS).map(word => asWritten(word, older, newer))
  const text = REASON_TEXTS[reason.code]
  return named.length === 0 ? text : `${text} (${visibleName([...new Set(named)].join(', '))})`
}

/** The rules know stems; a person reads the word that one of the two entries has. */
function asWritten(stem: string, older: Entry, newer: Entry): string {
  const written = `${older.content} ${newer.content}`.match(/[\p{L}\p{N}_-]+/gu) ?? []
  return written.find(word => word.toLowerCase().startsWith(stem)) ?? stem
}

const REASON_TEXTS: Readonly<Record<ConflictReason['code'], string>> = {
  negation: 'one says what the other denies',
  antonym: 'they say opposite things',
  alternative: 'they name different things for one job',
  quantity: 'they name different amounts',
  change: 'the newer one says that something changed',
}

import type { ConflictReason, ResolvedConflict } from '../../kernel/model/conflict.ts'
import type { Entry } from '../../kernel/model/entry.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

export const CONFLICT_PRESENTERS = {
  conflicts: presentConflicts,
  'conflicts resolve': presentResolved,
} satisfies Partial<Presenters>

const MAX_TEXT_LENGTH = 240
const MAX_WORDS = 8

/**
 *   4f09ab  contradictory 0.95  they state different values of api port: 8080 (older), 9090 (newer)
 *     2026-03-16  1773679871839-k3f9  decision · shared
 *                 The API port is 8080.
 *     2026-05-02  1777742000000-m2p7  decision · shared
 *                 The API port is 9090.
 */
function presentConflicts({ conflicts }: AnswerOf<'conflicts'>, terminal: Terminal): void {
  if (conflicts.length === 0) terminal.out('No open conflicts.\n')
  for (const pair of conflicts) {
    const sureness = pair.confidence === undefined ? '' : ` ${pair.confidence.toFixed(2)}`
    const why = pair.reason === undefined ? '' : `  ${terminal.dim(reasonText(pair.reason))}`
    terminal.out(`${terminal.accent(pair.id)}  ${pair.type}${sureness}${why}\n`)
    for (const entry of [pair.older, pair.newer]) terminal.out(entryLines(entry, terminal))
    if (pair.resolved !== undefined) terminal.out(`  ${terminal.dim(decisionLine(pair.resolved))}\n`)
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

function presentResolved(output: AnswerOf<'conflicts resolve'>, terminal: Terminal): void {
  const { id, resolved, removed, record } = output
  const gone = removed === null ? '' : ` ${visibleName(removed)} is removed.`
  const verb = record === null ? 'Would resolve' : 'Resolved'
  terminal.out(`${verb} ${terminal.accent(id)}: ${decisionText(resolved)}.${gone}\n`)
  if (record !== null) terminal.out(`${terminal.dim('`cairn undo` opens it again.')}\n`)
}

function entryLines(entry: Entry, terminal: Terminal): string {
  const text = entry.content.replace(/\s+/g, ' ').trim()
  const shown = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text
  const facts = `${visibleName(entry.kind)} · ${entry.agent}`
  return `  ${entry.date.slice(0, 10)}  ${visibleName(entry.id)}  ${terminal.dim(facts)}\n              ${visible(shown)}\n`
}

function decisionLine(resolved: ResolvedConflict): string {
  const day = new Date(resolved.resolvedAt).toISOString().slice(0, 10)
  return `${day} by ${visibleName(resolved.by)}: ${decisionText(resolved)}`
}

function decisionText({ resolution, holds, entryA, entryB }: ResolvedConflict): string {
  if (resolution === 'both') return 'both are valid'
  if (resolution === 'not_a_conflict') return 'no conflict'
  const lost = holds === entryA ? entryB : entryA
  const verb = resolution === 'superseded' ? 'supersedes' : 'is kept instead of'
  return `${visibleName(holds ?? '')} ${verb} ${visibleName(lost)}`
}

/** `they state different values of api timeout: 30s (older), 60s (newer)`. */
function reasonText({ code, words, sides }: ConflictReason): string {
  const named = (some: readonly string[]) => visibleName(some.slice(0, MAX_WORDS).join(' '))
  const about = words.length === 0 ? '' : ` of ${named(words)}`
  const values = sides === undefined ? '' : `: ${named(sides[0])} (older), ${named(sides[1])} (newer)`
  return `${REASON_TEXTS[code]}${about}${values}`
}

const REASON_TEXTS: Readonly<Record<ConflictReason['code'], string>> = {
  claim: 'the newer entry says that it replaces the older one',
  value: 'they state different values',
  versions: 'one entry that was changed in two places at the same time',
}

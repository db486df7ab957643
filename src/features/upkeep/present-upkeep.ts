import type { Entry } from '../../kernel/model/entry.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import { labels } from '../search/present-hits.ts'
import type { CompactStep } from './verbs/compact.ts'
import type { Compaction } from './verbs/compaction-schema.ts'

export const UPKEEP_PRESENTERS = {
  compact: presentCompact,
  restore: presentRestore,
} satisfies Partial<Presenters>

/** How many items of a plan are shown; --json has all. */
const MAX_SHOWN = 10
const MAX_BATCHES = 30

function presentCompact({ plan, result, isDryRun, problems }: AnswerOf<'compact'>, terminal: Terminal): void {
  if (isDryRun) presentPlan(plan, terminal)
  else if (result === null) terminal.out('Upkeep has not run yet.\n')
  else presentResult(result, problems.length > 0, terminal)
  for (const { message } of problems) terminal.err(`${terminal.dim('note:')} ${visible(message)}\n`)
}

const PLANNED: Readonly<Record<CompactStep['does'], readonly [verb: string, one: string, many: string]>> = {
  'close sessions': ['close', 'session', 'sessions'],
  'distil conversations': ['distil', 'conversation', 'conversations'],
  'rebuild the index': ['rebuild', 'index', 'indexes'],
  'archive entries': ['archive', 'entry', 'entries'],
  'roll over': ['roll over', 'file', 'files'],
  'archive checkpoints': ['archive', 'checkpoint', 'checkpoints'],
  'remove checkpoints': ['remove', 'checkpoint', 'checkpoints'],
  'trim conversations': ['trim', 'conversation', 'conversations'],
  'archive sessions': ['archive', 'session', 'sessions'],
  'archive events': ['archive', 'event', 'events'],
  'archive snapshots': ['archive', 'snapshot', 'snapshots'],
  'archive old files': ['archive', 'old file', 'old files'],
  'delete batches': ['delete permanently', 'batch', 'batches'],
}

function presentPlan(plan: readonly CompactStep[], terminal: Terminal): void {
  if (plan.length === 0) return void terminal.out('Nothing to do.\n')
  for (const { does, count, items } of plan) {
    const [verb, one, many] = PLANNED[does]
    terminal.out(`Would ${verb} ${counted(count, one, many)}\n`)
    for (const { what, why, text } of items.slice(0, MAX_SHOWN)) {
      terminal.out(`  ${terminal.accent(visibleName(what))}  ${terminal.dim(visible(why))}\n`)
      if (text !== undefined)
        terminal.out(`      ${visible(text).slice(0, Math.max(20, terminal.width - 7))}\n`)
    }
    if (count > MAX_SHOWN) terminal.out(terminal.dim(`  … and ${count - MAX_SHOWN} more\n`))
  }
  terminal.out(terminal.dim('`cairn compact` applies this plan.\n'))
}

function presentResult(result: Compaction, hasProblems: boolean, terminal: Terminal): void {
  const did = whatWasDone(result)
  const when = `${result.timestamp.slice(0, 16).replace('T', ' ')} UTC, ${result.ms} ms`
  terminal.out(
    `${did.length > 0 ? visible(did.join(', ')) : hasProblems ? 'Every step failed' : 'Nothing to do'}. ${terminal.dim(`(${when})`)}\n`,
  )
  for (const batch of result.batches) terminal.out(`  ${terminal.accent(visibleName(batch))}\n`)
  if (result.batches.length > 0) terminal.out(terminal.dim('`cairn restore <batch>` restores it.\n'))
  if (result.isPartial) terminal.out('The time limit was reached. The next run continues.\n')
}

/** `3 entries archived (2 expired, 1 faded)` … */
function whatWasDone(result: Compaction): string[] {
  const { entriesExpired, entriesFaded, entriesEvicted } = result
  const gone = entriesExpired + entriesFaded + entriesEvicted
  const why = [
    [entriesExpired, 'expired'],
    [entriesFaded, 'faded'],
    [entriesEvicted, 'evicted'],
  ] as const
  const parts = why.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`)
  const lines: readonly (readonly [number, string])[] = [
    [Number(result.indexRebuilt), 'index rebuilt'],
    [gone, `${counted(gone, 'entry', 'entries')} archived (${parts.join(', ')})`],
    [result.vaultEntriesMerged, `${counted(result.vaultEntriesMerged, 'entry', 'entries')} rolled over`],
    [result.checkpointsCleaned, `${counted(result.checkpointsCleaned, 'checkpoint', 'checkpoints')} cleaned`],
    [
      result.conversationsTrimmed,
      `${counted(result.conversationsTrimmed, 'conversation', 'conversations')} trimmed`,
    ],
    [result.sessionsArchived, `${counted(result.sessionsArchived, 'session', 'sessions')} archived`],
    [result.eventsPruned, `${counted(result.eventsPruned, 'event', 'events')} archived`],
    [result.snapshotsArchived, `${counted(result.snapshotsArchived, 'snapshot', 'snapshots')} archived`],
    [result.legacyFilesCleaned, `${counted(result.legacyFilesCleaned, 'old file', 'old files')} archived`],
    [result.batchesExpired, `${counted(result.batchesExpired, 'batch', 'batches')} deleted permanently`],
  ]
  return lines.filter(([count]) => count > 0).map(([, line]) => line)
}

interface UpkeepView {
  readonly last: Compaction | null
  readonly isDue: boolean
  readonly failure: { readonly at: string; readonly message: string } | null
}

/** One line in `cairn status`, and a second one if the last run failed. */
export function presentUpkeep({ last, isDue, failure }: UpkeepView, terminal: Terminal): void {
  if (last !== null) {
    const did = whatWasDone(last)
    terminal.out(
      `Upkeep ${last.timestamp.slice(0, 16)}: ${visible(did.length === 0 ? 'nothing to do' : did.join(', '))}${isDue ? ', due again' : ''}\n`,
    )
  }
  if (failure !== null)
    terminal.out(`${terminal.bad('Upkeep failed')} ${failure.at.slice(0, 16)}: ${visible(failure.message)}\n`)
}

interface RestoreView {
  readonly batches: readonly {
    readonly id: string
    readonly entries: number
    readonly events: number
    readonly files: readonly string[]
    readonly restoredAt?: string
  }[]
  readonly restored: {
    readonly batch: string
    readonly entries: readonly Entry[]
    readonly files: readonly string[]
    readonly events: number
    readonly already: number
    readonly conflicts: readonly { readonly message: string }[]
    readonly record: string | null
  } | null
  readonly isDryRun: boolean
  readonly problems: readonly Problem[]
}

function presentRestore(
  { batches, restored, isDryRun, problems }: AnswerOf<'restore'>,
  terminal: Terminal,
): void {
  if (restored === null) presentBatches(batches, terminal)
  else presentRestored(restored, isDryRun, terminal)
  for (const { message } of problems) terminal.err(`${terminal.dim('note:')} ${visible(message)}\n`)
}

function presentBatches(batches: RestoreView['batches'], terminal: Terminal): void {
  if (batches.length === 0) return void terminal.out('The archive is empty.\n')
  for (const { id, entries, events, files, restoredAt } of batches.slice(0, MAX_BATCHES)) {
    const contents = [
      [entries, counted(entries, 'entry', 'entries')],
      [files.length, counted(files.length, 'file', 'files')],
      [events, counted(events, 'event', 'events')],
    ] as const
    const what = contents.filter(([count]) => count > 0).map(([, text]) => text)
    const back = restoredAt === undefined ? '' : terminal.dim(`  restored ${restoredAt.slice(0, 10)}`)
    terminal.out(`${terminal.accent(visibleName(id))}  ${what.join(', ')}${back}\n`)
  }
  if (batches.length > MAX_BATCHES) terminal.out(terminal.dim(`… and ${batches.length - MAX_BATCHES} more\n`))
  terminal.out(
    terminal.dim(
      '`cairn restore <batch>` restores a batch, `cairn search --archive` searches all of them.\n',
    ),
  )
}

function presentRestored(
  restored: NonNullable<RestoreView['restored']>,
  isDryRun: boolean,
  terminal: Terminal,
): void {
  const { entries, files, events, already, conflicts, record } = restored
  const did = isDryRun ? 'Would restore' : 'Restored'
  for (const entry of entries.slice(0, MAX_SHOWN))
    terminal.out(`${did}: ${labels(entry, terminal)}\n      ${preview(entry, terminal)}\n`)
  if (entries.length > MAX_SHOWN)
    terminal.out(`… and ${counted(entries.length - MAX_SHOWN, 'entry', 'entries')} more\n`)
  for (const path of files.slice(0, MAX_SHOWN)) terminal.out(`${did}: ${visibleName(path)}\n`)
  if (files.length > MAX_SHOWN)
    terminal.out(`… and ${counted(files.length - MAX_SHOWN, 'file', 'files')} more\n`)
  if (events > 0) terminal.out(`${did}: ${counted(events, 'event', 'events')}\n`)
  if (already > 0) terminal.out(terminal.dim(`${already} already there.\n`))
  for (const { message } of conflicts) terminal.out(`${terminal.bad('Not restored:')} ${visible(message)}\n`)
  if (record !== null) terminal.out(terminal.dim('`cairn undo` removes the entries again.\n'))
}

function preview(entry: Entry, terminal: Terminal): string {
  const line = visible(entry.content.slice(0, 2_000).replace(/\s+/g, ' ').trim())
  const room = Math.max(20, terminal.width - 7)
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

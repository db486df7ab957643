import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import type { SyncView } from './verbs/obsidian.ts'

export const OBSIDIAN_PRESENTERS = {
  'obsidian link': presentLinked,
  'obsidian sync': presentSynced,
  'obsidian status': presentStatus,
  'obsidian resolve': presentResolved,
  'obsidian watch': presentWatched,
  'obsidian unlink': presentUnlinked,
} satisfies Partial<Presenters>

type LinkView = SyncView['link']
type Totals = SyncView['totals']
type Problems = SyncView['problems']

const MAX_SHOWN = 20

/** Wording for done and planned steps. */
const DEEDS: Readonly<Record<keyof Totals, readonly [done: string, wouldBe: string]>> = {
  create_note: ['written', 'would be written'],
  update_note: ['note changed', 'note would change'],
  trash_note: ['note to the trash', 'note would go to the trash'],
  add_entry: ['taken in', 'would be taken in'],
  update_entry: ['entry changed', 'entry would change'],
  revive_entry: ['entry brought back', 'entry would come back'],
  remove_entry: ['entry forgotten', 'entry would be forgotten'],
  keep_both: ['kept both', 'both would be kept'],
}

function placeOf({ vault, folder, agents, includesPrivate }: LinkView, terminal: Terminal): string {
  const facts = [
    ...(agents === undefined ? [] : [`only ${agents.join(', ')}`]),
    ...(includesPrivate ? ['with the private vault'] : []),
  ]
  return `${visible(vault)}/${terminal.accent(visible(folder))}${facts.length === 0 ? '' : terminal.dim(` (${facts.join(', ')})`)}`
}

function presentLinked(output: AnswerOf<'obsidian link'>, terminal: Terminal): void {
  const { link, before, entries, notes, dryRun } = output
  terminal.out(`${dryRun ? 'Would link' : 'Linked'}: ${placeOf(link, terminal)}\n`)
  if (before !== null && (before.vault !== link.vault || before.folder !== link.folder))
    terminal.out(terminal.dim(`Before: ${placeOf(before, terminal)}; its notes stay there.\n`))
  if (!link.hasSettings)
    terminal.out(
      `${terminal.bad('Note')} It has no .obsidian folder: Obsidian has not opened it as a vault yet.\n`,
    )
  terminal.out(
    terminal.dim(`${entries} entries, ${notes} notes there. cairn obsidian sync carries them over.\n`),
  )
}

function presentSynced(output: AnswerOf<'obsidian sync'>, terminal: Terminal): void {
  const { link, dryRun, totals, went, entries, notes, redacted, conflicts, problems, record } = output
  for (const { does, id, note, text } of went.slice(0, MAX_SHOWN)) {
    const deed = DEEDS[does][dryRun ? 1 : 0]
    terminal.out(
      `${deed}  ${terminal.accent(visible(note))}  ${terminal.dim(visibleName(id ?? ''))} ${visible(text)}\n`,
    )
  }
  if (went.length > MAX_SHOWN)
    terminal.out(terminal.dim(`${went.length - MAX_SHOWN} more; --json names them\n`))
  const sum = sumOf(totals, dryRun)
  terminal.out(
    `${sum === '' ? 'Both sides say the same' : sum}: ${entries} entries, ${notes} notes in ${visible(link.folder)}.\n`,
  )
  if (redacted > 0)
    terminal.out(`${redacted} ${redacted === 1 ? 'secret was' : 'secrets were'} left out of the memory.\n`)
  presentConflicts(conflicts, terminal)
  presentProblems(problems, terminal)
  if (record !== null)
    terminal.out(terminal.dim(`cairn undo ${visibleName(record)} takes back what came from the notes.\n`))
}

function sumOf(totals: Totals, dryRun: boolean): string {
  return Object.entries(DEEDS)
    .filter(([does]) => totals[does as keyof Totals] > 0)
    .map(([does, words]) => `${totals[does as keyof Totals]} ${words[dryRun ? 1 : 0]}`)
    .join(', ')
}

function presentStatus(output: AnswerOf<'obsidian status'>, terminal: Terminal): void {
  const { link, vault, isTrusted, waiting, held } = output
  if (link === null) {
    terminal.out('No Obsidian vault is linked. `cairn obsidian link <vault-folder>` links one.\n')
    return
  }
  terminal.out(`${placeOf(link, terminal)}  ${terminal.dim(`since ${link.since.replace('T', ' ')}`)}\n`)
  if (!isTrusted) terminal.out(`${terminal.bad('Not synced')} This memory is not trusted: cairn trust\n`)
  else if (vault !== 'there')
    terminal.out(
      `${terminal.bad('Not synced')} The vault is ${vault === 'missing' ? 'not there' : 'not mounted'}.\n`,
    )
  if (waiting !== null) {
    const sum = sumOf(waiting, true)
    terminal.out(
      `${output.entries} entries, ${output.notes} notes: ${sum === '' ? 'both sides say the same' : sum}\n`,
    )
  }
  if (held !== null)
    terminal.out(
      `${terminal.bad('Stopped')} ${held.gone} of ${held.of} ${held.side} disappeared together. If you deleted them: cairn obsidian sync --allow-deletions\n`,
    )
  presentConflicts(output.conflicts, terminal)
  presentProblems(output.problems, terminal)
}

function presentResolved(
  { entry, kept, removed, problems }: AnswerOf<'obsidian resolve'>,
  terminal: Terminal,
): void {
  terminal.out(`Kept the ${kept} of ${terminal.accent(visibleName(entry.id))}.\n`)
  for (const path of removed) terminal.out(terminal.dim(`To the trash of the vault: ${visible(path)}\n`))
  presentProblems(problems, terminal)
}

function presentWatched({ syncs, totals, failures }: AnswerOf<'obsidian watch'>, terminal: Terminal): void {
  const sum = sumOf(totals, false)
  terminal.out(`${syncs} ${syncs === 1 ? 'sync' : 'syncs'}${sum === '' ? '' : `: ${sum}`}.\n`)
  for (const { message, hint } of failures)
    terminal.out(`${terminal.bad('Not synced')} ${visible(message)}\n      ${terminal.dim(visible(hint))}\n`)
}

function presentUnlinked(
  { link, removed, stay, dryRun }: AnswerOf<'obsidian unlink'>,
  terminal: Terminal,
): void {
  terminal.out(`${dryRun ? 'Would unlink' : 'Unlinked'}: ${placeOf(link, terminal)}\n`)
  if (removed.length > 0)
    terminal.out(`${removed.length} notes ${dryRun ? 'would go' : 'went'} to the trash of the vault.\n`)
  for (const { path, why } of stay.slice(0, MAX_SHOWN))
    terminal.out(`Stays: ${visible(path)}  ${terminal.dim(why)}\n`)
  if (stay.length > MAX_SHOWN)
    terminal.out(terminal.dim(`${stay.length - MAX_SHOWN} more stay; --json names them\n`))
}

function presentConflicts(conflicts: SyncView['conflicts'], terminal: Terminal): void {
  for (const { id, path } of conflicts.slice(0, MAX_SHOWN))
    terminal.out(
      `${terminal.bad('Changed on both sides')} ${visible(path)}\n      ${terminal.dim(`cairn obsidian resolve ${visibleName(id)} --keep note|entry, or delete that note`)}\n`,
    )
}

function presentProblems(problems: Problems, terminal: Terminal): void {
  for (const { message, hint } of problems.slice(0, MAX_SHOWN))
    terminal.out(`${terminal.bad('Left')} ${visible(message)}\n      ${terminal.dim(visible(hint))}\n`)
  if (problems.length > MAX_SHOWN)
    terminal.out(terminal.dim(`${problems.length - MAX_SHOWN} more; --json names them\n`))
}

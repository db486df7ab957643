import type { Entry } from '../../kernel/model/entry.ts'
import { describeChanges, type Freshness } from '../../kernel/model/freshness.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'

export const FRESHNESS_PRESENTERS = {
  confirm: presentConfirmed,
  fresh: presentFresh,
} satisfies Partial<Presenters>

/** `drifted: src/auth.ts changed a lot`; nothing for an entry that is as it was. */
export function freshnessNote(freshness: Freshness | undefined, terminal: Terminal): string | undefined {
  if (freshness === undefined || freshness.files.length === 0) return undefined
  const { state, files } = freshness
  return `${state === 'fresh' ? state : terminal.bad(state)}: ${visible(describeChanges(files))}`
}

function presentFresh(
  { entries, checked, unanchored, fixed, written }: AnswerOf<'fresh'>,
  terminal: Terminal,
): void {
  for (const { entry, freshness } of entries) {
    terminal.out(`${terminal.accent(visibleName(entry.id))}  ${freshnessNote(freshness, terminal) ?? ''}\n`)
    terminal.out(`      ${preview(entry, terminal)}\n`)
  }
  const stale = entries.filter(({ freshness }) => freshness.state !== 'fresh').length
  terminal.out(
    `${checked} anchored ${checked === 1 ? 'entry' : 'entries'}, ${stale} drifted or orphaned${fixed === 0 ? '' : `; ${written ? 'new paths written into' : 'would write new paths into'} ${fixed}`}.\n`,
  )
  if (stale > 0)
    terminal.out(
      `${terminal.dim('`cairn confirm <id>` for one that is still valid; edit or forget the others.')}\n`,
    )
  if (unanchored > 0)
    terminal.out(
      `${terminal.dim(`${unanchored} ${unanchored === 1 ? 'names files and has' : 'name files and have'} no anchor; \`cairn confirm\` takes one of files that are there.`)}\n`,
    )
}

function presentConfirmed({ entry, was }: AnswerOf<'confirm'>, terminal: Terminal): void {
  const before = was === 'drifted' || was === 'orphaned' ? ` (was ${was})` : ''
  terminal.out(
    `Confirmed${before}: ${terminal.accent(visibleName(entry.id))}\n      ${preview(entry, terminal)}\n`,
  )
}

/** The start of the content, as one line that fits the terminal. */
export function preview(entry: Entry, terminal: Terminal): string {
  const line = visible(entry.content.slice(0, 2_000).replace(/\s+/g, ' ').trim())
  const room = Math.max(20, terminal.width - 7)
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`
}

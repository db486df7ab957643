import type * as v from 'valibot'
import type { LinkView } from '../../features/status/verbs/link-view.ts'
import type { Terminal } from '../../kernel/system/terminal.ts'
import { visible, visibleName } from '../../kernel/text/visible.ts'
import type { AnswerOf } from '../../verbs/all.ts'
import type { Presenters } from '../../verbs/presenter.ts'
import type { syncOperation } from './verbs/sync.ts'

export const LINK_PRESENTERS = {
  link: presentLink,
  unlink: presentUnlinked,
  sync: presentSynced,
} satisfies Partial<Presenters>
type Synced = v.InferOutput<(typeof syncOperation)['output']>

const MAX_SHOWN = 20
const WHY: Readonly<Record<Synced['withheld'][number]['why'], string>> = {
  secret: 'contains a secret: remove it, and change the secret if it was shared',
  too_large: 'is larger than a hub accepts: move the text to a document of the project',
  refused: 'the hub rejected it',
  not_shared: 'it is in your private vault here',
  unsound: 'the hub has an invalid entry or document, which was not stored',
  secret_there: 'it contains a secret on the hub: it was not stored; change the secret',
}

const MAY_NOT_SEND = 'The token of the link may only read: local changes stay here and are not lost.'

function placeOf({ url, project }: { url: string; project: string }, terminal: Terminal): string {
  return `${terminal.accent(visible(project))} at ${visible(url)}`
}

function presentLink({ link, isNew, before }: AnswerOf<'link'>, terminal: Terminal): void {
  if (link === null) {
    terminal.out('This project is not linked to a hub. `cairn link <hub-url>` links it.\n')
    return
  }
  if (isNew) {
    terminal.out(`Linked to ${placeOf(link, terminal)}.\n`)
    if (before !== null && (before.url !== link.url || before.project !== link.project))
      terminal.out(
        terminal.dim(`Previously linked to ${placeOf(before, terminal)}; its entries stay there.\n`),
      )
    const waits = link.waiting === 0 ? 'Nothing to send' : `${counted(link.waiting)} to send`
    terminal.out(terminal.dim(`${waits}. cairn sync transfers the changes of both sides.\n`))
    return
  }
  presentLinkLine(link, terminal)
}

/** Also for `status`. */
export function presentLinkLine(link: LinkView, terminal: Terminal): void {
  if (link === null) return
  const synced = link.lastSync === null ? 'never synced' : `synced ${moment(link.lastSync)}`
  const waits = link.waiting === 0 ? 'nothing waits' : `${counted(link.waiting)} to send`
  terminal.out(`Linked to ${placeOf(link, terminal)}, ${synced}, ${waits}\n`)
  if (link.last?.isReadOnly && link.waiting > 0) terminal.out(terminal.dim(`${MAY_NOT_SEND}\n`))
  if (link.failure !== null)
    terminal.out(
      `${terminal.bad('Not synced')} ${visible(link.failure.message)}\n      ${terminal.dim(visible(link.failure.hint))}\n`,
    )
}

function presentUnlinked({ link }: AnswerOf<'unlink'>, terminal: Terminal): void {
  terminal.out(`Unlinked from ${placeOf(link, terminal)}. Entries stay on both sides.\n`)
}

function presentSynced(output: AnswerOf<'sync'>, terminal: Terminal): void {
  const { link, dryRun, sent, received, merged, conflicts, revived, settled, withheld, held } = output
  const { removed, documents, records } = output
  const papers = documents === 0 ? [] : [documents === 1 ? 'a document' : `${documents} documents`]
  if (dryRun)
    terminal.out(
      `Would send ${[...(sent > 0 || documents === 0 ? [sent] : []), ...papers].join(' and ')} and receive ${received}: ${placeOf(link, terminal)}\n`,
    )
  else {
    const done = [
      ...(sent > 0 ? [`${sent} sent`] : []),
      ...(received > removed ? [`${received - removed} received`] : []),
      ...(removed > 0 ? [`${removed} removed here`] : []),
      ...(merged > 0 ? [`${merged} joined`] : []),
      ...papers.map(paper => `${paper} carried over`),
    ]
    terminal.out(
      `${done.length === 0 ? 'Both sides are equal' : done.join(', ')}: ${placeOf(link, terminal)}\n`,
    )
  }
  for (const { id, kept } of conflicts.slice(0, MAX_SHOWN))
    terminal.out(
      `${terminal.bad('Changed on both sides')} ${visibleName(id)} has the version of the hub; your version is ${visibleName(kept)}\n      ${terminal.dim('cairn conflicts shows both, and cairn conflicts resolve resolves the conflict')}\n`,
    )
  for (const { id, side } of revived.slice(0, MAX_SHOWN))
    terminal.out(
      `${visibleName(id)} was removed ${side === 'ours' ? 'on the hub' : 'here'} and edited ${side === 'ours' ? 'here' : 'on the hub'}: the edit stays\n`,
    )
  for (const place of settled.slice(0, MAX_SHOWN))
    terminal.out(terminal.dim(`Set on both sides: ${visible(place)}\n`))
  for (const { id, why } of withheld.slice(0, MAX_SHOWN))
    terminal.out(`${terminal.bad('Left')} ${visibleName(id)}: ${WHY[why]}\n`)
  if (removed > 0)
    for (const record of records.slice(0, MAX_SHOWN))
      terminal.out(terminal.dim(`cairn undo ${visibleName(record)} undoes the changes from the hub\n`))
  if (output.isReadOnly) terminal.out(`${terminal.bad('Not sent')} ${MAY_NOT_SEND}\n`)
  if (held !== null)
    terminal.out(
      `${terminal.bad('Held')} ${held.gone} of ${held.of} entries were removed here together. Run cairn sync --allow-removals if that is intended.\n`,
    )
  if (output.isRestless) terminal.out(terminal.dim('Some changes are left: run cairn sync again.\n'))
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'change' : 'changes'}`
}

function moment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}`
}

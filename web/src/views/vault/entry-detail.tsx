import { useState } from 'react'
import { type Answered, call } from '../../api/client.ts'
import { notifyChange } from '../../api/live.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo, linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { KindChip, StatusChip, Tags, UnmergedChip } from '../../ui/entry-facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { detailWords } from './detail-words.ts'
import { EntryForm } from './entry-form.tsx'
import { History } from './entry-history.tsx'
import { Links } from './entry-links.tsx'
import { labelOf, type RowActions } from './entry-row.tsx'
import { EntryText } from './entry-text.tsx'
import { type Entry, isPinnedByPerson } from './pages.ts'
import { vaultWords } from './words.ts'

interface Props {
  readonly id: string
  readonly actions: RowActions
  readonly isReadOnly: boolean
  /** Next to the list, or over it on narrow screens. */
  readonly isBeside: boolean
  readonly startsWithLinks: boolean
  onClose(): void
}

/** One entry with all its details. */
export function EntryDetail(props: Props) {
  const words = useWords(detailWords)
  const { isBeside, onClose, id } = props
  if (!isBeside) {
    return (
      <Dialog title={words.entry} onClose={onClose}>
        <DetailBody key={id} {...props} />
      </Dialog>
    )
  }
  return (
    <aside className="detail panel" aria-label={words.entry}>
      <div className="row between">
        <h2>{words.entry}</h2>
        <Button variant="plain" aria-label={words.close} onClick={onClose}>
          <span aria-hidden="true">×</span>
        </Button>
      </div>
      <DetailBody key={id} {...props} />
    </aside>
  )
}

function DetailBody({ id, actions, isReadOnly, startsWithLinks, onClose }: Props) {
  const answer = useAnswer('show', { target: id }, ['entries', 'conflicts'])
  const [isEdited, setEdited] = useState(false)
  return (
    <AnswerView answer={answer}>
      {shown => (
        <div className="stack">
          <Head shown={shown} />
          {isEdited ? (
            <EntryForm entry={shown.entry} onLeave={() => setEdited(false)} onSaved={actions.saved} />
          ) : (
            <EntryText
              content={shown.entry.content}
              isWhole
              {...(!isReadOnly &&
                shown.document === undefined && {
                  onTick: (line, isDone) => actions.tick(shown.entry, line, isDone),
                })}
            />
          )}
          <Marks shown={shown} />
          {shown.document === undefined ? (
            <DetailActions
              shown={shown}
              actions={actions}
              isReadOnly={isReadOnly}
              onEdit={() => setEdited(true)}
              onClose={onClose}
            />
          ) : (
            <DocumentNote path={shown.document.path} />
          )}
          <Facts shown={shown} />
          {shown.document === undefined && (
            <>
              <Links id={id} isOpenAtFirst={startsWithLinks} backlinks={shown.backlinks} />
              <History id={id} isReadOnly={isReadOnly} />
            </>
          )}
        </div>
      )}
    </AnswerView>
  )
}

type ShowAnswer = Answered<'show'>

function Head({ shown: { entry } }: { readonly shown: ShowAnswer }) {
  const words = useWords(vaultWords)
  return (
    <div className="row">
      <KindChip kind={entry.kind} />
      <StatusChip status={entry.status} />
      <UnmergedChip entry={entry} />
      <span className="soft small">
        {visibleText(entry.agent)} · {words[entry.category]}
      </span>
      <Tags tags={entry.tags} />
    </div>
  )
}

function DocumentNote({ path }: { readonly path: string }) {
  const words = useWords(detailWords)
  return (
    <p className="notice">
      {words.documentOnly} <code>{visibleText(path)}</code>
    </p>
  )
}

function Marks({ shown: { entry, marks, freshness } }: { readonly shown: ShowAnswer }) {
  const words = useWords(detailWords)
  const vault = useWords(vaultWords)
  const isStale = freshness !== undefined && freshness.state !== 'fresh'
  return (
    <>
      {marks?.supersededBy !== undefined && (
        <p className="notice warn">
          {words.supersededBy} <a href={linkToEntry(marks.supersededBy)}>{visibleText(marks.supersededBy)}</a>
        </p>
      )}
      {marks?.newerClaim !== undefined && (
        <p className="notice warn">
          {words.newerClaim} <a href={linkToEntry(marks.newerClaim)}>{visibleText(marks.newerClaim)}</a>.{' '}
          <a href={linkTo('conflicts')}>{words.seeConflicts}</a>
        </p>
      )}
      {marks?.conflictsWith !== undefined && (
        <p className="notice bad">
          {words.conflictsWith}{' '}
          <a href={linkToEntry(marks.conflictsWith.id)}>
            {visibleText(marks.conflictsWith.content.slice(0, 100))}
          </a>
          . <a href={linkTo('conflicts')}>{words.seeConflicts}</a>
        </p>
      )}
      {isStale && (
        <p className="notice warn">
          {freshness.state === 'orphaned' ? vault.orphaned : vault.drifted}:{' '}
          {freshness.files.map(({ file }) => visibleText(file)).join(', ')}.{' '}
          <a href={linkTo('freshness', { entry: entry.id })}>{words.seeFreshness}</a>
        </p>
      )}
    </>
  )
}

function DetailActions({
  shown: { entry },
  actions,
  isReadOnly,
  onEdit,
  onClose,
}: {
  readonly shown: ShowAnswer
  readonly actions: RowActions
  readonly isReadOnly: boolean
  onEdit(): void
  onClose(): void
}) {
  const words = useWords(detailWords)
  const vault = useWords(vaultWords)
  const [isBusy, setBusy] = useState(false)
  const isOff = isReadOnly || isBusy
  const curate = async (act: () => Promise<{ readonly record: string | null }>, text: string) => {
    setBusy(true)
    try {
      const { record } = await act()
      undoToast(text, record)
      notifyChange()
    } catch (error) {
      showFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const copy = () => {
    navigator.clipboard.writeText(entry.id).then(
      () => showToast(words.copied),
      () => showToast(`${words.notCopied} ${entry.id}`),
    )
  }
  return (
    <div className="row" role="toolbar" aria-label={vault.actions}>
      <Button disabled={isOff} onClick={onEdit}>
        {vault.edit}
      </Button>
      <Button disabled={isOff} onClick={() => actions.pin(entry)}>
        {isPinnedByPerson(entry) ? vault.unpin : vault.pin}
      </Button>
      <Button
        disabled={isOff}
        onClick={() => void curate(() => call('confirm', { target: entry.id }), vault.confirmedNow)}
      >
        {words.stillTrue}
      </Button>
      <Button
        disabled={isOff}
        onClick={() =>
          void curate(() => call('feedback', { target: entry.id, saying: 'useful' }), vault.markedUseful)
        }
      >
        {words.useful}
      </Button>
      <Button
        disabled={isOff}
        onClick={() =>
          void curate(() => call('feedback', { target: entry.id, saying: 'wrong' }), vault.markedWrong)
        }
      >
        {words.wrong}
      </Button>
      <Button onClick={copy}>{words.copyId}</Button>
      <Button
        variant="danger"
        disabled={isOff}
        onClick={() => {
          onClose()
          actions.remove(entry)
        }}
      >
        {vault.remove}
      </Button>
    </div>
  )
}

function Facts({ shown: { entry } }: { readonly shown: ShowAnswer }) {
  const words = useWords(detailWords)
  const vault = useWords(vaultWords)
  return (
    <dl className="facts-list small">
      <dt>{words.date}</dt>
      <dd>
        <Moment at={entry.date} isFull />
      </dd>
      {entry.updated !== undefined && (
        <>
          <dt>{words.updated}</dt>
          <dd>
            <Moment at={entry.updated} isFull />
          </dd>
        </>
      )}
      <dt>{words.origin}</dt>
      <dd>{words[entry.origin]}</dd>
      <dt>{words.importance}</dt>
      <dd>{entry.importance}</dd>
      {entry.session !== undefined && (
        <>
          <dt>{words.session}</dt>
          <dd>
            <a href={linkTo('timeline', { session: entry.session })}>{visibleText(entry.session)}</a>
          </dd>
        </>
      )}
      {entry.files.length > 0 && (
        <>
          <dt>{vault.files}</dt>
          <dd>
            {entry.files.map(file => (
              <div key={file}>
                <code>{visibleText(file)}</code>
              </div>
            ))}
          </dd>
        </>
      )}
      <dt>{words.id}</dt>
      <dd>
        <code>{visibleText(entry.id)}</code>
      </dd>
    </dl>
  )
}

/** An edit whose entry is no longer in the list stays visible until it is saved or discarded. */
export function DetachedForm({
  entry: lastSeen,
  actions,
}: {
  /** The last version from the list. */
  readonly entry: Entry
  readonly actions: RowActions
}) {
  const answer = useAnswer('show', { target: lastSeen.id }, ['entries'])
  const entry = ('data' in answer ? answer.data?.entry : undefined) ?? lastSeen
  const isGone = answer.state === 'failed' && answer.error.code === 'entry_not_found'
  if (answer.state === 'loading') return null
  return (
    <section className="entry at" aria-label={labelOf(entry)}>
      <EntryForm
        entry={entry}
        isGone={isGone}
        onLeave={() => actions.edit(undefined)}
        onSaved={actions.saved}
      />
    </section>
  )
}

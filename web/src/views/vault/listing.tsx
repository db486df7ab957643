import { type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { ApiError } from '../../api/client.ts'
import { useVault } from '../../api/vault.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { FailureText, NoticeText } from '../../ui/server-message.tsx'
import { WithCode } from '../../ui/with-code.tsx'
import { isDone } from './checklist.ts'
import { DetachedForm } from './entry-detail.tsx'
import { EntryList, type ListHandle } from './entry-list.tsx'
import type { RowActions } from './entry-row.tsx'
import { DEFAULT_PARAMS, hasFilter, type ListParams, type SetListParams } from './list-params.ts'
import type { Entry, Listed, Pages } from './pages.ts'
import type { Entries } from './use-entries.ts'
import type { useHits } from './use-hits.ts'
import { vaultWords } from './words.ts'

interface Props {
  readonly params: ListParams
  readonly setParams: SetListParams
  readonly entries: Entries
  readonly hits: ReturnType<typeof useHits>
  readonly handle: Ref<ListHandle>
  readonly actions: RowActions
  readonly at: string | undefined
  readonly edited: string | undefined
  readonly selected: ReadonlyMap<string, Entry>
  readonly isReadOnly: boolean
  onCreate(): void
}

/** The entry list, the search results, or the reason why there is nothing. Empty and failed are different. */
export function Listing(props: Props) {
  const { params, entries, hits, edited, actions } = props
  const rows = params.query === '' ? entries.items : hits.rows
  const listed = edited === undefined ? undefined : rows.find(row => row?.entry.id === edited)
  const lastSeen = useRef<Entry>(undefined)
  if (listed !== undefined) lastSeen.current = listed.entry
  const stray = edited !== undefined && listed === undefined ? lastSeen.current : undefined
  return (
    <>
      {stray?.id === edited && stray !== undefined && (
        <DetachedForm key={stray.id} entry={stray} actions={actions} />
      )}
      {params.query === '' ? <Everything {...props} /> : <Found {...props} />}
    </>
  )
}

function Everything(props: Props) {
  const { entries, params } = props
  const words = useWords(vaultWords)
  if (entries.state === 'loading') return <p className="soft">{words.loadingEntry}</p>
  return (
    <>
      {entries.error !== undefined && (
        <Failure title={words.failed} error={entries.error} onAgain={entries.refetch} />
      )}
      <DegradedNote degraded={entries.degraded} />
      {entries.items.length === 0 ? (
        entries.error === undefined && <Empty {...props} />
      ) : params.tab === 'tasks' ? (
        <Tasks {...props} />
      ) : (
        <Rows {...props} rows={entries.items} onSight={entries.inSight} />
      )}
    </>
  )
}

function Found(props: Props) {
  const { hits, params } = props
  const words = useWords(vaultWords)
  const { answer, rows } = hits
  const degraded =
    'data' in answer ? (answer.data as Pick<Entries, 'degraded'> | undefined)?.degraded : undefined
  if (answer.state === 'loading') return <p className="soft">{words.searching}</p>
  if (answer.state === 'failed') return <Failure title={words.searchFailed} error={answer.error} />
  return (
    <>
      <DegradedNote degraded={degraded ?? []} />
      {rows.length > 0 ? (
        <Rows {...props} rows={rows} />
      ) : answer.isStale ? (
        <p className="soft">{words.searching}</p>
      ) : (
        <div className="empty">
          <h2>{words.noHits(params.query)}</h2>
          <p>{words.noHitsHint}</p>
        </div>
      )}
    </>
  )
}

function Rows({
  rows,
  onSight,
  label,
  params,
  ...props
}: Props & { readonly rows: Pages; readonly onSight?: Entries['inSight']; readonly label?: string }) {
  const words = useWords(vaultWords)
  const isMixed = params.query !== '' && params.where === 'everywhere'
  return (
    <EntryList
      handle={props.handle}
      label={label ?? words.list}
      items={rows}
      actions={props.actions}
      at={props.at}
      open={params.entry}
      edited={props.edited}
      selected={props.selected}
      isReadOnly={props.isReadOnly}
      showsAgent={params.agent === '' || isMixed}
      showsCategory={isMixed}
      {...(onSight !== undefined && { onSight })}
    />
  )
}

/** Open tasks first. Done tasks are collapsed. */
function Tasks(props: Props) {
  const words = useWords(vaultWords)
  const { items } = props.entries
  const [isUnfolded, setUnfolded] = useState(false)
  const openList = useRef<ListHandle>(null)
  const doneList = useRef<ListHandle>(null)
  const [open, done] = useMemo(() => {
    const known = items.filter((item): item is Listed => item !== undefined)
    return [
      known.filter(({ entry }) => !isDone(entry.content)),
      known.filter(({ entry }) => isDone(entry.content)),
    ]
  }, [items])
  useImperativeHandle(props.handle, () => ({
    reveal(id) {
      const isAmongDone = done.some(({ entry }) => entry.id === id)
      ;(isAmongDone ? doneList : openList).current?.reveal(id)
    },
  }))
  return (
    <>
      {open.length === 0 ? (
        <p className="soft">{words.noOpenTasks}</p>
      ) : (
        <Rows {...props} handle={openList} rows={open} />
      )}
      {done.length > 0 && (
        <>
          <Button className="done-fold" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {words.doneTasks(done.length)}
          </Button>
          {isUnfolded && (
            <Rows
              {...props}
              at={props.at ?? (open.length > 0 ? '' : undefined)}
              handle={doneList}
              rows={done}
              label={words.doneTasks(done.length)}
            />
          )}
        </>
      )}
    </>
  )
}

function Empty({ params, setParams, isReadOnly, onCreate }: Props) {
  const words = useWords(vaultWords)
  if (hasFilter(params)) {
    const { kind, status, tags, since, until } = DEFAULT_PARAMS
    return (
      <div className="empty">
        <h2>{words.emptyFilter}</h2>
        <Button onClick={() => setParams({ kind, status, tags, since, until })}>{words.clearFilters}</Button>
      </div>
    )
  }
  const [title, teaching] = words.empty[params.tab]
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{teaching}</p>
      <Button disabled={isReadOnly} onClick={onCreate}>
        {words.newEntry}
      </Button>
      <FirstSteps />
    </div>
  )
}

/** For an empty memory: how to fill it. */
function FirstSteps() {
  const words = useWords(vaultWords)
  const vault = useVault()
  if (vault.state === 'loading' || vault.data === undefined || vault.data.total > 0) return null
  return (
    <>
      <p>
        <WithCode text={words.first} />
      </p>
      <p>
        <a href={linkTo('import')}>{words.firstImport}</a>
      </p>
    </>
  )
}

function Failure({
  title,
  error,
  onAgain,
}: {
  readonly title: string
  readonly error: ApiError
  readonly onAgain?: () => void
}) {
  const words = useWords(vaultWords)
  return (
    <div className="notice bad" role="alert">
      <strong>{title}:</strong> <FailureText failure={error} />
      {onAgain !== undefined && <Button onClick={onAgain}>{words.tryAgain}</Button>}
    </div>
  )
}

function DegradedNote({ degraded }: Pick<Entries, 'degraded'>) {
  const words = useWords(vaultWords)
  if (degraded.length === 0) return null
  return (
    <p className="notice warn" role="status">
      {words.degraded}:{' '}
      {degraded.map(notice => (
        <NoticeText key={`${notice.code} ${notice.message}`} notice={notice} />
      ))}
    </p>
  )
}

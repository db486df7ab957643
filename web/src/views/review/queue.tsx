import { Fragment, useCallback, useMemo, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { useMay } from '../../api/hub.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { useKindName } from '../../ui/entry-facts.tsx'
import { Segments } from '../../ui/segments.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { useHotkeys } from '../../ui/use-hotkeys.ts'
import { isRewordable, type ProposalView, ProposedItem } from './proposed-item.tsx'
import { reviewWords } from './words.ts'

const PAGE = 50
/** The maximum page size of the route: enough to count items by kind. */
const MAX = 500

/** Changes, candidates and suggestions, reviewed one by one or in bulk, with buttons or keys. */
export function Queue() {
  const words = useWords(reviewWords)
  const kindName = useKindName()
  const [shownMost, setShownMost] = useState(PAGE)
  const [isArchived, setIsArchived] = useState(false)
  const asked = isArchived ? { limit: MAX, archived: true } : { limit: MAX }
  const answer = useAnswer('review', asked, ['entries', 'review', 'sessions'])
  const [kind, setKind] = useState<string>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [editing, setEditing] = useState<string>()
  const [judged, setJudged] = useState(0)
  const [isBusy, setIsBusy] = useState(false)
  const [at, setAt] = useState(0)
  const list = useRef<HTMLOListElement>(null)
  const canJudge = useMay('write')
  const isJudging = useRef(false)
  const undoRecords = useRef<() => void>(undefined)

  const data = 'data' in answer ? answer.data : undefined
  const all = data?.proposals ?? []
  const ofKind = kind === undefined ? all : all.filter(proposal => proposal.kind === kind)
  const shown = ofKind.slice(0, shownMost)
  const current = shown[Math.min(at, shown.length - 1)]
  const selected = shown.filter(({ id }) => chosen.has(id))

  const move = (to: number) => {
    const next = Math.max(0, Math.min(shown.length - 1, to))
    setAt(next)
    list.current?.querySelectorAll<HTMLElement>('[data-proposal]')[next]?.focus()
  }

  const { refetch } = answer
  const judge = useCallback(
    async (ids: readonly string[], how: 'accept' | 'reject', content?: string) => {
      const [first] = ids
      // A key that is held down must not answer the same item twice.
      if (first === undefined || isJudging.current) return
      isJudging.current = true
      setIsBusy(true)
      try {
        const { record } =
          content !== undefined
            ? await call('reviewEdit', { id: first, content })
            : await call(how === 'accept' ? 'reviewAccept' : 'reviewReject', { ids: [...ids] })
        setJudged(count => count + ids.length)
        setChosen(new Set())
        setEditing(undefined)
        const text = how === 'accept' ? words.accepted(ids.length) : words.rejected(ids.length)
        undoRecords.current = undoToast(text, record, {
          onUndone: () => setJudged(count => Math.max(0, count - ids.length)),
        })
      } catch (error) {
        showFailure(error)
      } finally {
        isJudging.current = false
        setIsBusy(false)
        refetch()
      }
    },
    [refetch, words],
  )

  const toggle = (id: string) =>
    setChosen(before => new Set(before.has(id) ? [...before].filter(one => one !== id) : [...before, id]))
  /** The target of a key: the selection, or else the current item. */
  const targets = () => (selected.length > 0 ? selected : current ? [current] : []).map(({ id }) => id)
  useHotkeys({
    j: () => move(isInList(list.current) ? at + 1 : at),
    k: () => move(at - 1),
    ...(canJudge && {
      a: () => void judge(targets(), 'accept'),
      r: () => void judge(targets(), 'reject'),
      e: () => current && isRewordable(current) && setEditing(current.id),
      x: () => current && toggle(current.id),
      u: () => undoRecords.current?.(),
    }),
  })

  const kinds = useMemo(() => countsByKind(all), [all])
  return (
    <>
      <p className="soft measured">{words.intro}</p>
      <AnswerView answer={answer}>
        {({ total, archived }) => (
          <>
            {archived + Number(isArchived) > 0 && (
              <label className="row">
                <input
                  type="checkbox"
                  checked={isArchived}
                  onChange={event => setIsArchived(event.target.checked)}
                />
                {words.showArchived(archived)}
              </label>
            )}
            {judged + total > 0 && (
              <p className="progress">
                <span role="status">{words.progress(judged, judged + total)}</span>
                <progress value={judged} max={judged + total} aria-label={words.title} />
              </p>
            )}
            {total === 0 ? (
              <div className="panel">
                <p>{judged > 0 ? words.allDone(judged) : words.nothing}</p>
                <p className="soft">{words.nothingNext}</p>
              </div>
            ) : (
              <>
                <Segments
                  label={words.kinds}
                  segments={[
                    { value: '', label: words.everyKind(total) },
                    ...kinds.map(([name, count]) => ({ value: name, label: `${kindName(name)} ${count}` })),
                  ]}
                  chosen={kind ?? ''}
                  onChoose={name => setKind(name === '' ? undefined : name)}
                />
                {canJudge && (
                  <fieldset className="plain-group row" disabled={isBusy}>
                    <legend className="unseen">{words.bulk}</legend>
                    <label className="row">
                      <input
                        type="checkbox"
                        checked={shown.length > 0 && selected.length === shown.length}
                        onChange={event =>
                          setChosen(new Set(event.target.checked ? shown.map(({ id }) => id) : []))
                        }
                      />
                      {words.selectAll}
                    </label>
                    {selected.length > 0 && (
                      <>
                        <span>{words.selected(selected.length)}</span>
                        <Button variant="primary" onClick={() => void judge(targets(), 'accept')}>
                          {words.acceptSelected}
                        </Button>
                        <Button variant="danger" onClick={() => void judge(targets(), 'reject')}>
                          {words.rejectSelected}
                        </Button>
                      </>
                    )}
                  </fieldset>
                )}
                {shown.length === 0 && (
                  <p className="row">
                    {words.noneOfKind}
                    <Button onClick={() => setKind(undefined)}>{words.showAll}</Button>
                  </p>
                )}
                <ol className="review-list" ref={list} aria-label={words.list}>
                  {shown.map((proposal, index) => (
                    <Fragment key={proposal.id}>
                      {proposal.level !== shown[index - 1]?.level && !isArchived && (
                        <li className="review-level">
                          <h2>{words.levels[proposal.level] ?? proposal.level}</h2>
                        </li>
                      )}
                      <ProposedItem
                        proposal={proposal}
                        isChosen={chosen.has(proposal.id)}
                        isEditing={editing === proposal.id}
                        isBusy={isBusy}
                        onFocus={() => setAt(index)}
                        onChoose={() => toggle(proposal.id)}
                        onEdit={isOn => setEditing(isOn ? proposal.id : undefined)}
                        onJudge={(how, content) => void judge([proposal.id], how, content)}
                      />
                    </Fragment>
                  ))}
                </ol>
                {shown.length < ofKind.length && (
                  <Button onClick={() => setShownMost(shownMost + PAGE)}>
                    {words.more(shown.length, ofKind.length)}
                  </Button>
                )}
                {all.length < total && <p className="soft">{words.firstOf(all.length, total)}</p>}
                {canJudge && <p className="soft">{words.keys}</p>}
              </>
            )}
          </>
        )}
      </AnswerView>
    </>
  )
}

function isInList(list: HTMLElement | null): boolean {
  return list?.contains(document.activeElement) ?? false
}

function countsByKind(proposals: readonly ProposalView[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { kind } of proposals) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

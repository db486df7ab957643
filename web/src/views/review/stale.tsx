import { useState } from 'react'
import type { Answered as AnswerOf, Asked } from '../../api/client.ts'
import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Problems } from '../../ui/problems.tsx'
import { Segments } from '../../ui/segments.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { ApplyDialog } from './apply-dialog.tsx'
import { StaleItem } from './stale-item.tsx'
import { reviewWords } from './words.ts'

type StaleKind = NonNullable<Asked<'review'>['kind']>

const KINDS: readonly StaleKind[] = ['split', 'settle', 'archive', 'confirm']
/** The kinds that can be applied in bulk. The others need a decision each. */
const IN_BULK: readonly StaleKind[] = ['split', 'archive']
const PAGE = 50

/** Stale items with their proposed actions: preview, then apply, dismiss or undo. */
export function Stale() {
  const words = useWords(reviewWords)
  const [kind, setKind] = useState<StaleKind>()
  const [limit, setLimit] = useState(PAGE)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [asked, setAsked] = useState<Asked<'reviewApply'>>()
  const answer = useAnswer('review', { stale: true, limit, ...(kind !== undefined && { kind }) }, [
    'entries',
    'review',
    'conflicts',
    'config',
  ])

  const dismiss = async (ids: readonly string[]) => {
    try {
      const { dismissed, record } = await call('reviewDismiss', { ids: [...ids] })
      setChosen(new Set())
      undoToast(words.dismissed(dismissed.length), record)
    } catch (error) {
      showFailure(error)
    }
    answer.refetch()
  }
  const onApplied = (applied: AnswerOf<'reviewApply'>['applied']) => {
    setAsked(undefined)
    setChosen(new Set())
    undoToast(
      words.applied(applied.length),
      applied.map(({ record }) => record),
    )
    answer.refetch()
  }

  return (
    <>
      <p className="soft measured">{words.staleIntro}</p>
      <AnswerView answer={answer}>
        {({ stale, total }) => {
          if (stale === undefined) return null
          const { proposals, totals, dismissed, entries, problems } = stale
          const all = KINDS.reduce((sum, one) => sum + totals[one], 0)
          const selected = proposals.filter(({ id }) => chosen.has(id)).map(({ id }) => id)
          return (
            <>
              {all === 0 ? (
                <div className="panel">
                  <p>{words.staleNothing(entries)}</p>
                  <p className="soft">{words.staleNext}</p>
                </div>
              ) : (
                <>
                  <Segments<StaleKind | ''>
                    label={words.kinds}
                    segments={[
                      { value: '', label: words.everyKind(all) },
                      ...KINDS.filter(one => totals[one] > 0).map(one => ({
                        value: one,
                        label: `${words.staleKinds[one]} ${totals[one]}`,
                      })),
                    ]}
                    chosen={kind ?? ''}
                    onChoose={one => setKind(one === '' ? undefined : one)}
                  />
                  <fieldset className="plain-group row">
                    <legend className="unseen">{words.bulk}</legend>
                    {selected.length > 0 && (
                      <>
                        <span>{words.selected(selected.length)}</span>
                        <Button variant="primary" onClick={() => setAsked({ ids: selected })}>
                          {words.applySelected}
                        </Button>
                        <Button onClick={() => void dismiss(selected)}>{words.dismissSelected}</Button>
                      </>
                    )}
                    {IN_BULK.filter(one => totals[one] > 1).map(one => (
                      <Button key={one} needs="write" onClick={() => setAsked({ all: true, kind: one })}>
                        {words.applyAll(words.staleKinds[one] ?? one, totals[one])}
                      </Button>
                    ))}
                  </fieldset>
                  <ol className="review-list" aria-label={words.list}>
                    {proposals.map(proposal => (
                      <StaleItem
                        key={proposal.id}
                        proposal={proposal}
                        isChosen={chosen.has(proposal.id)}
                        onChoose={isOn =>
                          setChosen(
                            new Set(
                              isOn ? [...chosen, proposal.id] : [...chosen].filter(id => id !== proposal.id),
                            ),
                          )
                        }
                        onApply={archive =>
                          setAsked({ ids: [proposal.id], ...(archive && { archive: true }) })
                        }
                        onDismiss={() => void dismiss([proposal.id])}
                      />
                    ))}
                  </ol>
                  {proposals.length < total && (
                    <Button onClick={() => setLimit(limit + PAGE)}>
                      {words.more(proposals.length, total)}
                    </Button>
                  )}
                </>
              )}
              {dismissed > 0 && <p className="soft">{words.dismissedBefore(dismissed)}</p>}
              <Problems title={`${words.problems}:`} problems={problems} />
            </>
          )
        }}
      </AnswerView>
      {asked !== undefined && (
        <ApplyDialog asked={asked} onApplied={onApplied} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}

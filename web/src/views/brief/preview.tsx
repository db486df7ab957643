import { useEffect, useState } from 'react'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry, useViewLocation } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { BudgetBar } from '../../ui/budget-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { ScopeNotice } from '../../ui/scope-notice.tsx'
import { Segments } from '../../ui/segments.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { AskForm, type Asking, previewInputOf } from './ask-form.tsx'
import { BriefItems, type BriefPreview, FactorDetails } from './brief-items.tsx'
import { briefWords } from './words.ts'

const TYPING_RESTS_MS = 400

/** A form for a prompt, and next to it the brief that the agent would receive. */
export function Preview() {
  const words = useWords(briefWords)
  const { params } = useViewLocation()
  const [asking, setAsking] = useState<Asking>({
    isStart: false,
    prompt: params.prompt ?? '',
    host: 'claude-code',
    agent: '',
    files: '',
    profile: '',
  })
  const debounced = useDebounced(asking, TYPING_RESTS_MS)
  const input = previewInputOf(debounced)
  const answer = useAnswer('briefPreview', input, ['entries', 'conflicts', 'sessions', 'config'])
  const isTyping = JSON.stringify(debounced) !== JSON.stringify(asking)
  const isWaiting = isTyping || (answer.state === 'loaded' && answer.isStale)
  return (
    <>
      <p className="soft measured">{words.intro}</p>
      <div className="brief-columns">
        <AskForm asking={asking} onChange={setAsking} />
        <div className="stack brief-answer" aria-busy={isWaiting && input !== undefined}>
          <p className="unseen" role="status">
            {isWaiting && input !== undefined ? words.asking : ''}
          </p>
          {input === undefined ? (
            <div className="panel">
              <p>
                <strong>{words.emptyTitle}</strong>
              </p>
              <p className="soft">{words.emptyText}</p>
            </div>
          ) : (
            <AnswerView answer={answer}>
              {preview => (
                <div className={isWaiting ? 'stack old' : 'stack'}>
                  {preview.text === '' ? (
                    <EmptyBrief preview={preview} isStart={debounced.isStart} />
                  ) : (
                    <BriefText preview={preview} />
                  )}
                  <section className="panel stack" aria-labelledby="brief-budget">
                    <h2 id="brief-budget">{words.budget}</h2>
                    <BudgetBar
                      label={words.budgetLabel(preview.budget.used, preview.budget.total)}
                      total={preview.budget.total}
                      used={preview.budget.used}
                      parts={preview.budget.tiers.map(({ tier, used, items }) => ({
                        name: words.tiers[tier] ?? tier,
                        used,
                        items,
                      }))}
                    />
                  </section>
                  {preview.items.length > 0 && (
                    <>
                      <ScopeNotice needs="write" />
                      <BriefItems items={preview.items} onChanged={answer.refetch} />
                    </>
                  )}
                  <LeftOut left={preview.left} />
                </div>
              )}
            </AnswerView>
          )}
        </div>
      </div>
    </>
  )
}

/** The text that the host receives, as plain text or as Markdown. */
function BriefText({ preview }: { readonly preview: BriefPreview }) {
  const words = useWords(briefWords)
  const [isRendered, setIsRendered] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(preview.text).then(
      () => showToast(words.copied),
      () => showToast(words.copyFailed, { variant: 'bad' }),
    )
  return (
    <section className="panel stack" aria-labelledby="brief-text">
      <div className="row">
        <h2 id="brief-text">{words.text}</h2>
        <span className="soft">
          {words.tokens(preview.tokens)}. {words.taskAs(visibleText(preview.profile))}
        </span>
      </div>
      <div className="row">
        <Segments
          label={words.format}
          segments={[
            { value: 'asIs', label: words.asIs },
            { value: 'rendered', label: words.rendered },
          ]}
          chosen={isRendered ? 'rendered' : 'asIs'}
          onChoose={variant => setIsRendered(variant === 'rendered')}
        />
        <Button onClick={() => void copy()}>{words.copy}</Button>
      </div>
      {isRendered ? (
        <Markdown text={preview.text} headingLevel={3} isWide />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <pre className="brief-raw" tabIndex={0}>
          {visibleText(preview.text)}
        </pre>
      )}
    </section>
  )
}

type Left = BriefPreview['left'][number]

/** The candidates that were left out, grouped by reason. */
function LeftOut({ left }: { readonly left: readonly Left[] }) {
  const words = useWords(briefWords)
  return (
    <section className="panel stack" aria-labelledby="brief-left">
      <h2 id="brief-left">{words.leftOut}</h2>
      {left.length === 0 && <p>{words.leftNone}</p>}
      {byReason(left).map(([why, items]) => (
        <details key={why}>
          <summary>
            {words.reasons[why] ?? why} ({items.length})
          </summary>
          <ul className="brief-items">
            {items.map((item, at) => (
              <li key={item.id ?? `${why} ${at}`} className="stack">
                <p className="brief-item-text">
                  {item.text === ''
                    ? (words.tiers[item.tier ?? ''] ?? words.noEntry)
                    : visibleText(item.text)}
                </p>
                <p className="soft row">
                  {item.tokens !== undefined && words.tokens(item.tokens)}
                  {item.score !== undefined && `, ${words.score(item.score.toFixed(2))}`}
                  {item.id !== undefined && <a href={linkToEntry(item.id)}>{words.open}</a>}
                </p>
                <FactorDetails {...item} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}

function byReason(left: readonly Left[]): readonly (readonly [string, readonly Left[]])[] {
  const groups = new Map<string, Left[]>()
  for (const item of left) groups.set(item.why, [...(groups.get(item.why) ?? []), item])
  return [...groups]
}

/** Explains why the brief is empty. */
function EmptyBrief({ preview, isStart }: { readonly preview: BriefPreview; readonly isStart: boolean }) {
  const words = useWords(briefWords)
  const best = Math.max(0, ...preview.left.map(({ factors }) => factors?.relevance ?? 0))
  return (
    <div className="panel" role="status">
      <p>
        <strong>{isStart ? words.silentStart : words.silent}</strong>
      </p>
      {!isStart && (
        <>
          <p>
            {best === 0
              ? words.silentEmpty
              : best < preview.floor
                ? words.silentFloor(best.toFixed(2), preview.floor.toFixed(2))
                : words.silentCommon(best.toFixed(2))}
          </p>
          {preview.isGeneral && <p>{words.silentGeneral}</p>}
          <p className="soft">{words.silentWhy}</p>
        </>
      )}
    </div>
  )
}

/** The value after it has not changed for `delayMs`, for example after typing. */
function useDebounced<T>(value: T, delayMs: number): T {
  const [debounced, setDebounced] = useState(value)
  const key = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is the value by its content.
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs)
    return () => clearTimeout(timer)
  }, [key, delayMs])
  return debounced
}

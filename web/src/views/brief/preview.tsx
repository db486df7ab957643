import { useState } from 'react'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { useViewLocation } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { BudgetBar } from '../../ui/budget-bar.tsx'
import { ScopeNotice } from '../../ui/scope-notice.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { AskForm, type Asking, previewInputOf } from './ask-form.tsx'
import { BriefItems } from './brief-items.tsx'
import { BriefText } from './brief-text.tsx'
import { EmptyBrief } from './empty-brief.tsx'
import { LeftOut } from './left-out.tsx'
import { briefWords } from './words.ts'

const TYPING_RESTS_MS = 400

/** A prompt, and beside it exactly what the agent would receive with it, and why. */
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
  const settled = useDebounced(asking, TYPING_RESTS_MS)
  const input = previewInputOf(settled)
  const answer = useAnswer('briefPreview', input, ['entries', 'conflicts', 'sessions', 'config'])
  const isTyping = JSON.stringify(settled) !== JSON.stringify(asking)
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
              {told => (
                <div className={isWaiting ? 'stack old' : 'stack'}>
                  {told.text === '' ? (
                    <EmptyBrief told={told} isStart={settled.isStart} />
                  ) : (
                    <BriefText told={told} />
                  )}
                  <section className="panel stack" aria-labelledby="brief-budget">
                    <h2 id="brief-budget">{words.budget}</h2>
                    <BudgetBar
                      label={words.budgetLabel(told.budget.used, told.budget.total)}
                      total={told.budget.total}
                      used={told.budget.used}
                      parts={told.budget.tiers.map(({ tier, used, items }) => ({
                        name: words.tiers[tier] ?? tier,
                        used,
                        items,
                      }))}
                    />
                  </section>
                  {told.items.length > 0 && (
                    <>
                      <ScopeNotice needs="write" />
                      <BriefItems items={told.items} onChanged={answer.again} />
                    </>
                  )}
                  <LeftOut left={told.left} />
                </div>
              )}
            </AnswerView>
          )}
        </div>
      </div>
    </>
  )
}

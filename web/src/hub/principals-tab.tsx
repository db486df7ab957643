import { callHub, useHubAnswer } from '../api/hub.ts'
import { useWords } from '../language/language.tsx'
import { AnswerView } from '../ui/answer-view.tsx'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/moment.tsx'
import { showToast } from '../ui/toasts.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { runAdminAction } from './admin-action.ts'
import { hubWords } from './words.ts'

/** Users and agents. All tokens of a disabled one are refused. */
export function PrincipalsTab() {
  const words = useWords(hubWords)
  const answer = useHubAnswer('hubPrincipals', {})
  const { refetch } = answer
  const setDisabled = (name: string, isDisabled: boolean) =>
    runAdminAction(async () => {
      await callHub(isDisabled ? 'hubDisable' : 'hubEnable', { name })
      refetch()
      showToast(isDisabled ? words.wasDisabled(name) : words.wasEnabled(name), {
        action: { label: words.undo, run: () => void setDisabled(name, !isDisabled) },
      })
    })
  return (
    <AnswerView answer={answer}>
      {({ principals }) => (
        <ul className="hub-rows">
          {principals.map(({ name, kind, createdAt, disabledAt }) => (
            <li key={name} className="panel">
              <div>
                <strong>{visibleText(name)}</strong> <span className="soft small">({words.kinds[kind]})</span>{' '}
                {disabledAt === null ? (
                  <span className="chip good">{words.active}</span>
                ) : (
                  <span className="chip bad">{words.disabled}</span>
                )}{' '}
                <span className="soft small">
                  <Moment at={createdAt} />
                </span>
              </div>
              <div className="row">
                <Button
                  aria-label={`${disabledAt === null ? words.disable : words.enable} ${name}`}
                  onClick={() => void setDisabled(name, disabledAt === null)}
                >
                  {disabledAt === null ? words.disable : words.enable}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </AnswerView>
  )
}

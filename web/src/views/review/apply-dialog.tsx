import { useEffect, useState } from 'react'
import {
  type Answered as AnswerOf,
  type Asked,
  call,
  callWithProgress,
  type Progress,
} from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { NoticeText } from '../../ui/server-message.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { Does } from './stale-item.tsx'
import { reviewWords } from './words.ts'

type Applied = AnswerOf<'reviewApply'>

/** Shows a dry run, then asks for confirmation. */
export function ApplyDialog({
  asked,
  onApplied,
  onClose,
}: {
  readonly asked: Asked<'reviewApply'>
  onApplied(applied: Applied['applied']): void
  onClose(): void
}) {
  const words = useWords(reviewWords)
  const [plan, setPlan] = useState<Applied>()
  const [progress, setProgress] = useState<Progress>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the input is fixed when the dialog opens.
  useEffect(() => {
    let isGone = false
    call('reviewApply', { ...asked, dryRun: true }).then(
      answer => {
        if (!isGone) setPlan(answer)
      },
      error => {
        if (isGone) return
        showFailure(error)
        onClose()
      },
    )
    return () => {
      isGone = true
    }
  }, [asked])

  const apply = async () => {
    setProgress({ done: 0, what: '' })
    try {
      onApplied((await callWithProgress('reviewApply', asked, setProgress)).applied)
    } catch (error) {
      showFailure(error)
      onClose()
    }
  }
  return (
    <Dialog title={words.previewTitle} onClose={onClose}>
      <div className="stack apply-dialog" aria-busy={plan === undefined}>
        {plan?.applied.length === 0 && <p>{words.previewNothing}</p>}
        <ul>
          {plan?.applied.map(({ proposal }) => (
            <li key={proposal.id}>
              <strong>{words.staleKinds[proposal.does.kind]}</strong>{' '}
              {visibleText(proposal.text === '' ? proposal.what : proposal.text)}
              <Does does={proposal.does} />
            </li>
          ))}
        </ul>
        {plan !== undefined && plan.left.length > 0 && (
          <>
            <p>{words.previewLeft}</p>
            <ul>
              {plan.left.map(({ proposal, code, why }) => (
                <li key={proposal.id}>
                  {visibleText(proposal.what)}: <NoticeText notice={{ code, message: why }} />
                </li>
              ))}
            </ul>
          </>
        )}
        {plan !== undefined && plan.toBeNamed > 0 && <p>{words.previewNamed(plan.toBeNamed)}</p>}
        <div className="row">
          <Button
            variant="primary"
            disabled={plan === undefined || plan.applied.length === 0 || progress !== undefined}
            onClick={() => void apply()}
          >
            {words.doIt(plan?.applied.length ?? 1)}
          </Button>
          <Button onClick={onClose}>{words.cancel}</Button>
          {progress !== undefined && (
            <span role="status">{words.working(progress.done, String(progress.total ?? '…'))}</span>
          )}
        </div>
      </div>
    </Dialog>
  )
}

import { useEffect, useState } from 'react'
import { type Answered as AnswerOf, call } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { freshnessWords } from './words.ts'

/** Previews the new paths of moved files before they are written into the entries. */
export function FixRenames({ onClose, onFixed }: { onClose(): void; onFixed(): void }) {
  const words = useWords(freshnessWords)
  const [plan, setPlan] = useState<AnswerOf<'freshFix'>>()
  const [isBusy, setIsBusy] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested once, when the dialog opens.
  useEffect(() => {
    call('freshFix', { dryRun: true }).then(setPlan, error => {
      showFailure(error)
      onClose()
    })
  }, [])
  const fix = async () => {
    setIsBusy(true)
    try {
      const { fixed, record } = await call('freshFix', {})
      undoToast(words.fixed(fixed), record)
    } catch (error) {
      showFailure(error)
    }
    onClose()
    onFixed()
  }
  const moves = (plan?.entries ?? []).flatMap(({ entry, freshness }) =>
    freshness.files.flatMap(change =>
      'to' in change && change.to !== undefined
        ? [{ key: `${entry.id} ${change.file}`, from: change.file, to: change.to, text: entry.content }]
        : [],
    ),
  )
  return (
    <Dialog title={words.fixTitle} onClose={onClose}>
      {plan?.fixed === 0 ? <p>{words.fixNothing}</p> : <p>{words.fixIntro}</p>}
      <ul>
        {moves.map(({ key, from, to, text }) => (
          <li key={key}>
            <code>{visibleText(from)}</code> → <code>{visibleText(to)}</code>
            <div className="soft">{visibleText(text.slice(0, 120))}</div>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button
          variant="primary"
          disabled={plan === undefined || plan.fixed === 0 || isBusy}
          onClick={() => void fix()}
        >
          {words.fixDo(plan?.fixed ?? 0)}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </Dialog>
  )
}

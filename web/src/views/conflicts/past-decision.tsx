import { call } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { visibleText } from '../../ui/visible-text.ts'
import type { Pair } from './resolution.ts'
import { conflictWords } from './words.ts'

type Words = (typeof conflictWords)['en']

/** What was decided, by whom and when; taking it back opens the question again. */
export function PastDecision({
  pair,
  resolved,
  onChanged,
}: {
  readonly pair: Pair
  readonly resolved: NonNullable<Pair['resolved']>
  onChanged(): void
}) {
  const words = useWords(conflictWords)
  const reopen = async () => {
    if (pair.record === undefined) return showToast(words.cannotReopen, { look: 'bad' })
    try {
      const undone = await call('undo', { record: pair.record })
      undoToast(words.reopened, undone.record)
    } catch (error) {
      showFailure(error)
    }
    onChanged()
  }
  return (
    <div className="row">
      <span>
        {decisionOf(pair, resolved, words)}, {words.by(visibleText(resolved.by))},{' '}
        <Moment at={new Date(resolved.resolvedAt).toISOString()} />.
      </span>
      <Button needs="write" onClick={() => void reopen()}>
        {words.reopen}
      </Button>
    </div>
  )
}

function decisionOf({ newer }: Pair, resolved: NonNullable<Pair['resolved']>, words: Words): string {
  if (resolved.resolution === 'both') return words.wasBoth
  if (resolved.resolution === 'not_a_conflict') return words.wasNot
  const isNewer = resolved.holds === newer.id
  if (resolved.resolution === 'superseded' && isNewer) return words.wasSuperseded
  return words.wasKept(isNewer ? words.theNewer : words.theOlder)
}

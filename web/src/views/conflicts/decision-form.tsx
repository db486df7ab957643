import { useId, useState } from 'react'
import { type Answered as AnswerOf, call } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { DECISIONS, type Decision, type Pair, resolutionOf } from './resolution.ts'
import { conflictWords } from './words.ts'

type Words = (typeof conflictWords)['en']
type Resolved = AnswerOf<'conflictsResolve'>

/** Shows what would happen, from a dry run on the server, then asks for confirmation. */
export function DecisionForm({ pair, onChanged }: { readonly pair: Pair; onChanged(): void }) {
  const words = useWords(conflictWords)
  const group = useId()
  const [plan, setPlan] = useState<{ readonly choice: Decision; readonly would: Resolved }>()

  const choose = (choice: Decision) =>
    call('conflictsResolve', { ...resolutionOf(choice, pair), dryRun: true }).then(
      would => setPlan({ choice, would }),
      showFailure,
    )
  const decide = async (choice: Decision) => {
    try {
      const { record } = await call('conflictsResolve', resolutionOf(choice, pair))
      setPlan(undefined)
      undoToast(words.resolved, record)
    } catch (error) {
      showFailure(error)
    }
    onChanged()
  }
  return (
    <div className="stack">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset breaks the wrapping row of buttons. */}
      <div className="row" role="group" aria-labelledby={group}>
        <strong id={group}>{words.decide}</strong>
        {DECISIONS.map(choice => (
          <Button
            key={choice}
            needs="write"
            variant={choice.startsWith('remove') ? 'danger' : 'normal'}
            aria-pressed={plan?.choice === choice}
            onClick={() => void choose(choice)}
          >
            {words[choice]}
          </Button>
        ))}
      </div>
      {plan !== undefined && (
        <div className="notice stack" role="status">
          <p>
            <strong>{words.willHappen}:</strong> {effectOf(plan.would, words)}
          </p>
          <div className="row">
            <Button variant="primary" onClick={() => void decide(plan.choice)}>
              {words.doIt}
            </Button>
            <Button onClick={() => setPlan(undefined)}>{words.cancel}</Button>
          </div>
        </div>
      )}
    </div>
  )
}

function effectOf({ resolved, removed, newer }: Resolved, words: Words): string {
  const valid = resolved.holds === newer.id ? words.theNewer : words.theOlder
  if (resolved.resolution === 'not_a_conflict') return words.willNot
  if (resolved.resolution === 'both') return `${words.willBoth} ${words.willConfirm}`
  if (removed !== null) return `${words.willRemove(valid)} ${words.willConfirm}`
  const outcome = resolved.resolution === 'superseded' ? words.willSupersede(valid) : words.willKeep(valid)
  return `${outcome} ${words.willConfirm}`
}

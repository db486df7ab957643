import { useId } from 'react'
import { useWords } from '../../language/language.tsx'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ConflictSide } from './conflict-side.tsx'
import { DecisionForm } from './decision-form.tsx'
import { PastDecision } from './past-decision.tsx'
import type { Pair } from './resolution.ts'
import { conflictWords } from './words.ts'

type Words = (typeof conflictWords)['en']

export function ConflictPair({
  pair,
  heading,
  onChanged,
}: {
  readonly pair: Pair
  readonly heading: string
  onChanged(): void
}) {
  const words = useWords(conflictWords)
  const title = useId()
  const { type, reason, detectedAt, older, newer, resolved } = pair
  const kind = reason?.code ?? type
  return (
    <article className="panel stack" aria-labelledby={title}>
      <header className="row">
        <h2 id={title}>{heading}</h2>
        <span className="chip warn">{words.type[kind] ?? kind}</span>
        <span className="soft">
          {words.detected} <Moment at={new Date(detectedAt).toISOString()} />
        </span>
      </header>
      {reason !== undefined && <p>{reasonOf(reason, words)}</p>}
      <div className="conflict-sides">
        <ConflictSide entry={older} other={newer} side="before" onChanged={onChanged} />
        <ConflictSide entry={newer} other={older} side="after" onChanged={onChanged} />
      </div>
      {resolved === undefined ? (
        <DecisionForm pair={pair} onChanged={onChanged} />
      ) : (
        <PastDecision pair={pair} resolved={resolved} onChanged={onChanged} />
      )}
    </article>
  )
}

/** The evidence, in one sentence. */
function reasonOf({ code, sides }: NonNullable<Pair['reason']>, words: Words): string {
  const text = words.reason[code] ?? code
  const shown = (some: readonly string[]) => visibleText(some.join(' '))
  return sides === undefined ? `${text}.` : `${text}: ${words.sides(shown(sides[0]), shown(sides[1]))}.`
}

import { useId } from 'react'
import { useWords } from '../../language/language.tsx'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ConflictSide } from './conflict-side.tsx'
import { Decided } from './decided.tsx'
import { Deciding } from './deciding.tsx'
import { type Pair, wordsAsWritten } from './settlement.ts'
import { conflictWords } from './words.ts'

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
  const { type, confidence, reason, detectedAt, older, newer, resolved } = pair
  const named = wordsAsWritten(pair)
  return (
    <article className="panel stack" aria-labelledby={title}>
      <header className="row">
        <h2 id={title}>{heading}</h2>
        <span className="chip warn">{words.type[type] ?? type}</span>
        {confidence !== undefined && (
          <span className="chip">{words.confidence(Math.round(confidence * 100))}</span>
        )}
        <span className="soft">
          {words.detected} <Moment at={new Date(detectedAt).toISOString()} />
        </span>
      </header>
      {reason !== undefined && (
        <p>
          {words.reason[reason.code] ?? reason.code}
          {named.length > 0 && `: ${visibleText(named.join(', '))}`}
        </p>
      )}
      <div className="conflict-sides">
        <ConflictSide entry={older} other={newer} side="before" onChanged={onChanged} />
        <ConflictSide entry={newer} other={older} side="after" onChanged={onChanged} />
      </div>
      {resolved === undefined ? (
        <Deciding pair={pair} onChanged={onChanged} />
      ) : (
        <Decided pair={pair} resolved={resolved} onChanged={onChanged} />
      )}
    </article>
  )
}

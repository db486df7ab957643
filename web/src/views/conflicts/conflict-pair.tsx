import { useId } from 'react'
import { useWords } from '../../language/language.tsx'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { ConflictSide } from './conflict-side.tsx'
import { Decided } from './decided.tsx'
import { Deciding } from './deciding.tsx'
import type { Pair } from './settlement.ts'
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
  const { type, confidence, reason, detectedAt, older, newer, resolved } = pair
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
      {reason !== undefined && <p>{reasonOf(reason, words)}</p>}
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

/** What contradicts what. */
function reasonOf({ code, words: told, sides, deniedBy }: NonNullable<Pair['reason']>, words: Words): string {
  const text = deniedBy === undefined ? (words.reason[code] ?? code) : words.deniedBy[deniedBy]
  const named = (some: readonly string[]) => visibleText(some.join(', '))
  if (sides !== undefined) return `${text}: ${words.sides(named(sides[0]), named(sides[1]))}`
  return told.length === 0 ? text : `${text}: ${named(told)}`
}

import { useId, useState } from 'react'
import { call } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { EntryEditor } from '../../ui/entry-editor.tsx'
import { EntryFacts } from '../../ui/entry-facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { DiffSide } from '../../ui/word-diff.tsx'
import { DecisionForm } from './decision-form.tsx'
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

/** One side of the pair, with its own words marked. Its text can be edited. */
function ConflictSide({
  entry,
  other,
  side,
  onChanged,
}: {
  readonly entry: Pair['older']
  readonly other: Pair['older']
  readonly side: 'before' | 'after'
  onChanged(): void
}) {
  const words = useWords(conflictWords)
  const [isEditing, setIsEditing] = useState(false)
  const [before, after] = side === 'before' ? [entry, other] : [other, entry]
  return (
    <div className="conflict-side stack">
      <h3>{side === 'before' ? words.older : words.newer}</h3>
      <EntryFacts entry={entry} />
      {isEditing ? (
        <EntryEditor
          entry={entry}
          saved={words.edited}
          onLeave={() => {
            setIsEditing(false)
            onChanged()
          }}
        />
      ) : (
        <DiffSide before={before.content} after={after.content} side={side} />
      )}
      <p className="row">
        <a href={linkToEntry(entry.id)}>{words.openEntry}</a>
        {!isEditing && (
          <Button needs="write" onClick={() => setIsEditing(true)}>
            {words.edit}
          </Button>
        )}
      </p>
    </div>
  )
}

/** A past decision: who made it and when. Reopening undoes it. */
function PastDecision({
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
    if (pair.record === undefined) return showToast(words.cannotReopen, { variant: 'bad' })
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

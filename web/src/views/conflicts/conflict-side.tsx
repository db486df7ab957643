import { useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { EntryEditor } from '../../ui/entry-editor.tsx'
import { EntryFacts } from '../../ui/entry-facts.tsx'
import { DiffSide } from '../../ui/word-diff.tsx'
import type { Pair } from './resolution.ts'
import { conflictWords } from './words.ts'

/** One of the two, with what only it says marked; its text can be changed in place. */
export function ConflictSide({
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

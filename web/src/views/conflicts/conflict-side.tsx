import { useState } from 'react'
import { ApiError, call } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../place.ts'
import { Button } from '../../ui/button.tsx'
import { EntryFacts } from '../../ui/entry-facts.tsx'
import { TextEditor } from '../../ui/text-editor.tsx'
import { sayFailure } from '../../ui/toasts.tsx'
import { recordOf, sayDone } from '../../ui/undoing.ts'
import { DiffSide, WordDiff } from '../../ui/word-diff.tsx'
import type { Pair } from './settlement.ts'
import { conflictWords } from './words.ts'

/** What was written, and what the entry says by now. */
interface Clash {
  readonly mine: string
  readonly current: string
}

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
  /** The text as it was when the reader began to change it: what stands there by then must still be that. */
  const [base, setBase] = useState<string>()
  const [clash, setClash] = useState<Clash>()
  const [before, after] = side === 'before' ? [entry, other] : [other, entry]

  const save = async (content: string, expect: string) => {
    try {
      await call('edit', { target: entry.id, content, expect })
      const record = await recordOf(entry.id, ['update'])
      setBase(undefined)
      setClash(undefined)
      sayDone(words.edited, { records: record === undefined ? [] : [record] })
      onChanged()
    } catch (error) {
      const current = error instanceof ApiError ? error.details.current : undefined
      if (typeof current === 'string') setClash({ mine: content, current })
      else sayFailure(error)
    }
  }

  return (
    <div className="conflict-side stack">
      <h3>{side === 'before' ? words.older : words.newer}</h3>
      <EntryFacts entry={entry} />
      {clash !== undefined && (
        <div className="notice warn stack" role="alert">
          <p>{words.changed}</p>
          <p>{words.theirs}:</p>
          <WordDiff before={clash.current} after={clash.mine} />
          <div className="row">
            <Button onClick={() => void save(clash.mine, clash.current)}>{words.saveAnyway}</Button>
            <Button
              onClick={() => {
                setClash(undefined)
                setBase(undefined)
                onChanged()
              }}
            >
              {words.cancel}
            </Button>
          </div>
        </div>
      )}
      {base !== undefined ? (
        <TextEditor
          text={base}
          label={words.editLabel}
          help={words.editHelp}
          saveLabel={words.save}
          cancelLabel={words.cancel}
          onSave={content => void save(content, base)}
          onCancel={() => setBase(undefined)}
        />
      ) : (
        <DiffSide before={before.content} after={after.content} side={side} />
      )}
      <p className="row">
        <a href={linkToEntry(entry.id)}>{words.openEntry}</a>
        {base === undefined && <Button onClick={() => setBase(entry.content)}>{words.edit}</Button>}
      </p>
    </div>
  )
}

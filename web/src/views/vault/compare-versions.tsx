import { useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { diffWords } from '../../ui/diff-words.ts'
import { Field } from '../../ui/field.tsx'
import { DiffSide } from '../../ui/word-diff.tsx'
import { editWords } from './edit-words.ts'

/** Compares two versions of a text. Differences are marked, and the user decides. */
export function CompareVersions({
  mine,
  theirs,
  isBusy,
  onMine,
  onTheirs,
}: {
  readonly mine: string
  readonly theirs: string
  readonly isBusy: boolean
  /** Called with the text to save: the user's own, or a merged one. */
  onMine(text: string): void
  onTheirs(): void
}) {
  const words = useWords(editWords)
  const [merged, setMerged] = useState<string>()
  return (
    <section className="both stack" aria-label={words.both}>
      <p className="notice warn" role="alert">
        <strong>{words.both}.</strong> {words.bothWhy}
      </p>
      <div className="both-sides">
        <div>
          <h3>{words.theirs}</h3>
          <div className="version">
            <DiffSide before={theirs} after={mine} side="before" />
          </div>
        </div>
        <div>
          <h3>{words.mine}</h3>
          <div className="version">
            <DiffSide before={theirs} after={mine} side="after" />
          </div>
        </div>
      </div>
      {merged !== undefined && (
        <Field label={words.merged}>
          {ids => (
            <textarea
              {...ids}
              rows={6}
              value={merged}
              // biome-ignore lint/a11y/noAutofocus: the user opened it with a button.
              autoFocus
              onChange={event => setMerged(event.target.value)}
            />
          )}
        </Field>
      )}
      <div className="row">
        {merged === undefined ? (
          <>
            <Button variant="primary" disabled={isBusy} onClick={() => onMine(mine)}>
              {words.takeMine}
            </Button>
            <Button disabled={isBusy} onClick={onTheirs}>
              {words.takeTheirs}
            </Button>
            <Button disabled={isBusy} onClick={() => setMerged(startOfMerge(theirs, mine))}>
              {words.merge}
            </Button>
          </>
        ) : (
          <>
            <Button
              variant="primary"
              disabled={isBusy || merged.trim() === ''}
              onClick={() => onMine(merged)}
            >
              {words.saveMerged}
            </Button>
            <Button disabled={isBusy} onClick={() => setMerged(undefined)}>
              {words.cancel}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

/** The words of both versions in order: removing words is easier than typing them again. */
function startOfMerge(theirs: string, mine: string): string {
  return diffWords(theirs, mine)
    .map(({ text }) => text)
    .join('')
}

import { useMemo, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { editWords } from './edit-words.ts'
import { diffText } from './text-diff.ts'

/** A text that was changed on both sides: what differs is marked, and nothing is decided for anybody. */
export function BothVersions({
  mine,
  theirs,
  isBusy,
  onMine,
  onTheirs,
}: {
  readonly mine: string
  readonly theirs: string
  readonly isBusy: boolean
  /** With what is to be saved: one's own text, or one made of both. */
  onMine(text: string): void
  onTheirs(): void
}) {
  const words = useWords(editWords)
  const [merged, setMerged] = useState<string>()
  const parts = useMemo(() => diffText(theirs, mine), [theirs, mine])
  return (
    <section className="both stack" aria-label={words.both}>
      <p className="notice warn" role="alert">
        <strong>{words.both}.</strong> {words.bothWhy}
      </p>
      <div className="both-sides">
        <div>
          <h3>{words.theirs}</h3>
          <pre className="version">
            {parts.map((part, at) =>
              part.kind === 'added' ? null : part.kind === 'removed' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name than their place.
                <del key={at}>{visibleText(part.text)}</del>
              ) : (
                visibleText(part.text)
              ),
            )}
          </pre>
        </div>
        <div>
          <h3>{words.mine}</h3>
          <pre className="version">
            {parts.map((part, at) =>
              part.kind === 'removed' ? null : part.kind === 'added' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name than their place.
                <ins key={at}>{visibleText(part.text)}</ins>
              ) : (
                visibleText(part.text)
              ),
            )}
          </pre>
        </div>
      </div>
      {merged !== undefined && (
        <Field label={words.merged}>
          {ids => (
            <textarea
              {...ids}
              rows={6}
              value={merged}
              // biome-ignore lint/a11y/noAutofocus: it was asked for with the button before.
              autoFocus
              onChange={event => setMerged(event.target.value)}
            />
          )}
        </Field>
      )}
      <div className="row">
        {merged === undefined ? (
          <>
            <Button look="primary" disabled={isBusy} onClick={() => onMine(mine)}>
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
            <Button look="primary" disabled={isBusy || merged.trim() === ''} onClick={() => onMine(merged)}>
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

/** Everything that either says, in order: taking out is easier than typing again. */
function startOfMerge(theirs: string, mine: string): string {
  return diffText(theirs, mine)
    .map(({ text }) => text)
    .join('')
}

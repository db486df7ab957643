import { useState, useSyncExternalStore } from 'react'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/segments.tsx'
import { WithCode } from '../../ui/with-code.tsx'
import { DriftedEntry } from './drifted-entry.tsx'
import { FixRenames } from './fix-renames.tsx'
import { freshnessWords } from './words.ts'
import './freshness.css'

/** Below this width, two columns of code are too narrow. */
const WIDE = '(min-width: 1100px)'

/** Entries whose files changed a lot, moved or were deleted, with the changes. */
export default function Freshness() {
  const words = useWords(freshnessWords)
  const answer = useAnswer('fresh', {}, ['entries'])
  const [wantsSplit, setWantsSplit] = useState(false)
  const [isFixing, setIsFixing] = useState(false)
  const isWide = useIsWide()
  const isSplit = isWide && wantsSplit
  return (
    <section className="freshness stack" aria-labelledby="freshness-title">
      <h1 id="freshness-title">{words.title}</h1>
      <p className="soft measured">{words.intro}</p>
      <AnswerView answer={answer}>
        {({ entries, checked, unanchored }) => {
          const stale = entries.filter(({ freshness }) => freshness.state !== 'fresh').length
          const moved = entries.filter(({ freshness }) => freshness.files.some(change => 'to' in change))
          return (
            <>
              <p>
                {words.summary(checked, stale)} {unanchored > 0 && words.unanchored(unanchored)}
              </p>
              <div className="row">
                <Button onClick={answer.refetch}>{words.refresh}</Button>
                {moved.length > 0 && (
                  <Button onClick={() => setIsFixing(true)}>{words.fix(moved.length)}</Button>
                )}
                {isWide && entries.length > 0 && (
                  <Segments
                    label={words.layout}
                    segments={[
                      { value: 'unified', label: words.unified },
                      { value: 'split', label: words.split },
                    ]}
                    chosen={wantsSplit ? 'split' : 'unified'}
                    onChoose={variant => setWantsSplit(variant === 'split')}
                  />
                )}
              </div>
              {entries.length === 0 ? (
                <div className="panel">
                  <p>{checked === 0 ? words.nothingAnchored : words.nothing}</p>
                  {checked === 0 && (
                    <p className="soft">
                      <WithCode text={words.nothingAnchoredNext} />
                    </p>
                  )}
                </div>
              ) : (
                <ol className="drifted" aria-label={words.list}>
                  {entries.map((found, at) => (
                    <DriftedEntry
                      key={found.entry.id}
                      found={found}
                      isFirst={at === 0}
                      isSplit={isSplit}
                      onChanged={answer.refetch}
                    />
                  ))}
                </ol>
              )}
            </>
          )
        }}
      </AnswerView>
      {isFixing && <FixRenames onClose={() => setIsFixing(false)} onFixed={answer.refetch} />}
    </section>
  )
}

function useIsWide(): boolean {
  return useSyncExternalStore(
    listener => {
      const query = matchMedia(WIDE)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => matchMedia(WIDE).matches,
  )
}

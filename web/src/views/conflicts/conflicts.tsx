import { useState } from 'react'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { goTo, useViewLocation } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { ScopeNotice } from '../../ui/scope-notice.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ConflictPair } from './conflict-pair.tsx'
import { conflictWords } from './words.ts'
import './conflicts.css'

/** Number of pairs per page: thousands at once would block the browser. */
const PAGE = 20
/** Notices that this view shows itself. */
const SHOWN_HERE = ['comparisons_waiting']

/** Entries that seem to contradict each other, side by side, with the possible decisions. */
export default function Conflicts() {
  const words = useWords(conflictWords)
  const isDecided = useViewLocation().params.which === 'decided'
  const answer = useAnswer('conflicts', isDecided ? { all: true } : {}, ['entries', 'conflicts'])
  const [limit, setLimit] = useState(PAGE)
  return (
    <section className="conflicts stack" aria-labelledby="conflicts-title">
      <h1 id="conflicts-title">{words.title}</h1>
      <p className="soft measured">{words.intro}</p>
      <ScopeNotice needs="write" />
      <Tabs
        label={words.which}
        tabs={[
          { name: 'open', label: words.open },
          { name: 'decided', label: words.decided },
        ]}
        chosen={isDecided ? 'decided' : 'open'}
        onChoose={which => goTo('conflicts', which === 'decided' ? { which } : {})}
      >
        <div className="stack">
          <AnswerView answer={answer} shownCodes={SHOWN_HERE}>
            {({ conflicts, waiting }) => {
              const pairs = conflicts.filter(({ resolved }) => (resolved !== undefined) === isDecided)
              return (
                <>
                  {waiting > 0 && (
                    <p className="row">
                      {words.waiting(waiting)}
                      <Button onClick={answer.refetch}>{words.compareNow}</Button>
                    </p>
                  )}
                  {pairs.length === 0 && (
                    <div className="panel">
                      <p>{isDecided ? words.nothingDecided : words.nothingOpen}</p>
                      {!isDecided && <p className="soft">{words.nothingOpenNext}</p>}
                    </div>
                  )}
                  {pairs.slice(0, limit).map((pair, index) => (
                    <ConflictPair
                      key={pair.id}
                      pair={pair}
                      heading={words.pair(index + 1, pairs.length)}
                      onChanged={answer.refetch}
                    />
                  ))}
                  {pairs.length > limit && (
                    <Button onClick={() => setLimit(limit + PAGE)}>{words.more(pairs.length - limit)}</Button>
                  )}
                </>
              )
            }}
          </AnswerView>
        </div>
      </Tabs>
    </section>
  )
}

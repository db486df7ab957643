import { useWords } from '../../language/language.tsx'
import { goTo, useViewLocation } from '../../router.ts'
import { ScopeNotice } from '../../ui/scope-notice.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Queue } from './queue.tsx'
import { Stale } from './stale.tsx'
import { reviewWords } from './words.ts'
import './review.css'

/** The review: proposals from agents and rules, and stale items. */
export default function Review() {
  const words = useWords(reviewWords)
  const chosen = useViewLocation().params.part === 'stale' ? 'stale' : 'fresh'
  return (
    <section className="review stack" aria-labelledby="review-title">
      <h1 id="review-title">{words.title}</h1>
      <ScopeNotice needs="write" />
      <Tabs
        label={words.parts}
        tabs={[
          { name: 'fresh', label: words.fresh },
          { name: 'stale', label: words.stale },
        ]}
        chosen={chosen}
        onChoose={part => goTo('review', part === 'stale' ? { part } : {})}
      >
        <div className="stack">{chosen === 'stale' ? <Stale /> : <Queue />}</div>
      </Tabs>
    </section>
  )
}

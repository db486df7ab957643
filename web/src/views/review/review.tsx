import { useWords } from '../../language/language.tsx'
import { linkTo, usePlace } from '../../place.ts'
import { Queue } from './queue.tsx'
import { Stale } from './stale.tsx'
import { reviewWords } from './words.ts'
import './review.css'

/** What waits for a person's yes or no: what sessions left, and what may go. */
export default function Review() {
  const words = useWords(reviewWords)
  const { params } = usePlace()
  const isStale = params.part === 'stale'
  return (
    <section className="review stack" aria-labelledby="review-title">
      <h1 id="review-title">{words.title}</h1>
      <nav className="review-parts row" aria-label={words.parts}>
        <a className="button" href={linkTo('review')} aria-current={isStale ? undefined : 'page'}>
          {words.fresh}
        </a>
        <a
          className="button"
          href={linkTo('review', { part: 'stale' })}
          aria-current={isStale ? 'page' : undefined}
        >
          {words.stale}
        </a>
      </nav>
      {isStale ? <Stale /> : <Queue />}
    </section>
  )
}

import { useWords } from '../../language/language.tsx'
import { linkTo, usePlace } from '../../place.ts'
import { Given } from './given.tsx'
import { Preview } from './preview.tsx'
import { briefWords } from './words.ts'
import './brief.css'

/** What agents are told: before it is told, and what they were told. */
export default function Brief() {
  const words = useWords(briefWords)
  const isGiven = usePlace().params.part === 'given'
  return (
    <section className="brief stack" aria-labelledby="brief-title">
      <h1 id="brief-title">{words.title}</h1>
      <nav className="row" aria-label={words.parts}>
        <a className="button" href={linkTo('brief')} aria-current={isGiven ? undefined : 'page'}>
          {words.preview}
        </a>
        <a
          className="button"
          href={linkTo('brief', { part: 'given' })}
          aria-current={isGiven ? 'page' : undefined}
        >
          {words.given}
        </a>
      </nav>
      {isGiven ? <Given /> : <Preview />}
    </section>
  )
}

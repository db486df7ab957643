import { type FormEvent, useEffect, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { goTo, useViewLocation } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { EntityAnswer } from './entity-answer.tsx'
import { MetAnswer, SearchAnswer } from './found-answer.tsx'
import { everywhereWords } from './words.ts'
import './everywhere.css'

const WAYS = ['search', 'met', 'entity'] as const
type Way = (typeof WAYS)[number]

/** Searches the memories of all readable projects. Requests are sent only on submit, because each one opens every project. */
export default function Everywhere() {
  const words = useWords(everywhereWords)
  const { params } = useViewLocation()
  const way: Way = WAYS.find(each => each === params.way) ?? 'search'
  const asked = params.q ?? ''
  const [typed, setTyped] = useState(asked)
  // Changed from outside: by a link or the Back button.
  useEffect(() => setTyped(asked), [asked])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const q = typed.trim()
    if (q !== '') goTo('everywhere', { way, q })
  }
  const label = { search: words.query, met: words.text, entity: words.name }[way]
  return (
    <section className="everywhere stack" aria-labelledby="everywhere-title">
      <h1 id="everywhere-title">{words.title}</h1>
      <p className="soft measured">{words.intro}</p>
      <Tabs
        label={words.ways}
        tabs={WAYS.map(name => ({ name, label: words[name] }))}
        chosen={way}
        onChoose={name => goTo('everywhere', { way: name, ...(asked !== '' && { q: asked }) })}
      >
        <div className="stack">
          <form className="everywhere-ask" onSubmit={submit}>
            <Field label={label}>
              {ids =>
                way === 'met' ? (
                  <textarea
                    {...ids}
                    rows={4}
                    spellCheck={false}
                    value={typed}
                    onChange={event => setTyped(event.target.value)}
                  />
                ) : (
                  <input
                    {...ids}
                    type="search"
                    autoComplete="off"
                    value={typed}
                    onChange={event => setTyped(event.target.value)}
                  />
                )
              }
            </Field>
            <Button type="submit" variant="primary" disabled={typed.trim() === ''}>
              {words.ask}
            </Button>
          </form>
          {asked !== '' && way === 'search' && <SearchAnswer key={asked} query={asked} />}
          {asked !== '' && way === 'met' && <MetAnswer key={asked} text={asked} />}
          {asked !== '' && way === 'entity' && <EntityAnswer key={asked} name={asked} />}
        </div>
      </Tabs>
    </section>
  )
}

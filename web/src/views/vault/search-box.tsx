import { useEffect, useId, useRef, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import type { Choice, Choose } from './choice.ts'
import { Cross, Glass } from './icons.tsx'
import { vaultWords } from './words.ts'

/** The guide of the page says 300 ms. */
const DEBOUNCE_MS = 300

/** What is looked for, as one types: the words stand here at once, and in the address when one pauses. */
export function SearchBox({
  choice: { query, where, by },
  choose,
}: {
  readonly choice: Choice
  readonly choose: Choose
}) {
  const words = useWords(vaultWords)
  const [typed, setTyped] = useState(query)
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef(query)
  const id = useId()
  useEffect(() => {
    // Chosen elsewhere: by a link, or the back button.
    if (query !== sent.current) {
      sent.current = query
      setTyped(query)
    }
  }, [query])
  useEffect(() => {
    if (typed.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed.trim()
      choose({ query: sent.current }, { isPassing: true })
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, choose])
  const clear = () => {
    setTyped('')
    sent.current = ''
    choose({ query: '' }, { isPassing: true })
  }
  return (
    <search className="search">
      <div className="search-field">
        <Glass />
        <label className="unseen" htmlFor={id}>
          {words.search}
        </label>
        <input
          id={id}
          ref={input}
          type="search"
          placeholder={words.search}
          autoComplete="off"
          value={typed}
          onChange={event => setTyped(event.target.value)}
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            event.preventDefault()
            if (typed === '') input.current?.blur()
            else clear()
          }}
        />
        {typed !== '' && (
          <Button
            look="plain"
            aria-label={words.clearSearch}
            onClick={() => {
              clear()
              input.current?.focus()
            }}
          >
            <Cross />
          </Button>
        )}
      </div>
      {typed !== '' && (
        <div className="row small">
          <Toggle
            label={words.searchIn}
            value={where}
            choices={[
              ['here', words.here],
              ['everywhere', words.everywhere],
            ]}
            onChoose={value => choose({ where: value }, { isPassing: true })}
          />
          <Toggle
            label={words.searchBy}
            value={by}
            choices={[
              ['meaning', words.meaning],
              ['words', words.words],
            ]}
            onChoose={value => choose({ by: value }, { isPassing: true })}
          />
        </div>
      )}
    </search>
  )
}

function Toggle<Value extends string>({
  label,
  value,
  choices,
  onChoose,
}: {
  readonly label: string
  readonly value: Value
  readonly choices: readonly (readonly [Value, string])[]
  onChoose(value: Value): void
}) {
  return (
    <fieldset className="toggle">
      <legend>{label}</legend>
      {choices.map(([one, text]) => (
        <Button key={one} look="plain" aria-pressed={one === value} onClick={() => onChoose(one)}>
          {text}
        </Button>
      ))}
    </fieldset>
  )
}

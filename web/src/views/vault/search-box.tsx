import { useEffect, useId, useRef, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Cross, Glass } from './icons.tsx'
import type { ListParams, SetListParams } from './list-params.ts'
import { vaultWords } from './words.ts'

/** Delay before a search is sent. */
const DEBOUNCE_MS = 300

/** The search box. The text changes immediately, the address after a pause. */
export function SearchBox({
  params: { query, where, by },
  setParams,
}: {
  readonly params: ListParams
  readonly setParams: SetListParams
}) {
  const words = useWords(vaultWords)
  const [typed, setTyped] = useState(query)
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef(query)
  const id = useId()
  useEffect(() => {
    // Changed from outside: by a link or the Back button.
    if (query !== sent.current) {
      sent.current = query
      setTyped(query)
    }
  }, [query])
  useEffect(() => {
    if (typed.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed.trim()
      setParams({ query: sent.current }, { isPassing: true })
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, setParams])
  const clear = () => {
    setTyped('')
    sent.current = ''
    setParams({ query: '' }, { isPassing: true })
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
            variant="plain"
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
          <Segments
            label={words.searchIn}
            isLabelShown
            chosen={where}
            segments={[
              { value: 'here', label: words.here },
              { value: 'everywhere', label: words.everywhere },
            ]}
            onChoose={value => setParams({ where: value }, { isPassing: true })}
          />
          <Segments
            label={words.searchBy}
            isLabelShown
            chosen={by}
            segments={[
              { value: 'meaning', label: words.meaning },
              { value: 'words', label: words.words },
            ]}
            onChoose={value => setParams({ by: value }, { isPassing: true })}
          />
        </div>
      )}
    </search>
  )
}

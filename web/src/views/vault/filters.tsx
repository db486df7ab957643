import { useId, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { useKindName } from '../../ui/entry-facts.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { type Choice, type Choose, hasFilter, NOTHING_CHOSEN, STATUSES } from './choice.ts'
import { Cross, Funnel } from './icons.tsx'
import { TAGS_LIST } from './known-words.tsx'
import type { Overview } from './overview.ts'
import { vaultWords } from './words.ts'

/** What narrows the list: each can be combined with the others, and taken away alone. */
export function Filters({
  choice,
  choose,
  overview,
}: {
  readonly choice: Choice
  readonly choose: Choose
  readonly overview: Overview | undefined
}) {
  const words = useWords(vaultWords)
  const [isOpen, setOpen] = useState(false)
  const panel = useId()
  return (
    <>
      <Button aria-expanded={isOpen} aria-controls={panel} onClick={() => setOpen(!isOpen)}>
        <Funnel />
        {words.filters}
      </Button>
      <Chips choice={choice} choose={choose} />
      <div id={panel} className="filters panel" hidden={!isOpen}>
        {isOpen && <FilterFields choice={choice} choose={choose} overview={overview} />}
      </div>
    </>
  )
}

function FilterFields({
  choice,
  choose,
  overview,
}: {
  readonly choice: Choice
  readonly choose: Choose
  readonly overview: Overview | undefined
}) {
  const words = useWords(vaultWords)
  const kindName = useKindName()
  const [tag, setTag] = useState('')
  const kinds = (overview?.kinds ?? []).map(({ kind, count }) => ({
    value: kind,
    label: `${visibleText(kindName(kind))} (${count})`,
  }))
  const isUnlisted = choice.kind !== '' && !kinds.some(({ value }) => value === choice.kind)
  const addTag = () => {
    const added = tag.trim().replace(/^#/, '')
    if (added !== '' && !choice.tags.includes(added)) choose({ tags: [...choice.tags, added] })
    setTag('')
  }
  return (
    <>
      <Select
        label={words.kind}
        value={choice.kind}
        choices={[
          { value: '', label: words.any },
          ...kinds,
          ...(isUnlisted ? [{ value: choice.kind, label: visibleText(choice.kind) }] : []),
        ]}
        onChoose={kind => choose({ kind })}
      />
      <Select
        label={words.status}
        value={choice.status}
        choices={[
          { value: '', label: words.any },
          ...STATUSES.map(value => ({ value: value as string, label: words[value] })),
        ]}
        onChoose={status => choose({ status })}
      />
      <Field label={words.tag}>
        {ids => (
          <form
            className="row"
            onSubmit={event => {
              event.preventDefault()
              addTag()
            }}
          >
            <input {...ids} list={TAGS_LIST} value={tag} onChange={event => setTag(event.target.value)} />
            <Button type="submit">{words.addTag}</Button>
          </form>
        )}
      </Field>
      <Field label={words.since}>
        {ids => (
          <input
            {...ids}
            type="date"
            value={choice.since}
            max={choice.until}
            onChange={event => choose({ since: event.target.value })}
          />
        )}
      </Field>
      <Field label={words.until}>
        {ids => (
          <input
            {...ids}
            type="date"
            value={choice.until}
            min={choice.since}
            onChange={event => choose({ until: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

function Chips({ choice, choose }: { readonly choice: Choice; readonly choose: Choose }) {
  const words = useWords(vaultWords)
  const kindName = useKindName()
  if (!hasFilter(choice)) return null
  const { kind, status, tags, since, until } = choice
  const chips: readonly (readonly [string, Partial<Choice>])[] = [
    ...(kind === '' ? [] : [[`${words.kind}: ${kindName(kind)}`, { kind: '' }] as const]),
    ...(status === '' ? [] : [[`${words.status}: ${words[status as 'pinned']}`, { status: '' }] as const]),
    ...tags.map(tag => [`#${tag}`, { tags: tags.filter(other => other !== tag) }] as const),
    ...(since === '' ? [] : [[`${words.since} ${since}`, { since: '' }] as const]),
    ...(until === '' ? [] : [[`${words.until} ${until}`, { until: '' }] as const]),
  ]
  return (
    <>
      {chips.map(([text, without]) => (
        <button
          key={text}
          type="button"
          className="chip removable"
          aria-label={words.removeFilter(visibleText(text))}
          onClick={() => choose(without)}
        >
          {visibleText(text)} <Cross />
        </button>
      ))}
      <Button
        look="plain"
        onClick={() => {
          const { kind: k, status: s, tags: t, since: from, until: to } = NOTHING_CHOSEN
          choose({ kind: k, status: s, tags: t, since: from, until: to })
        }}
      >
        {words.clearFilters}
      </Button>
    </>
  )
}

import { useId, useState } from 'react'
import { useWords } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { useKindName } from '../../ui/entry-facts.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { Cross, Funnel } from './icons.tsx'
import { DEFAULT_PARAMS, hasFilter, type ListParams, type SetListParams, STATUSES } from './list-params.ts'
import type { Overview } from './overview.ts'
import { TAGS_LIST } from './suggestions.tsx'
import { vaultWords } from './words.ts'

/** The filters of the list. They can be combined and removed one by one. */
export function Filters({
  params,
  setParams,
  overview,
}: {
  readonly params: ListParams
  readonly setParams: SetListParams
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
      <Chips params={params} setParams={setParams} />
      <div id={panel} className="filters panel" hidden={!isOpen}>
        {isOpen && <FilterFields params={params} setParams={setParams} overview={overview} />}
      </div>
    </>
  )
}

function FilterFields({
  params,
  setParams,
  overview,
}: {
  readonly params: ListParams
  readonly setParams: SetListParams
  readonly overview: Overview | undefined
}) {
  const words = useWords(vaultWords)
  const kindName = useKindName()
  const [tag, setTag] = useState('')
  const kinds = (overview?.kinds ?? []).map(({ kind, count }) => ({
    value: kind,
    label: `${visibleText(kindName(kind))} (${count})`,
  }))
  const isUnlisted = params.kind !== '' && !kinds.some(({ value }) => value === params.kind)
  const addTag = () => {
    const added = tag.trim().replace(/^#/, '')
    if (added !== '' && !params.tags.includes(added)) setParams({ tags: [...params.tags, added] })
    setTag('')
  }
  return (
    <>
      <Select
        label={words.kind}
        value={params.kind}
        choices={[
          { value: '', label: words.any },
          ...kinds,
          ...(isUnlisted ? [{ value: params.kind, label: visibleText(params.kind) }] : []),
        ]}
        onChoose={kind => setParams({ kind })}
      />
      <Select
        label={words.status}
        value={params.status}
        choices={[
          { value: '', label: words.any },
          ...STATUSES.map(value => ({ value: value as string, label: words[value] })),
        ]}
        onChoose={status => setParams({ status })}
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
            value={params.since}
            max={params.until}
            onChange={event => setParams({ since: event.target.value })}
          />
        )}
      </Field>
      <Field label={words.until}>
        {ids => (
          <input
            {...ids}
            type="date"
            value={params.until}
            min={params.since}
            onChange={event => setParams({ until: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

function Chips({ params, setParams }: { readonly params: ListParams; readonly setParams: SetListParams }) {
  const words = useWords(vaultWords)
  const kindName = useKindName()
  if (!hasFilter(params)) return null
  const { kind, status, tags, since, until } = params
  const chips: readonly (readonly [string, Partial<ListParams>])[] = [
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
          onClick={() => setParams(without)}
        >
          {visibleText(text)} <Cross />
        </button>
      ))}
      <Button
        variant="plain"
        onClick={() => {
          const { kind: k, status: s, tags: t, since: from, until: to } = DEFAULT_PARAMS
          setParams({ kind: k, status: s, tags: t, since: from, until: to })
        }}
      >
        {words.clearFilters}
      </Button>
    </>
  )
}

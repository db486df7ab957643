import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { useMay } from '../../api/hub.ts'
import { useTokenState } from '../../api/token.ts'
import { useVault } from '../../api/vault.ts'
import { useLanguage, useWords } from '../../language/language.tsx'
import { useViewLocation } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { scopeWords } from '../../ui/scope-words.ts'
import { Tabs } from '../../ui/tabs.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { WithCode } from '../../ui/with-code.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { EntryDetail } from './entry-detail.tsx'
import type { ListHandle } from './entry-list.tsx'
import { Filters } from './filters.tsx'
import { Plus } from './icons.tsx'
import { filterOf, type ListParams, TABS, useListParams } from './list-params.ts'
import { Listing } from './listing.tsx'
import { NewEntry } from './new-entry.tsx'
import { countOf, type Overview } from './overview.ts'
import type { Pages } from './pages.ts'
import { ProjectText } from './project-text.tsx'
import { SearchBox } from './search-box.tsx'
import { Suggestions } from './suggestions.tsx'
import { useEntries } from './use-entries.ts'
import { useHits } from './use-hits.ts'
import { useRowActions } from './use-row-actions.ts'
import { useSelection } from './use-selection.ts'
import { useVaultKeys } from './use-vault-keys.ts'
import './vault.css'
import './entry.css'
import { vaultWords } from './words.ts'

/** Wide enough for an entry next to the list. */
const WIDE = '(min-width: 1100px)'

/** The Memories view: browse, search and edit entries. */
export default function Vault() {
  const words = useWords(vaultWords)
  const [params, setParams] = useListParams()
  const overview = useVault()
  const known = 'data' in overview ? overview.data : undefined
  const isAbsent = useTokenState() === 'absent'
  const scope = useWords(scopeWords)
  const isReader = !useMay('write')
  const isReadOnly = isReader || isAbsent || known?.isReadOnly === true
  const isSearching = params.query !== ''
  // Open tasks come first, whatever their date, which needs all tasks.
  const entries = useEntries(filterOf(params), { isWhole: params.tab === 'tasks' })
  const hits = useHits(params)
  const rows = isSearching ? hits.rows : entries.items
  const [at, setAt] = useState<string>()
  const [edited, setEdited] = useState<string>()
  const [isCreating, setCreating] = useState(false)
  const isAskedToCreate = useViewLocation().params.new !== undefined
  useEffect(() => {
    if (!isAskedToCreate) return
    setCreating(true)
    setParams({}, { isPassing: true })
  }, [isAskedToCreate, setParams])
  const [withLinks, setWithLinks] = useState(false)
  const isBeside = useMedia(WIDE)
  const list = useRef<ListHandle>(null)
  const { selected, select, selectThese, selectNone } = useSelection(rows)

  const focus = useCallback((id: string) => requestAnimationFrame(() => list.current?.reveal(id)), [])
  const open = (id: string, { links = false } = {}) => {
    setWithLinks(links)
    setParams({ entry: id }, { isPassing: params.entry !== '' })
  }
  const actions = useRowActions({
    words,
    point: setAt,
    open,
    edit(id) {
      setEdited(id)
      if (id === undefined && edited !== undefined) focus(edited)
      if (id !== undefined) setAt(id)
    },
    focus,
    select,
    replace: entries.replace,
    drop(id) {
      const next = neighbourOf(rows, id)
      entries.drop([id])
      if (params.entry === id) setParams({ entry: '' }, { isPassing: true })
      setAt(next)
      if (next !== undefined) focus(next)
    },
    refetch: entries.refetch,
    chooseTag: tag => setParams({ tags: [...new Set([...params.tags, tag])], query: '' }),
  })
  const selectAll = () => {
    const isLoaded = rows.every(row => row !== undefined)
    if (isLoaded)
      return selectThese(rows.flatMap(row => (row?.document === undefined && row ? [row.entry] : [])))
    call('list', { ...filterOf(params), limit: rows.length }).then(
      answer => selectThese(answer.entries),
      showFailure,
    )
  }
  const close = () => {
    setParams({ entry: '' })
    if (at !== undefined) focus(at)
  }
  useVaultKeys({
    rows,
    at,
    tab: params.tab,
    isReadOnly,
    actions,
    chooseTab: tab => setParams({ tab, entry: '' }),
    goTo(id) {
      setAt(id)
      list.current?.reveal(id)
      if (params.entry !== '' && isBeside) open(id)
    },
    openLinks: id => open(id, { links: true }),
    create: () => setCreating(true),
    selectAll,
    leave() {
      if (params.entry !== '') close()
      else if (selected.size > 0) selectNone()
      else return false
      return true
    },
  })
  // Another list starts at the top with no selection.
  const place = JSON.stringify([filterOf(params), isSearching])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `place` identifies the list.
  useEffect(() => {
    selectNone()
    setAt(undefined)
  }, [place, selectNone])

  return (
    <div className={params.entry !== '' && isBeside ? 'vault with-detail' : 'vault'}>
      <Suggestions overview={known} />
      <header className="vault-head">
        <h1>{words.title}</h1>
        <AgentSelect overview={known} params={params} onChoose={agent => setParams({ agent, entry: '' })} />
        <SearchBox params={params} setParams={setParams} />
        <Button
          variant="primary"
          disabled={isReadOnly}
          title={isReader ? scope.needs('write') : isReadOnly ? words.readOnly : `${words.newEntry} (n)`}
          onClick={() => setCreating(true)}
        >
          <Plus />
          {words.newEntry}
        </Button>
      </header>
      {isReadOnly && (
        <p className="notice">
          <WithCode text={isReader ? scope.why.write : words.readOnly} />
        </p>
      )}
      <Tabs
        label={words.categories}
        tabs={TABS.map(name => ({
          name,
          label: <TabLabel text={words[name]} count={countOf(known, params.agent, name)} />,
        }))}
        chosen={params.tab}
        onChoose={tab => setParams({ tab, entry: '' })}
      >
        <div className="vault-panel">
          <div className="vault-main">
            <BulkBar
              selected={selected}
              total={rows.length}
              isReadOnly={isReadOnly}
              onAll={selectAll}
              onNone={selectNone}
              onRemoved={ids => {
                entries.drop(ids)
                selectNone()
              }}
            />
            <div className="toolbar" hidden={selected.size > 0}>
              <Filters params={params} setParams={setParams} overview={known} />
              <Total isSearching={isSearching} count={rows.length} state={entries.state} />
            </div>
            {params.tab === 'projects' && !isSearching && <ProjectText isReadOnly={isReadOnly} />}
            <h2 className="unseen">{words.list}</h2>
            <Listing
              params={params}
              setParams={setParams}
              entries={entries}
              hits={hits}
              handle={list}
              actions={actions}
              at={at}
              edited={edited}
              selected={selected}
              isReadOnly={isReadOnly}
              onCreate={() => setCreating(true)}
            />
          </div>
          {params.entry !== '' && (
            <EntryDetail
              id={params.entry}
              actions={actions}
              isReadOnly={isReadOnly}
              isBeside={isBeside}
              startsWithLinks={withLinks}
              onClose={close}
            />
          )}
        </div>
      </Tabs>
      {isCreating && (
        <NewEntry
          agent={params.agent}
          category={params.tab}
          onCreated={created => {
            setAt(created.id)
            entries.refetch()
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </div>
  )
}

function AgentSelect({
  overview,
  params,
  onChoose,
}: {
  readonly overview: Overview | undefined
  readonly params: ListParams
  onChoose(agent: string): void
}) {
  const words = useWords(vaultWords)
  const { language } = useLanguage()
  const agents = overview?.agents ?? []
  const number = (value: number) => value.toLocaleString(language)
  const isUnknown = params.agent !== '' && !agents.some(({ agent }) => agent === params.agent)
  return (
    <Select
      label={words.agent}
      isLabelHidden
      title={words.agent}
      value={params.agent}
      choices={[
        {
          value: '',
          label: overview === undefined ? words.everyone : `${words.everyone} (${number(overview.total)})`,
        },
        ...agents.map(({ agent, total }) => ({
          value: agent,
          label: `${visibleText(agent)} (${number(total)})`,
        })),
        ...(isUnknown ? [{ value: params.agent, label: `${visibleText(params.agent)} (0)` }] : []),
      ]}
      onChoose={onChoose}
    />
  )
}

function TabLabel({ text, count }: { readonly text: string; readonly count: number | undefined }) {
  const { language } = useLanguage()
  return (
    <>
      {text}
      {count !== undefined && <span className="count"> {count.toLocaleString(language)}</span>}
    </>
  )
}

function Total({
  isSearching,
  count,
  state,
}: {
  readonly isSearching: boolean
  readonly count: number
  readonly state: string
}) {
  const words = useWords(vaultWords)
  const { language } = useLanguage()
  const isKnown = isSearching || state === 'loaded'
  return (
    <span className="total soft small" role="status">
      {isKnown && (isSearching ? words.hits(count) : words.total(count.toLocaleString(language)))}
    </span>
  )
}

function neighbourOf(rows: Pages, id: string): string | undefined {
  const known = rows.flatMap(row => row?.entry.id ?? [])
  const place = known.indexOf(id)
  return known[place + 1] ?? known[place - 1]
}

function useMedia(query: string): boolean {
  const [does, setDoes] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const change = () => setDoes(media.matches)
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [query])
  return does
}

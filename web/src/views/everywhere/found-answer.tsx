import { useState } from 'react'
import type { Answered as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { KindChip } from '../../ui/entry-facts.tsx'
import { Select } from '../../ui/field.tsx'
import { Marked } from '../../ui/marked-text.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { Occurrences } from './occurrences.tsx'
import { SearchSummary } from './search-summary.tsx'
import { everywhereWords } from './words.ts'

type Hit = AnswerOf<'everywhere'>['hits'][number] & { readonly says?: string }
type Project = AnswerOf<'everywhere'>['projects'][number]

/** Shows only the matching part of a long entry. */
const WHOLE_CHARACTERS = 600

export function SearchAnswer({ query }: { readonly query: string }) {
  const answer = useAnswer('everywhere', { query, limit: 50 }, ['entries'])
  return (
    <AnswerView answer={answer}>
      {data => (
        <>
          <SearchSummary counts={data} />
          <Results hits={data.hits} projects={data.projects} />
        </>
      )}
    </AnswerView>
  )
}

export function MetAnswer({ text }: { readonly text: string }) {
  const words = useWords(everywhereWords)
  const answer = useAnswer('met', { text, limit: 20 }, ['entries'])
  return (
    <AnswerView answer={answer}>
      {data => (
        <>
          <p className="soft small">
            {words.searchedFor}: <code>{visibleText(data.query)}</code>
          </p>
          <SearchSummary counts={data} />
          <Results hits={data.hits} projects={data.projects} />
        </>
      )}
    </AnswerView>
  )
}

function Results({
  hits,
  projects,
}: {
  readonly hits: readonly Hit[]
  readonly projects: readonly Project[]
}) {
  const words = useWords(everywhereWords)
  const [project, setProject] = useState('')
  const shown = hits.filter(({ from }) => project === '' || from.some(place => place.project.id === project))
  if (hits.length === 0)
    return (
      <div className="panel">
        <p>{words.nothing}</p>
        <p className="soft">{words.nothingNext}</p>
      </div>
    )
  return (
    <>
      {projects.length > 1 && (
        <Select
          label={words.project}
          value={project}
          choices={[
            { value: '', label: words.everyProject },
            ...projects.map(({ id, name, found }) => ({
              value: id,
              label: `${visibleText(name)} (${found})`,
            })),
          ]}
          onChoose={setProject}
        />
      )}
      <ol className="everywhere-hits" aria-label={words.results}>
        {shown.map(hit => (
          <li
            key={hit.from.map(({ project: { id }, entry }) => `${id} ${entry}`).join()}
            className="panel stack"
          >
            <Found hit={hit} />
          </li>
        ))}
      </ol>
    </>
  )
}

function Found({ hit }: { readonly hit: Hit }) {
  const words = useWords(everywhereWords)
  const { content, text, matches, kind, says, from } = hit
  const marks = [...new Set(matches.map(({ start, end }) => text.slice(start, end)))]
  return (
    <>
      <p className="found-text">
        <Marked text={content.length <= WHOLE_CHARACTERS ? content : `${text} …`} marks={marks} />
      </p>
      {says !== undefined && says !== content && (
        <p className="found-says">
          <strong>{words.helped}:</strong> {visibleText(says)}
        </p>
      )}
      <div className="row small">
        <KindChip kind={kind} />
      </div>
      <Occurrences from={from} />
    </>
  )
}

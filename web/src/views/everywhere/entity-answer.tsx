import type { Answered as AnswerOf } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { EntryId, ProjectName } from './occurrences.tsx'
import { SearchSummary } from './search-summary.tsx'
import { everywhereWords } from './words.ts'

type Entity = AnswerOf<'entity'>['entities'][number]

export function EntityAnswer({ name }: { readonly name: string }) {
  const words = useWords(everywhereWords)
  const answer = useAnswer('entity', { name, limit: 10 }, ['entries'])
  return (
    <AnswerView answer={answer}>
      {data => (
        <>
          <SearchSummary counts={data} />
          {data.entities.length === 0 && (
            <div className="panel">
              <p>{words.nothing}</p>
              <p className="soft">{words.nothingNext}</p>
            </div>
          )}
          {data.entities.map(entity => (
            <EntityCard key={`${entity.type}:${entity.name}`} entity={entity} />
          ))}
        </>
      )}
    </AnswerView>
  )
}

function EntityCard({ entity }: { readonly entity: Entity }) {
  const words = useWords(everywhereWords)
  const { type, name, entries, in: places, related, relations } = entity
  return (
    <article className="panel stack">
      <h2>
        <span className="chip info">{type}</span> {visibleText(name)}
      </h2>
      <p className="soft">
        {words.entries(entries)}, {words.inProjects(places.length)}
      </p>
      <ul className="entity-places">
        {places.map(({ project, entries: own, newest }) => (
          <li key={project.id}>
            <p className="row">
              <ProjectName project={project} /> <span className="soft small">{words.entries(own)}</span>
            </p>
            <ul className="small">
              {newest.map(({ id, headline }) => (
                <li key={id}>
                  {visibleText(headline)} <EntryId project={project} entry={id} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {relations.length > 0 && (
        <div>
          <h3>{words.states}</h3>
          <ul className="small">
            {relations.map(({ from, relation, to, projects }) => (
              <li key={`${from.name} ${relation} ${to.name}`}>
                {visibleText(from.name)} <em>{relation.replaceAll('_', ' ')}</em> {visibleText(to.name)}{' '}
                <span className="soft">({words.inProjects(projects.length)})</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {related.length > 0 && (
        <div>
          <h3>{words.relatedEntities}</h3>
          <p className="row small">
            {related.map(each => (
              <a
                key={`${each.type}:${each.name}`}
                className="chip"
                href={linkTo('everywhere', { way: 'entity', q: `${each.type}:${each.name}` })}
              >
                {visibleText(each.name)}
              </a>
            ))}
          </p>
        </div>
      )}
    </article>
  )
}

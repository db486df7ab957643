import type { Answered } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { Moment } from '../../ui/moment.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { everywhereWords } from './words.ts'

type Place = Answered<'everywhere'>['hits'][number]['from'][number]
export type Project = Place['project']

/** Where an entry occurs: each project with author, date, session and files. */
export function Occurrences({ from }: { readonly from: readonly Place[] }) {
  const words = useWords(everywhereWords)
  return (
    <ul className="places small" aria-label={words.places}>
      {from.map(place => (
        <li key={`${place.project.id} ${place.entry}`} className="row">
          <ProjectName project={place.project} />
          <EntryId project={place.project} entry={place.entry} />
          <span className="soft">{visibleText(place.agent)}</span>
          <span className="soft">
            <Moment at={place.date} />
          </span>
          {place.session !== undefined && (
            <span className="soft">
              {words.session} <code>{visibleText(place.session)}</code>
            </span>
          )}
          {place.files.map(file => (
            <code key={file}>{visibleText(file)}</code>
          ))}
          {place.replacedBy !== undefined && (
            <span className="chip warn">
              {words.replaced} {visibleText(place.replacedBy)}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

export function ProjectName({ project }: { readonly project: Project }) {
  const words = useWords(everywhereWords)
  return (
    <span className="chip" title={project.root ?? undefined}>
      {visibleText(project.name)}
      {project.isHere && ` · ${words.here}`}
    </span>
  )
}

/** Links to an entry of this project or of the same hub. Entries of other folders have no link. */
export function EntryId({ project, entry }: { readonly project: Project; readonly entry: string }) {
  const id = <code>{visibleText(entry)}</code>
  if (project.isHere) return <a href={linkToEntry(entry)}>{id}</a>
  if (project.root === null)
    return <a href={`/p/${encodeURIComponent(project.name)}/${linkToEntry(entry)}`}>{id}</a>
  return id
}

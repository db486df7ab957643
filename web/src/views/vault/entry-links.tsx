import { useState } from 'react'
import type { Answered } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo, linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { detailWords } from './detail-words.ts'

type LinksAnswer = Answered<'links'>

/** The links from and to an entry, requested on demand. */
export function Links({
  id,
  backlinks,
  isOpenAtFirst,
}: {
  readonly id: string
  readonly backlinks: number
  readonly isOpenAtFirst: boolean
}) {
  const words = useWords(detailWords)
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const answer = useAnswer('links', isOpen ? { target: id } : undefined, ['entries'])
  return (
    <details open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        {words.links}
        {backlinks > 0 && <span className="soft"> · {words.backlinks(backlinks)}</span>}
      </summary>
      {isOpen && <AnswerView answer={answer}>{links => <LinkLists id={id} {...links} />}</AnswerView>}
    </details>
  )
}

function LinkLists({ id, links, backlinks, related, entities }: LinksAnswer & { readonly id: string }) {
  const words = useWords(detailWords)
  const isEmpty = links.length + backlinks.length + related.length + entities.length === 0
  if (isEmpty) return <p className="soft">{words.noLinks}</p>
  return (
    <div className="stack small links">
      {links.length > 0 && (
        <div>
          <h3>{words.linksTo}</h3>
          <ul>
            {links.map(link => (
              <li key={`${link.at} ${link.target}`}>
                <LinkTarget link={link} />
              </li>
            ))}
          </ul>
        </div>
      )}
      <Others title={words.linkedFrom} others={backlinks} />
      <Others title={words.related} others={related} />
      {entities.length > 0 && (
        <div>
          <h3>{words.entities}</h3>
          <p className="row">
            {entities.map(({ type, name, text }) => (
              <a key={`${type} ${name}`} className="chip tag" href={linkTo('graph', { entity: name })}>
                {visibleText(text)}
              </a>
            ))}
          </p>
        </div>
      )}
      <a href={linkTo('graph', { entry: id })}>{words.seeGraph}</a>
    </div>
  )
}

function LinkTarget({ link: { target, text, to } }: { readonly link: LinksAnswer['links'][number] }) {
  const words = useWords(detailWords)
  if (to.kind === 'entry') return <a href={linkToEntry(to.id)}>{visibleText(to.headline)}</a>
  if (to.kind === 'file')
    return <a href={linkTo('vault', { agent: to.agent, tab: to.category })}>{visibleText(text)}</a>
  return (
    <>
      {visibleText(target)}{' '}
      <span className="soft">({to.reason === 'ambiguous' ? words.ambiguous : words.dangling})</span>
    </>
  )
}

function Others({
  title,
  others,
}: {
  readonly title: string
  readonly others: readonly { readonly id: string; readonly headline: string }[]
}) {
  if (others.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {[...new Map(others.map(other => [other.id, other])).values()].map(({ id, headline }) => (
          <li key={id}>
            <a href={linkToEntry(id)}>{visibleText(headline)}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

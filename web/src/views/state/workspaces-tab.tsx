import { useState } from 'react'
import type { Answered, Asked } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Problems } from '../../ui/problems.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { WithCode } from '../../ui/with-code.tsx'
import { planId, type ScopeNode, scopeTree, withoutFrontMatter } from './state-model.ts'
import { stateWords } from './words.ts'

const MAX = 1_000
const STATUSES = ['new', 'in_progress', 'partial', 'done', 'abandoned'] as const
type Status = (typeof STATUSES)[number]
const STATUS_LOOKS: Readonly<Record<Status, string>> = {
  new: 'info',
  in_progress: 'info',
  partial: 'warn',
  done: 'good',
  abandoned: '',
}

/** Plans, overviews and learnings by scope. */
export function WorkspacesTab() {
  const words = useWords(stateWords)
  const [chosen, setChosen] = useState<string>()
  const answer = useAnswer('workspaces', { limit: MAX })
  return (
    <AnswerView answer={answer}>
      {({ scopes, total, problems, roots }) => {
        const scope = chosen ?? scopes[0]?.scope
        return (
          <div className="stack">
            <Problems problems={problems} />
            {total > scopes.length && <p className="soft">{words.scopesShown(scopes.length, total)}</p>}
            {scope === undefined ? (
              <div className="panel stack">
                <h2>{words.noWorkspacesTitle}</h2>
                <p>
                  <WithCode text={words.noWorkspaces(roots.resources)} />
                </p>
              </div>
            ) : (
              <div className="workspaces">
                <nav aria-label={words.scopes} className="panel">
                  <Scopes nodes={scopeTree(scopes)} chosen={scope} onChoose={setChosen} />
                </nav>
                <ScopeView key={scope} scope={scope} />
              </div>
            )}
          </div>
        )
      }}
    </AnswerView>
  )
}

function Scopes({
  nodes,
  chosen,
  onChoose,
}: {
  readonly nodes: readonly ScopeNode[]
  readonly chosen: string
  onChoose(scope: string): void
}) {
  const words = useWords(stateWords)
  return (
    <ul className="plain-list scopes">
      {nodes.map(({ scope, name, known, below }) => (
        <li key={scope}>
          <button
            type="button"
            className="scope"
            aria-current={scope === chosen ? 'true' : undefined}
            onClick={() => onChoose(scope)}
          >
            {visibleText(known?.name ?? name)}{' '}
            {known !== undefined && (
              <span className="soft small">
                {words.scopeCounts(known.plans, known.decisions + known.lessons)}
              </span>
            )}
          </button>
          {below.length > 0 && <Scopes nodes={below} chosen={chosen} onChoose={onChoose} />}
        </li>
      ))}
    </ul>
  )
}

function ScopeView({ scope }: { readonly scope: string }) {
  const words = useWords(stateWords)
  return (
    <div className="stack">
      <h2>{visibleText(scope)}</h2>
      <Overview scope={scope} />
      <Plans scope={scope} />
      <Learnings scope={scope} />
      <p className="soft small">
        <WithCode text={words.writeByCli} />
      </p>
    </div>
  )
}

function Overview({ scope }: { readonly scope: string }) {
  const words = useWords(stateWords)
  const answer = useAnswer('overviews', { scope, limit: MAX })
  return (
    <AnswerView answer={answer}>
      {({ overviews }) => (
        <section className="panel stack">
          <h3>{words.overview}</h3>
          {overviews.length === 0 && <p className="soft">{words.noOverview}</p>}
          {overviews.map(overview =>
            overview.tier === 'T1' ? (
              <Markdown key={overview.scope} text={withoutFrontMatter(overview.content)} headingLevel={4} />
            ) : (
              <div key={overview.scope}>
                <strong>{visibleText(overview.scope)}</strong>
                <p>{visibleText(overview.abstract ?? words.noAbstract)}</p>
              </div>
            ),
          )}
        </section>
      )}
    </AnswerView>
  )
}

function Plans({ scope }: { readonly scope: string }) {
  const words = useWords(stateWords)
  const [status, setStatus] = useState<Status | ''>('')
  const [tag, setTag] = useState('')
  const asked: Asked<'plans'> = {
    scope,
    limit: MAX,
    ...(status !== '' && { status: [status] }),
    ...(tag.trim() !== '' && { tags: tag.split(',').map(one => one.trim()) }),
  }
  const answer = useAnswer('plans', asked)
  return (
    <section className="panel stack">
      <h3>{words.plans}</h3>
      <div className="row foot">
        <Select<Status | ''>
          label={words.status}
          value={status}
          choices={[
            { value: '', label: words.anyStatus },
            ...STATUSES.map(value => ({ value, label: words.statuses[value] })),
          ]}
          onChoose={setStatus}
        />
        <Field label={words.tag}>
          {ids => <input {...ids} value={tag} onChange={event => setTag(event.target.value)} />}
        </Field>
      </div>
      <AnswerView answer={answer}>
        {({ plans, total, leftOut, problems }) => (
          <>
            {leftOut > 0 && <p className="soft">{words.unreadPlans(leftOut)}</p>}
            <Problems problems={problems} />
            {total === 0 && <p className="soft">{words.noPlans}</p>}
            <ul className="plain-list items">
              {plans.map(plan => (
                <li key={plan._meta.document_path}>
                  <div className="row">
                    {plan.status !== undefined && (
                      <span className={`chip ${STATUS_LOOKS[plan.status]}`}>
                        {words.statuses[plan.status]}
                      </span>
                    )}
                    <strong>{visibleText(plan.name)}</strong>
                    <span className="soft small">{plan.updated ?? plan.created}</span>
                    {plan.tags.map(one => (
                      <span key={one} className="chip">
                        #{visibleText(one)}
                      </span>
                    ))}
                  </div>
                  {plan.description !== undefined && <p>{visibleText(plan.description)}</p>}
                  <Document id={planId(plan.scope, plan._meta.document_id)} path={plan._meta.document_path} />
                </li>
              ))}
            </ul>
          </>
        )}
      </AnswerView>
    </section>
  )
}

/** The text of a plan from the index, requested when it is opened. */
function Document({ id, path }: { readonly id: string; readonly path: string }) {
  const [isOpen, setOpen] = useState(false)
  const answer = useAnswer('show', isOpen ? { target: id } : undefined)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="small">{visibleText(path)}</summary>
      {isOpen && (
        <AnswerView answer={answer}>
          {({ entry }) => <Markdown text={entry.content} headingLevel={4} />}
        </AnswerView>
      )}
    </details>
  )
}

type Learning = Answered<'learnings'>['decisions'][number]

function Learnings({ scope }: { readonly scope: string }) {
  const words = useWords(stateWords)
  const answer = useAnswer('learnings', { scope, limit: 200 })
  return (
    <AnswerView answer={answer}>
      {({ decisions, lessons, problems }) => (
        <section className="panel stack">
          <h3>{words.learnings}</h3>
          <Problems problems={problems} />
          {decisions.length + lessons.length === 0 && <p className="soft">{words.noLearnings}</p>}
          <LearningList title={words.decisions} learnings={decisions} scope={scope} />
          <LearningList title={words.lessons} learnings={lessons} scope={scope} />
        </section>
      )}
    </AnswerView>
  )
}

function LearningList({
  title,
  learnings,
  scope,
}: {
  readonly title: string
  readonly learnings: readonly Learning[]
  readonly scope: string
}) {
  const words = useWords(stateWords)
  if (learnings.length === 0) return null
  return (
    <div>
      <h4>{title}</h4>
      <ul className="plain-list items">
        {learnings.map(learning => (
          <li key={learning._meta.document_id}>
            <Markdown text={learning.content} headingLevel={5} />
            <div className="row small soft">
              {learning.date !== undefined && <span>{learning.date}</span>}
              {learning.category !== undefined && (
                <span className="chip">{visibleText(learning.category)}</span>
              )}
              {learning.scope !== scope && (
                <span>
                  {words.fromScope} {visibleText(learning.scope)}
                </span>
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}

import { useState } from 'react'
import { callHub, type HubAnswered, useHubAnswer } from '../api/hub.ts'
import { useWords } from '../language/language.tsx'
import { AnswerView } from '../ui/answer-view.tsx'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { Moment } from '../ui/moment.tsx'
import { Scrolled } from '../ui/scrolled.tsx'
import { showFailure } from '../ui/toasts.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { hubWords } from './words.ts'

type Records = HubAnswered<'hubAudit'>['records']

const ALL = ''
const PAGE = 50
const OUTCOMES = ['', 'done', 'refused'] as const
const SINCES = ['', '24h', '7d', '30d'] as const

/** The audit log: actions and refused requests, newest first. */
export function AuditTab() {
  const words = useWords(hubWords)
  const [project, setProject] = useState(ALL)
  const [principal, setPrincipal] = useState(ALL)
  const projects = useHubAnswer('hubProjects', {})
  const principals = useHubAnswer('hubPrincipals', {})
  const [outcome, setOutcome] = useState<(typeof OUTCOMES)[number]>('')
  const [since, setSince] = useState<(typeof SINCES)[number]>('')
  const asked = {
    limit: PAGE,
    ...(project !== ALL && { project }),
    ...(principal !== ALL && { principal }),
    ...(outcome !== '' && { outcome }),
    ...(since !== '' && { since }),
  }
  const answer = useHubAnswer('hubAudit', asked)
  const newest = 'data' in answer ? answer.data?.records : undefined
  const [older, setOlder] = useState<{ readonly after: unknown; readonly records: Records; isEnd: boolean }>()
  // Ignores pages of an older answer.
  const further = older !== undefined && older.after === newest ? older : undefined
  const showOlder = async (shown: Records) => {
    const last = shown.at(-1)
    if (last === undefined) return
    try {
      const { records } = await callHub('hubAudit', { ...asked, before: last.number })
      setOlder({
        after: newest,
        records: [...(further?.records ?? []), ...records],
        isEnd: records.length < PAGE,
      })
    } catch (error) {
      showFailure(error)
    }
  }
  const names = (list: readonly { readonly name: string }[] | undefined) =>
    (list ?? []).map(({ name }) => ({ value: name, label: visibleText(name) }))
  return (
    <div className="stack">
      <div className="row foot">
        <Select
          label={words.project}
          value={project}
          choices={[
            { value: ALL, label: words.allProjects },
            ...names('data' in projects ? projects.data?.projects : undefined),
          ]}
          onChoose={setProject}
        />
        <Select
          label={words.whose}
          value={principal}
          choices={[
            { value: ALL, label: words.everyone },
            ...names('data' in principals ? principals.data?.principals : undefined),
          ]}
          onChoose={setPrincipal}
        />
        <Select
          label={words.outcome}
          value={outcome}
          choices={OUTCOMES.map(value => ({ value, label: words.outcomes[value] ?? value }))}
          onChoose={value => setOutcome(value)}
        />
        <Select
          label={words.since}
          value={since}
          choices={SINCES.map(value => ({ value, label: words.periods[value] ?? value }))}
          onChoose={value => setSince(value)}
        />
        <Button onClick={answer.refetch}>{words.refresh}</Button>
      </div>
      <AnswerView answer={answer}>
        {({ records: first }) => {
          const records = [...first, ...(further?.records ?? [])]
          const isEnd = further?.isEnd ?? first.length < PAGE
          return records.length === 0 ? (
            <p className="panel">{words.noAudit}</p>
          ) : (
            <>
              <Scrolled label={words.audit}>
                <table className="hub-audit">
                  <thead>
                    <tr>
                      <th scope="col">{words.when}</th>
                      <th scope="col">{words.whose}</th>
                      <th scope="col">{words.project}</th>
                      <th scope="col">{words.what}</th>
                      <th scope="col">{words.outcome}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {records.map(record => (
                      <tr key={record.number}>
                        <td>
                          <Moment at={record.at} isFull />
                        </td>
                        <td>
                          {record.principal === null ? words.unknownUser : visibleText(record.principal)}
                        </td>
                        <td>{visibleText(record.project ?? '')}</td>
                        <td>
                          {visibleText(record.action)}{' '}
                          <span className="soft small">{visibleText(record.subject ?? '')}</span>
                        </td>
                        <td>
                          <span className={record.outcome === 'done' ? 'chip good' : 'chip bad'}>
                            {words.outcomes[record.outcome] ?? visibleText(record.outcome)}
                          </span>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scrolled>
              {!isEnd && (
                <div>
                  <Button onClick={() => void showOlder(records)}>{words.older}</Button>
                </div>
              )}
            </>
          )
        }}
      </AnswerView>
    </div>
  )
}

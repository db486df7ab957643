import { useState } from 'react'
import { useHubAnswer } from '../api/hub.ts'
import { useWords } from '../language/language.tsx'
import { Answered } from '../ui/answered.tsx'
import { Button } from '../ui/button.tsx'
import { Select } from '../ui/field.tsx'
import { Moment } from '../ui/moment.tsx'
import { Scrolled } from '../ui/scrolled.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { hubWords } from './words.ts'

const ALL = ''
const MOST = 200

/** Who did what, and what was refused, newest first. */
export function AuditTab() {
  const words = useWords(hubWords)
  const [project, setProject] = useState(ALL)
  const [principal, setPrincipal] = useState(ALL)
  const projects = useHubAnswer('hubProjects', {})
  const principals = useHubAnswer('hubPrincipals', {})
  const answer = useHubAnswer('hubAudit', {
    limit: MOST,
    ...(project !== ALL && { project }),
    ...(principal !== ALL && { principal }),
  })
  const names = (list: readonly { readonly name: string }[] | undefined) =>
    (list ?? []).map(({ name }) => ({ value: name, label: visibleText(name) }))
  return (
    <div className="stack">
      <div className="row">
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
          label={words.principals}
          value={principal}
          choices={[
            { value: ALL, label: words.everybody },
            ...names('data' in principals ? principals.data?.principals : undefined),
          ]}
          onChoose={setPrincipal}
        />
        <Button onClick={answer.again}>{words.refresh}</Button>
      </div>
      <Answered answer={answer}>
        {({ records }) =>
          records.length === 0 ? (
            <p className="panel">{words.noAudit}</p>
          ) : (
            <Scrolled label={words.audit}>
              <table className="hub-audit">
                <thead>
                  <tr>
                    <th scope="col">{words.when}</th>
                    <th scope="col">{words.principals}</th>
                    <th scope="col">{words.project}</th>
                    <th scope="col">{words.what}</th>
                    <th scope="col">{words.outcome}</th>
                  </tr>
                </thead>
                <tbody>
                  {records.map((record, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: records have no id, and are never reordered.
                    <tr key={at}>
                      <td>
                        <Moment at={record.at} isFull />
                      </td>
                      <td>{record.principal === null ? words.nobody : visibleText(record.principal)}</td>
                      <td>{visibleText(record.project ?? '')}</td>
                      <td>
                        {visibleText(record.action)}{' '}
                        <span className="soft small">{visibleText(record.subject ?? '')}</span>
                      </td>
                      <td>
                        <span className={record.outcome === 'done' ? 'chip good' : 'chip bad'}>
                          {visibleText(record.outcome)}
                        </span>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scrolled>
          )
        }
      </Answered>
    </div>
  )
}

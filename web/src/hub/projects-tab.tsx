import { type FormEvent, useState } from 'react'
import { callHub, type HubAnswered, useHubAnswer } from '../api/hub.ts'
import { useWords } from '../language/language.tsx'
import { AnswerView } from '../ui/answer-view.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Moment } from '../ui/moment.tsx'
import { showToast } from '../ui/toasts.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { runAdminAction } from './admin-action.ts'
import { hubWords } from './words.ts'

type Project = HubAnswered<'hubProjects'>['projects'][number]

/** Projects of the hub: add, rename, archive, restore and delete them. */
export function ProjectsTab() {
  const words = useWords(hubWords)
  const answer = useHubAnswer('hubProjects', {})
  const [name, setName] = useState('')
  const [asked, setAsked] = useState<Project>()
  const [renamed, setRenamed] = useState<string>()
  const { refetch } = answer
  const setArchived = (project: string, isArchived: boolean) =>
    runAdminAction(async () => {
      await callHub(isArchived ? 'hubArchive' : 'hubRestore', { project })
      refetch()
      showToast(isArchived ? words.wasArchived(project) : words.wasRestored(project), {
        action: { label: words.undo, run: () => void setArchived(project, !isArchived) },
      })
    })
  const rename = (project: string, to: string) =>
    runAdminAction(async () => {
      await callHub('hubRename', { project, to })
      setRenamed(undefined)
      refetch()
      showToast(words.wasRenamed(project, to), {
        action: { label: words.undo, run: () => void rename(to, project) },
      })
    })
  const add = (event: FormEvent) => {
    event.preventDefault()
    void runAdminAction(async () => {
      await callHub('hubAddProject', { project: name.trim() })
      setName('')
      refetch()
      showToast(words.added(name.trim()))
    })
  }
  return (
    <div className="stack">
      <form className="hub-form panel" onSubmit={add}>
        <Field label={words.addProject} hint={words.projectHint}>
          {ids => (
            <input
              {...ids}
              value={name}
              autoComplete="off"
              spellCheck={false}
              onChange={event => setName(event.target.value)}
            />
          )}
        </Field>
        <Button variant="primary" type="submit" disabled={name.trim() === ''}>
          {words.add}
        </Button>
      </form>
      <AnswerView answer={answer}>
        {({ projects }) => (
          <ul className="hub-rows">
            {projects.map(project => (
              <li key={project.name} className="panel">
                <div>
                  <strong>{visibleText(project.name)}</strong>{' '}
                  {project.archivedAt !== null && <span className="chip warn">{words.archived}</span>}{' '}
                  <span className="soft small">
                    <Moment at={project.createdAt} />
                  </span>
                </div>
                {renamed === project.name && (
                  <Rename
                    label={words.renameTo(project.name)}
                    name={project.name}
                    onRename={to => void rename(project.name, to)}
                  />
                )}
                <div className="row">
                  <Button
                    aria-expanded={renamed === project.name}
                    aria-label={`${words.rename} ${project.name}`}
                    onClick={() => setRenamed(renamed === project.name ? undefined : project.name)}
                  >
                    {words.rename}
                  </Button>
                  {project.archivedAt === null ? (
                    <Button
                      aria-label={`${words.archive} ${project.name}`}
                      onClick={() => void setArchived(project.name, true)}
                    >
                      {words.archive}
                    </Button>
                  ) : (
                    <>
                      <Button
                        aria-label={`${words.restore} ${project.name}`}
                        onClick={() => void setArchived(project.name, false)}
                      >
                        {words.restore}
                      </Button>
                      <Button
                        variant="danger"
                        aria-label={`${words.remove} ${project.name}`}
                        onClick={() => setAsked(project)}
                      >
                        {words.remove}
                      </Button>
                    </>
                  )}
                </div>
              </li>
            ))}
          </ul>
        )}
      </AnswerView>
      {asked !== undefined && (
        <ConfirmDialog
          title={words.removeTitle(asked.name)}
          action={words.remove}
          isDanger
          onClose={() => setAsked(undefined)}
          onConfirm={() =>
            void runAdminAction(async () => {
              await callHub('hubRemove', { project: asked.name, yes: true })
              refetch()
              showToast(words.wasRemoved(asked.name))
            })
          }
        >
          <p>{words.removeWhy}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function Rename({
  label,
  name,
  onRename,
}: {
  readonly label: string
  readonly name: string
  onRename(to: string): void
}) {
  const words = useWords(hubWords)
  const [to, setTo] = useState(name)
  return (
    <form
      className="hub-form"
      onSubmit={event => {
        event.preventDefault()
        onRename(to.trim())
      }}
    >
      <Field label={label}>
        {ids => (
          <input
            {...ids}
            value={to}
            autoComplete="off"
            spellCheck={false}
            onChange={event => setTo(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={to.trim() === '' || to.trim() === name}>
        {words.rename}
      </Button>
    </form>
  )
}

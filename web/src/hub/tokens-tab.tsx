import { useState } from 'react'
import { callHub, type HubAnswered, useHubAnswer } from '../api/hub.ts'
import { useWords } from '../language/language.tsx'
import { AnswerView } from '../ui/answer-view.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/moment.tsx'
import { showToast } from '../ui/toasts.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { runAdminAction } from './admin-action.ts'
import { NewToken } from './new-token.tsx'
import { hubWords } from './words.ts'

type Token = HubAnswered<'hubTokens'>['tokens'][number]
type Made = HubAnswered<'hubTokenAdd'>

/** The tokens of the whole hub. */
export function TokensTab() {
  const projects = useHubAnswer('hubProjects', {})
  const names = 'data' in projects ? (projects.data?.projects ?? []).map(({ name }) => name) : []
  return <Tokens projects={names} hasEveryProject />
}

/** Tokens: create, list and revoke them. */
export function Tokens({
  projects,
  hasEveryProject,
}: {
  readonly projects: readonly string[]
  readonly hasEveryProject: boolean
}) {
  const words = useWords(hubWords)
  const answer = useHubAnswer('hubTokens', {})
  const [made, setMade] = useState<Made>()
  const [asked, setAsked] = useState<Token>()
  const { refetch } = answer
  return (
    <div className="stack">
      <NewToken
        projects={projects}
        hasEveryProject={hasEveryProject}
        onMade={token => {
          setMade(token)
          refetch()
        }}
      />
      <AnswerView answer={answer}>
        {({ tokens }) => (
          <ul className="hub-rows">
            {tokens.map(token => (
              <li key={token.id} className="panel">
                <div>
                  <strong>{visibleText(token.principal)}</strong>{' '}
                  <span className="soft small">({words.kinds[token.kind]})</span> <State token={token} />
                  <div className="small">
                    {token.grants
                      .map(
                        ({ project, scope }) =>
                          `${project === '*' ? words.everyProject : visibleText(project)}: ${words.scopeNames[scope]}`,
                      )
                      .join(' · ')}
                  </div>
                  <div className="soft small">
                    <code>{token.id}</code> · {words.lastUsed}:{' '}
                    {token.lastUsedAt === null ? words.never : <Moment at={token.lastUsedAt} />}
                    {token.expiresAt !== null && (
                      <>
                        {' '}
                        · {words.until} <Moment at={token.expiresAt} isFull />
                      </>
                    )}
                    {token.requestsPerSecond !== null && ` · ${words.perSecond(token.requestsPerSecond)}`}
                  </div>
                </div>
                {token.revokedAt === null && (
                  <div className="row">
                    <Button
                      variant="danger"
                      aria-label={`${words.revoke} ${token.principal} ${token.id}`}
                      onClick={() => setAsked(token)}
                    >
                      {words.revoke}
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </AnswerView>
      {made !== undefined && <MadeDialog made={made} onClose={() => setMade(undefined)} />}
      {asked !== undefined && (
        <ConfirmDialog
          title={words.revokeTitle(asked.principal)}
          action={words.revoke}
          isDanger
          onClose={() => setAsked(undefined)}
          onConfirm={() =>
            void runAdminAction(async () => {
              await callHub('hubTokenRevoke', { id: asked.id })
              refetch()
              showToast(words.wasRevoked)
            })
          }
        >
          <p>{words.revokeWhy}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function State({ token }: { readonly token: Token }) {
  const words = useWords(hubWords)
  if (token.revokedAt !== null) return <span className="chip bad">{words.revoked}</span>
  const isExpired = token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now()
  return isExpired ? (
    <span className="chip warn">{words.expired}</span>
  ) : (
    <span className="chip good">{words.valid}</span>
  )
}

/** Shows the token once, after it was created. */
function MadeDialog({ made, onClose }: { readonly made: Made; onClose(): void }) {
  const words = useWords(hubWords)
  return (
    <Dialog title={words.createdTitle(made.listed.principal)} onClose={onClose}>
      <p className="notice warn">{words.shownOnce}</p>
      <p>
        <code className="hub-secret">{made.token}</code>
      </p>
      <div className="row end">
        <Button
          onClick={() => void navigator.clipboard.writeText(made.token).then(() => showToast(words.copied))}
        >
          {words.copy}
        </Button>
        <Button variant="primary" onClick={onClose}>
          {words.close}
        </Button>
      </div>
    </Dialog>
  )
}

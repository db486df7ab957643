import { useState } from 'react'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo, linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Problems } from '../../ui/problems.tsx'
import { useFormats } from '../../ui/use-formats.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { type SessionMessage, shownMessages } from './timeline-model.ts'
import { timelineWords } from './words.ts'

const STEPS = [20, 100, 500, 2_000, 10_000]
const MAX_EVENTS = 60

/** The conversation of a session, its findings and its commands. Starts at the end of a long one. */
export function SessionConversation({ session }: { readonly session: string }) {
  const words = useWords(timelineWords)
  const [step, setStep] = useState(0)
  const [withInternal, setWithInternal] = useState(false)
  const limit = STEPS[Math.min(step, STEPS.length - 1)] ?? 20
  const answer = useAnswer('sessionShow', { session, limit }, ['sessions'])
  return (
    <div className="stack conversation">
      <EventLane session={session} />
      <AnswerView answer={answer}>
        {({ conversations, findings, problems }) => (
          <>
            {findings.length > 0 && (
              <section className="stack">
                <h4>{words.foundHere}</h4>
                <ul className="findings">
                  {findings.map(({ content, kind, entry }) => (
                    <li key={`${kind} ${content}`}>
                      {visibleText(content)}{' '}
                      {entry === null ? (
                        <a href={linkTo('review')}>{words.notSaved}</a>
                      ) : (
                        <a href={linkToEntry(entry)}>{words.saved}</a>
                      )}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            <Problems problems={problems} />
            <label className="row">
              <input
                type="checkbox"
                checked={withInternal}
                onChange={event => setWithInternal(event.target.checked)}
              />
              {words.internal}
            </label>
            {conversations.map(({ agent, total, trimmed, messages }) => {
              const shown = shownMessages(messages, withInternal)
              const hidden = messages.length - shown.length
              return (
                <section key={agent} className="stack">
                  <h4>
                    {words.conversationOf} {agent}
                  </h4>
                  {trimmed > 0 && <p className="soft">{words.trimmed(trimmed)}</p>}
                  {total > messages.length && (
                    <div className="row">
                      <Button onClick={() => setStep(step + 1)}>{words.earlier}</Button>
                      <span className="soft">{words.messagesShown(messages.length, total)}</span>
                    </div>
                  )}
                  <ol className="plain-list messages">
                    {shown.map((message, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: two messages may be identical.
                      <MessageLine key={`${limit} ${at}`} message={message} />
                    ))}
                  </ol>
                  {hidden > 0 && <p className="soft">{words.hidden(hidden)}</p>}
                </section>
              )
            })}
          </>
        )}
      </AnswerView>
    </div>
  )
}

function MessageLine({ message }: { readonly message: SessionMessage }) {
  const words = useWords(timelineWords)
  const formats = useFormats()
  const { role, text, at, run, internal } = message
  return (
    <li className={`message ${role}`}>
      <div className="row small">
        <strong>{words.roles[role] ?? role}</strong>
        {at !== undefined && <span className="soft">{formats.time(at)}</span>}
        {internal === true && <span className="chip">{words.internalOne}</span>}
        {run?.ok !== undefined && (
          <span className={`chip ${run.ok ? 'good' : 'bad'}`}>{run.ok ? words.passed : words.failed}</span>
        )}
      </div>
      {run === undefined ? (
        <Markdown text={text} headingLevel={5} />
      ) : (
        <code className="run">{visibleText(run.command ?? run.tool)}</code>
      )}
    </li>
  )
}

/** Commands and edits of the session, in order. */
function EventLane({ session }: { readonly session: string }) {
  const words = useWords(timelineWords)
  const formats = useFormats()
  const answer = useAnswer('events', { session, kind: 'tool_run', limit: MAX_EVENTS }, ['sessions'])
  return (
    <AnswerView answer={answer}>
      {({ events }) =>
        events.length === 0 ? null : (
          <section className="stack">
            <h4>{words.happened}</h4>
            <ol className="plain-list lane">
              {[...events].reverse().map(({ id, createdAt, summary, signals }) => {
                const [outcome] = signals.validationObservations
                return (
                  <li
                    key={id}
                    className={outcome === undefined ? 'lane-event' : `lane-event ${outcome.outcome}`}
                  >
                    <span className="soft small">{formats.time(createdAt)}</span>
                    <span>
                      {outcome !== undefined && (
                        <span className={`chip ${outcome.outcome === 'passed' ? 'good' : 'bad'}`}>
                          {outcome.outcome === 'passed' ? words.passed : words.failed}
                        </span>
                      )}{' '}
                      {visibleText(summary)}
                    </span>
                  </li>
                )
              })}
            </ol>
          </section>
        )
      }
    </AnswerView>
  )
}

import { useEffect, useRef, useState } from 'react'
import { useVault } from '../../api/vault.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo, linkToEntry, useViewLocation } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { KindChip, StatusChip } from '../../ui/entry-facts.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Problems } from '../../ui/problems.tsx'
import { useFormats } from '../../ui/use-formats.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { WithCode } from '../../ui/with-code.tsx'
import { DayView } from './day-view.tsx'
import { SessionConversation } from './session-conversation.tsx'
import {
  byDay,
  fits,
  SESSION_STATUSES,
  type SessionStatus,
  statusOf,
  type TimelineFilter,
  type TimelineSession,
} from './timeline-model.ts'
import { useSessions } from './use-sessions.ts'
import { timelineWords } from './words.ts'
import '../../ui/overview.css'
import './timeline.css'

/** Sessions, newest first, with the memories that each added. */
export default function Timeline() {
  const words = useWords(timelineWords)
  const { params } = useViewLocation()
  const vault = useVault()
  const agents =
    'data' in vault && vault.data !== undefined ? vault.data.agents.map(({ agent }) => agent) : []
  return (
    <div className="stack overview">
      <h1>{words.title}</h1>
      {params.asOf === undefined ? (
        <Sessions agents={agents} wanted={params.session} />
      ) : (
        <DayView day={params.asOf} agents={agents} />
      )}
    </div>
  )
}

function Sessions({
  agents,
  wanted,
}: {
  readonly agents: readonly string[]
  /** The session in the address is shown open, however old it is. */
  readonly wanted: string | undefined
}) {
  const words = useWords(timelineWords)
  const [agent, setAgent] = useState('')
  const [filter, setFilter] = useState<TimelineFilter>({ status: '', from: '', until: '' })
  const { sessions, total, problems, degraded, isLoading, error, more } = useSessions(agent)
  const shown = sessions.filter(session => fits(session, filter))
  const hasMore = total !== undefined && sessions.length < total
  const isMissing = wanted !== undefined && !sessions.some(({ session }) => session === wanted)
  useEffect(() => {
    if (isMissing && hasMore && !isLoading) more()
  }, [isMissing, hasMore, isLoading, more])
  const isNarrowed = agent !== '' || filter.status !== '' || filter.from !== '' || filter.until !== ''
  return (
    <>
      <p className="soft">{words.about}</p>
      <div className="row foot">
        <Select
          label={words.agent}
          value={agent}
          choices={[{ value: '', label: words.everyone }, ...agents.map(one => ({ value: one, label: one }))]}
          onChoose={setAgent}
        />
        <Select<SessionStatus | ''>
          label={words.state}
          value={filter.status}
          choices={[
            { value: '', label: words.anyState },
            ...SESSION_STATUSES.map(value => ({ value, label: words.statuses[value] })),
          ]}
          onChoose={status => setFilter({ ...filter, status })}
        />
        <Field label={words.from}>
          {ids => (
            <input
              {...ids}
              type="date"
              value={filter.from}
              onChange={event => setFilter({ ...filter, from: event.target.value })}
            />
          )}
        </Field>
        <Field label={words.until}>
          {ids => (
            <input
              {...ids}
              type="date"
              value={filter.until}
              onChange={event => setFilter({ ...filter, until: event.target.value })}
            />
          )}
        </Field>
      </div>
      <AnswerView
        answer={
          error === undefined
            ? total === undefined
              ? { state: 'loading' }
              : { state: 'loaded', data: { degraded }, isStale: false }
            : { state: 'failed', error, data: { degraded } }
        }
      >
        {() => null}
      </AnswerView>
      <Problems title={words.unread} problems={problems} />
      <p className="soft" aria-live="polite">
        {total !== undefined && total > 0 && words.counted(shown.length, sessions.length, total)}
      </p>
      {total !== undefined && shown.length === 0 && !hasMore && !isLoading && (
        <div className="panel stack">
          <h2>{isNarrowed ? words.nothingFits : words.emptyTitle}</h2>
          <p>
            <WithCode text={isNarrowed ? words.widen : words.empty} />
          </p>
          {!isNarrowed && (
            <p>
              <a href={linkTo('import')}>{words.toImport}</a>
            </p>
          )}
        </div>
      )}
      {isMissing && total !== undefined && !hasMore && !isLoading && (
        <p className="notice warn" role="status">
          {words.notThere(visibleText(wanted))}
        </p>
      )}
      {byDay(shown).map(({ day, sessions: ofDay }) => (
        <Day key={day} day={day} sessions={ofDay} wanted={wanted} />
      ))}
      {hasMore && <MoreBelow isLoading={isLoading} onReached={more} />}
    </>
  )
}

/** Loads the next page when it becomes visible, or by its button. */
function MoreBelow({ isLoading, onReached }: { readonly isLoading: boolean; onReached(): void }) {
  const words = useWords(timelineWords)
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = ref.current
    if (element === null || isLoading) return
    const seen = new IntersectionObserver(
      entries => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onReached()
      },
      { rootMargin: '400px' },
    )
    seen.observe(element)
    return () => seen.disconnect()
  }, [isLoading, onReached])
  return (
    <div ref={ref}>
      <Button disabled={isLoading} onClick={onReached}>
        {isLoading ? words.loading : words.more}
      </Button>
    </div>
  )
}

function Day({
  day,
  sessions,
  wanted,
}: {
  readonly day: string
  readonly sessions: readonly TimelineSession[]
  readonly wanted: string | undefined
}) {
  const words = useWords(timelineWords)
  const formats = useFormats()
  return (
    <section className="stack day">
      <div className="row">
        <h2>{formats.day(`${day}T12:00:00`)}</h2>
        <a className="small" href={linkTo('timeline', { asOf: day })}>
          {words.vaultThen}
        </a>
      </div>
      <ol className="plain-list day-line">
        {sessions.map(session => (
          <SessionItem
            key={`${session.session} ${session.session === wanted}`}
            session={session}
            isWanted={session.session === wanted}
          />
        ))}
      </ol>
    </section>
  )
}

const VARIANTS: Readonly<Record<SessionStatus, string>> = { open: 'info', left: 'warn', closed: 'good' }

function SessionItem({
  session,
  isWanted,
}: {
  readonly session: TimelineSession
  readonly isWanted: boolean
}) {
  const words = useWords(timelineWords)
  const formats = useFormats()
  const [isOpen, setOpen] = useState(isWanted)
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isWanted) item.current?.scrollIntoView({ block: 'start' })
  }, [isWanted])
  const status = statusOf(session)
  const { taught, taughtTotal, findings, handoff, summary, doing, startedAt, activeAt, endedAt } = session
  // A summary that repeats rejected text is not shown.
  const title = summary === undefined || summary === '' ? doing : summary
  return (
    <li ref={item} className={`panel stack session ${status}`}>
      <div className="row">
        <span className={`chip ${VARIANTS[status]}`}>{words.statuses[status]}</span>
        <span>
          {formats.time(startedAt)} – {formats.time(endedAt ?? activeAt)}
        </span>
        <span className="soft">
          {formats.length(Date.parse(endedAt ?? activeAt) - Date.parse(startedAt))} ·{' '}
          {words.messages(session.messages)}
        </span>
        <span className="spring" />
        {session.agents.map(agent => (
          <span key={agent} className="chip">
            {visibleText(agent)}
          </span>
        ))}
        {session.host !== undefined && <span className="soft">{visibleText(session.host)}</span>}
      </div>
      <h3>{title === undefined ? words.untitled : visibleText(title)}</h3>
      {taught.length > 0 && (
        <div className="stack">
          <h4>{words.memoriesAdded(taughtTotal)}</h4>
          <ul className="plain-list taught">
            {taught.map(({ id, kind, status, text }) => (
              <li key={id} className="row">
                <KindChip kind={kind} />
                <StatusChip status={status} />
                <a href={linkToEntry(id)}>{visibleText(text)}</a>
              </li>
            ))}
          </ul>
          {taughtTotal > taught.length && (
            <p className="soft">{words.moreAdded(taughtTotal - taught.length)}</p>
          )}
        </div>
      )}
      {handoff !== undefined && (
        <details>
          <summary>{words.handoff}</summary>
          <Markdown text={handoff.text} headingLevel={4} />
          <a href={linkToEntry(handoff.id)}>{words.open}</a>
        </details>
      )}
      <div className="row">
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.hideConversation : words.showConversation}
        </Button>
        {findings > taughtTotal && <a href={linkTo('review')}>{words.findings(findings - taughtTotal)}</a>}
        {taught.length === 0 && <span className="soft">{words.noneAdded[status]}</span>}
      </div>
      {isOpen && <SessionConversation session={session.session} />}
    </li>
  )
}

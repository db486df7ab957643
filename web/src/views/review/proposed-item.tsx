import { useState } from 'react'
import { PROMOTION_PRESETS, pointsOf } from '../../../../src/features/learning/decide/score-finding.ts'
import type { Answered as AnswerOf } from '../../api/client.ts'
import { useMay } from '../../api/hub.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useWords } from '../../language/language.tsx'
import { linkTo, linkToEntry } from '../../router.ts'
import { AnswerView } from '../../ui/answer-view.tsx'
import { Button } from '../../ui/button.tsx'
import { KindChip, useKindName } from '../../ui/entry-facts.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Moment } from '../../ui/moment.tsx'
import { TextEditor } from '../../ui/text-editor.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { reviewWords } from './words.ts'

export type ProposalView = AnswerOf<'review'>['proposals'][number]

const MAX_SIMILAR = 4

interface Props {
  readonly proposal: ProposalView
  readonly isChosen: boolean
  readonly isEditing: boolean
  readonly isBusy: boolean
  onFocus(): void
  onChoose(): void
  onEdit(isOn: boolean): void
  onJudge(how: 'accept' | 'reject', content?: string): void
}

/** A change, a candidate or a suggestion, with its writer and its evidence. */
export function ProposedItem({
  proposal,
  isChosen,
  isEditing,
  isBusy,
  onFocus,
  onChoose,
  onEdit,
  onJudge,
}: Props) {
  const words = useWords(reviewWords)
  const canJudge = useMay('write')
  const { id, content, kind, agent, date, files, session, speaker, writer, untrusted, quarantine, archived } =
    proposal
  const { change, replaces } = proposal
  return (
    <li className="review-item panel stack" data-proposal={id} tabIndex={-1} onFocus={onFocus}>
      <div className="row">
        {canJudge ? (
          <label className="row">
            <input type="checkbox" checked={isChosen} onChange={onChoose} />
            <span className="unseen">
              {words.select}: {visibleText(content.slice(0, 60))}
            </span>
            <KindChip kind={kind} />
          </label>
        ) : (
          <KindChip kind={kind} />
        )}
        {change === undefined ? (
          <span className="chip">{words.writers[writer] ?? writer}</span>
        ) : (
          <>
            <strong>{words.changes[change.saying ?? change.action] ?? change.action}</strong>
            <span className="chip">{words.requestedBy(visibleText(change.by))}</span>
          </>
        )}
        <span className="soft">
          {visibleText(agent)} · <Moment at={date} />
        </span>
      </div>
      {isEditing ? (
        <TextEditor
          text={change?.fields?.content ?? content}
          label={words.newText}
          help={words.editHelp}
          saveLabel={words.save}
          cancelLabel={words.cancel}
          onSave={text => onJudge('accept', text)}
          onCancel={() => onEdit(false)}
        />
      ) : (
        <Markdown text={content} />
      )}
      {change !== undefined && !isEditing && <Becomes change={change} />}
      {replaces !== undefined && (
        <div className="stack">
          <p className="soft">
            <a href={linkToEntry(replaces.id)}>{words.replaces}</a>
          </p>
          <Markdown text={replaces.content} />
        </div>
      )}
      {files.length > 0 && (
        <p className="row">
          {files.map(file => (
            <code key={file}>{visibleText(file)}</code>
          ))}
        </p>
      )}
      {quarantine !== undefined && <p className="chip warn">{words.quarantine(quarantine)}</p>}
      {untrusted !== undefined && <p className="soft">{words.untrusted[untrusted] ?? untrusted}</p>}
      {archived !== undefined && <p className="soft">{words.archived[archived] ?? archived}</p>}
      <p className="soft row">
        {speaker !== undefined && <span>{words.bySpeaker(speaker === 'user')}.</span>}
        {session !== undefined && (
          <a href={linkTo('timeline', { session })}>
            {words.openSession} {visibleText(session.slice(0, 24))}
          </a>
        )}
      </p>
      {change === undefined && (
        <>
          <Evidence proposal={proposal} />
          <Similar proposal={proposal} />
        </>
      )}
      {!isEditing && (
        <div className="row">
          <Button variant="primary" needs="write" disabled={isBusy} onClick={() => onJudge('accept')}>
            {words.accept}
          </Button>
          {isRewordable(proposal) && (
            <Button needs="write" disabled={isBusy} onClick={() => onEdit(true)}>
              {words.edit}
            </Button>
          )}
          <Button variant="danger" needs="write" disabled={isBusy} onClick={() => onJudge('reject')}>
            {words.reject}
          </Button>
        </div>
      )}
    </li>
  )
}

/** Only an edit has a text that can be changed. */
export function isRewordable({ change }: ProposalView): boolean {
  return change === undefined || change.action === 'edit'
}

/** The entry after the change. */
function Becomes({ change }: { readonly change: NonNullable<ProposalView['change']> }) {
  const words = useWords(reviewWords)
  const kindName = useKindName()
  const { content, kind, tags, files } = change.fields ?? {}
  return (
    <>
      {content !== undefined && (
        <div className="stack">
          <p className="soft">{words.becomes}</p>
          <Markdown text={content} />
        </div>
      )}
      {kind !== undefined && <p>{words.newKind(kindName(kind))}</p>}
      {tags !== undefined && <p>{words.newTags(visibleText(tags.map(tag => `#${tag}`).join(' ')))}</p>}
      {files !== undefined && <p>{words.newFiles(visibleText(files.join(', ')))}</p>}
      <p>
        <a href={linkToEntry(change.entry)}>{words.open}</a>
      </p>
    </>
  )
}

function Evidence({ proposal }: { readonly proposal: ProposalView }) {
  const words = useWords(reviewWords)
  const { signals, importance, confidence } = proposal
  const rows = signals.map(name => ({ name, points: pointsOf([name]) }))
  const points = rows.reduce((sum, row) => sum + row.points, 0)
  return (
    <details>
      <summary>{words.why}</summary>
      <div className="stack">
        {rows.length === 0 ? (
          <p>{words.noSignals}</p>
        ) : (
          <>
            <ul>
              {rows.map(row => (
                <li key={row.name}>
                  {words.signals[row.name] ?? row.name}: {words.points(row.points)}
                </li>
              ))}
            </ul>
            <p className="soft">{words.pointsInAll(points, PROMOTION_PRESETS.balanced.minPoints)}</p>
          </>
        )}
        <p className="soft">{words.facts(importance.toFixed(2), confidence?.toFixed(2))}</p>
      </div>
    </details>
  )
}

/** Requested on demand, because each one is a search. */
function Similar({ proposal: { id, content } }: { readonly proposal: ProposalView }) {
  const words = useWords(reviewWords)
  const kindName = useKindName()
  const [isOpen, setIsOpen] = useState(false)
  const answer = useAnswer(
    'search',
    isOpen ? { query: content.slice(0, 400), limit: 2 * MAX_SIMILAR } : undefined,
  )
  return (
    <details onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary>{words.similar}</summary>
      {isOpen && (
        <AnswerView answer={answer}>
          {({ hits }) => {
            // A handoff repeats its session, so it is not a separate statement.
            const others = hits
              .filter(hit => hit.id !== id && hit.entry.category !== 'handoffs')
              .slice(0, MAX_SIMILAR)
            if (others.length === 0) return <p>{words.similarNone}</p>
            return (
              <ul>
                {others.map(hit => (
                  <li key={hit.id}>
                    <a href={linkToEntry(hit.id)}>{visibleText(hit.snippet)}</a>{' '}
                    <span className="soft">
                      {kindName(hit.entry.kind)} · <Moment at={hit.entry.date} />
                    </span>
                  </li>
                ))}
              </ul>
            )
          }}
        </AnswerView>
      )}
    </details>
  )
}

import type { Answered as AnswerOf } from '../../api/client.ts'
import { useMay } from '../../api/hub.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { reviewWords } from './words.ts'

type StaleView = NonNullable<AnswerOf<'review'>['stale']>['proposals'][number]
type Words = (typeof reviewWords)['en']

export function StaleItem({
  proposal,
  isChosen,
  onChoose,
  onApply,
  onDismiss,
}: {
  readonly proposal: StaleView
  readonly isChosen: boolean
  onChoose(isOn: boolean): void
  onApply(toArchive: boolean): void
  onDismiss(): void
}) {
  const words = useWords(reviewWords)
  const canJudge = useMay('write')
  const { kind, what, text, other, reasons, does, byNameOnly } = proposal
  return (
    <li className="review-item panel stack">
      <div className="row">
        {canJudge ? (
          <label className="row">
            <input type="checkbox" checked={isChosen} onChange={event => onChoose(event.target.checked)} />
            <span className="unseen">
              {words.select}: {visibleText(text === '' ? what : text.slice(0, 60))}
            </span>
            <span className="chip info">{words.staleKinds[kind]}</span>
          </label>
        ) : (
          <span className="chip info">{words.staleKinds[kind]}</span>
        )}
        {does.kind === 'split' ? (
          <code>{visibleText(what)}</code>
        ) : (
          <a href={linkToEntry(what)}>{words.open}</a>
        )}
      </div>
      {text !== '' && <p className="review-text">{visibleText(text)}</p>}
      {other !== undefined && (
        <p className="review-text">
          <strong>{words.now}</strong> {visibleText(other.text)}
        </p>
      )}
      <ul>
        {reasons.map(reason => (
          <li key={reason.code}>{reasonText(reason, words)}</li>
        ))}
      </ul>
      <Does does={does} />
      {byNameOnly && <p className="soft">{words.notInBulk}</p>}
      <div className="row">
        <Button variant="primary" needs="write" onClick={() => onApply(false)}>
          {words.apply}
        </Button>
        {kind === 'confirm' && (
          <Button needs="write" onClick={() => onApply(true)}>
            {words.applyArchive}
          </Button>
        )}
        <Button needs="write" onClick={onDismiss}>
          {words.dismiss}
        </Button>
      </div>
    </li>
  )
}

/** A description of what applying the proposal does. */
export function Does({ does }: { readonly does: StaleView['does'] }) {
  const words = useWords(reviewWords)
  if (does.kind === 'settle') return <p>{words.doesSettle}</p>
  if (does.kind === 'archive') return <p>{words.doesArchive}</p>
  if (does.kind === 'confirm') return <p>{words.doesConfirm}</p>
  const getsOwnFiles = does.of === 'vault' && !does.file.startsWith('local/')
  return (
    <ul>
      {getsOwnFiles ? (
        <li>{words.doesOwnFiles(does.moves.length, visibleText(does.file.replace(/\.md$/, '/')))}</li>
      ) : (
        does.moves.map(({ to, count }) => <li key={to}>{words.doesSplit(count, visibleText(to))}</li>)
      )}
      <li>{words.doesStay(does.stays)}</li>
    </ul>
  )
}

function reasonText(reason: StaleView['reasons'][number], words: Words): string {
  switch (reason.code) {
    case 'too_many_entries':
      return words.tooMany(reason.entries, reason.most)
    case 'contradicted':
      return words.contradicted
    case 'superseded':
      return words.superseded
    case 'orphaned':
      return words.orphaned(visibleText(reason.paths.join(', ')))
    case 'drifted':
      return words.drifted(visibleText(reason.paths.join(', ')))
    case 'unused':
      return words.unused(reason.days)
  }
}

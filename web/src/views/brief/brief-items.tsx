import type { ReactNode } from 'react'
import { type Answered as AnswerOf, call } from '../../api/client.ts'
import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { ScoreFactors } from '../../ui/score-factors.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { undoToast } from '../../ui/undo-toast.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { briefWords } from './words.ts'

export type BriefPreview = AnswerOf<'briefPreview'>
type Item = BriefPreview['items'][number]

/** The items of the brief in order, each with its score and actions. */
export function BriefItems({ items, onChanged }: { readonly items: readonly Item[]; onChanged(): void }) {
  const words = useWords(briefWords)
  return (
    <section className="panel stack" aria-labelledby="brief-items">
      <h2 id="brief-items">{words.items}</h2>
      <ol className="brief-items">
        {items.map((item, at) => (
          <li key={item.id ?? `${item.tier} ${at}`} className="stack">
            <p className="row">
              <span className="chip info">{words.tiers[item.tier] ?? item.tier}</span>
              <span className="soft">
                {words.tokens(item.tokens)}
                {item.score !== undefined && `, ${words.score(item.score.toFixed(2))}`}
              </span>
              {item.isCut && <span className="chip warn">{words.cut}</span>}
            </p>
            <p className="brief-item-text">{visibleText(item.text)}</p>
            <FactorDetails {...item} />
            {isOwnEntry(item) && (
              <ItemActions id={item.id} isPinned={item.tier === 'always-inject'} onChanged={onChanged} />
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Workspace documents and the user's own preferences are stored elsewhere, so this page cannot change them. */
function isOwnEntry(item: Item): item is Item & { readonly id: string } {
  return item.id !== undefined && item.tier !== 'preferences' && !item.id.includes(':')
}

/** The factors of the score, collapsed at first. */
export function FactorDetails({
  score,
  factors,
}: {
  readonly score?: number
  readonly factors?: Readonly<Record<string, number>>
}): ReactNode {
  const words = useWords(briefWords)
  if (score === undefined || factors === undefined) return null
  return (
    <details>
      <summary>{words.why}</summary>
      <ScoreFactors score={score} factors={factors} />
    </details>
  )
}

function ItemActions({
  id,
  isPinned,
  onChanged,
}: {
  readonly id: string
  readonly isPinned: boolean
  onChanged(): void
}) {
  const words = useWords(briefWords)
  const say = async (saying: 'useful' | 'wrong') => {
    try {
      const { record } = await call('feedback', { target: id, saying })
      const text = saying === 'useful' ? words.markedUseful : words.markedWrong
      undoToast(text, record)
    } catch (error) {
      showFailure(error)
    }
    onChanged()
  }
  const pin = async () => {
    try {
      const { pinned, record } = await call('pin', { target: id, off: isPinned })
      const text = pinned ? words.pinned : words.unpinned
      undoToast(text, record)
    } catch (error) {
      showFailure(error)
    }
    onChanged()
  }
  return (
    <p className="row">
      <a href={linkToEntry(id)}>{words.open}</a>
      <Button needs="write" onClick={() => void say('useful')}>
        {words.useful}
      </Button>
      <Button needs="write" onClick={() => void say('wrong')}>
        {words.wrong}
      </Button>
      <Button needs="write" onClick={() => void pin()}>
        {isPinned ? words.unpin : words.pin}
      </Button>
    </p>
  )
}

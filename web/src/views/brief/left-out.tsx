import { useWords } from '../../language/language.tsx'
import { linkToEntry } from '../../router.ts'
import { visibleText } from '../../ui/visible-text.ts'
import { type BriefPreview, FactorDetails } from './brief-items.tsx'
import { briefWords } from './words.ts'

type Left = BriefPreview['left'][number]

/** What was thought of and not told, by the reason. */
export function LeftOut({ left }: { readonly left: readonly Left[] }) {
  const words = useWords(briefWords)
  return (
    <section className="panel stack" aria-labelledby="brief-left">
      <h2 id="brief-left">{words.leftOut}</h2>
      {left.length === 0 && <p>{words.leftNone}</p>}
      {byReason(left).map(([why, items]) => (
        <details key={why}>
          <summary>
            {words.reasons[why] ?? why} ({items.length})
          </summary>
          <ul className="brief-items">
            {items.map((item, at) => (
              <li key={item.id ?? `${why} ${at}`} className="stack">
                <p className="brief-item-text">
                  {item.text === ''
                    ? (words.tiers[item.tier ?? ''] ?? words.noEntry)
                    : visibleText(item.text)}
                </p>
                <p className="soft row">
                  {item.tokens !== undefined && words.tokens(item.tokens)}
                  {item.score !== undefined && `, ${words.score(item.score.toFixed(2))}`}
                  {item.id !== undefined && <a href={linkToEntry(item.id)}>{words.open}</a>}
                </p>
                <FactorDetails {...item} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}

function byReason(left: readonly Left[]): readonly (readonly [string, readonly Left[]])[] {
  const groups = new Map<string, Left[]>()
  for (const item of left) groups.set(item.why, [...(groups.get(item.why) ?? []), item])
  return [...groups]
}

import { useWords } from '../../language/language.tsx'
import type { BriefPreview } from './brief-items.tsx'
import { briefWords } from './words.ts'

/** Silence is an answer: it says why. */
export function EmptyBrief({ told, isStart }: { readonly told: BriefPreview; readonly isStart: boolean }) {
  const words = useWords(briefWords)
  const best = Math.max(0, ...told.left.map(({ factors }) => factors?.relevance ?? 0))
  return (
    <div className="panel" role="status">
      <p>
        <strong>{isStart ? words.silentStart : words.silent}</strong>
      </p>
      {!isStart && (
        <>
          <p>
            {best === 0
              ? words.silentEmpty
              : best < told.floor
                ? words.silentFloor(best.toFixed(2), told.floor.toFixed(2))
                : words.silentCommon(best.toFixed(2))}
          </p>
          {told.isGeneral && <p>{words.silentGeneral}</p>}
          <p className="soft">{words.silentWhy}</p>
        </>
      )}
    </div>
  )
}

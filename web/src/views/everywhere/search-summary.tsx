import { useWords } from '../../language/language.tsx'
import { everywhereWords } from './words.ts'

/** How many projects were searched and how many were skipped. Failures are shown above. */
export function SearchSummary({
  counts: { searched, closed },
}: {
  readonly counts: { readonly searched: number; readonly closed: number }
}) {
  const words = useWords(everywhereWords)
  return (
    <p className="soft small" role="status">
      {words.searched(searched)} {closed > 0 && words.skipped(closed)}
    </p>
  )
}

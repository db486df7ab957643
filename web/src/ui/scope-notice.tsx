import { type NeededScope, useMay } from '../api/hub.ts'
import { useWords } from '../language/language.tsx'
import { scopeWords } from './scope-words.ts'
import { WithCode } from './with-code.tsx'

/** Shows once per view why its controls are disabled, because titles are not visible to everyone. */
export function ScopeNotice({ needs }: { readonly needs: NeededScope }) {
  const words = useWords(scopeWords)
  return useMay(needs) ? null : (
    <p className="notice">
      <WithCode text={words.why[needs]} />
    </p>
  )
}

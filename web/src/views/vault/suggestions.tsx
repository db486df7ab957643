import { memo } from 'react'
import type { Overview } from './overview.ts'

export const KINDS_LIST = 'known-kinds'
export const AGENTS_LIST = 'known-agents'
export const TAGS_LIST = 'known-tags'

/** What can be chosen by typing: once for all fields. */
export const Suggestions = memo(function Suggestions({
  overview,
}: {
  readonly overview: Overview | undefined
}) {
  return (
    <>
      <datalist id={KINDS_LIST}>
        {overview?.kinds.map(({ kind }) => (
          <option key={kind} value={kind} />
        ))}
      </datalist>
      <datalist id={AGENTS_LIST}>
        {overview?.agents.map(({ agent }) => (
          <option key={agent} value={agent} />
        ))}
      </datalist>
      <datalist id={TAGS_LIST}>
        {overview?.tags.map(({ tag }) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  )
})

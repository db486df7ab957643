import type { Degradation } from '../../kernel/model/search.ts'
import { outline } from '../../verbs/outline.ts'

export function queryText({
  text,
  degraded,
}: {
  readonly text: string
  readonly degraded: readonly Degradation[]
}): string {
  return outline({ text, degraded })
}

import type { Degradation } from '../../kernel/model/search.ts'
import { outline } from '../../verbs/agent-text.ts'

export function queryText({
  text,
  degraded,
}: {
  readonly text: string
  readonly degraded: readonly Degradation[]
}): string {
  return outline({ text, degraded })
}

import type { Entry } from '../../kernel/model/entry.ts'
import { bounded, type Degraded, headline } from '../../verbs/agent-text.ts'

export function briefText({ text, ...rest }: Degraded & { readonly text: string }): string {
  return bounded([text === '' ? 'Nothing to tell.' : text], rest)
}

export function feedbackText({
  entry,
  useful,
  wrong,
  ...rest
}: Degraded & { readonly entry: Entry; readonly useful: number; readonly wrong: number }): string {
  return bounded([`Noted, useful: ${useful}, wrong: ${wrong}. ${headline(entry)}`], rest)
}

import { setImmediate } from 'node:timers/promises'
import type { Composed } from '../../compose/composed.ts'
import type { Operation } from '../../verbs/operation.ts'
import type { SentEvent } from './send-events.ts'

/** The progress of a verb as events: `progress`, as often as the client reads, then `answer`. */
export async function* progressOf(
  operation: Operation,
  memory: Composed,
  input: Parameters<Operation['run']>[1],
  {
    staying,
    onEnd,
    isAgent = false,
  }: {
    readonly isAgent?: boolean
    readonly staying?: () => AbortSignal
    readonly onEnd?: (failed?: { readonly error: unknown }) => void
  } = {},
): AsyncGenerator<SentEvent> {
  let latest: SentEvent | undefined
  let onNews: (() => void) | undefined
  let end: { readonly output: unknown } | { readonly error: unknown } | undefined
  const onProgress = (done: number, total: number | undefined, what: string) => {
    // A listener that is slower than the work hears how far it is by then.
    latest = { event: 'progress', data: { done, total, what } }
    onNews?.()
  }
  operation
    .run(memory, input, {
      onProgress,
      turn: setImmediate,
      isAgent,
      ...(staying !== undefined && { staying }),
    })
    .then(
      output => {
        end = { output }
      },
      (error: unknown) => {
        end = { error }
      },
    )
    .finally(() => {
      onEnd?.(end !== undefined && 'error' in end ? end : undefined)
      onNews?.()
    })
  for (;;) {
    if (latest !== undefined) {
      const told = latest
      latest = undefined
      yield told
    } else if (end !== undefined) break
    else
      await new Promise<void>(resolve => {
        onNews = resolve
      })
  }
  if ('error' in end) throw end.error
  yield { event: 'answer', data: end.output }
}

import { CairnError } from '../../kernel/model/errors.ts'

/** How often the tokens of open streams are checked. */
const CHECK_EVERY_MS = 1_000

/** A stream, or a request that waits. */
interface HeldStream {
  /** Aborted when its token is no longer valid. */
  readonly signal: AbortSignal
  release(): void
}

export interface StreamSlots {
  /** `token`: the one it was let in by. Throws `too_many_requests`. */
  hold(token: string | undefined): HeldStream
  close(): void
}

/**
 * Streams stay open, so they get half of the connections, and those without a token half of that: whoever has the token is never kept out
 * by those who have none, and short requests by neither.
 */
export function streamSlots({
  mostConnections,
  isToken,
}: {
  readonly mostConnections: number
  readonly isToken: (token: string) => boolean
}): StreamSlots {
  const most = Math.max(2, Math.floor(mostConnections / 2))
  const mostWithoutToken = Math.floor(most / 2)
  const open = new Set<{ readonly token: string | undefined; readonly ending: AbortController }>()
  let withoutToken = 0
  let timer: NodeJS.Timeout | undefined

  const check = () => {
    for (const { token, ending } of open) if (token !== undefined && !isToken(token)) ending.abort()
  }
  return {
    hold(token) {
      if (open.size >= most || (token === undefined && withoutToken >= mostWithoutToken)) throw tooMany()
      const stream = { token, ending: new AbortController() }
      open.add(stream)
      if (token === undefined) withoutToken++
      timer ??= setInterval(check, CHECK_EVERY_MS).unref()
      return {
        signal: stream.ending.signal,
        release() {
          if (!open.delete(stream)) return
          if (token === undefined) withoutToken--
          if (open.size > 0) return
          clearInterval(timer)
          timer = undefined
        },
      }
    },
    close: () => clearInterval(timer),
  }
}

function tooMany(): CairnError {
  return new CairnError({
    code: 'too_many_requests',
    message: 'Too many streams are open on this server.',
    hint: 'Close some: tabs of the page, programs that listen. Streams with the token have more slots.',
    details: { retryAfterSeconds: 5 },
  })
}

import { failureOf } from './failure.ts'

export interface Told {
  readonly event: string
  readonly data: unknown
}

export interface TellOptions {
  /** Aborted when the server ends: the listener is told, and the stream closed. */
  readonly ending: AbortSignal
  readonly onFault: (error: unknown) => void
  /** Nobody is told any longer. Not called where the first step failed: there was no stream. */
  readonly onOver?: () => void
  readonly timing?: TellTiming
}

export interface TellTiming {
  /** So long without an event, and a `ping` says that there is still somebody. */
  readonly pingMs: number
  /** So long may a listener not read while something waits for it, before it is dropped. */
  readonly patienceMs: number
}

const TIMING: TellTiming = { pingMs: 20_000, patienceMs: 30_000 }

/** What may wait for a listener that reads slowly, in bytes; beyond it the source is not asked for more. */
const MAX_WAITING = 256 * 1024

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that gathers an answer would keep every event back.
  'x-accel-buffering': 'no',
}

/**
 * Tells what `open` gives as server-sent events. The first event is waited for, so that a failure before it is thrown here and has a
 * status of its own.
 *
 *   open ─▶ events ─▶ at most 256 KiB waiting ─▶ listener
 *     ▲ signal            │ not read for 30 s: dropped
 *     └───────────────────┘ listener gone, or the server ends
 */
export async function tellEvents(
  open: (signal: AbortSignal) => AsyncIterable<Told>,
  { ending, onFault, onOver, timing = TIMING }: TellOptions,
): Promise<Response> {
  const gone = new AbortController()
  const stop = () => gone.abort()
  ending.addEventListener('abort', stop, { once: true })
  const events = open(gone.signal)[Symbol.asyncIterator]()
  const pings = beats(timing.pingMs)
  let next = events.next()
  try {
    await firstOf(next, pings.next(), gone.signal)
  } catch (error) {
    pings.stop()
    ending.removeEventListener('abort', stop)
    throw error
  }
  const listener = waitingListener(timing.patienceMs, () => gone.abort())
  let told: unknown
  const tell = async () => {
    try {
      for (;;) {
        const step = await firstOf(next, pings.next(), gone.signal)
        if (step === 'gone' || (step !== 'ping' && step.done === true)) break
        await listener.tell(step === 'ping' ? { event: 'ping', data: {} } : step.value)
        if (gone.signal.aborted) break
        if (step !== 'ping') next = events.next()
      }
      if (ending.aborted) await listener.tell({ event: 'bye', data: {} })
    } catch (error) {
      told = error
      const { body } = failureOf(error)
      if (body.code === 'internal') onFault(error)
      await listener.tell({ event: 'error', data: body })
    } finally {
      gone.abort()
      pings.stop()
      ending.removeEventListener('abort', stop)
      listener.close()
      onOver?.()
      // Whoever was left in the middle of a step ends by the signal; nobody listens to what else it throws.
      next.catch(error => {
        if (error !== told && (error as Error).name !== 'AbortError') onFault(error)
      })
      await events.return?.()
    }
  }
  tell().catch(onFault)
  return new Response(listener.body, { headers: HEADERS })
}

async function firstOf<T>(
  next: Promise<IteratorResult<T>>,
  ping: Promise<'ping'>,
  gone: AbortSignal,
): Promise<IteratorResult<T> | 'ping' | 'gone'> {
  if (gone.aborted) return 'gone'
  let leave: (() => void) | undefined
  const left = new Promise<'gone'>(resolve => {
    leave = () => resolve('gone')
    gone.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([next, ping, left])
  } finally {
    if (leave !== undefined) gone.removeEventListener('abort', leave)
  }
}

function beats(everyMs: number) {
  let timer: NodeJS.Timeout | undefined
  return {
    /** Begins anew with every event. */
    next: () =>
      new Promise<'ping'>(resolve => {
        clearTimeout(timer)
        timer = setTimeout(() => resolve('ping'), everyMs)
        timer.unref()
      }),
    stop: () => clearTimeout(timer),
  }
}

function waitingListener(patienceMs: number, onGone: () => void) {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isOpen = true
  let onRead: (() => void) | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given
      },
      pull() {
        onRead?.()
      },
      cancel() {
        isOpen = false
        onRead?.()
        onGone()
      },
    },
    { highWaterMark: MAX_WAITING, size: chunk => chunk?.byteLength ?? 0 },
  )
  const drop = () => {
    if (!isOpen) return
    isOpen = false
    controller?.error(new Error('the listener did not read'))
    onRead?.()
    onGone()
  }
  return {
    body,
    async tell({ event, data }: Told): Promise<void> {
      if (!isOpen) return
      controller?.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
      if ((controller?.desiredSize ?? 0) > 0) return
      const timer = setTimeout(drop, patienceMs)
      await new Promise<void>(resolve => {
        onRead = resolve
      })
      clearTimeout(timer)
    },
    close(): void {
      if (isOpen) controller?.close()
      isOpen = false
    },
  }
}

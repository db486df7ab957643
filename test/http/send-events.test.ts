import { describe, expect, it } from 'vitest'
import { CairnError } from '../../src/kernel/model/errors.ts'
import { type SentEvent, sendEvents } from '../../src/surfaces/http/send-events.ts'

const never = new AbortController().signal
const quiet = { pingMs: 10_000, patienceMs: 10_000 }
const noFault = (error: unknown) => {
  throw error
}
const ended = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

describe('Server-sent events', () => {
  it('are told in order, each with its name and its data on one line', async () => {
    async function* source(): AsyncGenerator<SentEvent> {
      yield { event: 'hello', data: { version: '1' } }
      yield { event: 'text', data: { text: 'two\nlines' } }
    }
    const response = await sendEvents(source, { ending: never, onFault: noFault, timing: quiet })
    expect(await response.text()).toBe(
      'event: hello\ndata: {"version":"1"}\n\nevent: text\ndata: {"text":"two\\nlines"}\n\n',
    )
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  })

  it('ping while nothing happens', async () => {
    async function* source(signal: AbortSignal): AsyncGenerator<SentEvent> {
      yield { event: 'hello', data: {} }
      await ended(signal)
    }
    const response = await sendEvents(source, {
      ending: never,
      onFault: noFault,
      timing: { pingMs: 5, patienceMs: 10_000 },
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let heard = ''
    while (!heard.includes('event: ping')) heard += new TextDecoder().decode((await reader.read()).value)
    await reader.cancel()
    expect(heard.startsWith('event: hello\ndata: {}\n\n')).toBe(true)
  })

  it('fail with the request when nothing was told yet, and tell the error otherwise', async () => {
    const failure = new CairnError({ code: 'agent_busy', message: 'One runs.', hint: 'Wait.' })
    const failing = (first: readonly SentEvent[]) =>
      async function* (): AsyncGenerator<SentEvent> {
        yield* first
        throw failure
      }
    const options = { ending: never, onFault: noFault, timing: quiet }
    await expect(sendEvents(failing([]), options)).rejects.toBe(failure)
    const response = await sendEvents(failing([{ event: 'hello', data: {} }]), options)
    expect(await response.text()).toBe(
      'event: hello\ndata: {}\n\nevent: error\ndata: {"code":"agent_busy","message":"One runs.","hint":"Wait."}\n\n',
    )
  })

  it('say goodbye when the server ends, and tell the source', async () => {
    const server = new AbortController()
    let isTold = false
    async function* source(signal: AbortSignal): AsyncGenerator<SentEvent> {
      try {
        yield { event: 'hello', data: {} }
        await ended(signal)
      } finally {
        isTold = true
      }
    }
    const response = await sendEvents(source, { ending: server.signal, onFault: noFault, timing: quiet })
    server.abort()
    expect(await response.text()).toBe('event: hello\ndata: {}\n\nevent: bye\ndata: {}\n\n')
    expect(isTold).toBe(true)
  })

  it('stop the source when the listener is gone', async () => {
    const stopped = new Promise<void>(resolve => {
      async function* source(signal: AbortSignal): AsyncGenerator<SentEvent> {
        try {
          yield { event: 'hello', data: {} }
          await ended(signal)
        } finally {
          resolve()
        }
      }
      sendEvents(source, { ending: never, onFault: noFault, timing: quiet }).then(response =>
        response.body?.cancel(),
      )
    })
    await stopped
  })

  it('keep little for a listener that does not read, and drop it', async () => {
    let told = 0
    let drop: (() => void) | undefined
    const dropped = new Promise<void>(resolve => {
      drop = resolve
    })
    async function* source(): AsyncGenerator<SentEvent> {
      try {
        for (;;) {
          told++
          yield { event: 'text', data: { text: 'x'.repeat(64 * 1024) } }
        }
      } finally {
        drop?.()
      }
    }
    const response = await sendEvents(source, {
      ending: never,
      onFault: noFault,
      timing: { pingMs: 10_000, patienceMs: 20 },
    })
    await dropped
    expect(told).toBeLessThan(10)
    await expect(response.text()).rejects.toThrow('the listener did not read')
  })
})

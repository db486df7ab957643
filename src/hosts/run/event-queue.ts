interface EventQueue<Event> {
  push(event: Event): void
  close(): void
  /** For one listener, from the first event on. */
  readonly events: AsyncIterable<Event>
}

/** A listener may be slow, come late or leave: pushing never waits. After the listener has left nothing is stored. */
export function eventQueue<Event>(): EventQueue<Event> {
  const waiting: Event[] = []
  let wake: (() => void) | undefined
  let isClosed = false
  let isLeft = false
  async function* listen(): AsyncGenerator<Event> {
    try {
      while (true) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (isClosed) return
        else
          await new Promise<void>(resolve => {
            wake = resolve
          })
      }
    } finally {
      isLeft = true
      waiting.length = 0
    }
  }
  const ring = () => {
    wake?.()
    wake = undefined
  }
  return {
    push(event) {
      if (isLeft || isClosed) return
      waiting.push(event)
      ring()
    },
    close() {
      isClosed = true
      ring()
    },
    events: listen(),
  }
}

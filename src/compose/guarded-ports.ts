/** A store that rebuilds its index when a call finds it damaged. */
export interface Mending {
  guarded<T>(work: () => Promise<T>): Promise<T>
}

/** Rebuilds a damaged index during the call; the caller only sees a warning. */
export function guarded<Port extends Record<keyof Port, (...values: never[]) => Promise<unknown>>>(
  port: Port,
  store: Mending,
): Port {
  const calls = Object.entries(port) as [string, (...values: unknown[]) => Promise<unknown>][]
  return Object.fromEntries(
    calls.map(([name, call]) => [name, (...values: unknown[]) => store.guarded(() => call(...values))]),
  ) as unknown as Port
}

/** The same for a port that few commands need: its code is loaded by the first call. */
export function whenCalled<Port extends object>(load: () => Promise<Port>, store: Mending): Port {
  let loaded: Promise<Port> | undefined
  const answer = async (name: string, values: readonly unknown[]) => {
    loaded ??= load()
    const method = (await loaded)[name as keyof Port] as (...given: unknown[]) => Promise<unknown>
    return store.guarded(() => method(...values))
  }
  // For a method that streams, the first step awaits the port.
  const call =
    (name: string) =>
    (...values: unknown[]) => {
      const answered = answer(name, values)
      return Object.assign(answered, {
        async *[Symbol.asyncIterator]() {
          yield* (await answered) as AsyncIterable<unknown>
        },
      })
    }
  // A port is not a promise: `await` reads its `then`.
  return new Proxy({} as Port, { get: (_, name) => (name === 'then' ? undefined : call(String(name))) })
}

type Listener = () => void

const listeners = new Set<Listener>()

/** Calls back when something changed in the memory, whoever changed it. Returns how to stop that. */
export function onLive(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells every view of this page that something changed. */
export function tellLive(): void {
  for (const listener of listeners) listener()
}

/**
 * One writer at a time within this process, per vault. Between processes the SQLite lock decides; inside one process two handles would
 * block each other's event loop forever, so they queue here first.
 */
const tailByKey = new Map<string, Promise<void>>()

export async function withProcessMutex<T>(key: string, work: () => Promise<T>): Promise<T> {
  const previous = tailByKey.get(key) ?? Promise.resolve()
  const run = previous.then(work)
  const tail = run.then(
    () => undefined,
    () => undefined, // the caller gets the failure from `run`; the queue only needs to know that it ended
  )
  tailByKey.set(key, tail)
  try {
    return await run
  } finally {
    if (tailByKey.get(key) === tail) tailByKey.delete(key)
  }
}

import type { Readable, Writable } from 'node:stream'

/** How often it is looked whether the process that started us is still there. One system call; most hosts close our input first. */
const LOOK_EVERY_MS = 15_000

/**
 * A server lives as long as its host: until its input is read to the end, nobody reads its answers, its parent has died, or it is told to
 * end.
 */
export function hostEnded(input: Readable, output: Writable): Promise<void> {
  return new Promise(resolve => {
    const parent = process.ppid
    // Somebody else may hold the other end of the pipe open when the host was killed.
    const looking = setInterval(() => {
      if (process.ppid !== parent) end()
    }, LOOK_EVERY_MS)
    looking.unref()
    const end = () => {
      clearInterval(looking)
      resolve()
    }
    input.once('end', end)
    input.once('close', end)
    output.once('error', end)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end)
  })
}

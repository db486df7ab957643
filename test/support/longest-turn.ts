import { setImmediate } from 'node:timers/promises'

/** The most processor time, in ms, that this process spent between two turns of its event loop. Unlike a delay it says the same on a busy machine. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  const watching = (async () => {
    let before = process.cpuUsage()
    while (!isOver) {
      await setImmediate()
      const { user, system } = process.cpuUsage(before)
      longest = Math.max(longest, (user + system) / 1_000)
      before = process.cpuUsage()
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await watching
  }
  return longest
}

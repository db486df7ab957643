/**
 * One of the workers of the work bench: `work-worker.js <root or postgres url> <project> <name> <lease ms>`. It takes tasks and finishes
 * them until the graph is over or it is killed, and says each result that was accepted.
 */
import { writeSync } from 'node:fs'
import { openBoard } from './work-boards.ts'

const [place = '', project = '', name = '', leaseMs = ''] = process.argv.slice(2)
const { board, close } = await openBoard(place, Number(project))
for (;;) {
  const claimed = await board.claim({ worker: name, leaseMs: Number(leaseMs), waitMs: 1_000 })
  if (claimed === undefined) {
    if ((await board.waitFor('drain', { waitMs: 0 })).isOver) break
    continue
  }
  try {
    const { isRepeated } = await board.finish(claimed.lease, { text: claimed.lease, entries: [], files: [] })
    if (!isRepeated) writeSync(1, `accepted ${claimed.task.id} ${claimed.lease}\n`)
  } catch (error) {
    // On a machine that is busy enough a short lease runs out: the task is somebody else's by now.
    if ((error as { code?: string }).code !== 'lease_lost') throw error
  }
}
await close()

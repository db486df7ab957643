// A process that takes tasks and finishes them until there are none, and says which results were accepted. Run with: root, name,
// and after how many tasks it dies without warning: with a lease in its hand, or with a result that nobody was told.
import { writeSync } from 'node:fs'
import { openMemory } from '../../dist/api.js'

const [root, name, life] = process.argv.slice(2)
const die = () => process.kill(process.pid, 'SIGKILL')
let finished = 0
const memory = await openMemory({
  root,
  actor: { host: 'test', agent: name },
  vectors: 'never',
  upkeep: 'never',
})
writeSync(1, 'ready\n')
for (;;) {
  const claimed = await memory.work.claim({ worker: name, seconds: 1, wait: 1 })
  if (claimed === null) {
    if ((await memory.work.wait('drain', 0)).over) break
    continue
  }
  const { lease, task } = claimed
  const isLast = finished++ === Number(life)
  if (isLast && finished % 4 === 0) die()
  const { repeated } = await memory.work.done(lease, { result: `${task.id} by ${name}` })
  if (isLast) die()
  writeSync(1, `${repeated ? 'repeated' : 'accepted'} ${task.id} ${lease}\n`)
}
await memory.close()
writeSync(1, 'done\n')

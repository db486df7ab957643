// A process that remembers until it is killed, and says what was acknowledged. Run with: root, name, calls.
import { writeSync } from 'node:fs'
import { openMemory } from '../../dist/api.js'

const [root, name, calls] = process.argv.slice(2)
const memory = await openMemory({
  root,
  actor: { host: 'test', agent: name },
  vectors: 'never',
  upkeep: 'never',
})
writeSync(1, 'ready\n')
for (let n = 0; n < Number(calls); n++) {
  const { entry } = await memory.remember({
    content: `Note ${n} of writer${name} says zanzibar${name}x${n}.`,
    kind: n % 2 === 0 ? 'decision' : 'lesson',
  })
  writeSync(1, `${entry.id} zanzibar${name}x${n}\n`)
}
await memory.close()
writeSync(1, 'done\n')

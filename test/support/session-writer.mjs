// A process that appends to a session until it is killed, and says what was acknowledged. Run with: root, session, name, calls.
import { writeSync } from 'node:fs'
import { openMemory } from '../../dist/api.js'

const [root, session, name, calls] = process.argv.slice(2)
const memory = await openMemory({ root, actor: { host: 'test', agent: 'dev' }, vectors: 'never' })
writeSync(1, 'ready\n')
for (let n = 0; n < Number(calls); n++) {
  const text = `${name}/${n} ${'said at length '.repeat(50)}`
  await memory.sessions.append(session, [{ role: n % 2 === 0 ? 'user' : 'agent', text }])
  writeSync(1, `${name}/${n}\n`)
}
await memory.close()
writeSync(1, 'done\n')

// A process that tidies up until it is killed. Run with: root.
import { writeSync } from 'node:fs'
import { openMemory } from '../../dist/api.js'

const memory = await openMemory({ root: process.argv[2], vectors: 'never', upkeep: 'never' })
await memory.list({ limit: 1 })
writeSync(1, 'ready\n')
await memory.compact()
await memory.close()

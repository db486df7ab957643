import type { Library } from './bench.ts'
import { uniqueWord } from './unique-word.ts'

/**
 * One of the processes of the concurrency bench: `writer.js <library url> <root> <writer> <calls>`. It sends `ready`, waits
 * for a message, so that all begin at once, writes, and sends what came of it.
 */
const [libraryUrl = '', root = '', writer = '', calls = ''] = process.argv.slice(2)
const { openMemory } = (await import(libraryUrl)) as Library
const memory = await openMemory({ root, vectors: 'never', upkeep: 'never' })

process.send?.('ready')
await new Promise(resolve => process.once('message', resolve))

const ids: (string | null)[] = []
const errors: string[] = []
for (let call = 0; call < Number(calls); call++) {
  const content = `Writer ${writer} noted ${uniqueWord(Number(writer) * Number(calls) + call)} in step ${call} of its work.`
  try {
    ids.push((await memory.remember(content)).entry.id)
  } catch (error) {
    ids.push(null)
    errors.push(error instanceof Error ? error.message : String(error))
  }
}
await memory.close()
process.send?.({ ids, errors }, () => process.disconnect())

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { setUserFolder } from '../../kernel/system/environment.ts'
import type { Options, Streams } from './serve.ts'

const hello = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'build', version: '1' } },
})

/** The first requests of every host, and those that many send at every prompt: code that does not run here is not in the cache. */
const ASKED = [
  { method: 'tools/list', params: {} },
  { method: 'prompts/list', params: {} },
  { method: 'resources/templates/list', params: {} },
]

/** Runs the paths that must start fast, in a scratch project, as a host would. */
export async function walkServerPaths(
  serve: (options: Options, streams: Streams) => Promise<void>,
): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'cairn-build-'))
  const root = path.join(scratch, 'project')
  mkdirSync(root)
  setUserFolder(path.join(scratch, 'user'))
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]()
  try {
    const served = serve({ root, hasAllTools: false }, { stdin, stdout })
    const ask = async (message: object) => {
      stdin.write(`${JSON.stringify(message)}\n`)
      await answers.next()
    }
    await ask(hello(0))
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
    for (const [at, message] of ASKED.entries()) await ask({ jsonrpc: '2.0', id: at + 1, ...message })
    stdin.end()
    await served
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

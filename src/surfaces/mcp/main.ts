import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { backgroundVectors } from '../../background-vectors.ts'
import { composeEngine } from '../../compose.ts'
import { CairnError } from '../../model/errors.ts'
import { readEnvironment } from '../../system/environment.ts'
import { findProjectRoot } from '../../system/paths.ts'
import { redact } from '../../text/redaction/redact.ts'
import { scheduleUpkeep } from '../../upkeep/scheduled-upkeep.ts'
import { memoryServer } from './server.ts'

declare const CAIRN_VERSION: string

/** `cairn mcp [--root <folder>]`: serves until its input is closed. Standard output carries the protocol and nothing else. */
export async function main(argv: readonly string[]): Promise<number> {
  const words = argv.slice(1)
  // Whatever else is asked (help, another flag) is for the whole command line, which knows how to say so.
  if (words.length > 0 && words[0] !== '--root' && !words[0]?.startsWith('--root='))
    throw Object.assign(new Error('not in this bundle'), { handOver: true })
  const root = words[0] === '--root' ? words[1] : words[0]?.slice('--root='.length)
  try {
    await serve(root)
    return 0
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    process.stderr.write(`cairn: ${redact(`${error.message}\n  → ${error.hint}`).text}\n`)
    return error.exitCode
  }
}

async function serve(root: string | undefined): Promise<void> {
  const environment = readEnvironment()
  const engine = composeEngine({
    root: root ?? environment.root ?? findProjectRoot(process.cwd()),
    actor: {
      host: environment.host ?? 'mcp',
      ...(environment.agent !== undefined && { agent: environment.agent }),
      ...(environment.session !== undefined && { session: environment.session }),
    },
  })
  const vectors = backgroundVectors(engine)
  const tidying = scheduleUpkeep(engine)
  const closed = new Promise<void>(resolve => {
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
    // Whoever reads our answers has gone: there is nobody left to serve.
    process.stdout.once('error', () => resolve())
  })
  const served = serveStdio(
    () => memoryServer(engine, { version: CAIRN_VERSION, afterWrite: vectors.wake }),
    {
      transport: new StdioServerTransport(),
      onerror: error => process.stderr.write(`cairn: ${redact(error.message).text}\n`),
    },
  )
  await closed
  await served.close()
  await tidying.stop()
  await vectors.stop()
  await engine.close()
}

import * as path from 'node:path'
import { serve } from '@hono/node-server'
import { automate } from '../../automation.ts'
import { composeEngine } from '../../compose.ts'
import { CairnError } from '../../model/errors.ts'
import { resolveProject } from '../../projects/resolve-project.ts'
import { readEnvironment } from '../../system/environment.ts'
import { httpApp } from './app.ts'
import { servePage } from './page-files.ts'
import { readOrMakeToken } from './token-file.ts'

export const DEFAULT_PORT = 4747

/** `cairn up`: serves the page and the routes of one memory until it is told to end. */
export async function main(argv: readonly string[]): Promise<number> {
  const { root, port } = readOptions(argv.slice(1))
  const engine = composeEngine({
    root: root ?? readEnvironment().root ?? resolveProject(process.cwd()).root,
    isTyped: true,
    actor: { host: 'web' },
  })
  const automation = automate(engine)
  const token = readOrMakeToken()
  const app = httpApp({ engine, token, onFault: error => process.stderr.write(`cairn: ${String(error)}\n`) })
  servePage(app, path.join(__dirname, '..', 'web'))
  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, ({ port: taken }) =>
    process.stdout.write(`Memory Vault of ${engine.root}\n  http://127.0.0.1:${taken}/#token=${token}\n`),
  )
  await new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  server.close()
  await automation.stop()
  await engine.close()
  return 0
}

/** For the build: nothing is walked, the server compiles what it needs. */
export async function warmUp(): Promise<void> {
  await Promise.resolve()
}

interface Options {
  readonly root: string | undefined
  readonly port: number
}

function readOptions(words: readonly string[]): Options {
  let options: Options = { root: undefined, port: DEFAULT_PORT }
  for (let at = 0; at < words.length; at++) {
    const next = words[at + 1]
    if (words[at] === '--root' && next !== undefined) options = { ...options, root: next }
    else if (words[at] === '--port' && next !== undefined) options = { ...options, port: Number(next) }
    else if (words[at] === '--no-open') continue
    else
      throw new CairnError({
        code: 'invalid_input',
        message: `cairn up has no ${words[at]}.`,
        hint: 'See cairn help up.',
      })
    if (words[at] !== '--no-open') at++
  }
  return options
}

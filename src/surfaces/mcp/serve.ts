import type { Readable, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { automate } from '../../compose/automation.ts'
import { composeEngine } from '../../compose/compose.ts'
import { environmentVariable, readEnvironment } from '../../kernel/system/environment.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { boundedInput, MAX_MESSAGE_BYTES, type TooLong } from './bounded-input.ts'
import { clientRoots } from './client-roots.ts'
import { hookCalls } from './hook-calls.ts'
import { memoryPool } from './memory-pool.ts'
import { chooseFolder, existingFolder } from './project-folder.ts'
import { memoryServer } from './server.ts'
import { serverMarks } from './server-marks.ts'

declare const CAIRN_VERSION: string

export interface Options {
  readonly root?: string
  readonly hasAllTools: boolean
}

export interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
}

export async function serve({ root, hasAllTools }: Options, { stdin, stdout }: Streams): Promise<void> {
  const environment = readEnvironment()
  // Claude Code names its session to the servers that it starts.
  const session = environment.session ?? environmentVariable('CLAUDE_CODE_SESSION_ID')
  const open = (at: string) => {
    const memory = composeEngine({
      root: at,
      actor: {
        host: environment.host ?? 'mcp',
        ...(environment.agent !== undefined && { agent: environment.agent }),
        ...(session !== undefined && { session }),
      },
    })
    return { engine: memory, automation: automate(memory) }
  }
  const named = root ?? environment.root
  const pool = memoryPool({ root: named, open })
  // Reports a folder that does not exist immediately, to the user who wrote the configuration.
  if (named !== undefined) await pool.enter(named, async () => undefined)
  const roots = clientRoots()
  const project = existingFolder(environmentVariable('CLAUDE_PROJECT_DIR'))
  const folder = async () => {
    if (named !== undefined) return named
    const hostFolders = [...(project === undefined ? [] : [project]), ...(await roots.folders())]
    return chooseFolder({ cwd: process.cwd(), named: hostFolders }, at => pool.standingOf(at))
  }

  const marks = serverMarks()
  const hooks = hookCalls({ pool, folder, marks, isInternal: environment.isInternal })
  const input = boundedInput({
    onTooLong: message => stdout.write(refusalOf(message)),
    // When the input ends, the last message may still be read, and its answer still be written.
    beforeEnd: async () => {
      await setImmediate()
      await pool.settled()
      await setImmediate()
    },
  })
  stdin.pipe(input)
  stdin.once('close', () => input.end())
  const ended = hostEnded(input, stdout)
  const transport = new StdioServerTransport(input, stdout, { maxBufferSize: 2 * MAX_MESSAGE_BYTES })
  const served = serveStdio(
    () => {
      const server = memoryServer({
        version: CAIRN_VERSION,
        pool,
        folder,
        hasAllTools,
        hooks,
      })
      server.oninitialized = () => {
        roots.ask(server)
        hooks.meet(server.getClientVersion())
      }
      server.setNotificationHandler('notifications/roots/list_changed', () => roots.ask(server))
      return server
    },
    {
      transport,
      onerror: error => process.stderr.write(`cairn: ${redact(error.message).text}\n`),
    },
  )
  await ended
  // From now on the hook command answers.
  marks.clear()
  await served.close()
  await pool.close()
}

/** The answer to a message that is too long. */
function refusalOf({ id }: TooLong): string {
  const error = {
    code: -32600,
    message: `The message is longer than ${MAX_MESSAGE_BYTES} bytes, and was not read. Send less.`,
  }
  return `${JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error })}\n`
}

/** How often the server checks that its parent process is alive. It is one system call, and most hosts close the input first. */
const CHECK_EVERY_MS = 15_000

/**
 * The server ends with its host: when its input ends, its output fails, its parent process is gone, or it gets a signal.
 */
function hostEnded(input: Readable, output: Writable): Promise<void> {
  return new Promise(resolve => {
    const parent = process.ppid
    // Another process may keep the pipe open after the host was killed.
    const checking = setInterval(() => {
      if (process.ppid !== parent) end()
    }, CHECK_EVERY_MS)
    checking.unref()
    const end = () => {
      clearInterval(checking)
      resolve()
    }
    input.once('end', end)
    input.once('close', end)
    output.once('error', end)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, end)
  })
}

import { type Readable, Transform, type Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { automate } from '../../compose/automation.ts'
import { composeEngine } from '../../compose/compose.ts'
import { environmentVariable, readEnvironment } from '../../kernel/system/environment.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { hookCalls } from './hook-calls.ts'
import { memoryPool } from './memory-pool.ts'
import { chooseFolder, existingFolder, folderOfRoot } from './project-folder.ts'
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

/** Far above what an agent sends: a whole file in a tool call. More would only fill the memory of this process. */
const MAX_MESSAGE_BYTES = 8 * 1_048_576
/** The two ends of a message that is dropped are stored: one of them has its id. */
const KEPT_BYTES = 300
const NEWLINE = 0x0a

interface TooLong {
  /** The id of the request, if it was found. */
  readonly id: string | number | undefined
}

/**
 * The lines of an input, except those that are longer than any valid message: these are discarded as they arrive and reported. The SDK's
 * reader would end the whole connection instead. `beforeEnd` is awaited when the input ends, so that the last request is still answered.
 */
function boundedInput({
  mostBytes = MAX_MESSAGE_BYTES,
  onTooLong,
  beforeEnd,
}: {
  readonly mostBytes?: number
  readonly onTooLong: (message: TooLong) => void
  readonly beforeEnd: () => Promise<void>
}): Transform {
  let parts: Buffer[] = []
  let length = 0
  let thrown: { head: Buffer; tail: Buffer } | undefined

  const take = (part: Buffer) => {
    length += part.length
    if (thrown !== undefined) {
      thrown.tail = Buffer.concat([thrown.tail, part.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES)
      return
    }
    parts.push(part)
    if (length <= mostBytes) return
    const whole = Buffer.concat(parts)
    parts = []
    thrown = {
      head: Buffer.from(whole.subarray(0, KEPT_BYTES)),
      tail: Buffer.from(whole.subarray(-KEPT_BYTES)),
    }
  }
  const endLine = (push: (line: Buffer) => void) => {
    if (thrown === undefined) for (const part of parts) push(part)
    else onTooLong({ id: idIn(thrown) })
    parts = []
    length = 0
    thrown = undefined
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        take(chunk.subarray(from, at + 1))
        endLine(line => this.push(line))
        from = at + 1
      }
      if (from < chunk.length) take(chunk.subarray(from))
      done()
    },
    flush(done) {
      endLine(line => this.push(line))
      beforeEnd().then(() => done(), done)
    },
  })
}

/** Only at the very beginning or end of the message: anywhere else an id may belong to nested data. */
function idIn({ head, tail }: { readonly head: Buffer; readonly tail: Buffer }): string | number | undefined {
  const id = '("(?:[^"\\\\]){1,64}"|\\d{1,15})'
  const first = new RegExp(`^\\s*\\{\\s*(?:"jsonrpc"\\s*:\\s*"2\\.0"\\s*,\\s*)?"id"\\s*:\\s*${id}\\s*,`)
  const last = new RegExp(`"id"\\s*:\\s*${id}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`)
  const found = first.exec(head.toString('utf8'))?.[1] ?? last.exec(tail.toString('utf8'))?.[1]
  return found === undefined ? undefined : (JSON.parse(found) as string | number)
}

/** A host that does not answer must not make its agent wait. */
const TIMEOUT_MS = 1_000

/** The folders that a client calls its roots. */
interface ClientRoots {
  /** When the client is ready, and when it says that they changed. */
  ask(server: Server): void
  folders(): Promise<readonly string[]>
}

function clientRoots(): ClientRoots {
  let known: Promise<readonly string[]> = Promise.resolve([])
  const askNow = async (server: Server): Promise<readonly string[]> => {
    if (server.getClientCapabilities()?.roots === undefined) return []
    try {
      const { roots } = await server.listRoots(undefined, { timeout: TIMEOUT_MS })
      return roots.flatMap(({ uri }) => folderOfRoot(uri) ?? [])
    } catch (error) {
      // No answer, or an invalid one: the current folder is used.
      process.stderr.write(`cairn: the client does not list its roots: ${String(error).slice(0, 200)}\n`)
      return []
    }
  }
  return {
    ask(server) {
      known = askNow(server)
    },
    folders: () => known,
  }
}

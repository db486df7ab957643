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
import { hostEnded } from './host-end.ts'
import { memoryDoor } from './memory-door.ts'
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
  const door = memoryDoor({ root: named, open })
  // A folder that is not there is told at once, to whoever wrote the configuration.
  if (named !== undefined) await door.enter(named, async () => undefined)
  const roots = clientRoots()
  const project = existingFolder(environmentVariable('CLAUDE_PROJECT_DIR'))
  const folder = async () => {
    if (named !== undefined) return named
    const told = [...(project === undefined ? [] : [project]), ...(await roots.folders())]
    return chooseFolder({ cwd: process.cwd(), told }, at => door.standingOf(at))
  }

  const marks = serverMarks()
  const hooks = hookCalls({ door, folder, marks, isInternal: environment.isInternal })
  const input = boundedInput({
    onTooLong: message => stdout.write(refusalOf(message)),
    // What was asked last is on its way in when the input ends, and its answer on its way out when it is made.
    beforeEnd: async () => {
      await setImmediate()
      await door.settled()
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
        door,
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
  // From now on the command beside us answers.
  marks.clear()
  await served.close()
  await door.close()
}

/** What is longer than any message should be is answered, where it can be told who asked. */
function refusalOf({ id }: TooLong): string {
  const error = {
    code: -32600,
    message: `The message is longer than ${MAX_MESSAGE_BYTES} bytes, and was not read. Send less.`,
  }
  return `${JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error })}\n`
}

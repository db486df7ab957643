import { spawn } from 'node:child_process'
import { type BoundedRunOptions, endGroup } from './run-bounded.ts'

/** A JSON-RPC connection to a program, one message per line, on its standard input and output. */
interface RpcConnection {
  /** The result, or undefined if there was no answer in time or an error. */
  request(method: string, params: unknown): Promise<unknown>
  notify(method: string, params?: unknown): void
  /** Closes its input and waits until it ends; false: it had to be killed. */
  end(withinMs: number): Promise<boolean>
  /** Why there is no answer, as text. */
  trouble(): string
}

const MAX_CHARACTERS = 4_194_304

export function openRpcConnection(
  [program = '', ...words]: readonly string[],
  options: BoundedRunOptions,
): RpcConnection {
  const child = spawn(program, words, {
    cwd: options.cwd,
    env: options.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    detached: process.platform !== 'win32',
    ...(options.isShellLine === true && { shell: true }),
  })
  const waiting = new Map<number, (result: unknown) => void>()
  let [id, rest, errors, why] = [0, '', '', '']
  const giveUp = (reason: string) => {
    if (why === '') why = reason
    for (const settle of waiting.values()) settle(undefined)
    waiting.clear()
  }
  const timer = setTimeout(() => giveUp(`no answer within ${options.timeoutMs / 1000} s`), options.timeoutMs)
  const ended = new Promise<void>(resolve => {
    child.on('close', code => {
      giveUp(
        `it ended with ${code ?? 'a signal'}${errors.trim() === '' ? '' : `: ${errors.trim().split('\n')[0]?.slice(0, 200)}`}`,
      )
      resolve()
    })
    child.on('error', error => {
      giveUp((error as NodeJS.ErrnoException).code ?? error.message)
      resolve()
    })
  })
  child.stdin.on('error', () => undefined)
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (chunk: string) => {
    if (errors.length < 4_096) errors += chunk
  })
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk: string) => {
    rest += chunk
    if (rest.length > MAX_CHARACTERS) return giveUp('it writes without end')
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) hear(line)
  })
  const hear = (line: string) => {
    if (line.trim() === '') return
    let message: { id?: number; result?: unknown; error?: { message?: string } }
    try {
      message = JSON.parse(line)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return giveUp(`it wrote something that is not a message: ${line.slice(0, 120)}`)
    }
    const settle = waiting.get(message.id ?? -1)
    if (settle === undefined) return
    waiting.delete(message.id ?? -1)
    if (message.error !== undefined && why === '')
      why = String(message.error.message ?? 'it answered with an error')
    settle(message.result)
  }
  const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`)
  return {
    request(method, params) {
      if (why !== '') return Promise.resolve(undefined)
      const own = ++id
      send({ jsonrpc: '2.0', id: own, method, params })
      return new Promise(resolve => {
        waiting.set(own, resolve)
      })
    },
    notify: (method, params) =>
      void send({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) }),
    async end(withinMs) {
      clearTimeout(timer)
      child.stdin.end()
      let pause: NodeJS.Timeout | undefined
      const isOver = await Promise.race([
        ended.then(() => true),
        new Promise<boolean>(resolve => {
          pause = setTimeout(() => resolve(false), withinMs)
        }),
      ])
      clearTimeout(pause)
      if (!isOver) endGroup(child.pid)
      child.stdout.destroy()
      child.stderr.destroy()
      return isOver
    },
    trouble: () => why,
  }
}

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { plainEnvironment } from './child-cpu.ts'
import { cpuMsOf, residentMbOf } from './process-cost.ts'

const helloOf = (clientInfo: { name: string; version: string }) => [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
]

/** Of a client that calls no hooks: no mark is put for it. */
export const HELLO = helloOf({ name: 'bench', version: '1' })
/** As one that is known to call us at its prompts: it is answered from the first on. */
const CALLING = helloOf({ name: 'claude-code', version: '2.1.325' })

interface Answer {
  readonly id?: number
  readonly result?: { readonly content?: readonly { readonly text: string }[] }
}

/** `cairn mcp` as a host starts it, spoken to line by line. */
export interface McpProcess {
  /** Milliseconds from writing the request to reading its answer, and the text of the answer. */
  call(name: string, input: Record<string, unknown>): Promise<{ ms: number; text: string }>
  residentMb(): number
  /** CPU milliseconds so far. */
  cpuMs(): number
  close(): Promise<void>
}

export async function startMcp(words: readonly string[], userFolder: string): Promise<McpProcess> {
  const child = spawn(process.execPath, words, {
    env: { ...plainEnvironment(), CAIRN_HOME: userFolder },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  createInterface({ input: child.stdout }).on('line', line => {
    const answer = JSON.parse(line) as Answer
    waiting.get(answer.id ?? -1)?.(answer)
  })
  const answerTo = (id: number) => new Promise<Answer>(resolve => waiting.set(id, resolve))
  const ready = answerTo(2)
  child.stdin.write(`${CALLING.map(message => JSON.stringify(message)).join('\n')}\n`)
  await ready
  let last = 2
  return {
    async call(name, input) {
      const id = ++last
      const answered = answerTo(id)
      const start = performance.now()
      const params = { name, arguments: input }
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`)
      const answer = await answered
      return { ms: performance.now() - start, text: answer.result?.content?.[0]?.text ?? '' }
    },
    residentMb: () => residentMbOf(child),
    cpuMs: () => cpuMsOf(child),
    close: () =>
      new Promise(resolve => {
        child.once('exit', () => resolve())
        child.stdin.end()
      }),
  }
}

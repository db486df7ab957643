import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ANTHROPIC } from './anthropic-wire.ts'
import { GEMINI } from './gemini-wire.ts'
import { CHAT, RESPONSES } from './openai-wire.ts'
import type { Body, ListedTool, Wire } from './wire.ts'

/** What the model does when it is asked next: say something, or have the host run a tool. */
export type Turn =
  | { readonly say: string }
  /** `tool` is the name as its server gives it: hosts put something of their own before it. */
  | { readonly call: string; readonly with: Readonly<Record<string, unknown>> }

export interface ModelRequest {
  readonly path: string
  readonly body: Body
  /** The whole body as text, for looking something up in it; escapes of JSON are gone from strings. */
  readonly text: string
  readonly tools: readonly ListedTool[]
  /** False for what a host asks beside the conversation, such as a title for it. */
  readonly conversation: boolean
}

export interface FakeModel {
  readonly origin: string
  /** Every request for an answer, in order. */
  readonly requests: ModelRequest[]
  /** Every other path that was asked for. */
  readonly otherPaths: string[]
  /** Sets what comes next. When it is used up, the model says `Done.` */
  script(...turns: Turn[]): void
  /** Forgets what was asked and what was still to be said. */
  clear(): void
  /** The requests of the conversation. */
  conversation(): readonly ModelRequest[]
  /** Which of these texts the conversation's requests hold, in the order given. */
  sent(...texts: string[]): readonly string[]
  close(): Promise<void>
}

const WIRES: readonly Wire[] = [ANTHROPIC, RESPONSES, CHAT, GEMINI]

/**
 * A model on this machine that speaks the languages of the vendors' services, so that the real programs can be run without a network
 * and without a key. It says what a test tells it to, and keeps what it was sent: that is where a brief must arrive.
 */
export async function startFakeModel(): Promise<FakeModel> {
  let turns: Turn[] = []
  let answered = 0
  const model: FakeModel = {
    origin: '',
    requests: [],
    otherPaths: [],
    script: (...next) => {
      turns = next
    },
    clear: () => {
      turns = []
      model.requests.length = 0
      model.otherPaths.length = 0
    },
    conversation: () => model.requests.filter(request => request.conversation),
    sent: (...texts) => {
      const said = model.conversation().map(({ text }) => text)
      return texts.filter(text => said.some(each => each.includes(text)))
    },
    close: () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    const text = await textOf(request)
    const wire = WIRES.find(each => request.method === 'POST' && each.asksFor(path))
    if (!wire) {
      model.otherPaths.push(`${request.method} ${path}`)
      return sendOther(response, path)
    }
    const body = JSON.parse(text) as Body
    const tools = wire.tools(body)
    const conversation = tools.length > 0
    model.requests.push({ path, body, text: stringsIn(body).join('\n'), tools, conversation })
    const turn = (conversation && turns.shift()) || { say: conversation ? 'Done.' : 'A title' }
    answered += 1
    wire.send(response, { turn: resolved(turn, tools), body, path, id: `fake${answered}` })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  Object.assign(model, { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  return model
}

function resolved(turn: Turn, tools: readonly ListedTool[]) {
  if ('say' in turn) return { kind: 'say', text: turn.say } as const
  const tool =
    tools.find(({ name }) => name === turn.call) ??
    tools.find(({ name }) => new RegExp(`cairn[_-]+${turn.call}$`).test(name))
  // The test then sees that nothing was run, and this text says why.
  if (!tool) return { kind: 'say', text: `There is no tool ${turn.call} among those listed.` } as const
  return { kind: 'call', tool, arguments: turn.with } as const
}

/** Whatever else programs ask for on their way: lists of models, token counts, telemetry. */
function sendOther(response: ServerResponse, path: string): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  if (path.includes('count_tokens')) response.end('{"input_tokens":100}')
  else if (path.includes('countTokens')) response.end('{"totalTokens":100}')
  else if (path.includes('/models'))
    response.end('{"object":"list","data":[{"id":"fake-model","object":"model"}],"models":[]}')
  else response.end('{}')
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(stringsIn)
  if (value && typeof value === 'object') return Object.values(value).flatMap(stringsIn)
  return []
}

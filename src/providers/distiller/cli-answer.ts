import type { DistillerAnswer } from '../../features/learning/decide/ports.ts'
import { countIn, field } from './post-json.ts'

export type CliAnswer =
  | ({ readonly kind: 'answer' } & DistillerAnswer)
  | { readonly kind: 'failed'; readonly reason: string }

const MICRO = 1_000_000

/**
 * What a host's command line printed. Known by its form, so that the words of the command do not matter:
 *
 *   claude -p --output-format json    { type: "result", is_error, result, total_cost_usd, usage: { … } }
 *   gemini --output-format json       { response, stats: { models: { NAME: { tokens: { prompt, candidates } } } } }
 *   codex exec --json                 lines: item.completed with an agent_message, turn.completed with usage
 *   opencode run --format json        lines: text with a part, step_finish with tokens and cost
 *   anything else                     the answer itself
 */
export function readCliAnswer(printed: string): CliAnswer {
  const whole = parsed(printed.trim())
  if (field(whole, 'type') === 'result') return readClaude(whole)
  if (typeof field(whole, 'response') === 'string' || field(whole, 'stats') !== undefined)
    return readGemini(whole)
  const lines = printed.split('\n').filter(line => line.trim() !== '')
  const events = lines.map(parsed)
  const isStream = events.length > 0 && events.every(event => typeof field(event, 'type') === 'string')
  if (isStream) return readEvents(events)
  return answer(printed.trim(), undefined, undefined)
}

function readClaude(result: unknown): CliAnswer {
  const text = field(result, 'result')
  if (field(result, 'is_error') === true || typeof text !== 'string')
    return { kind: 'failed', reason: typeof text === 'string' ? text : String(field(result, 'subtype')) }
  const usage = field(result, 'usage')
  const input = countIn(usage, 'input_tokens')
  const cached =
    (countIn(usage, 'cache_creation_input_tokens') ?? 0) + (countIn(usage, 'cache_read_input_tokens') ?? 0)
  return answer(
    text,
    input === undefined ? undefined : input + cached,
    countIn(usage, 'output_tokens'),
    microUsd(field(result, 'total_cost_usd')),
  )
}

function readGemini(result: unknown): CliAnswer {
  const text = field(result, 'response')
  if (typeof text !== 'string')
    return { kind: 'failed', reason: String(field(field(result, 'error'), 'message') ?? 'no answer') }
  const tokens = Object.values(field(field(result, 'stats'), 'models') ?? {}).map(model =>
    field(model, 'tokens'),
  )
  return answer(
    text,
    sum(tokens.map(count => countIn(count, 'prompt') ?? countIn(count, 'input'))),
    sum(tokens.map(count => plus(countIn(count, 'candidates'), countIn(count, 'thoughts')))),
  )
}

function readEvents(events: readonly unknown[]): CliAnswer {
  let text = ''
  let failure = ''
  const input: (number | undefined)[] = []
  const output: (number | undefined)[] = []
  const cost: (number | undefined)[] = []
  for (const event of events) {
    const item = field(event, 'item')
    const part = field(event, 'part')
    switch (field(event, 'type')) {
      case 'item.completed':
        // The last message is the answer; those before tell what is being done.
        if (field(item, 'type') === 'agent_message') text = String(field(item, 'text'))
        break
      case 'turn.completed':
        input.push(countIn(field(event, 'usage'), 'input_tokens'))
        output.push(countIn(field(event, 'usage'), 'output_tokens'))
        break
      case 'text':
        text += String(field(part, 'text') ?? '')
        break
      case 'step_finish': {
        const tokens = field(part, 'tokens')
        const cache = field(tokens, 'cache')
        input.push(plus(countIn(tokens, 'input'), plus(countIn(cache, 'read') ?? 0, countIn(cache, 'write'))))
        output.push(plus(countIn(tokens, 'output'), countIn(tokens, 'reasoning')))
        cost.push(microUsd(field(part, 'cost')))
        break
      }
      case 'turn.failed':
      case 'error':
        failure = String(field(field(event, 'error'), 'message') ?? field(event, 'message') ?? 'no reason')
        break
    }
  }
  if (text === '') return { kind: 'failed', reason: failure === '' ? 'it gave no answer' : failure }
  return answer(text, sum(input), sum(output), sum(cost))
}

function answer(
  text: string,
  inputTokens: number | undefined,
  outputTokens: number | undefined,
  costMicroUsd?: number,
): CliAnswer {
  const cost = costMicroUsd === undefined ? {} : { costMicroUsd }
  return { kind: 'answer', text, inputTokens, outputTokens, isCut: false, ...cost }
}

function sum(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter(count => count !== undefined)
  return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0)
}

function plus(count: number | undefined, more: number | undefined): number | undefined {
  return count === undefined ? undefined : count + (more ?? 0)
}

function microUsd(dollars: unknown): number | undefined {
  return typeof dollars === 'number' && dollars >= 0 ? Math.ceil(dollars * MICRO) : undefined
}

function parsed(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

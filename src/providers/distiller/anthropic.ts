import type { Distiller, DistillerAnswer } from '../../features/learning/decide/ports.ts'
import {
  checkName,
  countIn,
  endpoint,
  FIRST_PAUSE_MS,
  failedStatus,
  field,
  type HttpModelOptions,
  keyFor,
  modelFailed,
  modelUnavailable,
  type Post,
  postJson,
} from './post-json.ts'

const API_VERSION = '2023-06-01'

/**
 * Anthropic's Messages API.
 *
 *   { content: [{ type: "text", text }], stop_reason: "end_turn" | "max_tokens" | "refusal" | …,
 *     usage: { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } }
 */
export function openAnthropic(options: HttpModelOptions): Distiller {
  const url = endpoint(options.url, ['/v1', '/messages'])
  const name = `anthropic:${options.name}`
  return {
    name,
    async ask({ instruction, content, maxOutputTokens }) {
      checkName(options)
      const key = keyFor(url, options)
      if (key === undefined)
        throw modelUnavailable(
          `There is no key in ${options.keyVariable}.`,
          `Set the variable, or name another with \`cairn config set model.keyVariable …\`.`,
        )
      const post: Post = {
        model: name,
        url,
        headers: { 'x-api-key': key, 'anthropic-version': API_VERSION },
        body: {
          model: options.name,
          max_tokens: maxOutputTokens,
          system: instruction,
          messages: [{ role: 'user', content }],
        },
        secret: key,
        deadlineMs: performance.now() + options.timeoutMs,
        firstPauseMs: options.firstPauseMs ?? FIRST_PAUSE_MS,
      }
      const answer = await postJson(post)
      if (answer.status !== 200) throw failedStatus(post, answer)
      return readMessage(name, answer.json)
    },
  }
}

function readMessage(model: string, json: unknown): DistillerAnswer {
  const blocks = field(json, 'content')
  if (!Array.isArray(blocks)) throw modelFailed(model, 'its answer is not of the expected form', 'unknown')
  const stop = field(json, 'stop_reason')
  if (stop === 'refusal') throw modelFailed(model, 'it declined to answer', 'unknown')
  const usage = field(json, 'usage')
  const input = countIn(usage, 'input_tokens')
  return {
    text: blocks.map(block => (field(block, 'type') === 'text' ? String(field(block, 'text')) : '')).join(''),
    inputTokens:
      input === undefined
        ? undefined
        : input +
          (countIn(usage, 'cache_creation_input_tokens') ?? 0) +
          (countIn(usage, 'cache_read_input_tokens') ?? 0),
    outputTokens: countIn(usage, 'output_tokens'),
    isCut: stop === 'max_tokens' || stop === 'model_context_window_exceeded',
  }
}

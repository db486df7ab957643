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
  type Post,
  postJson,
  reasonIn,
} from './post-json.ts'

/**
 * Any server that speaks as OpenAI's `/chat/completions` does; Ollama's `/v1` too.
 *
 *   { choices: [{ message: { content }, finish_reason: "stop" | "length" | … }],
 *     usage: { prompt_tokens, completion_tokens } }
 *
 * The dialects differ: some refuse `response_format`, some want `max_completion_tokens`. What a server refuses is left
 * out or said otherwise the next time.
 */
export function openOpenAiCompatible(options: HttpModelOptions): Distiller {
  const url = endpoint(options.url, ['/chat', '/completions'])
  const name = `openai:${options.name}`
  let takesFormat = true
  let limit: 'max_tokens' | 'max_completion_tokens' = 'max_tokens'
  return {
    name,
    async ask({ instruction, content, maxOutputTokens }) {
      checkName(options)
      const key = keyFor(url, options)
      const deadlineMs = performance.now() + options.timeoutMs
      for (;;) {
        const post: Post = {
          model: name,
          url,
          headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
          body: {
            model: options.name,
            messages: [
              { role: 'system', content: instruction },
              { role: 'user', content },
            ],
            [limit]: maxOutputTokens,
            stream: false,
            ...(takesFormat && { response_format: { type: 'json_object' } }),
          },
          secret: key,
          deadlineMs,
          firstPauseMs: options.firstPauseMs ?? FIRST_PAUSE_MS,
        }
        const answer = await postJson(post)
        if (answer.status === 200) return readCompletion(name, answer.json)
        const reason = answer.status === 400 || answer.status === 422 ? reasonIn(answer.json) : ''
        if (takesFormat && /response_format|json_object|json mode/i.test(reason)) takesFormat = false
        else if (limit === 'max_tokens' && reason.includes('max_completion_tokens'))
          limit = 'max_completion_tokens'
        else throw failedStatus(post, answer)
      }
    },
  }
}

function readCompletion(model: string, json: unknown): DistillerAnswer {
  const choices = field(json, 'choices')
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const content = field(field(choice, 'message'), 'content')
  if (typeof content !== 'string')
    throw modelFailed(model, 'its answer is not of the expected form', 'unknown')
  const usage = field(json, 'usage')
  return {
    text: content,
    inputTokens: countIn(usage, 'prompt_tokens'),
    outputTokens: countIn(usage, 'completion_tokens'),
    isCut: field(choice, 'finish_reason') === 'length',
  }
}

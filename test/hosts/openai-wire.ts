import { type ListedTool, sendEvents, sendJson, type Wire } from './wire.ts'

interface OpenAiTool {
  readonly type: string
  readonly name?: string
  readonly function?: { readonly name: string }
  readonly tools?: readonly OpenAiTool[]
}

/** `POST /v1/responses` (Codex). Tools of an MCP server stand in a namespace of their own. */
export const RESPONSES: Wire = {
  asksFor: path => /\/responses(\?|$)/.test(path),
  // Models that run their tools from code are told of them in the conversation.
  tools: body =>
    [
      ...((body.tools ?? []) as OpenAiTool[]),
      ...((body.input ?? []) as { type: string; tools?: OpenAiTool[] }[]).flatMap(({ type, tools = [] }) =>
        type === 'additional_tools' ? tools : [],
      ),
    ].flatMap(listed),
  send(response, { turn, body, id }) {
    const item =
      turn.kind === 'say'
        ? {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: turn.text, annotations: [] }],
          }
        : {
            id: `fc_${id}`,
            call_id: `call_${id}`,
            name: turn.tool.short ?? turn.tool.name,
            ...(turn.tool.group !== undefined && { namespace: turn.tool.group }),
            status: 'completed',
            ...(turn.tool.takesText
              ? { type: 'custom_tool_call', input: String(turn.arguments.input) }
              : { type: 'function_call', arguments: JSON.stringify(turn.arguments) }),
          }
    const whole = {
      id: `resp_${id}`,
      object: 'response',
      created_at: 0,
      status: 'completed',
      model: body.model,
      output: [item],
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 10,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 110,
      },
    }
    if (body.stream !== true) return sendJson(response, whole)
    sendEvents(response, [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
    ])
  },
}

function listed(tool: OpenAiTool): readonly ListedTool[] {
  if (tool.type === 'namespace' && tool.name !== undefined) {
    const group = tool.name
    return (tool.tools ?? []).map(({ name = '', type }) => ({
      name: `${group}__${name}`,
      group,
      short: name,
      ...(type === 'custom' && { takesText: true }),
    }))
  }
  const name = tool.name ?? tool.function?.name ?? tool.type
  return [{ name }]
}

/** `POST /v1/chat/completions` (OpenCode, Copilot). */
export const CHAT: Wire = {
  asksFor: path => /\/chat\/completions(\?|$)/.test(path),
  tools: body => ((body.tools ?? []) as OpenAiTool[]).flatMap(listed),
  send(response, { turn, body, id }) {
    const call =
      turn.kind === 'call'
        ? [
            {
              index: 0,
              id: `call_${id}`,
              type: 'function',
              function: { name: turn.tool.name, arguments: JSON.stringify(turn.arguments) },
            },
          ]
        : undefined
    const message = {
      role: 'assistant',
      ...(turn.kind === 'say' ? { content: turn.text } : { content: null, tool_calls: call }),
    }
    const finish = turn.kind === 'say' ? 'stop' : 'tool_calls'
    const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
    const common = { id: `chatcmpl-${id}`, created: 0, model: body.model }
    if (body.stream !== true)
      return sendJson(response, {
        ...common,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish }],
        usage,
      })
    const chunk = { ...common, object: 'chat.completion.chunk' }
    sendEvents(
      response,
      [
        { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
        { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
      ],
      'data: [DONE]\n\n',
    )
  },
}

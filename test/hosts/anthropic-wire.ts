import { sendEvents, sendJson, type Wire } from './wire.ts'

/** `POST /v1/messages` (Claude Code). */
export const ANTHROPIC: Wire = {
  asksFor: path => /\/v1\/messages(\?|$)/.test(path),
  tools: body => ((body.tools ?? []) as { name: string }[]).map(({ name }) => ({ name })),
  send(response, { turn, body, id }) {
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: body.model,
      stop_sequence: null,
      usage: { input_tokens: 100, output_tokens: 10 },
    }
    const block =
      turn.kind === 'say'
        ? { type: 'text', text: turn.text }
        : { type: 'tool_use', id: `toolu_${id}`, name: turn.tool.name, input: turn.arguments }
    const stop = turn.kind === 'say' ? 'end_turn' : 'tool_use'
    if (body.stream !== true) return sendJson(response, { ...message, content: [block], stop_reason: stop })
    const [opened, delta] =
      turn.kind === 'say'
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: turn.text },
          ]
        : [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(turn.arguments) },
          ]
    sendEvents(response, [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: opened },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: 10 },
      },
      { type: 'message_stop' },
    ])
  },
}

import { sendEvents, sendJson, type Wire } from './wire.ts'

interface GeminiTool {
  readonly functionDeclarations?: readonly { readonly name: string }[]
}

/** `POST …:streamGenerateContent` (Gemini CLI). */
export const GEMINI: Wire = {
  asksFor: path => /:(stream)?generateContent(\?|$)/i.test(path),
  tools: body =>
    ((body.tools ?? []) as GeminiTool[]).flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => ({ name })),
    ),
  send(response, { turn, path }) {
    const part =
      turn.kind === 'say'
        ? { text: turn.text }
        : { functionCall: { name: turn.tool.name, args: turn.arguments } }
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
      modelVersion: 'fake-model',
    }
    if (path.includes(':stream')) sendEvents(response, [answer])
    else sendJson(response, answer)
  },
}

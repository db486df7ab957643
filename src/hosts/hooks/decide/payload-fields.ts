/** A payload comes from another program, of any version: a field is present with the right type, or it counts as absent. */
export type PayloadFields = Readonly<Record<string, unknown>>

/** A host's names for what a payload reports. The first name that is present counts. */
export interface PayloadNames {
  readonly session: readonly string[]
  readonly cwd: readonly string[]
  readonly prompt: readonly string[]
  readonly answer: readonly string[]
  readonly transcript: readonly string[]
  readonly tool: readonly string[]
  readonly input: readonly string[]
  readonly response: readonly string[]
}

/** The names that Claude Code, Codex and Gemini share. */
export const SNAKE_CASE_NAMES: PayloadNames = {
  session: ['session_id'],
  cwd: ['cwd'],
  prompt: ['prompt'],
  answer: ['last_assistant_message', 'prompt_response'],
  transcript: ['transcript_path'],
  tool: ['tool_name'],
  input: ['tool_input'],
  // The second is Copilot's, where it runs the hooks of Claude Code.
  response: ['tool_response', 'tool_result'],
}

/** The first of these that is a non-empty string. */
export function textField(fields: PayloadFields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = ownField(fields, name)
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

export function numberField(fields: PayloadFields, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = ownField(fields, name)
    if (typeof value === 'number' && Number.isFinite(value)) return value
  }
  return undefined
}

export function fieldsIn(fields: PayloadFields, ...names: readonly string[]): PayloadFields | undefined {
  for (const name of names) {
    const value = ownField(fields, name)
    if (isFields(value)) return value
  }
  return undefined
}

export function ownField(fields: PayloadFields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

export function isFields(value: unknown): value is PayloadFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** undefined: not a JSON object. */
export function parseFields(text: string): PayloadFields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

import {
  fieldsIn,
  numberField,
  ownField,
  type PayloadFields,
  parseFields,
  textField,
} from '../hooks/decide/payload-fields.ts'

const EXITED = /^(?:.{0,200}\n){0,3}?(?:Process exited with code|Exit code:) (-?\d{1,5})(?:\n|$)/
const JSON_EXIT = /"exit_code":\s*(-?\d{1,5})\}/

/**
 * The exit codes of these calls, from lines of a Codex rollout. Codex hands its hooks the output of a command alone.
 *
 *   {"type":"event_msg","payload":{"item":{"type":"CommandExecution","id":"call_1","exit_code":0,…}}}
 *   {"type":"response_item","payload":{"type":"function_call_output","call_id":"call_1","output":"…Process exited with code 0…"}}
 */
export function codexExitCodes(
  lines: readonly string[],
  calls: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const codes = new Map<string, number>()
  for (const line of lines) {
    // Most lines are of something else, and some are long.
    if (!/"(?:CommandExecution|\w*_output)"/.test(line)) continue
    const payload = fieldsIn(parseFields(line) ?? {}, 'payload')
    const told = payload && (endedCommand(payload) ?? calledOutput(payload))
    if (told !== undefined && calls.has(told.id) && !codes.has(told.id)) codes.set(told.id, told.code)
  }
  return codes
}

interface Told {
  readonly id: string
  readonly code: number
}

function endedCommand(payload: PayloadFields): Told | undefined {
  const item = fieldsIn(payload, 'item')
  if (item === undefined || ownField(item, 'type') !== 'CommandExecution') return undefined
  return toldOf(textField(item, 'id'), numberField(item, 'exit_code'))
}

/** How it ended stands above what was printed, or (older) in JSON behind it. */
function calledOutput(payload: PayloadFields): Told | undefined {
  if (!/_output$/.test(textField(payload, 'type') ?? '')) return undefined
  const output = textField(payload, 'output') ?? ''
  const code = output.startsWith('{"output"')
    ? JSON_EXIT.exec(output.slice(-200))?.[1]
    : EXITED.exec(output.slice(0, 1_000))?.[1]
  return toldOf(textField(payload, 'call_id'), code === undefined ? undefined : Number(code))
}

function toldOf(id: string | undefined, code: number | undefined): Told | undefined {
  return id === undefined || code === undefined || !Number.isInteger(code) ? undefined : { id, code }
}

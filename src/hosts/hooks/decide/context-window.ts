import type { HostId } from '../../../kernel/model/host.ts'
import {
  fieldsIn,
  numberField,
  ownField,
  type PayloadFields,
  parseFields,
  textField,
} from './payload-fields.ts'

/** Where neither the host nor the name of the model says how much it takes. */
const CLAUDE_WINDOW = 200_000
const GEMINI_WINDOW = 1_048_576
const LARGE_WINDOW = 1_000_000

interface Usage {
  readonly used: number
  readonly window: number
}

/** What a line of a transcript says about how full the context is; `mark` is a text that no other line has. */
const USAGE: Partial<
  Record<HostId, { readonly mark: string; readonly read: (line: PayloadFields) => Usage | undefined }>
> = {
  'claude-code': { mark: '"usage"', read: claudeUsage },
  codex: { mark: '"token_count"', read: codexUsage },
  gemini: { mark: '"tokens"', read: geminiUsage },
  copilot: { mark: '"context_token_limit"', read: copilotUsage },
}

/** Tokens left in the context, from the end of the host's transcript; undefined where it does not tell. */
export function contextLeftIn(host: HostId, tail: string): number | undefined {
  const usage = usageIn(host, tail)
  return usage === undefined ? undefined : Math.max(0, usage.window - usage.used)
}

/** The last thing that is said of it in this end of a transcript. */
export function usageIn(host: HostId, tail: string): Usage | undefined {
  const known = USAGE[host]
  if (known === undefined) return undefined
  for (let at = tail.lastIndexOf(known.mark); at !== -1; at = tail.lastIndexOf(known.mark, at - 1)) {
    const start = tail.lastIndexOf('\n', at) + 1
    const end = tail.indexOf('\n', at)
    const line = parseFields(tail.slice(start, end === -1 ? tail.length : end))
    const usage = line && known.read(line)
    if (usage !== undefined) return usage
    if (start === 0) return undefined
    at = start
  }
  return undefined
}

function claudeUsage(line: PayloadFields): Usage | undefined {
  if (ownField(line, 'isSidechain') === true) return undefined
  const message = fieldsIn(line, 'message')
  const usage = message && fieldsIn(message, 'usage')
  if (message === undefined || usage === undefined) return undefined
  const used =
    (numberField(usage, 'input_tokens') ?? 0) +
    (numberField(usage, 'cache_read_input_tokens') ?? 0) +
    (numberField(usage, 'cache_creation_input_tokens') ?? 0) +
    (numberField(usage, 'output_tokens') ?? 0)
  if (used === 0) return undefined
  const isLarge = /\[1m\]|-1m\b/i.test(textField(message, 'model') ?? '') || used > CLAUDE_WINDOW
  return { used, window: isLarge ? LARGE_WINDOW : CLAUDE_WINDOW }
}

function codexUsage(line: PayloadFields): Usage | undefined {
  const info = fieldsIn(fieldsIn(line, 'payload') ?? {}, 'info')
  const last = info && fieldsIn(info, 'last_token_usage')
  const window = info && numberField(info, 'model_context_window')
  const used = last && numberField(last, 'total_tokens')
  return window === undefined || used === undefined ? undefined : { used, window }
}

function geminiUsage(line: PayloadFields): Usage | undefined {
  const tokens = fieldsIn(line, 'tokens')
  const used = tokens && numberField(tokens, 'total', 'input')
  return used === undefined ? undefined : { used, window: GEMINI_WINDOW }
}

function copilotUsage(line: PayloadFields): Usage | undefined {
  const telemetry = fieldsIn(fieldsIn(line, 'data') ?? {}, 'toolTelemetry')
  const metrics = telemetry && fieldsIn(telemetry, 'metrics')
  const window = metrics && numberField(metrics, 'context_token_limit')
  const used = metrics && numberField(metrics, 'context_current_tokens')
  return window === undefined || used === undefined ? undefined : { used, window }
}

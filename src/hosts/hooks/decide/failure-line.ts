import { parseFields, textField } from './payload-fields.ts'

/** A hook that could not do its work. It never says what was asked or what was in a payload. */
export interface HookFailure {
  /** UTC ISO. */
  readonly at: string
  readonly host: string
  readonly event: string
  readonly root?: string
  readonly code: string
  readonly message: string
}

export function renderFailure({ at, host, event, root, code, message }: HookFailure): string {
  return JSON.stringify({ at, host, event, ...(root !== undefined && { root }), code, message })
}

/** undefined: no line of ours. */
export function parseFailure(text: string): HookFailure | undefined {
  const fields = parseFields(text)
  if (fields === undefined) return undefined
  const at = textField(fields, 'at')
  const code = textField(fields, 'code')
  if (at === undefined || code === undefined) return undefined
  const root = textField(fields, 'root')
  return {
    at,
    host: textField(fields, 'host') ?? '',
    event: textField(fields, 'event') ?? '',
    ...(root !== undefined && { root }),
    code,
    message: textField(fields, 'message') ?? '',
  }
}

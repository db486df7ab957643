import { CairnError, type ErrorClass, type ErrorCode } from '../../kernel/model/errors.ts'
import { asStorageError, errnoOf } from '../../kernel/system/disk.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'

/** The HTTP status of each class of failures. */
export const HTTP_STATUS: Readonly<Record<ErrorClass, number>> = {
  usage: 400,
  not_found: 404,
  conflict: 409,
  refused: 403,
  storage: 503,
  invalid: 422,
  internal: 500,
}

/** Codes with a more specific HTTP status. */
export const STATUS_OF_CODE: Partial<Readonly<Record<ErrorCode, number>>> = {
  token_missing: 401,
  token_refused: 401,
  method_unknown: 405,
  body_too_large: 413,
  content_too_long: 413,
  too_many_requests: 429,
  disk_full: 507,
}

export function statusOf(error: CairnError): number {
  return STATUS_OF_CODE[error.code] ?? HTTP_STATUS[error.class]
}

interface FailureBody {
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly details?: Record<string, unknown>
}

const clean = (text: string) => redact(text).text

function cleanAll(value: unknown): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map(cleanAll)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleanAll(inner)]))
}

/** An error often repeats its input: a secret in it must not be returned. An unknown exception is a defect of Cairn. */
export function failureOf(error: unknown): { readonly status: number; readonly body: FailureBody } {
  const known = errnoOf(error) === undefined ? error : asStorageError(error, 'The memory folder')
  if (!(known instanceof CairnError)) {
    return {
      status: HTTP_STATUS.internal,
      body: {
        code: 'internal',
        message: 'Cairn failed in a way that it does not know.',
        hint: 'What happened is on the terminal of `cairn up`.',
      },
    }
  }
  return {
    status: statusOf(known),
    body: {
      code: known.code,
      message: clean(known.message),
      hint: clean(known.hint),
      ...(known.details !== undefined && { details: cleanAll(known.details) as Record<string, unknown> }),
    },
  }
}

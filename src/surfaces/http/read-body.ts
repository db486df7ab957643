import { CairnError } from '../../kernel/model/errors.ts'

/** Many times the longest text of the page. */
export const MAX_BODY_BYTES = 1024 * 1024

/** Deeper than any valid input; recursive code must be able to return. */
const MAX_DEPTH = 64

/** The JSON object of a request; empty if it has no body. A body that is too long is not read to its end. */
export async function readBody(
  request: Request,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Record<string, unknown>> {
  const text = await readJsonText(request, maxBytes)
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw notReadable('The body is not a JSON object.')
}

/** The text of a request before it is parsed: limited in length and depth, and valid UTF-8. */
export async function readJsonText(request: Request, maxBytes: number = MAX_BODY_BYTES): Promise<string> {
  const text = decoded(await readBytes(request, maxBytes))
  if (isDeeperThan(MAX_DEPTH, text))
    throw notReadable(
      `The body is nested deeper than ${MAX_DEPTH} levels.`,
      'Send JSON with less nesting; no field needs this depth.',
    )
  return text
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.byteLength
    if (length > maxBytes) {
      await reader.cancel()
      throw tooLarge(maxBytes)
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw notReadable('The body is not UTF-8.')
    throw error
  }
}

/** Checked on the text, because a parser would already have built the value. */
function isDeeperThan(most: number, text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (isInString) {
      if (char === '\\') at++
      else if (char === '"') isInString = false
    } else if (char === '"') isInString = true
    else if (char === '{' || char === '[') {
      if (++depth > most) return true
    } else if (char === '}' || char === ']') depth--
  }
  return false
}

function tooLarge(maxBytes: number): CairnError {
  return new CairnError({
    code: 'body_too_large',
    message: `The body is longer than ${maxBytes} bytes, and was not read.`,
    hint: 'Send it in smaller requests.',
  })
}

function notReadable(
  message: string,
  hint = 'Send an object with the fields of the route: GET /api/openapi.json lists them.',
): CairnError {
  return new CairnError({ code: 'invalid_input', message, hint })
}

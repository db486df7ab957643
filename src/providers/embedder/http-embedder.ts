import type { Embedder } from '../../features/search/decide/ports.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { environmentVariable } from '../../kernel/system/environment.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'

interface HttpEmbedderOptions {
  /** The endpoint: one that ends in `/api/embed` uses Ollama's protocol, every other OpenAI's `/v1/embeddings`. */
  readonly url: string
  /** The server's name for the model. */
  readonly model: string
  /** The NAME of the environment variable with the key, for `Authorization: Bearer`. The key itself is never stored. */
  readonly keyVariable?: string
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 30_000
const TEXTS_A_REQUEST = 64
const MAX_REASON_LENGTH = 200

/** A model behind HTTP. `maxTokens` is left to the server, which has the tokenizer. Throws `config_value_invalid`. */
export function openHttpEmbedder(options: HttpEmbedderOptions): Embedder {
  const url = endpointOf(options.url)
  // Another server may use the same name for another model. A URL query may contain a key and does not affect the vectors.
  const model = `${url.origin}${url.pathname}#${options.model}`
  let dimensions = 0
  return {
    model,
    get dimensions() {
      return dimensions
    },
    async embed(texts) {
      const vectors: Float32Array[] = []
      for (let start = 0; start < texts.length; start += TEXTS_A_REQUEST) {
        const some = texts.slice(start, start + TEXTS_A_REQUEST)
        const rows = rowsOf(await ask(url, some, options), some.length, model)
        for (const row of rows) {
          const vector = unitVector(row, model)
          if (dimensions === 0) dimensions = vector.length
          if (vector.length !== dimensions) {
            throw failed(model, `it gave ${vector.length} dimensions after ${dimensions}`)
          }
          vectors.push(vector)
        }
      }
      return vectors
    },
    async close() {
      // There is no open connection.
    },
  }
}

function endpointOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw invalidUrl('The embedder url must begin with http:// or https://.')
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidUrl('The embedder url must not hold a password.')
  }
  return url
}

function invalidUrl(message: string): CairnError {
  return new CairnError({
    code: 'config_value_invalid',
    message,
    hint: 'For instance http://localhost:11434/api/embed; a key goes into an environment variable that the configuration names.',
  })
}

async function ask(url: URL, texts: readonly string[], options: HttpEmbedderOptions): Promise<unknown> {
  const key = keyOf(options)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      // Entries are already redacted; a query may contain a secret.
      body: JSON.stringify({ model: options.model, input: texts.map(text => redact(text).text) }),
      // A redirect could send the texts to another server.
      redirect: 'error',
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    })
    const body = await response.text()
    if (!response.ok) throw failed(url.host, `status ${response.status}${reasonIn(body, key)}`)
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof CairnError) throw error
    throw failed(url.host, explain(error), error)
  }
}

function keyOf({ keyVariable }: HttpEmbedderOptions): string | undefined {
  if (keyVariable === undefined) return undefined
  // A local server usually needs no key; one that does reports it.
  return environmentVariable(keyVariable)
}

/** `{ error: "…" }` and `{ error: { message: "…" } }`, without the key if the server repeats it. */
function reasonIn(body: string, key: string | undefined): string {
  const found = /"(?:message|error)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]
  if (found === undefined) return ''
  const safe = key === undefined ? found : found.replaceAll(key, '[key]')
  return `: ${safe.slice(0, MAX_REASON_LENGTH)}`
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'no answer in time'
  if (error instanceof SyntaxError) return 'its answer is no JSON'
  return error.cause instanceof Error ? error.cause.message : error.message
}

/**
 *   OpenAI   { data: [ { index: 0, embedding: [ … ] }, … ] }     in any order
 *   Ollama   { embeddings: [ [ … ], … ] }
 */
function rowsOf(answer: unknown, count: number, model: string): unknown[] {
  const rows: unknown[] = []
  if (hasList(answer, 'embeddings')) rows.push(...answer.embeddings)
  else if (hasList(answer, 'data')) {
    answer.data.forEach((item: { index?: unknown; embedding?: unknown } | null, i) => {
      rows[typeof item?.index === 'number' ? item.index : i] = item?.embedding
    })
  }
  if (rows.length !== count) throw failed(model, `it gave ${rows.length} vectors for ${count} texts`)
  return rows
}

function hasList<Name extends string>(value: unknown, name: Name): value is Record<Name, never[]> {
  return typeof value === 'object' && value !== null && name in value && Array.isArray(value[name as never])
}

function unitVector(row: unknown, model: string): Float32Array {
  if (!Array.isArray(row) || row.length === 0) throw failed(model, 'a vector is missing from its answer')
  const vector = Float32Array.from(row, value => (typeof value === 'number' ? value : Number.NaN))
  const length = Math.hypot(...vector)
  if (!Number.isFinite(length) || length === 0)
    throw failed(model, 'a vector in its answer is not made of numbers')
  return vector.map(value => value / length)
}

function failed(subject: string, why: string, cause?: unknown): CairnError {
  return new CairnError({
    code: 'embedder_failed',
    message: `The embedder ${subject} failed: ${why}.`,
    hint: 'Check that the server runs and has the model. Search by words works without it.',
    ...(cause === undefined ? {} : { cause }),
  })
}

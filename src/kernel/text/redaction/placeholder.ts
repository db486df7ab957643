/**
 * Every type of redaction. The list is closed on purpose: only these words between the brackets count as a placeholder, so a secret
 * cannot hide from a second pass by being written as `[redacted:hunter2]`.
 */
export const REDACTION_TYPES = [
  'anthropic_key',
  'api_key',
  'atlassian_token',
  'authorization',
  'aws_access_key',
  'aws_secret_key',
  'azure_key',
  'azure_sas',
  'cairn_token',
  'card_number',
  'connection_string',
  'cpf',
  'databricks_token',
  'digitalocean_token',
  'discord_token',
  'discord_webhook',
  'docker_token',
  'email',
  'figma_token',
  'github_token',
  'gitlab_token',
  'google_api_key',
  'google_oauth_secret',
  'grafana_token',
  'groq_key',
  'high_entropy',
  'huggingface_token',
  'iban',
  'jwt',
  'linear_token',
  'mailgun_key',
  'mercadopago_token',
  'newrelic_key',
  'notion_token',
  'npm_token',
  'onepassword_token',
  'openai_key',
  'password',
  'phone',
  'private_key',
  'pypi_token',
  'secret',
  'sendgrid_key',
  'sentry_token',
  'service_token',
  'shopify_token',
  'slack_token',
  'slack_webhook',
  'square_token',
  'stripe_key',
  'supabase_token',
  'telegram_token',
  'token',
  'twilio_key',
  'unsafe_text',
  'vault_token',
  'vercel_token',
  'webhook',
] as const

export type RedactionType = (typeof REDACTION_TYPES)[number]

/** Where a secret was in the original text, and how long it was. Never its value. */
export interface Redaction {
  readonly type: string
  /** 1-based. */
  readonly line: number
  /** 1-based, in UTF-16 code units. */
  readonly column: number
  readonly length: number
}

/** A half-open range of the inspected text. */
export interface Range {
  readonly start: number
  readonly end: number
}

export interface Span extends Range {
  readonly type: RedactionType
}

function placeholderFor(type: RedactionType): string {
  return `[redacted:${type}]`
}

const PLACEHOLDER = new RegExp(`\\[redacted:(?:${REDACTION_TYPES.join('|')})\\]`, 'g')

export function findPlaceholders(text: string): Range[] {
  if (!text.includes('[redacted:')) return []
  return Array.from(text.matchAll(PLACEHOLDER), match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** The positions of the spans in the text, in one pass. The spans must be in order. */
export function locate(text: string, spans: readonly Span[]): Redaction[] {
  let line = 1
  let lineStart = 0
  // Reused between spans: searching it again for each would be quadratic in a text of one long line.
  let lineEnd = text.indexOf('\n')
  return spans.map(({ type, start, end }) => {
    while (lineEnd !== -1 && lineEnd < start) {
      line += 1
      lineStart = lineEnd + 1
      lineEnd = text.indexOf('\n', lineStart)
    }
    return { type, line, column: start - lineStart + 1, length: end - start }
  })
}

/** The text with each span replaced by its placeholder. The spans must be in order and must not overlap. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  let out = ''
  let kept = 0
  for (const span of spans) {
    out += text.slice(kept, span.start) + placeholderFor(span.type)
    kept = span.end
  }
  return out + text.slice(kept)
}

/**
 * Overlapping spans become one that covers them all, so no part of either remains. The type is that of the span listed first: detectors
 * run from the most to the least certain.
 */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const ranked = spans.map((span, rank) => ({ ...span, rank })).sort((a, b) => a.start - b.start)
  const merged: ((typeof ranked)[number] & { end: number })[] = []
  for (const span of ranked) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) {
      merged.push(span)
      continue
    }
    const surer = span.rank < last.rank ? span : last
    merged[merged.length - 1] = {
      start: last.start,
      end: Math.max(last.end, span.end),
      type: surer.type,
      rank: surer.rank,
    }
  }
  return merged.map(({ start, end, type }) => ({ start, end, type }))
}

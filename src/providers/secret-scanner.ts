import {
  findPlaceholders,
  locate,
  mergeSpans,
  type RedactionType,
  replaceSpans,
  type Span,
} from '../kernel/text/redaction/placeholder.ts'
import type { RedactedText } from '../kernel/text/redaction/redact.ts'
import { isExample, isJoinedWords } from '../kernel/text/redaction/stand-in.ts'
import { isInsideBase64 } from '../kernel/text/redaction/token-rules.ts'

/**
 * It honours `secretlint-disable` comments: a text could switch its own scan off. The rules are registered one by one because
 * a rule of a preset stays active when its descriptor says `disabled` (12.0.0).
 */
const COMMENT_FILTER = '@secretlint/secretlint-rule-filter-comments'

/** The preset's rules, with the names of our own redaction. An unknown rule of a later version is a `secret`. */
const TYPE_BY_RULE: Readonly<Record<string, RedactionType>> = {
  '1password': 'onepassword_token',
  anthropic: 'anthropic_key',
  aws: 'aws_access_key',
  basicauth: 'connection_string',
  'database-connection-string': 'connection_string',
  databricks: 'databricks_token',
  docker: 'docker_token',
  figma: 'figma_token',
  gcp: 'private_key',
  github: 'github_token',
  gitlab: 'gitlab_token',
  grafana: 'grafana_token',
  groq: 'groq_key',
  'hashicorp-vault': 'vault_token',
  huggingface: 'huggingface_token',
  linear: 'linear_token',
  notion: 'notion_token',
  npm: 'npm_token',
  openai: 'openai_key',
  privatekey: 'private_key',
  sendgrid: 'sendgrid_key',
  shopify: 'shopify_token',
  slack: 'slack_token',
  vercel: 'vercel_token',
}

interface Finding {
  readonly ruleId: string
  readonly messageId: string
  readonly range: readonly [start: number, end: number]
  readonly data?: object
}

/**
 * The second scan: secretlint's recommended rules on a text that our own rules have redacted. For places where start-up time does not
 * matter; the library is loaded by the first call (check `mayHoldSecret` before).
 */
export async function scanWithSecretlint(text: string): Promise<RedactedText> {
  const [{ lintSource }, preset] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const result = await lintSource({
    source: { content: text, filePath: 'memory.md', ext: '.md', contentType: 'text' },
    options: {
      noPhysicFilePath: true,
      config: {
        rules: preset.rules
          .filter(rule => rule.meta.id !== COMMENT_FILTER)
          .map(rule => ({ id: rule.meta.id, rule })),
      },
    },
  })
  const spans = spansOf(text, result.messages)
  return { text: replaceSpans(text, spans), redacted: locate(text, spans) }
}

/** A match that overlaps a placeholder mistook it for a password: `mongodb://[redacted:connection_string]@host`. */
function spansOf(text: string, findings: readonly Finding[]): Span[] {
  const walls = findPlaceholders(text)
  const spans = findings.map(finding => spanOf(text, finding)).filter(span => !isHarmless(text, span))
  return mergeSpans(spans.filter(span => !walls.some(wall => wall.start < span.end && span.start < wall.end)))
}

/** Variables in place of a user and a password: `mongodb://<user>:$PASS@host`. */
const TEMPLATE = /:\/\/[^@\s]*(?:<[\w .-]+>|\$[{(]?\w|\{\{?\w|%\(?[A-Za-z_]\w*\)?[s%])[^@\s]*@?/

/** False matches of the library: inside a word or base64, an example, or a template. */
function isHarmless(text: string, { type, start, end }: Span): boolean {
  if (type === 'private_key') return false
  const found = text.slice(start, end)
  if (type === 'connection_string') return TEMPLATE.test(text.slice(Math.max(0, start - 24), end + 1))
  if (isExample(found) || isJoinedWords(found) || isInsideBase64(text, start)) return true
  return (
    /[A-Za-z0-9]/.test(found.charAt(0)) &&
    /[A-Za-z]/.test(text.charAt(start - 1)) &&
    text.charAt(start - 2) !== '\\'
  )
}

/**
 * Some rules report where the match begins with the length of the value inside it, which would leave the value's tail in
 * the text. So the span also covers the values that the finding names, and ends where the token around it ends.
 */
function spanOf(text: string, finding: Finding): Span {
  const [start] = finding.range
  let end = finding.range[1]
  for (const value of Object.values(finding.data ?? {})) {
    if (typeof value !== 'string' || value === '') continue
    const at = text.indexOf(value, start)
    if (at !== -1) end = Math.max(end, at + value.length)
  }
  while (end < text.length && /[\w+/=~-]/.test(text.charAt(end))) end += 1
  const rule = finding.ruleId.slice(finding.ruleId.lastIndexOf('rule-') + 'rule-'.length)
  const type =
    finding.messageId === 'AWSSecretAccessKey' ? 'aws_secret_key' : (TYPE_BY_RULE[rule] ?? 'secret')
  return { type, start, end }
}

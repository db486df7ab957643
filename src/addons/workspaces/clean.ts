import type { Memory } from '../../kernel/memory.ts'

/**
 * Frees an answer of secrets: it is kept in the transcript of whoever asked. All its texts are looked at as one, which nearly always
 * ends it; only where something is found each is looked at by itself.
 */
export async function cleaner(memory: Memory): Promise<<T>(answer: T) => T> {
  const { redact } = await import('../../kernel/text/redaction/redact.ts')
  const { redactionOptions } = await import('../../kernel/text/redaction/redaction-options.ts')
  const options = redactionOptions(await memory.config())
  return answer => {
    if (redact(textsOf(answer).join('\n\n'), options).redacted.length === 0) return answer
    return withTexts(answer, text => redact(text, options).text)
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

/** The same answer with each of its texts changed. */
export function withTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map(item => withTexts(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner, change)])) as T
}

import type { Memory } from '../../kernel/memory.ts'

/**
 * Redacts an answer, because the client stores it in its transcript. All its texts are checked together first, which is nearly always
 * enough; only if a secret is found is each text checked alone.
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

/** The same answer with each of its texts replaced. */
export function withTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map(item => withTexts(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner, change)])) as T
}

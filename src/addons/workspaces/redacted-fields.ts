import type { Memory } from '../../kernel/memory.ts'
import { redact } from '../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../kernel/text/redaction/redaction-options.ts'

/** A secret that was removed: its kind and where it was. Never its value. */
export interface RemovedSecret {
  readonly type: string
  readonly field: string
  readonly line: number
  readonly column: number
}

/** The input of a writing verb, redacted. */
export async function redactedFields<
  Fields extends Readonly<Record<string, string | readonly string[] | undefined>>,
>(
  memory: Memory,
  fields: Fields,
): Promise<{ readonly fields: Fields; readonly redacted: readonly RemovedSecret[] }> {
  const config = await memory.config()
  const options = redactionOptions(config)
  const redacted: RemovedSecret[] = []
  const free = async (field: string, text: string): Promise<string> => {
    const first = redact(text, options)
    const second = config['redaction.secondNet']
      ? await memory.secondNet(first.text)
      : { text: first.text, redacted: [] }
    for (const { type, line, column } of [...first.redacted, ...second.redacted])
      redacted.push({ type, field, line, column })
    return second.text
  }
  const freed: Record<string, string | readonly string[] | undefined> = {}
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue
    freed[field] =
      typeof value === 'string'
        ? await free(field, value)
        : await Promise.all(value.map(item => free(field, item)))
  }
  return { fields: freed as Fields, redacted }
}

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

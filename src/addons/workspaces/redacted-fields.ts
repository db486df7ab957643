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

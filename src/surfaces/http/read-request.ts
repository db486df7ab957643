import { CairnError } from '../../model/errors.ts'
import type { ObjectSchema, Operation } from '../../operations/operation.ts'

/** The fields of a path and a query string are text; what the verb takes is said by its schema. */
export function fieldsFromText(
  operation: Operation,
  given: Readonly<Record<string, readonly string[]>>,
): Record<string, unknown> {
  const entries = (operation.input as ObjectSchema).entries
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => {
      const schema = entries[name]
      const type = schema?.type === 'optional' ? wrappedType(schema) : schema?.type
      return [name, fieldValue(name, type, values)]
    }),
  )
}

function wrappedType(schema: object): string {
  return (schema as { readonly wrapped: { readonly type: string } }).wrapped.type
}

function fieldValue(name: string, type: string | undefined, values: readonly string[]): unknown {
  if (type === 'array') return values.flatMap(value => value.split(',')).filter(value => value !== '')
  const value = values.at(-1) ?? ''
  if (type === 'number') return value === '' ? Number.NaN : Number(value)
  if (type !== 'boolean') return value
  if (value === 'true' || value === '' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw new CairnError({
    code: 'invalid_input',
    message: `\`${name}\` is true or false, not "${value.slice(0, 40)}".`,
    hint: 'Leave it out, or give true.',
  })
}

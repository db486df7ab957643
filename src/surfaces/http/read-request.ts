import * as v from 'valibot'
import { CairnError } from '../../kernel/model/errors.ts'
import { nearestName } from '../../kernel/text/nearest-name.ts'
import type { ObjectSchema } from '../../verbs/operation.ts'

/** The input that a route accepts. */
export interface Taking<Input extends ObjectSchema = ObjectSchema> {
  readonly name: string
  readonly input: Input
}

export function parseFields<Input extends ObjectSchema>(
  { name, input }: Taking<Input>,
  fields: Readonly<Record<string, unknown>>,
): v.InferOutput<Input> {
  const result = v.safeParse(input, fields)
  if (result.success) return result.output
  const [issue] = result.issues
  const field = issue.path?.map(item => String(item.key)).join('.') ?? 'input'
  throw new CairnError({
    code: 'invalid_input',
    // valibot's message about a missing field describes the schema and does not help the client.
    message:
      issue.input === undefined
        ? `${name}: \`${field}\` is needed.`
        : `${name}: \`${field}\`: ${issue.message}`,
    hint: 'GET /api/openapi.json lists the fields of every route.',
  })
}

/** The maximum distance between an unknown field and a suggestion. */
const MAX_SLIPS = 2
/** How much of a client's field name is repeated. */
const REPEATED_CHARACTERS = 40

/** An unknown field is refused, because ignoring it would return an answer to a different question. */
export function refuseUnknown(
  { name, input }: Taking,
  given: Iterable<string>,
  kind: 'field' | 'parameter',
): void {
  const known = Object.keys(input.entries)
  for (const field of given) {
    if (known.includes(field)) continue
    const near = nearestName(field, known, MAX_SLIPS)
    throw new CairnError({
      code: 'invalid_input',
      message: `${name} has no ${kind} \`${field.slice(0, REPEATED_CHARACTERS)}\`.`,
      hint: `${near === undefined ? '' : `Did you mean \`${near}\`? `}GET /api/openapi.json lists the fields of every route.`,
    })
  }
}

/** The fields of a path and a query string are text; the verb's schema gives their types. */
export function fieldsFromText(
  { input }: Taking,
  given: Readonly<Record<string, readonly string[]>>,
): Record<string, unknown> {
  const { entries } = input
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
  const [value = '', second] = values
  // A proxy could use one of two values and Cairn the other.
  if (type !== undefined && second !== undefined)
    throw new CairnError({
      code: 'invalid_input',
      message: `\`${name.slice(0, REPEATED_CHARACTERS)}\` is given more than once.`,
      hint: 'Give it once.',
    })
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

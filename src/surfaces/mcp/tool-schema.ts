import type * as v from 'valibot'
import { jsonSchemaOf } from '../../verbs/json-schema.ts'
import type { ObjectSchema, Operation } from '../../verbs/operation.ts'
import type { ToolOfVerb } from '../../verbs/tool.ts'

export type ToolJsonSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>

/** The input of a tool as JSON Schema, from the schemas of its operations. */
export function inputSchemaOf(
  { name, fields }: ToolOfVerb,
  actions: readonly string[],
  operations: readonly Operation[],
): ToolJsonSchema {
  const required: string[] = []
  const properties: Record<string, unknown> =
    actions.length > 1 ? { action: { type: 'string', enum: actions } } : {}
  for (const [field, description] of Object.entries(fields)) {
    const known = operations.flatMap(operation => entriesOf(operation)[field] ?? [])
    const [schema] = known
    if (schema === undefined) throw new Error(`no operation of ${name} has ${field}`)
    if (schema.type !== 'optional' && known.length === operations.length) required.push(field)
    properties[field] = { ...typeOf(schema as v.GenericSchema), ...(description !== '' && { description }) }
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

type Schema = ObjectSchema['entries'][string]

export function entriesOf(operation: Operation): Readonly<Record<string, Schema>> {
  return operation.input.entries
}

/** Without the fields that are taken, and not listed. */
export function listedSchema(schema: v.GenericSchema, unlisted: readonly string[]): ToolJsonSchema {
  const whole = typeOf(schema)
  const properties = Object.entries(whole.properties as Record<string, unknown>).filter(
    ([name]) => !unlisted.includes(name),
  )
  return { ...whole, type: 'object', properties: Object.fromEntries(properties) }
}

/** Of a value at any depth, without descriptions: the names say enough, and every word is read in every session. */
export function typeOf(schema: v.GenericSchema): Readonly<Record<string, unknown>> {
  return jsonSchemaOf(schema, { isTerse: true })
}

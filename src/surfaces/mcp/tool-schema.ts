import type { ObjectSchema, Operation } from '../../operations/operation.ts'
import type { ToolRow } from './tools.ts'

export type JsonSchema = { readonly type: 'object' } & Readonly<Record<string, unknown>>

/** The input of a tool as JSON Schema, from the schemas of its operations. */
export function inputSchemaOf(row: ToolRow, operations: readonly Operation[]): JsonSchema {
  const actions = Object.keys(row.verbs)
  const required: string[] = []
  const properties: Record<string, unknown> = actions.length > 1 ? { action: { enum: actions } } : {}
  for (const [field, description] of Object.entries(row.fields)) {
    const known = operations.flatMap(operation => entriesOf(operation)[field] ?? [])
    const [schema] = known
    if (schema === undefined) throw new Error(`no operation of ${row.name} has ${field}`)
    const isOptional = schema.type === 'optional'
    if (!isOptional && known.length === operations.length) required.push(field)
    const inner = isOptional ? (schema as unknown as { wrapped: Schema }).wrapped : schema
    properties[field] = { ...typeOf(inner), ...(description !== '' && { description }) }
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

type Schema = ObjectSchema['entries'][string]

export function entriesOf(operation: Operation): Readonly<Record<string, Schema>> {
  return operation.input.entries
}

function typeOf(schema: Schema): Record<string, unknown> {
  switch (schema.type) {
    case 'number':
      return { type: 'integer' }
    case 'boolean':
      return { type: 'boolean' }
    case 'array':
      return { type: 'array', items: { type: 'string' } }
    case 'picklist':
      return { enum: (schema as unknown as { options: readonly string[] }).options }
    default:
      return { type: 'string' }
  }
}

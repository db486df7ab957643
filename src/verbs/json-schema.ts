import * as v from 'valibot'

export type JsonSchema = Readonly<Record<string, unknown>>

interface JsonSchemaOptions {
  /** Types only, without descriptions and limits: for readers for whom every word costs something. */
  readonly isTerse?: boolean
}

/** The parts of the schema kinds that we use. */
interface Parts {
  readonly type: string
  readonly wrapped: v.GenericSchema
  readonly item: v.GenericSchema
  readonly items: readonly v.GenericSchema[]
  readonly value: v.GenericSchema
  readonly literal: unknown
  readonly options: readonly unknown[]
  readonly entries: Readonly<Record<string, v.GenericSchema>>
  readonly pipe?: readonly { readonly type: string; readonly requirement?: unknown }[]
}

/** A valibot schema as JSON Schema (2020-12). Throws for an unknown kind, because nothing may be left out of a contract unnoticed. */
export function jsonSchemaOf(schema: v.GenericSchema, options: JsonSchemaOptions = {}): JsonSchema {
  const shape = shapeOf(schema as unknown as Parts, options)
  if (options.isTerse === true) return shape
  const description = v.getDescription(schema)
  return {
    ...shape,
    ...boundsOf(schema as unknown as Parts),
    ...(description !== undefined && { description }),
  }
}

export function isOptionalField(schema: { readonly type: string }): boolean {
  return schema.type === 'optional' || schema.type === 'exact_optional'
}

function shapeOf(parts: Parts, options: JsonSchemaOptions): JsonSchema {
  const of = (schema: v.GenericSchema) => jsonSchemaOf(schema, options)
  switch (parts.type) {
    case 'optional':
    case 'exact_optional':
      return of(parts.wrapped)
    case 'nullable':
      return { anyOf: [of(parts.wrapped), { type: 'null' }] }
    case 'object':
    case 'strict_object':
      return objectShape(parts, of)
    case 'record':
      return { type: 'object', additionalProperties: of(parts.value) }
    case 'array':
      return { type: 'array', items: of(parts.item) }
    case 'tuple':
      return { type: 'array', prefixItems: parts.items.map(of), minItems: parts.items.length, items: false }
    case 'picklist':
      return { type: 'string', enum: parts.options }
    case 'literal':
      return { const: parts.literal }
    case 'union':
    case 'variant':
      return { anyOf: (parts.options as readonly v.GenericSchema[]).map(of) }
    case 'string':
    case 'boolean':
      return { type: parts.type }
    case 'number':
      return { type: isWhole(parts) || options.isTerse === true ? 'integer' : 'number' }
    case 'any':
    case 'unknown':
      return {}
    default:
      throw new Error(`no JSON Schema is known for a ${parts.type}`)
  }
}

function objectShape(parts: Parts, of: (schema: v.GenericSchema) => JsonSchema): JsonSchema {
  const fields = Object.entries(parts.entries)
  const required = fields.flatMap(([name, field]) => (isOptionalField(field) ? [] : [name]))
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, of(field)])),
    ...(required.length > 0 && { required }),
  }
}

const isWhole = ({ pipe = [] }: Parts) => pipe.some(({ type }) => type === 'integer')

const BOUNDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  min_value: { number: 'minimum' },
  max_value: { number: 'maximum' },
  min_length: { string: 'minLength', array: 'minItems' },
  max_length: { string: 'maxLength', array: 'maxItems' },
}

function boundsOf({ type, pipe = [] }: Parts): JsonSchema {
  return Object.fromEntries(
    pipe.flatMap(({ type: rule, requirement }) => {
      if (rule === 'regex') return [['pattern', (requirement as RegExp).source]]
      const name = BOUNDS[rule]?.[type]
      return name === undefined ? [] : [[name, requirement]]
    }),
  )
}

import * as v from 'valibot'
import type { ObjectSchema, Operation } from '../../verbs/operation.ts'

/** One input field of a verb, as the command line sees it. */
export interface Flag {
  /** The field's name in the input: `dryRun`. */
  readonly field: string
  /** As typed: `dry-run`. */
  readonly name: string
  readonly type: 'text' | 'number' | 'boolean' | 'list'
  readonly required: boolean
  readonly description: string
  readonly choices: readonly string[] | undefined
}

/** Reads the verb's input schema: the flags are nowhere else. */
export function flagsOf(operation: Operation): Flag[] {
  return Object.entries((operation.input as ObjectSchema).entries).map(([field, schema]) => {
    const required = schema.type !== 'optional'
    const inner = required ? schema : (schema as unknown as { wrapped: v.GenericSchema }).wrapped
    return {
      field,
      name: field.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`),
      type: typeOf(inner.type),
      required,
      description: v.getDescription(inner as v.GenericSchema) ?? '',
      choices:
        inner.type === 'picklist' ? (inner as unknown as { options: readonly string[] }).options : undefined,
    }
  })
}

function typeOf(schemaType: string): Flag['type'] {
  if (schemaType === 'number') return 'number'
  if (schemaType === 'boolean') return 'boolean'
  return schemaType === 'array' ? 'list' : 'text'
}

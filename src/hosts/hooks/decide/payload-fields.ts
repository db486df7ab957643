/** A payload comes from another program, of another version: a field is there with the right type, or it is not there. */
export type PayloadFields = Readonly<Record<string, unknown>>

/** The first of these that is a text with something in it. */
export function textField(fields: PayloadFields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = ownField(fields, name)
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

export function numberField(fields: PayloadFields, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = ownField(fields, name)
    if (typeof value === 'number' && Number.isFinite(value)) return value
  }
  return undefined
}

export function fieldsIn(fields: PayloadFields, ...names: readonly string[]): PayloadFields | undefined {
  for (const name of names) {
    const value = ownField(fields, name)
    if (isFields(value)) return value
  }
  return undefined
}

export function ownField(fields: PayloadFields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

export function isFields(value: unknown): value is PayloadFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** undefined: not JSON, or no object. */
export function parseFields(text: string): PayloadFields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

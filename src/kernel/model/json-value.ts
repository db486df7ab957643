/** Neither an array nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/**
 * Equal values give equal texts, whatever the order of their fields: keys are sorted, there are no blanks, absent fields are left out.
 *
 * { b: 1, a: [2, { d: undefined, c: 3 }] }   →   {"a":[2,{"c":3}],"b":1}
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(item => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const inner = value as Readonly<Record<string, unknown>>
  let fields = ''
  for (const key of Object.keys(inner).sort())
    if (inner[key] !== undefined)
      fields += `${fields === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(inner[key])}`
  return `{${fields}}`
}

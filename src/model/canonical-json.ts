/**
 * The same value is the same text, in whatever order its fields were written: keys sorted, no blanks, absent fields left out.
 *
 *   { b: 1, a: [2, { d: undefined, c: 3 }] }   →   {"a":[2,{"c":3}],"b":1}
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(item => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`)
  return `{${fields.join(',')}}`
}

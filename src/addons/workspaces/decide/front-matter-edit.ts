import { isScalar, type Pair } from 'yaml'
import { type FrontMatterFields, readPlainFields, splitFrontMatter, type YamlValue } from './front-matter.ts'
import { quoted } from './quoted.ts'
import { keyOf, parseYaml, rangeOf, readYamlFields } from './yaml-front-matter.ts'

export type FieldValue = string | readonly string[]
/** Documents of workspaces have no numbers; notes of other tools do. */
export type PropertyValue = FieldValue | number

export type EditedText =
  | { readonly kind: 'edited'; readonly text: string }
  /** Nothing was changed, because the edit would have changed more than the value. */
  | { readonly kind: 'refused'; readonly line: number; readonly why: string }

/**
 * Sets these fields of the front matter. Every byte outside their values stays: comments, order, quotes, line ends. New fields come last;
 * a file without front matter gets one.
 */
export function setFields(text: string, fields: Readonly<Record<string, PropertyValue>>): EditedText {
  const names = Object.keys(fields)
  if (names.length === 0) return { kind: 'edited', text }
  const found = splitFrontMatter(text)
  if (found.kind === 'open') return { kind: 'refused', line: 1, why: 'its front matter has no end' }
  if (found.kind === 'none') return { kind: 'edited', text: withFrontMatter(text, fields) }

  const { yaml, start } = found
  const parsed = parseYaml(yaml)
  if (parsed.kind === 'damaged') return { kind: 'refused', line: parsed.line, why: parsed.why }
  const pairs = parsed.map?.items ?? []
  if (parsed.map?.flow === true)
    return { kind: 'refused', line: 2, why: 'it is written in braces, not as `key: value` lines' }

  const edits: { from: number; to: number; text: string }[] = []
  const missing: string[] = []
  for (const name of names) {
    const value = fields[name] as PropertyValue
    const pair = pairs.find(candidate => keyOf(candidate) === name)
    if (pair === undefined) missing.push(name)
    else edits.push(replacement(pair, value, yaml))
  }
  if (missing.length > 0)
    edits.push(
      addition(missing, fields, yaml, { indent: columnOf(pairs[0], yaml), lineEnd: lineEndOf(text) }),
    )
  let edited = yaml
  for (const edit of edits.sort((a, b) => b.from - a.from))
    edited = edited.slice(0, edit.from) + edit.text + edited.slice(edit.to)
  const result = text.slice(0, start) + edited + text.slice(start + yaml.length)
  return isAsMeant(yaml, result, fields)
    ? { kind: 'edited', text: result }
    : { kind: 'refused', line: 2, why: 'a field of it depends on another' }
}

/** The final check: the fields that were set have their new value, and all other fields their old one. */
function isAsMeant(before: string, result: string, set: Readonly<Record<string, PropertyValue>>): boolean {
  const after = splitFrontMatter(result)
  if (after.kind !== 'found') return false
  const [old, now] = [readYamlFields(before), readYamlFields(after.yaml)]
  if (old.kind !== 'read' || now.kind !== 'read') return false
  const expected = new Map<string, YamlValue>([...old.fields].map(([key, field]) => [key, field.value]))
  for (const [key, value] of Object.entries(set)) expected.set(key, value as YamlValue)
  return JSON.stringify(sorted(expected)) === JSON.stringify(sorted(valuesOf(now.fields)))
}

function valuesOf(fields: FrontMatterFields): Map<string, YamlValue> {
  return new Map([...fields].map(([key, field]) => [key, field.value]))
}

function sorted(values: ReadonlyMap<string, YamlValue>): [string, YamlValue][] {
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1))
}

function replacement(pair: Pair, value: PropertyValue, yaml: string) {
  const keyEnd = rangeOf(pair.key)?.[1] ?? 0
  const afterColon = yaml.indexOf(':', keyEnd) + 1
  const range = rangeOf(pair.value)
  const isOnLine =
    range !== undefined && range[1] > range[0] && !yaml.slice(afterColon, range[1]).includes('\n')
  if (isOnLine) return { from: range[0], to: range[1], text: renderLike(pair.value, value) }
  // A list of `- items`, a block of text, or nothing: the value moves to the line of its key.
  const written = yaml.slice(afterColon, Math.max(afterColon, range?.[1] ?? 0)).trimEnd()
  return { from: afterColon, to: afterColon + written.length, text: ` ${renderValue(value)}` }
}

function addition(
  names: readonly string[],
  fields: Readonly<Record<string, PropertyValue>>,
  yaml: string,
  { indent, lineEnd }: { indent: number; lineEnd: string },
) {
  const lines = names.map(
    name => `${' '.repeat(indent)}${name}: ${renderValue(fields[name] as PropertyValue)}${lineEnd}`,
  )
  const isOpenLine = yaml !== '' && !yaml.endsWith('\n')
  return { from: yaml.length, to: yaml.length, text: `${isOpenLine ? lineEnd : ''}${lines.join('')}` }
}

function columnOf(pair: Pair | undefined, yaml: string): number {
  const start = rangeOf(pair?.key)?.[0] ?? 0
  return pair === undefined ? 0 : start - (yaml.lastIndexOf('\n', start - 1) + 1)
}

function withFrontMatter(text: string, fields: Readonly<Record<string, PropertyValue>>): string {
  const lineEnd = lineEndOf(text)
  const bom = text.startsWith('\ufeff') ? '\ufeff' : ''
  const body = text.slice(bom.length)
  const blank = body === '' || /^\r?\n/.test(body) ? '' : lineEnd
  return `${bom}${renderFrontMatter(fields, lineEnd)}${blank}${body}`
}

/** `---`, one line for each field, `---`. */
export function renderFrontMatter(fields: Readonly<Record<string, PropertyValue>>, lineEnd = '\n'): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${renderValue(value)}`)
  return ['---', ...lines, '---', ''].join(lineEnd)
}

export function lineEndOf(text: string): '\n' | '\r\n' {
  const first = text.indexOf('\n')
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n'
}

/** Uses the quotes of the previous value. */
function renderLike(before: unknown, value: PropertyValue): string {
  const type = isScalar(before) ? before.type : undefined
  if (typeof value !== 'string') return renderValue(value)
  if (type === 'QUOTE_DOUBLE') return quoted(value)
  if (type === 'QUOTE_SINGLE' && /^[\x20-\x26\x28-\x7e]*$/.test(value)) return `'${value}'`
  return renderValue(value)
}

/** `plain words`, `"quoted: words"`, `0.5`, `[a, b]`. */
export function renderValue(value: PropertyValue): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string')
    return `[${value.map(item => (isPlainItem(item) ? item : quoted(item))).join(', ')}]`
  return readPlainFields(`k: ${value}`)?.get('k')?.value === value ? value : quoted(value)
}

function isPlainItem(item: string): boolean {
  const value = readPlainFields(`k: [${item}]`)?.get('k')?.value
  return Array.isArray(value) && value.length === 1 && value[0] === item
}

import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument, type YAMLMap } from 'yaml'
import type { FrontMatterField, FrontMatterFields, YamlValue } from './front-matter.ts'

type YamlReading =
  | { readonly kind: 'read'; readonly fields: FrontMatterFields }
  /** `line` counts from the first line of the file, which opens the front matter. */
  | { readonly kind: 'damaged'; readonly line: number; readonly why: string }

/** The full YAML parser. This file is loaded only for front matter that is not plain, and for edits. */
export function readYamlFields(yaml: string): YamlReading {
  const parsed = parseYaml(yaml)
  if (parsed.kind === 'damaged') return parsed
  const { map, lines } = parsed
  const fields = new Map<string, FrontMatterField>()
  if (map !== null) {
    const values = asPlain(parsed.document)
    if (values === undefined) return { kind: 'damaged', line: 2, why: 'it repeats itself without end' }
    for (const pair of map.items) {
      const key = keyOf(pair)
      if (key === undefined) return { kind: 'damaged', line: 2, why: 'a key in it is not a word' }
      const line = lines.linePos(rangeOf(pair.key)?.[0] ?? 0).line + 1
      fields.set(key, { value: values.get(key) ?? null, line })
    }
  }
  return { kind: 'read', fields }
}

type Parsed =
  | {
      readonly kind: 'read'
      readonly document: Document
      /** null: there are only comments. */
      readonly map: YAMLMap | null
      readonly lines: LineCounter
    }
  | { readonly kind: 'damaged'; readonly line: number; readonly why: string }

export function parseYaml(yaml: string): Parsed {
  if (isNestedTooDeep(yaml)) return { kind: 'damaged', line: 2, why: 'it is nested too deep' }
  const lines = new LineCounter()
  let document: Document
  try {
    document = parseDocument(yaml, {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'silent',
    }) as Document
  } catch (error) {
    // Nobody nests front matter a thousand levels deep by hand.
    if (error instanceof RangeError) return { kind: 'damaged', line: 2, why: 'it is nested too deep' }
    throw error
  }
  const [error] = document.errors
  if (error !== undefined) {
    const why = (error.message.split('\n')[0] ?? '').slice(0, 160)
    return { kind: 'damaged', line: lines.linePos(error.pos[0]).line + 1, why }
  }
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null))
    return { kind: 'read', document, map: null, lines }
  if (!isMap(contents)) return { kind: 'damaged', line: 2, why: 'it is not a list of `key: value` lines' }
  return { kind: 'read', document, map: contents as YAMLMap, lines }
}

const MAX_DEPTH = 64
const STACKED = new RegExp(`^ *(?:[-?:] +){${MAX_DEPTH}}`, 'm')

/** The parser takes seconds for deep nesting, and a hostile clone must not slow every question down. */
function isNestedTooDeep(yaml: string): boolean {
  if (STACKED.test(yaml)) return true
  let depth = 0
  for (const [mark] of yaml.matchAll(/[[\]{}]/g)) {
    depth = mark === '[' || mark === '{' ? depth + 1 : Math.max(0, depth - 1)
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/** undefined: an alias would make it grow without limit. */
function asPlain(document: Document): ReadonlyMap<string, YamlValue> | undefined {
  try {
    const value = document.toJS({ mapAsMap: false, maxAliasCount: 50 }) as Record<string, YamlValue>
    return new Map(Object.entries(value))
  } catch (error) {
    if (error instanceof ReferenceError || error instanceof RangeError) return undefined
    throw error
  }
}

export function keyOf(pair: Pair): string | undefined {
  const { key } = pair
  if (!isScalar(key) || typeof key.value === 'object') return undefined
  return String(key.value)
}

export function rangeOf(
  node: unknown,
): readonly [start: number, valueEnd: number, nodeEnd: number] | undefined {
  const { range } = (node ?? {}) as { range?: [number, number, number] | null }
  return range ?? undefined
}

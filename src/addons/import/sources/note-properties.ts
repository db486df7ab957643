import { readPlainFields, splitFrontMatter, type YamlValue } from '../../workspaces/decide/front-matter.ts'
import { readYamlFields } from '../../workspaces/decide/yaml-front-matter.ts'

/** The front matter of a note of another tool, and its body. */
export interface NoteProperties {
  readonly values: ReadonlyMap<string, YamlValue>
  readonly body: string
  /** The number of lines above the body. */
  readonly linesAbove: number
}

/** Front matter that is not valid YAML is read line by line: Cursor writes `globs: *.ts`, and people write `title: a: b`. */
export function readProperties(text: string): NoteProperties {
  const split = splitFrontMatter(text)
  if (split.kind !== 'found') return { values: new Map(), body: text.replace(/^\ufeff/, ''), linesAbove: 0 }
  const body = text.slice(split.bodyStart)
  const linesAbove = text.slice(0, split.bodyStart).split('\n').length - 1
  const plain = readPlainFields(split.yaml)
  const read = plain === undefined ? readYamlFields(split.yaml) : undefined
  const fields = plain ?? (read?.kind === 'read' ? read.fields : undefined)
  const values =
    fields === undefined
      ? lineByLine(split.yaml)
      : new Map([...fields].map(([key, { value }]) => [key.toLowerCase(), value] as const))
  return { values, body, linesAbove }
}

function lineByLine(yaml: string): Map<string, YamlValue> {
  const values = new Map<string, YamlValue>()
  for (const line of yaml.split(/\r?\n/)) {
    const [, key, value = ''] = /^([A-Za-z][\w-]*):(.*)$/.exec(line) ?? []
    if (key !== undefined) values.set(key.toLowerCase(), value.trim().replace(/^(["'])(.*)\1$/, '$2'))
  }
  return values
}

export function textOf(value: YamlValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A list, or one line separated by commas or spaces; both are in use. */
export function wordsOf(value: YamlValue | undefined): string[] {
  if (Array.isArray(value)) return (value as readonly YamlValue[]).flatMap(item => textOf(item) ?? [])
  return (textOf(value) ?? '').split(/[,\s]+/).filter(word => word !== '')
}

/** A section of Markdown: the text from one heading to the next. The first section has no heading. */
export interface Section {
  readonly heading: string
  readonly level: number
  readonly text: string
  /** The line of the heading, from 1. */
  readonly line: number
}

export function sectionsOf(body: string): Section[] {
  const sections: { heading: string; level: number; lines: string[]; line: number }[] = [
    { heading: '', level: 0, lines: [], line: 1 },
  ]
  let fence = ''
  body.split('\n').forEach((line, at) => {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence === '' && mark !== '') fence = mark
    else if (fence !== '' && mark.startsWith(fence)) fence = ''
    const [, hashes, heading] = (fence === '' && /^(#{1,6})[ \t]+(.*?)[ \t]*#*$/.exec(line)) || []
    if (hashes === undefined || heading === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ heading, level: hashes.length, lines: [], line: at + 1 })
  })
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim() }))
}

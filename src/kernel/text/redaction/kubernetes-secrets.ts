import { isStandIn } from './literal-value.ts'
import type { Span } from './placeholder.ts'

const KIND = /\bkind["']?[ \t]{0,8}:[ \t]{0,8}["']?Secret\b/
const DATA_HEAD = /^([ \t]{0,40})(?:data|stringData):[ \t]*$/
const FIELD = /^([ \t]{1,60})["']?[\w.-]{1,253}["']?:[ \t]{1,8}(.*?)[ \t\r]*$/
const JSON_DATA = /"(?:data|stringData)"\s{0,20}:\s{0,20}\{([^{}]{0,65536})\}/g
const JSON_FIELD = /"[\w.-]{1,253}"\s{0,20}:\s{0,20}"((?:[^"\\\n]|\\.){1,65536})"/g

/** The values of a Kubernetes Secret: all of them are secret, whatever their names. */
export function findKubernetesSecrets(text: string): Span[] {
  if (!KIND.test(text)) return []
  const spans: Span[] = []
  let documentStart = 0
  for (const part of text.split(/(?<=^|\n)(?=---[ \t]*\r?\n)/)) {
    if (KIND.test(part)) {
      for (const span of [...findYamlValues(part), ...findJsonValues(part)])
        spans.push({ ...span, start: documentStart + span.start, end: documentStart + span.end })
    }
    documentStart += part.length
  }
  return spans
}

function findYamlValues(text: string): Span[] {
  const spans: Span[] = []
  /** The indentation of the `data:` above, and of the block scalar in it. */
  let headIndent: number | undefined
  let blockIndent: number | undefined
  let lineStart = 0
  for (const line of text.split('\n')) {
    const indent = line.length - line.trimStart().length
    const start = lineStart
    lineStart += line.length + 1
    const head = DATA_HEAD.exec(line)
    if (head !== null) {
      headIndent = indent
      blockIndent = undefined
      continue
    }
    if (headIndent === undefined || line.trim() === '') continue
    if (indent <= headIndent) {
      headIndent = undefined
      continue
    }
    if (blockIndent !== undefined && indent > blockIndent) {
      spans.push({ type: 'secret', start: start + indent, end: start + line.trimEnd().length })
      continue
    }
    blockIndent = undefined
    const value = FIELD.exec(line)?.[2] ?? ''
    if (/^[|>][+-]?\d?$/.test(value)) {
      blockIndent = indent
      continue
    }
    const bare = value.replace(/^["']|["']$/g, '')
    if (bare === '' || isStandIn(bare)) continue
    const at = start + line.lastIndexOf(bare)
    spans.push({ type: 'secret', start: at, end: at + bare.length })
  }
  return spans
}

function findJsonValues(text: string): Span[] {
  const spans: Span[] = []
  for (const data of text.matchAll(JSON_DATA)) {
    const body = data[1] ?? ''
    const offset = data.index + data[0].length - 1 - body.length
    for (const field of body.matchAll(JSON_FIELD)) {
      const value = field[1] ?? ''
      if (isStandIn(value)) continue
      const end = offset + field.index + field[0].length - 1
      spans.push({ type: 'secret', start: end - value.length, end })
    }
  }
  return spans
}

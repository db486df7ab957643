import type { Entry } from '../../../kernel/model/entry.ts'

const LABEL = /^[\s#>*-]*\**(left|left to do|remaining|asked|done|verified|claimed)\b[^:\n]{0,40}\**:\**\s*/i

/** The handoff cut down to what it says is left to do; undefined: it does not say. */
export function leftToDo(handoff: Entry): Entry | undefined {
  const lines = handoff.content.split('\n')
  const start = lines.findIndex(line => /^(?:left|remaining)/i.test(LABEL.exec(line)?.[1] ?? ''))
  if (start === -1) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(line => line.trim() === '' || LABEL.test(line))
  const kept = [lines[start]?.replace(LABEL, '') ?? '', ...(end === -1 ? rest : rest.slice(0, end))]
  const text = kept.join('\n').trim()
  return text === '' || /^(?:none|nothing|-|n\/a)\.?$/i.test(text)
    ? undefined
    : { ...handoff, content: `Left: ${text}` }
}

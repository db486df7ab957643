import type { Entry } from '../../../kernel/model/entry.ts'
import { writerOf } from '../../../kernel/model/provenance.ts'

const OPEN_BOX = /^\s*[-*] \[ \] /m
const DONE_BOX = /^\s*[-*] \[[xX]\] /

/** Whether this is an open task that a person or an agent created, or that a person accepted. */
export function isOpenTask(entry: Entry): boolean {
  if (!OPEN_BOX.test(entry.content)) return false
  return entry.status !== 'candidate' || writerOf(entry) === 'person' || writerOf(entry) === 'agent'
}

/** The entry without its finished boxes. */
export function withOpenBoxes(entry: Entry): Entry {
  const lines = entry.content.split('\n')
  const open = lines.filter(line => !DONE_BOX.test(line))
  return open.length === lines.length ? entry : { ...entry, content: open.join('\n').trim() }
}

const LABEL = /^[\s#>*-]*\**(left|left to do|remaining|asked|done|verified|claimed)\b[^:\n]{0,40}\**:\**\s*/i

/** The part of the handoff about remaining work; undefined if it has none. */
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

const MAX_CHARACTERS = 160

/** Closed list: English, Portuguese, Spanish. */
const ASKED = new RegExp(
  [
    "what(?:'s| is| are|’s)? (?:still |there )?(?:left|next|remaining|outstanding|open|pending)\\b",
    'what (?:else )?(?:remains|(?:do|should|can) (?:we|i) (?:still |have to |need to )?(?:do|work on|tackle) (?:next|now))\\b',
    'what (?:else )?(?:needs|has) to be done|what (?:do|should) (?:we|i) (?:still )?(?:have|need) to do',
    '(?:open|remaining|pending|outstanding) (?:tasks|todos|items)|next steps?\\b|to-?do list',
    'o que (?:ainda )?(?:falta|resta|sobrou)|o que (?:temos|tem|tenho) (?:para|pra|a) fazer|qua(?:l|is) (?:é |sao |são )?(?:o |os )?pr[oó]ximos? passos?|pr[oó]ximos passos|tarefas (?:abertas|pendentes)',
    'qu[eé] (?:nos )?(?:falta|queda)|qu[eé] sigue|pr[oó]ximos pasos|siguientes pasos|tareas (?:abiertas|pendientes)',
  ].join('|'),
  'i',
)

/** Whether the prompt asks for the remaining work ("What is left to do?"). The brief then has the open tasks. */
export function isTaskQuestion(prompt: string): boolean {
  const text = prompt.trim()
  return text.length <= MAX_CHARACTERS && ASKED.test(text)
}

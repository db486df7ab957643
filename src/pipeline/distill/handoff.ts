import { type Message, speakerOf } from '../../model/message.ts'
import { isSkipped, ownText } from './spoken-text.ts'

const SUMMARY_CHARACTERS = 160

/**
 * Seed A, section 7: how a session ended, in its last messages.
 *
 *   [User]: Does the retry back off?
 *   [Agent]: Yes, from 200 ms, doubled up to 30 s.
 *
 * Without what is internal, injected, printed by tools, or marked #skip. Empty when nothing was said.
 */
export function composeHandoff(
  messages: readonly Message[],
  { last, characters }: { readonly last: number; readonly characters: number },
): string {
  const lines: string[] = []
  for (let at = messages.length - 1; at >= 0 && lines.length < last; at--) {
    const message = messages[at] as Message
    const said = saidIn(message)
    if (said === undefined) continue
    const who = speakerOf(message.role) === 'user' ? 'User' : 'Agent'
    lines.push(`[${who}]: ${cut(said, characters)}`)
  }
  return lines.reverse().join('\n')
}

/** One or two sentences: what was asked for, first and last, and how much was found. */
export function composeSummary(messages: readonly Message[], findings: number): string {
  const asked = messages.flatMap(message =>
    speakerOf(message.role) === 'user' ? (saidIn(message) ?? []) : [],
  )
  const first = asked[0]
  const last = asked.at(-1)
  const found =
    findings === 0 ? 'Nothing was found.' : `${findings} ${findings === 1 ? 'finding' : 'findings'}.`
  if (first === undefined || last === undefined) return found
  const began = `Asked for “${cut(first, SUMMARY_CHARACTERS)}”`
  if (asked.length === 1 || last === first) return `${began}. ${found}`
  return `${began}, and at last for “${cut(last, SUMMARY_CHARACTERS)}”. ${found}`
}

/** What a person or an agent said in a message, on one line. */
export function saidIn(message: Message): string | undefined {
  const speaker = speakerOf(message.role)
  if (message.internal === true || (speaker !== 'user' && speaker !== 'agent')) return undefined
  if (isSkipped(message.text)) return undefined
  const said = ownText(message.text).replace(/\s+/g, ' ').trim()
  return said === '' ? undefined : said
}

function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  const kept = text.slice(0, characters - 1)
  // Not through the middle of a character.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}

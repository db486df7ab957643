import { type Message, speakerOf } from '../../../kernel/model/message.ts'
import { type RedactOptions, redact } from '../../../kernel/text/redaction/redact.ts'
import { isSilent } from './distil.ts'
import { ownText, readablePart, saidLines } from './spoken-text.ts'

/** One message as distilling reads it. */
export interface SaidMessage {
  /** Its index in the conversation. */
  readonly message: number
  readonly speaker: 'user' | 'agent'
  readonly text: string
}

/** The text of users and agents, without private parts, briefs, secrets, code, tool output, internal and `#skip`ped messages. */
export function saidMessages(messages: readonly Message[], redaction?: RedactOptions): SaidMessage[] {
  return messages.flatMap((message, at) => {
    const speaker = speakerOf(message.role)
    if (message.internal === true || isSilent(speaker, message.text)) return []
    const said = saidLines(redact(readablePart(ownText(message.text)), redaction).text)
    const text = said
      .replace(/[ \t]+$/gm, '')
      .replace(/\n{2,}/g, '\n')
      .trim()
    return text === '' ? [] : [{ message: at, speaker: speaker === 'user' ? 'user' : 'agent', text }]
  })
}

import { type Message, speakerOf } from '../../../kernel/model/message.ts'
import { isSkipped, ownText } from './spoken-text.ts'

/** What a person or an agent said in a message, on one line. */
export function messageText(message: Message): string | undefined {
  const speaker = speakerOf(message.role)
  if (message.internal === true || (speaker !== 'user' && speaker !== 'agent')) return undefined
  if (isSkipped(message.text)) return undefined
  const said = ownText(message.text).replace(/\s+/g, ' ').trim()
  return said === '' ? undefined : said
}

import { CairnError } from '../../../kernel/model/errors.ts'
import type { ChatWords, HostProgram } from './host-event.ts'

/** A flag with its value, or nothing. */
export function option(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [name, value]
}

/** The words behind the program. Throws `invalid_input` for a chat or a model that could be anything else. */
export function hostWords({ words }: HostProgram, chat: ChatWords): readonly string[] {
  checkWord('chatId', chat.chat, /^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$/)
  checkWord('model', chat.model, /^[A-Za-z0-9][A-Za-z0-9_.:/@[\]-]{0,199}$/)
  return words(chat)
}

function checkWord(field: string, word: string | undefined, form: RegExp): void {
  if (word === undefined || form.test(word)) return
  throw new CairnError({
    code: 'invalid_input',
    message: `\`${field}\` cannot be ${JSON.stringify(word.slice(0, 60))}.`,
    hint: 'It begins with a letter or a digit, and has no spaces.',
  })
}

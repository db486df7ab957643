import { CairnError } from '../../../kernel/model/errors.ts'
import type { HostReader } from './host-event.ts'

/**
 * How a host's program answers one prompt without a screen. The prompt is never an argument: every program reads it from standard input,
 * where it cannot be taken for a flag and other users cannot see it in a process list. Nothing here widens what the host may do:
 * permissions and sandboxes are as its user set them.
 */
export interface HostProgram {
  /** Its name on the PATH. */
  readonly program: string
  readonly words: (chat: ChatWords) => readonly string[]
  readonly events: () => HostReader
  /** Its events do not say how a command ended: a failed one looks like a successful one. */
  readonly hidesExitCodes?: true
  /** Where it lists its MCP servers, for a host that must be told which variables they get. */
  readonly serverList?: ServerList
}

interface ChatWords {
  /** The host's id of the chat to continue; absent: a new one. */
  readonly chat?: string | undefined
  readonly model?: string | undefined
  /** The host lists our MCP server. */
  readonly hasOwnServer?: boolean
}

interface ServerList {
  /** The folder of the user: a variable, or a folder below the home folder. */
  readonly folder: readonly [variable: string, otherwise: string]
  /** The folder in a project. */
  readonly projectFolder: string
  readonly file: string
  /** Found in the text of the file if it lists our server. */
  readonly ownEntry: RegExp
}

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

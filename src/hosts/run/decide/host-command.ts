import type { AgentHost } from '../../../kernel/model/agent-run.ts'
import { CairnError } from '../../../kernel/model/errors.ts'

export interface ChatWords {
  /** What the host calls the chat that goes on; absent: a new one. */
  readonly chat?: string | undefined
  readonly model?: string | undefined
  /** The host has our server for agents, and hands it only what it is told to. */
  readonly hasOwnServer?: boolean
}

interface HostCommand {
  /** As it is called on the PATH. */
  readonly program: string
  words(chat: ChatWords): readonly string[]
}

const option = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [name, value]

/**
 * How each host's own program answers one command without a screen. The prompt is never among the words: all of them read it from their
 * standard input, where no letter of it can pass for a flag and no other user sees it in a list of processes. Nothing here widens what the
 * host may do: permissions and sandboxes are as its user set them.
 */
const COMMANDS: Readonly<Record<AgentHost, HostCommand>> = {
  'claude-code': {
    program: 'claude',
    words: ({ chat, model }) => [
      ...['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
      ...option('--model', model),
      ...option('--resume', chat),
    ],
  },
  codex: {
    program: 'codex',
    words: ({ chat, model, hasOwnServer }) => [
      ...(chat === undefined ? ['exec'] : ['exec', 'resume']),
      ...['--json', '--skip-git-repo-check'],
      // Its servers get no variable that is not named here: ours would not know that it is to keep still.
      ...(hasOwnServer === true ? ['-c', 'mcp_servers.cairn.env.CAIRN_INTERNAL="1"'] : []),
      ...option('--model', model),
      ...(chat === undefined ? [] : [chat]),
      '-',
    ],
  },
  gemini: {
    program: 'gemini',
    words: ({ chat, model }) => [
      ...['--output-format', 'stream-json'],
      ...option('--model', model),
      ...option('--resume', chat),
    ],
  },
  opencode: {
    program: 'opencode',
    words: ({ chat, model }) => [
      ...['run', '--format', 'json'],
      ...option('--model', model),
      ...option('--session', chat),
    ],
  },
  // From its documentation: there is no program of it that could be run in our tests.
  cursor: {
    program: 'cursor-agent',
    words: ({ chat, model }) => [
      ...['-p', '--output-format', 'stream-json'],
      ...option('--model', model),
      ...option('--resume', chat),
    ],
  },
}

export function hostProgramName(host: AgentHost): string {
  return COMMANDS[host].program
}

/** The words behind the program. Throws `invalid_input` for a chat or a model that could be anything else. */
export function hostWords(host: AgentHost, chat: ChatWords): readonly string[] {
  checkWord('chatId', chat.chat, /^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$/)
  checkWord('model', chat.model, /^[A-Za-z0-9][A-Za-z0-9_.:/@[\]-]{0,199}$/)
  return COMMANDS[host].words(chat)
}

function checkWord(field: string, word: string | undefined, form: RegExp): void {
  if (word === undefined || form.test(word)) return
  throw new CairnError({
    code: 'invalid_input',
    message: `\`${field}\` cannot be ${JSON.stringify(word.slice(0, 60))}.`,
    hint: 'It begins with a letter or a digit, and has no spaces.',
  })
}

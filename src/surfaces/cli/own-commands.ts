import { CairnError } from '../../kernel/model/errors.ts'
import { MEMORY_WORDS, PRESETS } from '../../kernel/model/memory-words.ts'
import { userTokenFile } from '../../kernel/system/token-file.ts'
import type { GlobalOptions } from './arguments.ts'
import type { OwnCommand } from './own-command.ts'
import { readStandardInput } from './standard-input.ts'

export const OWN_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'up',
    group: 'Set up',
    summary: 'Open the Memory Vault: a page over this memory, its REST API and MCP, on this machine',
    usage: `cairn up [--port <n>] [--no-open]
  --root <folder>    the project (default: found from the current folder upwards); its memory is created if there is none
  --port <n>         4747, or the next that is free; 0 takes any
  --no-open          do not open the browser (nor is it in CI, or without a screen)
  --require-token    reading needs the token too, not only what changes something
  --trust-local      every program on this machine may change things without the token
  --host <address>   listen to other machines as well: then everything needs the token
  --rate <n>         requests per second of one client (200; a quarter of it where it may change something)
  --log <form>       json, text or off: a line for each request on standard error (default: only faults)
  --log-level <l>    debug, info, warn or error: the lowest level that is logged (info)
  --metrics-open     every client that reaches the server may read GET /metrics
  --drain <seconds>  after SIGTERM, how long /readyz reports the end before the server stops listening (0)
  --json             print address, port and process as JSON

  cairn up --store postgres://<user>@<host>/<database>     a hub: many projects, for every user with a token
  --store <address>  the database; CAIRN_STORE does the same without showing it in the process list
  --store-file <f>   a file whose first line is the address
  --behind-tls       with --host: a proxy in front of it ends TLS
  --rate <n>         requests per second of one token (50)`,
    flags: [
      '--port',
      '--no-open',
      '--require-token',
      '--trust-local',
      '--host',
      '--rate',
      '--log',
      '--log-level',
      '--metrics-open',
      '--drain',
      '--store',
      '--store-file',
      '--behind-tls',
    ],
    // The server bundle handles every valid command line before this runs.
    run: async ([word], { user }) => {
      const wrong = word ?? (user ? '--user' : undefined)
      throw invalid(
        `cairn up does not take ${wrong === undefined ? 'a value for a flag that is on or off' : `"${wrong.slice(0, 40)}"`}.`,
        '`cairn up --help` shows what it takes.',
      )
    },
  },
  {
    name: 'token',
    summary: 'Print the token by which programs may change a memory over HTTP; --new makes another',
    usage: 'cairn token [--new]',
    flags: ['--new'],
    run: async (words, globals) => tokenAnswer(words, globals),
  },
  {
    name: 'demo',
    summary: 'See the whole path in a minute, in a scratch project',
    usage: 'cairn demo',
    run: async (_words, _globals, terminal) => {
      await (await import('./demo.ts')).runDemo(terminal)
      return ''
    },
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    usage: 'cairn completion <bash|zsh|fish>',
    run: async ([shell]) => (await import('./completion.ts')).renderCompletion(shell, OWN_COMMANDS),
  },
  {
    name: 'hook',
    summary: 'Answer a hook of an agent host: what it calls at each of its moments',
    usage: 'cairn hook <host> <event>, with the payload on standard input',
    // With a host and an event, the launcher starts another bundle.
    run: async () => {
      throw invalid(
        'cairn hook is called by hosts, with their name, an event, and its payload on standard input.',
        'For example: echo \'{"prompt":"why no websockets?"}\' | cairn hook claude-code UserPromptSubmit',
      )
    },
  },
  {
    name: 'mcp',
    summary: 'Serve the memory to agents over MCP, on standard input and output',
    usage: 'cairn mcp [--root <folder>] [--all-tools]',
    // The launcher starts the server if this is the first word.
    run: async () => {
      throw invalid(
        'cairn mcp accepts only --root <folder> and --all-tools, after it.',
        'For example: cairn mcp --root ~/code/api',
      )
    },
  },
  {
    name: 'memory',
    summary: 'What /cairn says in hosts: status, list, search, budget, alias, auto, config [preset]',
    usage: `cairn memory <${MEMORY_WORDS.join('|')}> …
  cairn memory config [${PRESETS.join('|')}]
  cairn memory -        a slash command on standard input, as typed: /remember We use SSE.`,
    // With the words of a verb it is that verb (main.ts).
    run: async words => {
      if (words[0] === '-' && words.length === 1) {
        const { readTyped } = await import('../../hosts/hooks/verbs/memory-command.ts')
        return readTyped(await readStandardInput())
      }
      throw invalid(
        words.length === 0
          ? 'cairn memory needs a word.'
          : `cairn memory has no "${words[0]?.slice(0, 40)}".`,
        `It knows ${MEMORY_WORDS.join(', ')}, and - for a slash command on standard input.`,
      )
    },
  },
  {
    name: 'merge-driver',
    summary: 'Merge one file; git calls this',
    usage: 'cairn merge-driver <base> <ours> <theirs> <marker-size> <path>',
    // With the three versions of a file, cairn.ts runs it.
    run: async () => {
      throw invalid(
        'cairn merge-driver is called by git, with the three versions of a file.',
        'For example: cairn merge-driver install',
      )
    },
  },
  {
    name: 'help',
    summary: 'Show help for a verb',
    usage: 'cairn help [verb]',
    run: async words => (await import('./help.ts')).renderHelp(words.join(' '), OWN_COMMANDS),
  },
]

function invalid(message: string, hint: string): CairnError {
  return new CairnError({ code: 'invalid_input', message, hint })
}

/** Creates a token if there is none. Running servers accept a new one immediately. */
function tokenAnswer(words: readonly string[], { json }: Pick<GlobalOptions, 'json'>): string {
  const other = words.find(word => word !== '--new')
  if (other !== undefined)
    throw invalid(
      `cairn token does not take "${other.slice(0, 40)}".`,
      'It takes --new, which makes another one.',
    )
  const file = userTokenFile()
  const token = words.length > 0 ? file.renew() : file.read()
  return json ? `${JSON.stringify({ token, path: file.path })}\n` : `${token}\n`
}

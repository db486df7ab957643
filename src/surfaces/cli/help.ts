import { CairnError, ERROR_CLASSES } from '../../kernel/model/errors.ts'
import { MEMORY_WORDS, PRESETS } from '../../kernel/model/memory-words.ts'
import { OPERATIONS } from '../../verbs/all.ts'
import { type Operation, VERB_GROUPS } from '../../verbs/operation.ts'
import { GLOBAL_FLAGS } from './arguments.ts'
import { type Flag, flagsOf } from './schema-flags.ts'

/** What is not an operation, for the help, the completion and the reference. */
export const OTHER_VERBS: readonly {
  readonly name: string
  readonly group?: Operation['group']
  readonly summary: string
  readonly usage: string
  readonly flags?: readonly string[]
}[] = [
  {
    name: 'up',
    group: 'Set up',
    summary: 'Open the Memory Vault: a page over this memory, its REST API and MCP, on this machine',
    usage: `cairn up [--port <n>] [--no-open]
  --root <folder>    the project (default: found from the current folder upwards); its memory is made where there is none
  --port <n>         4747, or the next that is free; 0 takes any
  --no-open          do not open the browser (nor is it in CI, or without a screen)
  --require-token    reading needs the token too, not only what changes something
  --trust-local      every program on this machine may change things without the token
  --host <address>   listen to other machines as well: then everything needs the token
  --rate <n>         so many requests a second of one client are answered (200; a quarter where something may change)
  --log <form>       json, text or off: a line for each request on standard error (without it only faults are told)
  --log-level <l>    debug, info, warn or error: the least that is told (info)
  --metrics-open     whoever reaches the server may read GET /metrics
  --drain <seconds>  when told to end (SIGTERM), /readyz says so for that long before it stops listening (0)
  --json             tell address, port and process as JSON

  cairn up --store postgres://<user>@<host>/<database>     a hub: many projects, for everybody who has a token
  --store <address>  the database; CAIRN_STORE says the same where no process list shows it
  --store-file <f>   a file whose first line is the address
  --behind-tls       with --host: a proxy in front of it ends TLS
  --rate <n>         so many requests a second of one token (50)`,
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
  },
  {
    name: 'token',
    summary: 'Print the token by which programs may change a memory over HTTP; --new makes another',
    usage: 'cairn token [--new]',
    flags: ['--new'],
  },
  { name: 'demo', summary: 'See the whole path in a minute, in a scratch project', usage: 'cairn demo' },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish',
    usage: 'cairn completion <bash|zsh|fish>',
  },
  {
    name: 'hook',
    summary: 'Answer a hook of an agent host: what it calls at each of its moments',
    usage: 'cairn hook <host> <event>, with the payload on standard input',
  },
  {
    name: 'mcp',
    summary: 'Serve the memory to agents over MCP, on standard input and output',
    usage: 'cairn mcp [--root <folder>] [--all-tools]',
  },
  {
    name: 'memory',
    summary: 'What /cairn says in hosts: status, list, search, budget, alias, auto, config [preset]',
    usage: `cairn memory <${MEMORY_WORDS.join('|')}> …
  cairn memory config [${PRESETS.join('|')}]
  cairn memory -        a slash command on standard input, as typed: /remember We use SSE.`,
  },
  {
    name: 'merge-driver',
    summary: 'Merge one file; git calls this',
    usage: 'cairn merge-driver <base> <ours> <theirs> <marker-size> <path>',
  },
  { name: 'help', summary: 'Show help for a verb', usage: 'cairn help [verb]' },
]

export async function renderHelp(name: string): Promise<string> {
  if (name === '') return renderOverview()
  const other = OTHER_VERBS.find(verb => verb.name === name)
  const names = Object.keys(OPERATIONS).filter(known => known === name || known.startsWith(`${name} `))
  if (names.length === 0 && other === undefined) {
    throw new CairnError({
      code: 'unknown_verb',
      message: `There is no verb "${name.slice(0, 40)}".`,
      hint: '`cairn help` lists the verbs.',
    })
  }
  const otherPage = other === undefined ? '' : `${other.summary}\n\n  ${other.usage}\n`
  if (names.length === 0) return otherPage
  const operations = await Promise.all(names.map(load))
  const [only] = operations
  if (operations.length === 1 && only !== undefined) return renderVerb(only)
  const bare = operations.find(operation => operation.name === name)
  return [
    ...(bare === undefined ? [] : [renderVerb(bare)]),
    ...(otherPage === '' ? [] : [otherPage]),
    `cairn ${name} …`,
    table(
      operations
        .filter(({ name: known }) => known !== name)
        .map(({ name: known, summary }) => [known, summary]),
    ),
    '',
    `\`cairn ${operations.at(-1)?.name} --help\` shows the flags and examples of one of them.`,
    '',
  ].join('\n')
}

const load = (name: string) => (OPERATIONS[name] as () => Promise<Operation>)()

export function usageOf(operation: Operation, flags: readonly Flag[]): string {
  const words = operation.positionals.map((field, at) => {
    const flag = flags.find(candidate => candidate.field === field)
    const rest = at === operation.positionals.length - 1 && flag?.choices === undefined ? '…' : ''
    return flag?.required === true ? `<${flag.name}${rest}>` : `[${flag?.name}${rest}]`
  })
  return ['cairn', operation.name, ...words, '[flags]'].join(' ')
}

function renderVerb(operation: Operation): string {
  const flags = flagsOf(operation)
  const rows = flags.map(flag => [`--${flag.name}${valueHint(flag)}`, flag.description] as const)
  const globals = Object.entries(GLOBAL_FLAGS)
    .filter(([name]) => name !== 'version' && (name !== 'user' || operation.worksForUser))
    .map(
      ([name, { takesValue, description }]) =>
        [`--${name}${takesValue ? ' <folder>' : ''}`, description] as const,
    )
  return [
    `${operation.summary}`,
    ...(operation.description === undefined ? [] : ['', wrap(operation.description)]),
    '',
    `  ${usageOf(operation, flags)}`,
    '',
    ...(rows.length === 0 ? [] : ['Flags', table(rows), '']),
    'Everywhere',
    table(globals),
    '',
    'Examples',
    table(operation.examples.map(({ command, does }) => [command, does] as const)),
    '',
  ].join('\n')
}

const VERB_WIDTH = 14

async function renderOverview(): Promise<string> {
  const verbs = [...OTHER_VERBS, ...(await Promise.all(Object.keys(OPERATIONS).map(load)))]
  const groups = VERB_GROUPS.map(title => {
    const rows = rowsOf(verbs.filter(({ group }) => group === title))
    return `${title}\n${table(rows, VERB_WIDTH)}\n`
  })
  return [
    'Cairn gives coding agents a memory that outlives the session.',
    '',
    '  cairn <verb> [words] [--json]',
    '',
    ...groups,
    'More',
    table(
      // What git calls is in the help of its family.
      OTHER_VERBS.filter(({ name, group }) => name !== 'merge-driver' && group === undefined).map(
        ({ name, summary }) => [name, summary],
      ),
      VERB_WIDTH,
    ),
    '',
    '`cairn <verb> --help` shows the flags and examples of a verb, `cairn help <verb>` those of a family.',
    `Exit codes: 0 done, ${Object.entries(ERROR_CLASSES)
      .map(([name, { exitCode }]) => `${exitCode} ${name.replace('_', ' ')}`)
      .join(', ')}; \`doctor\`, \`hot lint\` and syncing end with 1 when something is wrong.`,
    '',
  ].join('\n')
}

/** A family of verbs takes one row: `task …  add, done, list`. */
function rowsOf(verbs: readonly { readonly name: string; readonly summary: string }[]): [string, string][] {
  const firsts = new Set(verbs.map(({ name }) => name.split(' ')[0] ?? ''))
  return [...firsts].map(first => {
    const others = verbs
      .filter(({ name }) => name.startsWith(`${first} `))
      .map(({ name }) => name.slice(first.length + 1))
      .join(', ')
    const alone = verbs.find(({ name }) => name === first)
    if (alone === undefined) return [`${first} …`, others]
    return [first, others === '' ? alone.summary : `${alone.summary} (and: ${others})`]
  })
}

function valueHint(flag: Flag): string {
  if (flag.type === 'boolean') return ''
  if (flag.choices !== undefined) return ` <${flag.choices.join('|')}>`
  return flag.type === 'number' ? ' <n>' : flag.type === 'list' ? ' <a,b>' : ' <text>'
}

function table(rows: readonly (readonly [string, string])[], width = 0): string {
  const column = Math.max(width, ...rows.map(([left]) => left.length).filter(length => length <= 40))
  return rows
    .map(([left, right]) =>
      left.length > column
        ? `  ${left}\n  ${' '.repeat(column)}  ${right}`
        : `  ${left.padEnd(column)}  ${right}`,
    )
    .join('\n')
}

function wrap(text: string): string {
  return text.replace(/(.{1,96})(?:\s+|$)/g, '$1\n').trimEnd()
}

import { CairnError } from '../../kernel/model/errors.ts'
import type { Operation } from '../../verbs/operation.ts'
import { type Flag, flagsOf } from './schema-flags.ts'

/** Flags that every verb accepts. */
export const GLOBAL_FLAGS = {
  json: { takesValue: false, description: 'Print the answer as JSON' },
  root: { takesValue: true, description: 'The project folder (default: found from the current one upwards)' },
  user: {
    takesValue: false,
    description: 'Your own memory, which follows you across projects, instead of this project’s',
  },
  help: { takesValue: false, description: 'Show this help' },
  version: { takesValue: false, description: 'Show the version' },
  color: {
    takesValue: false,
    description: 'Use colours (default: on a terminal); --no-color turns them off',
  },
} as const

const SHORT: Readonly<Record<string, keyof typeof GLOBAL_FLAGS>> = { '-h': 'help', '-V': 'version' }

export interface GlobalOptions {
  readonly json: boolean
  readonly root: string | undefined
  readonly user: boolean
  readonly help: boolean
  readonly version: boolean
  readonly color: boolean | undefined
}

/** Removes the global flags, wherever they are before `--`; the rest belongs to the verb. */
export function extractGlobals(argv: readonly string[]): { globals: GlobalOptions; rest: string[] } {
  const found: Record<string, string | boolean> = {}
  const rest: string[] = []
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] as string
    if (argument === '--') {
      rest.push(...argv.slice(at))
      break
    }
    const [name, inline] = splitFlag(SHORT[argument] === undefined ? argument : `--${SHORT[argument]}`)
    if (name === 'no-color') found.color = false
    else if (name !== undefined && Object.hasOwn(GLOBAL_FLAGS, name)) {
      const { takesValue } = GLOBAL_FLAGS[name as keyof typeof GLOBAL_FLAGS]
      found[name] = takesValue ? (inline ?? valueAfter(argv, at++, name)) : isOn(inline)
    } else rest.push(argument)
  }
  return {
    globals: {
      json: found.json === true,
      root: typeof found.root === 'string' ? found.root : undefined,
      user: found.user === true,
      help: found.help === true,
      version: found.version === true,
      color: typeof found.color === 'boolean' ? found.color : undefined,
    },
    rest,
  }
}

/** Turns the words after a verb into its input. The schema checks the values. */
export function readInput(operation: Operation, words: readonly string[]): Record<string, unknown> {
  const flags = flagsOf(operation)
  const flagByName = new Map(flags.map(flag => [flag.name, flag]))
  const input: Record<string, unknown> = {}
  const positionals: string[] = []

  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (word === '--') {
      positionals.push(...words.slice(at + 1))
      break
    }
    const [name, inline] = splitFlag(word)
    if (name === undefined) {
      positionals.push(word)
      continue
    }
    const negated = name.startsWith('no-') ? flagByName.get(name.slice(3)) : undefined
    if (negated?.type === 'boolean') {
      input[negated.field] = false
      continue
    }
    const flag = flagByName.get(name)
    if (flag === undefined) throw unknownFlag(operation, name, flags)
    if (flag.type === 'boolean') input[flag.field] = isOn(inline)
    else setValue(input, flag, inline ?? valueAfter(words, at++, name))
  }

  assignPositionals(operation, flags, positionals, input)
  return input
}

function assignPositionals(
  operation: Operation,
  flags: readonly Flag[],
  words: string[],
  input: Record<string, unknown>,
): void {
  const left = [...words]
  // A positional word fills the next field that no flag has set.
  const open = operation.positionals.filter(field => input[field] === undefined)
  open.forEach((field, at) => {
    const flag = flags.find(candidate => candidate.field === field)
    if (flag === undefined) throw new Error(`${operation.name} has no input ${field}`)
    if (left.length > 0) {
      const isLast = at === open.length - 1
      const taken = isLast ? left.splice(0) : left.splice(0, 1)
      if (flag.type === 'list') input[field] = taken
      else if (flag.choices === undefined || taken.length === 1) setValue(input, flag, taken.join(' '))
      else left.push(...taken)
    }
    if (flag.required && input[field] === undefined) {
      throw new CairnError({
        code: 'invalid_input',
        message: `cairn ${operation.name} needs <${flag.name}>: ${flag.description.toLowerCase()}.`,
        hint:
          operation.examples[0] === undefined
            ? `cairn ${operation.name} --help`
            : `For example: ${operation.examples[0].command}`,
      })
    }
  })
  if (left.length > 0) {
    throw new CairnError({
      code: 'invalid_input',
      message: `cairn ${operation.name} does not know what to do with "${left.join(' ').slice(0, 80)}".`,
      hint: `\`cairn ${operation.name} --help\` shows what it takes.`,
    })
  }
}

function setValue(input: Record<string, unknown>, flag: Flag, text: string): void {
  if (flag.type === 'number') {
    const number = Number(text)
    input[flag.field] = text.trim() === '' || Number.isNaN(number) ? text : number
  } else if (flag.type === 'list') {
    const items = text.split(',').map(item => item.trim())
    input[flag.field] = [
      ...((input[flag.field] as string[] | undefined) ?? []),
      ...items.filter(item => item !== ''),
    ]
  } else input[flag.field] = text
}

/** `--color`, `--color=true` and `--color=always` turn it on; `false`, `no`, `off`, `never` and `0` turn it off. */
function isOn(inline: string | undefined): boolean {
  return inline === undefined || !['false', 'no', 'off', 'never', '0'].includes(inline.toLowerCase())
}

/** `--limit=5` is a flag with its value; `- [ ] text`, `-` and `-5` are words. */
function splitFlag(word: string): [name: string | undefined, inline: string | undefined] {
  const match = /^--([a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(word)
  return match === null ? [undefined, undefined] : [match[1], match[2]]
}

function valueAfter(words: readonly string[], at: number, name: string): string {
  const value = words[at + 1]
  if (value !== undefined) return value
  throw new CairnError({
    code: 'invalid_input',
    message: `--${name} needs a value.`,
    hint: `Write --${name}=… or --${name} ….`,
  })
}

function unknownFlag(operation: Operation, name: string, flags: readonly Flag[]): CairnError {
  const close = flags.find(
    flag => flag.name.startsWith(name) || name.startsWith(flag.name) || flag.name.includes(name),
  )
  return new CairnError({
    code: 'invalid_input',
    message: `cairn ${operation.name} has no --${name}.`,
    hint:
      close === undefined
        ? `\`cairn ${operation.name} --help\` shows its flags. A text that begins with -- goes after --.`
        : `Did you mean --${close.name}?`,
  })
}

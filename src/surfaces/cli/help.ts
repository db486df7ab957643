import { CairnError, ERROR_CLASSES } from '../../kernel/model/errors.ts'
import { OPERATIONS } from '../../verbs/all.ts'
import { type Operation, VERB_GROUPS } from '../../verbs/operation.ts'
import { GLOBAL_FLAGS } from './arguments.ts'
import type { OwnCommand } from './own-command.ts'
import { type Flag, flagsOf } from './schema-flags.ts'

export async function renderHelp(name: string, ownCommands: readonly OwnCommand[]): Promise<string> {
  if (name === '') return renderOverview(ownCommands)
  const other = ownCommands.find(verb => verb.name === name)
  const names = Object.keys(OPERATIONS).filter(known => known === name || known.startsWith(`${name} `))
  if (names.length === 0 && other === undefined) {
    throw new CairnError({
      code: 'unknown_verb',
      message: `Unknown command: "${name.slice(0, 40)}".`,
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

async function renderOverview(ownCommands: readonly OwnCommand[]): Promise<string> {
  const verbs = [...ownCommands, ...(await Promise.all(Object.keys(OPERATIONS).map(load)))]
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
      // Commands that git calls are listed in the help of their family.
      ownCommands
        .filter(({ name, group }) => name !== 'merge-driver' && group === undefined)
        .map(({ name, summary }) => [name, summary]),
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

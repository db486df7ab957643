import * as v from 'valibot'
import { LAYOUT, type MemoryFile } from '../../kernel/layout.ts'
import { type ConfigKey, describeRule, ruleOf } from '../../kernel/model/config.ts'
import { CONFIG_KEYS } from '../../kernel/model/config-keys.ts'
import { ERROR_CLASSES, ERROR_CODES } from '../../kernel/model/errors.ts'
import { OPERATIONS } from '../../verbs/all.ts'
import type { Operation } from '../../verbs/operation.ts'
import { GLOBAL_FLAGS } from './arguments.ts'
import { usageOf } from './help.ts'
import { OWN_COMMANDS } from './own-commands.ts'
import { flagsOf } from './schema-flags.ts'

const GENERATED = '<!-- Generated from the code by `npm run docs`. Do not edit. -->'

/** docs/reference/cli.md: every verb with its flags, examples and the shape of its JSON answer. */
export async function renderCliReference(): Promise<string> {
  const operations = await Promise.all(Object.values(OPERATIONS).map(load => load()))
  return [
    GENERATED,
    '# Command line',
    '',
    'Every verb takes `--json` and then prints one JSON document. An error is `{ "error": { "code", "message", "hint", "details"? } }` on standard output, with the exit code of its class.',
    '',
    '## Everywhere',
    '',
    '| flag | what it does |',
    '|---|---|',
    ...Object.entries(GLOBAL_FLAGS).map(([name, { description }]) => `| \`--${name}\` | ${description} |`),
    '',
    'The environment variables `CAIRN_ROOT`, `CAIRN_AGENT`, `CAIRN_SESSION` and `CAIRN_HOST` give the project folder and say who is asking. With `CAIRN_AGENT` an agent asks: what it stores is a candidate, and a change of a person’s entry waits in `cairn review`. `NO_COLOR` turns colours off.',
    '',
    ...operations.flatMap(renderOperation),
    '## Others',
    '',
    '| verb | what it does |',
    '|---|---|',
    ...OWN_COMMANDS.map(({ usage, summary }) => `| \`${usage.split('\n')[0]}\` | ${summary} |`),
    '',
  ].join('\n')
}

function renderOperation(operation: Operation): string[] {
  const flags = flagsOf(operation)
  return [
    `## cairn ${operation.name}`,
    '',
    `${operation.summary}.${operation.description === undefined ? '' : ` ${operation.description}`}`,
    '',
    '```',
    usageOf(operation, flags),
    '```',
    '',
    ...(flags.length === 0
      ? []
      : [
          '| flag | takes | what it is |',
          '|---|---|---|',
          ...flags.map(
            flag =>
              `| \`--${flag.name}\`${flag.required ? ' (needed)' : ''} | ${flag.choices?.join(', ') ?? flag.type} | ${flag.description} |`,
          ),
          '',
        ]),
    ...operation.examples.map(({ command, does }) => `- \`${command}\` – ${does}`),
    '',
    'Answer:',
    '',
    '```ts',
    shapeOf(operation.output, ''),
    '```',
    '',
  ]
}

/** docs/reference/config.md */
export function renderConfigReference(): string {
  return [
    GENERATED,
    '# Configuration',
    '',
    '`.memory/config.json` contains the options that differ from the defaults, as `{ "version": 1, "search": { "limit": 20 } }`. `cairn config set <key> <value>` changes it; the change is journaled and can be undone.',
    '',
    '| key | takes | default | what it does |',
    '|---|---|---|---|',
    ...(Object.keys(CONFIG_KEYS) as ConfigKey[]).map(key => {
      const rule = ruleOf(key)
      return `| \`${key}\` | ${describeRule(rule)} | \`${JSON.stringify(rule.default)}\` | ${rule.description} |`
    }),
    '',
  ].join('\n')
}

/** docs/reference/errors.md */
export function renderErrorReference(): string {
  return [
    GENERATED,
    '# Errors',
    '',
    'An error has a code, a message that names the subject, and a hint with the next step. Its class decides the exit code.',
    '',
    '| class | exit code | codes |',
    '|---|---|---|',
    ...Object.entries(ERROR_CLASSES).map(([name, { exitCode }]) => {
      const codes = Object.entries(ERROR_CODES).filter(([, errorClass]) => errorClass === name)
      const listed = codes.map(([code]) => `\`${code}\``).join(', ')
      return `| ${name} | ${exitCode} | ${listed || 'none: a fault of Cairn itself, shown as it is'} |`
    }),
    '',
  ].join('\n')
}

/** Every file of `.memory/`, from the table that the code uses. */
export function renderFilesReference(): string {
  const rows: readonly MemoryFile[] = Object.values(LAYOUT)
  return [
    GENERATED,
    '# Files of a memory',
    '',
    'Relative to `.memory/`. What git ignores belongs to one clone and is readable only for its user. A backup has every file unless the table says otherwise. *Part* is what `GET /api/live` names when the file changes; *check* is the check of `cairn validate` that reads it.',
    '',
    '| file | what it is | git | backup | part | check |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ path, about, git, backup, live = [], check = '' }) =>
        `| \`${path}\` | ${about} | ${git} | ${backup ?? ''} | ${live.join(', ')} | ${check} |`,
    ),
    '',
  ].join('\n')
}

/** A schema as a TypeScript-like type, with its descriptions as comments. */
function shapeOf(schema: v.GenericSchema, indent: string): string {
  const inner = schema as unknown as {
    type: string
    wrapped?: v.GenericSchema
    item?: v.GenericSchema
    key?: v.GenericSchema
    value?: v.GenericSchema
    options?: readonly unknown[]
    entries?: Record<string, v.GenericSchema>
  }
  switch (inner.type) {
    case 'object':
      return `{\n${Object.entries(inner.entries ?? {})
        .map(([name, field]) => renderField(name, field, `${indent}  `))
        .join('\n')}\n${indent}}`
    case 'array': {
      const item = shapeOf(inner.item as v.GenericSchema, indent)
      return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
    }
    case 'picklist':
      return (inner.options ?? []).map(option => JSON.stringify(option)).join(' | ')
    case 'union':
      return (inner.options ?? []).map(option => shapeOf(option as v.GenericSchema, indent)).join(' | ')
    case 'nullable':
      return `${shapeOf(inner.wrapped as v.GenericSchema, indent)} | null`
    case 'optional':
    case 'exact_optional':
      return shapeOf(inner.wrapped as v.GenericSchema, indent)
    case 'record':
      return `Record<${shapeOf(inner.key as v.GenericSchema, indent)}, ${shapeOf(inner.value as v.GenericSchema, indent)}>`
    default:
      return inner.type
  }
}

function renderField(name: string, schema: v.GenericSchema, indent: string): string {
  const optional = schema.type === 'optional' || schema.type === 'exact_optional' ? '?' : ''
  const description = v.getDescription(schema as v.GenericSchema)
  const comment = description === undefined ? '' : `  // ${description}`
  return `${indent}${name}${optional}: ${shapeOf(schema, indent)}${comment}`
}

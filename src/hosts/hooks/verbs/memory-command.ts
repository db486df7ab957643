import type { Composed } from '../../../compose/composed.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import { redact } from '../../../kernel/text/redaction/redact.ts'
import { type AnswerOf, OPERATIONS, type VerbName } from '../../../verbs/all.ts'
import { parseInput } from '../../../verbs/operation.ts'
import { type MemoryCommand, readMemoryCommand } from '../decide/memory-command.ts'

const MAX_ROWS = 20
const LINE_CHARACTERS = 110
/** An error names the nearest entries; a longer answer is not readable at a prompt. */
const MAX_CHARACTERS = 4_000

/**
 * Executes a slash command and answers in a few lines for a user who waits at a host's prompt, without a model. An error is part of the
 * answer.
 */
export async function runMemoryCommand(memory: Composed, command: MemoryCommand): Promise<string> {
  if (command.kind === 'unclear') return `${command.message} ${command.hint}`
  const load = OPERATIONS[command.verb]
  if (load === undefined) throw new Error(`there is no operation ${command.verb}`)
  const operation = await load()
  try {
    const output = await operation.run(memory, parseInput(operation, command.input), {})
    const render = ANSWERS[command.verb as VerbName]
    if (render === undefined) throw new Error(`no text for the answer of ${command.verb}`)
    return clean([render(output as never), ...notesOf(output)].join('\n'))
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    return clean(`${error.message}\n${error.hint}`)
  }
}

/** A slash command on standard input: its verb, or an error that shows the syntax. */
export function readTyped(text: string): Extract<MemoryCommand, { kind: 'run' }> {
  const command = readMemoryCommand(text, '/$')
  if (command?.kind === 'run') return command
  const { message, hint } = command ?? {
    message: 'This is not a slash command of Cairn.',
    hint: 'Write /remember <text>, /forget <id or words>, /pin <id or words> or /cairn <word>.',
  }
  throw new CairnError({ code: 'invalid_input', message, hint })
}

function notesOf(output: unknown): string[] {
  const { degraded = [] } = output as { readonly degraded?: readonly { readonly message: string }[] }
  return degraded.map(({ message }) => `note: ${message}`)
}

/** An answer repeats its input: a secret in it must not be returned, and no escape sequence may reach a terminal. */
function clean(text: string): string {
  return redact(text)
    .text.replace(/[^\P{Cc}\n]/gu, '')
    .slice(0, MAX_CHARACTERS)
}

interface Setting {
  readonly key: string
  readonly value: unknown
  readonly default: boolean
}

const settingLine = ({ key, value, default: isDefault }: Setting) =>
  `${key} = ${JSON.stringify(value)}${isDefault ? ' (default)' : ''}`
const oneSetting = ({ setting }: { readonly setting: Setting }) => settingLine(setting)

/** What a slash command answers in the chat. */
const ANSWERS: { readonly [Name in VerbName]?: (answer: AnswerOf<Name>) => string } = {
  remember: ({ entry, duplicate, redacted }) =>
    [
      `${duplicate ? 'Known already, strengthened' : 'Remembered'}: ${line(entry)}`,
      ...redacted.map(({ type }) => `Removed before it was stored: ${type}`),
    ].join('\n'),
  forget: ({ entry }) => `Forgotten: ${line(entry)}\n\`cairn undo\` brings it back.`,
  pin: ({ entry, pinned }) => `${pinned ? 'Pinned' : 'Unpinned'}: ${line(entry)}`,
  status: statusAnswer,
  list: ({ entries, total }) =>
    total === 0
      ? 'No entries found.'
      : [
          ...entries.slice(0, MAX_ROWS).map(line),
          ...(total > MAX_ROWS ? [`${MAX_ROWS} of ${total}; \`cairn list\` shows more.`] : []),
        ].join('\n'),
  search: ({ hits }) =>
    hits.length === 0
      ? 'Nothing found.'
      : hits
          .slice(0, MAX_ROWS)
          .map(
            ({ id, score, entry, snippet }) =>
              `${score.toFixed(2)} [${id}] ${entry.kind}: ${oneLine(snippet)}`,
          )
          .join('\n'),
  budget: ({ maxTokens, default: isDefault, briefs }) =>
    [
      `A brief takes at most ${maxTokens.toLocaleString('en')} tokens${isDefault ? ' (default)' : ''}.`,
      briefs.count === 0
        ? 'None was given yet.'
        : `The last ${briefs.count}: ${briefs.mean} on average, ${briefs.most} at most.`,
    ].join('\n'),
  auto: ({ auto }) =>
    auto
      ? 'Closed sessions leave suggestions and handoffs.'
      : 'Only text marked #remember is stored of a session.',
  preset: ({ preset, points }) =>
    `The preset is ${preset}: suggestions with ${points} points or more come first.`,
  'alias list': ({ aliases }) => {
    const own = aliases.filter(alias => !alias.default)
    return [
      ...own.map(({ word, meanings }) => `${word}: ${meanings.join(', ') || '(only itself)'}`),
      `${aliases.length - own.length} more come with Cairn; \`cairn alias list\` shows them.`,
    ].join('\n')
  },
  'alias add': ({ alias }) => `${alias.word} now also means ${alias.meanings.join(', ')}.`,
  'alias remove': ({ word, left }) =>
    left.length === 0 ? `${word} means only itself now.` : `${word} still means ${left.join(', ')}.`,
  'config list': ({ settings }) => {
    const own = settings.filter(setting => !setting.default)
    return [
      ...own.map(settingLine),
      `${settings.length - own.length} settings have their default; \`cairn config list\` shows them.`,
    ].join('\n')
  },
  'config get': oneSetting,
  'config set': oneSetting,
  'config unset': oneSetting,
}

function statusAnswer({
  entries,
  kinds,
  openTasks,
  index,
  briefs,
  waiting,
  health,
  problems,
}: AnswerOf<'status'>): string {
  const byKind = Object.entries(kinds)
    .sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${count} ${kind}`)
  return [
    `${entries} entries${byKind.length === 0 ? '' : ` (${byKind.join(', ')})`}, ${openTasks} open tasks`,
    `Health: ${health.state}, index ${index.mode}${problems.length === 0 ? '' : `, ${problems.length} problems: see \`cairn status\``}`,
    `Injected so far: ${briefs.given} briefs, ${briefs.tokens.toLocaleString('en')} tokens${briefs.last === null ? '' : `; last at ${briefs.last.at.slice(0, 16)}, ${briefs.last.tokens} tokens`}`,
    `Waiting: ${waiting.review} to review, ${waiting.conflicts} conflicts`,
  ].join('\n')
}

const line = (entry: Entry) => `[${entry.id}] ${entry.kind}: ${oneLine(entry.content)}`

function oneLine(text: string): string {
  const flat = text.slice(0, 2_000).replace(/\s+/g, ' ').trim()
  return flat.length <= LINE_CHARACTERS ? flat : `${flat.slice(0, LINE_CHARACTERS - 1)}…`
}

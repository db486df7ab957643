import * as v from 'valibot'
import type { Memory } from '../../../kernel/memory.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Message } from '../../../kernel/model/message.ts'
import type { SessionKey } from '../../../kernel/model/session.ts'
import { type SplitLine, standardInputLines } from '../../../kernel/system/line-splitter.ts'
import { defineOperation, degradedSchema, flag, list, text } from '../../../verbs/operation.ts'
import type { SessionPorts } from '../decide/ports.ts'
import { type AppendReport, appendMessages, recordRuns, startSession } from '../sessions.ts'
import { headOf, headSchema, keyFields, keyOf } from './session-fields.ts'

/** Messages per batch, so that a transcript of any size needs little memory. */
const BATCH = 200
const MAX_REPORTED = 20

export const sessionStartOperation = defineOperation({
  name: 'session start',
  group: 'Sessions',
  agent: 'reports',
  after: ['pickUp'],
  route: { at: 'POST /api/sessions', access: 'write' },
  summary: 'Start a session, or reopen an existing one',
  description:
    'Without an id a new one is made. An existing session is reopened and gets a new chat id or model if one is given. An agent can have several open sessions.',
  positionals: ['session'],
  input: v.object({
    session: v.optional(text('Its id in the host (default: CAIRN_SESSION, else a new id)')),
    agent: keyFields.agent,
    host: v.optional(text('The program the agent runs in (default: CAIRN_HOST)')),
    chat: v.optional(text('Its id in the host, to resume it there')),
    model: v.optional(text('The model that answers')),
    parent: v.optional(text('The session that it continues')),
  }),
  output: v.object({ ...headSchema.entries, isNew: v.boolean(), degraded: degradedSchema }),
  examples: [
    { command: 'cairn session start', does: 'with a new id' },
    {
      command: 'cairn session start 9f3c --agent dev --host codex --chat chat_abc',
      does: 'a session of a host',
    },
  ],
  async run(memory, input) {
    const { head, isNew } = await startSession(memory, {
      ...input,
      session: input.session ?? memory.actor.session,
    })
    return { ...headOf(head), isNew, degraded: memory.store.takeDegraded() }
  },
})

const appendedFields = {
  session: v.string(),
  agent: v.string(),
  added: v.number(),
  count: v.pipe(v.number(), v.description('How many messages the conversation has had')),
  redacted: v.pipe(v.number(), v.description('How many secrets and addresses were removed')),
}

export const sessionAppendOperation = defineOperation({
  name: 'session append',
  group: 'Sessions',
  agent: 'reports',
  summary: 'Add messages to a session',
  description:
    'One message with --role and --text, or many as lines on standard input: {"role": "user", "text": "…", "at": "…", "internal": true}. <private> parts and secrets are removed first. The session is started if necessary. With --at, sending the same messages again adds nothing.',
  positionals: ['session', 'from'],
  input: v.object({
    ...keyFields,
    from: v.optional(
      v.pipe(
        v.literal('-', '-'),
        v.description('Read standard input: messages as lines, or the text of one message'),
      ),
    ),
    role: v.optional(text('The speaker: user, agent, tool, system or a name (default: user)')),
    text: v.optional(text('The text; without it, messages are read from standard input')),
    internal: v.optional(flag('Between agents: never in a checkpoint or a handoff, never distilled')),
    at: v.optional(
      v.pipe(
        v.number('a whole number'),
        v.integer('a whole number'),
        v.minValue(0, 'at least 0'),
        v.description("The number of the first one in the host's own count, from 0"),
      ),
    ),
  }),
  output: v.object({
    ...appendedFields,
    seen: v.pipe(v.number(), v.description("How far the host's own count is kept: go on from here")),
    checkpoint: v.pipe(v.boolean(), v.description('Whether a checkpoint was saved too')),
    cut: v.pipe(
      v.number(),
      v.description('Messages that were too long: above 64 KB only the beginning and the end are stored'),
    ),
    skipped: v.number(),
    problems: v.pipe(
      v.array(v.object({ line: v.number(), code: v.string(), message: v.string() })),
      v.description(`Messages that were not stored: the first ${MAX_REPORTED}`),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn session append 9f3c --text "Why is the build slow?"', does: 'one message of the user' },
    {
      command: 'cairn session append 9f3c --at 0 < messages.jsonl',
      does: 'all messages that are not stored yet',
    },
    {
      command: 'git log -1 | cairn session append 9f3c -',
      does: 'the output of another command, as one message',
    },
  ],
  async run(memory, { role = 'user', text: given, internal, at, from, ...named }) {
    const key = await keyOf(memory, named)
    const input = given === undefined ? await readInput(from === '-') : given
    const report =
      typeof input === 'string'
        ? await appendOne(memory, key, { role, text: input, ...(internal === true && { internal }) }, at)
        : await appendLines(memory, key, at, input)
    return { ...key, ...report, degraded: memory.store.takeDegraded() }
  },
})

interface Appended {
  added: number
  count: number
  seen: number
  redacted: number
  checkpoint: boolean
  cut: number
  skipped: number
  readonly problems: { line: number; code: string; message: string }[]
}

/** A person who types one message needs to know why it was not stored. */
async function appendOne(
  memory: Memory & SessionPorts,
  key: SessionKey,
  message: Message,
  at: number | undefined,
): Promise<Appended> {
  const report = await appendMessages(memory, key, [message], { at })
  const [refused] = report.skipped
  if (refused !== undefined) {
    throw new CairnError({
      code: refused.code === 'message_without_text' ? 'content_empty' : 'invalid_input',
      message: `The message was not stored: it ${refused.message.slice(3)}`,
      hint: 'For example: cairn session append 9f3c --role user --text "Why is the build slow?"',
    })
  }
  const { added, count, seen, redacted, checkpoint, cut } = report
  return { added, count, seen, redacted, checkpoint, cut, skipped: 0, problems: [] }
}

type InputLines = AsyncIterable<SplitLine>

/** Messages as lines; if `-` was given and the first line is not a message, all of it is one text. */
async function readInput(mayBeText: boolean): Promise<InputLines | string> {
  const input = standardInputLines()
  if (!mayBeText) return input
  const rest = input[Symbol.asyncIterator]()
  const lines: SplitLine[] = []
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    const isBeginning = lines.every(({ text: line }) => line?.trim() === '')
    lines.push(next.value)
    if (isBeginning && next.value.text?.trimStart().startsWith('{') === true) return joined(lines, rest)
  }
  return lines.map(line => line.text ?? '').join('\n')
}

async function* joined(first: readonly SplitLine[], rest: AsyncIterator<SplitLine>): InputLines {
  yield* first
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

async function appendLines(
  memory: Memory & SessionPorts,
  key: SessionKey,
  at: number | undefined,
  input: InputLines,
): Promise<Appended> {
  const total: Appended = {
    added: 0,
    count: 0,
    seen: 0,
    redacted: 0,
    checkpoint: false,
    cut: 0,
    skipped: 0,
    problems: [],
  }
  let batch: { line: number; value: unknown }[] = []
  let handed = 0
  const skip = (line: number, code: string, message: string) => {
    total.skipped++
    if (total.problems.length < MAX_REPORTED) total.problems.push({ line, code, message })
  }
  const flush = async () => {
    const messages = batch.map(({ value }) => value as Message)
    const from = at === undefined ? undefined : at + handed
    const report: AppendReport = await appendMessages(memory, key, messages, { at: from })
    for (const { index, code, message } of report.skipped) {
      const { line, value } = batch[index] ?? { line: 0, value: undefined }
      const reason = value instanceof UnreadLine ? value : { code, message }
      skip(line, reason.code, reason.message)
    }
    total.added += report.added
    total.redacted += report.redacted
    total.cut += report.cut
    total.checkpoint ||= report.checkpoint
    Object.assign(total, { count: report.count, seen: report.seen })
    handed += batch.length
    batch = []
  }
  for await (const { number, text: line, bytes } of input) {
    if (line?.trim() === '') continue
    // It still counts as a message of the host, so that the numbers of the others stay right.
    batch.push({ line: number, value: readLine(line, bytes) })
    if (batch.length === BATCH) await flush()
  }
  if (batch.length > 0) await flush()
  else if (handed === 0) {
    throw new CairnError({
      code: 'invalid_input',
      message: 'There is no message: standard input is empty.',
      hint: 'Give --text, or lines like {"role": "user", "text": "…"} on standard input.',
    })
  }
  return total
}

class UnreadLine {
  readonly code: string
  readonly message: string
  constructor(code: string, message: string) {
    this.code = code
    this.message = message
  }
}

function readLine(line: string | undefined, bytes: number): unknown {
  if (line === undefined)
    return new UnreadLine(
      'line_too_long',
      `It has ${Math.round(bytes / 1_048_576)} MB, too much for a message.`,
    )
  try {
    return JSON.parse(line)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    return new UnreadLine('line_damaged', 'It is not JSON.')
  }
}

export const sessionRunOperation = defineOperation({
  name: 'session run',
  group: 'Sessions',
  agent: 'reports',
  summary: 'Add a tool run to a session',
  description:
    'The run becomes a message of the session and, if it is informative (a test that passed or failed, changed files), an event.',
  positionals: ['session'],
  input: v.object({
    ...keyFields,
    tool: v.optional(text('The tool’s name in the host (default: shell)')),
    command: v.optional(text('The command')),
    ok: v.optional(flag('It succeeded; --no-ok: it failed')),
    exitCode: v.optional(
      v.pipe(v.number('a whole number'), v.integer('a whole number'), v.description('0: it succeeded')),
    ),
    output: v.optional(text('Its output, of which the end is stored; - reads it from standard input')),
    files: v.optional(list('Files it read or changed')),
    edit: v.optional(flag('It changed those files')),
  }),
  output: v.object({
    ...appendedFields,
    events: v.pipe(v.array(v.object({ id: v.string(), summary: v.string() })), v.description('Its events')),
    degraded: degradedSchema,
  }),
  examples: [
    {
      command: 'npm test 2>&1 | cairn session run 9f3c --command "npm test" --output -',
      does: 'with its output',
    },
    { command: 'cairn session run 9f3c --tool Edit --files src/a.ts --edit --ok', does: 'an edit' },
  ],
  async run(memory, { tool = 'shell', command, ok, exitCode, output, files, edit, ...named }) {
    if (command === undefined && files === undefined) {
      throw new CairnError({
        code: 'invalid_input',
        message: 'Neither a command nor a file was given.',
        hint: 'For example: cairn session run 9f3c --command "npm test" --exit-code 1',
      })
    }
    const key = await keyOf(memory, named)
    const wentWell = ok ?? (exitCode === undefined ? undefined : exitCode === 0)
    const { added, count, redacted, events } = await recordRuns(memory, key, [
      {
        tool,
        ...(command !== undefined && { command }),
        ...(wentWell !== undefined && { ok: wentWell }),
        ...(exitCode !== undefined && { exitCode }),
        ...(output !== undefined && { output }),
        ...(files !== undefined && { files }),
        ...(edit !== undefined && { isEdit: edit }),
      },
    ])
    return {
      ...key,
      added,
      count,
      redacted,
      events: events.map(({ id, summary }) => ({ id, summary })),
      degraded: memory.store.takeDegraded(),
    }
  },
})

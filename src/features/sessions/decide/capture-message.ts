import type { Config } from '../../../kernel/model/config.ts'
import { type Message, speakerOf, type ToolRun } from '../../../kernel/model/message.ts'
import { withoutPrivate } from '../../../kernel/text/private-parts.ts'
import { type RedactOptions, redact } from '../../../kernel/text/redaction/redact.ts'
import { redactionOptions } from '../../../kernel/text/redaction/redaction-options.ts'
import { ODD_NAME } from './parse-message.ts'

interface CapturedMessage {
  readonly message: Message
  /** How many secrets and addresses were removed. */
  readonly redacted: number
  /** Whether its text was too long and was cut. */
  readonly isCut: boolean
}

interface MessageCaptureOptions {
  readonly config: Config
  /** The project folder: paths in it are stored relative to it. */
  readonly root: string | undefined
  /** UTC ISO, for a message without a date. */
  readonly now: string
}

/** Together with the tail 64 KB. A longer message contains a pasted file; the user's words are at the start or the end. */
const HEAD_CHARACTERS = 49_152
const TAIL_CHARACTERS = 16_384
const OUTPUT_CHARACTERS = 4_000
const COMMAND_CHARACTERS = 2_000
const NAME_CHARACTERS = 100
const MAX_FILES = 100
const PATH_CHARACTERS = 500
/** A secret that a cut goes through is no longer recognised, so this much text at the cut is removed too. */
const EDGE_CHARACTERS = 1_000

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * What is stored of a message:
 *
 *   as handed over ▶ without <private> parts ▶ without secrets ▶ cut to 64 KB, tool output to its last 4,000 characters
 */
export function captureMessage(message: Message, options: MessageCaptureOptions): CapturedMessage {
  const redaction = redactionOptions(options.config)
  let redacted = 0
  const cleaned = (text: string, keep: Keep) => {
    const result = cleanText(text, keep, redaction)
    redacted += result.redacted
    return result
  }
  const clean = (text: string, keep: Keep): string => cleaned(text, keep).text
  const run = message.run && captureRun(message.run, options.root, clean)
  const isTool = speakerOf(message.role) === 'tool'
  const { text, isCut } =
    message.text.trim() === '' && run !== undefined
      ? { text: textOfRun(run), isCut: false }
      : cleaned(message.text, isTool ? OUTPUT : { head: HEAD_CHARACTERS, tail: TAIL_CHARACTERS })
  const { role, internal, at } = message
  return {
    message: {
      // A placeholder is not a name, and a message without a role would be lost when it is read.
      role: clean(role, NAME) === role ? role : ODD_NAME,
      text,
      ...(internal === true && { internal: true }),
      at: at ?? options.now,
      ...(run !== undefined && { run }),
    },
    redacted,
    isCut,
  }
}

/** The text of a tool message if the host sent only the run: the command and the end of its output. */
export function textOfRun({ tool, command, output, files = [], ok }: ToolRun): string {
  const what = command ?? [tool, ...files.slice(0, 3)].join(' ')
  const end = output === undefined || output.trim() === '' ? '' : `\n${output}`
  return `${what}${ok === false ? ' (failed)' : ''}${end}`
}

interface Keep {
  readonly head: number
  readonly tail: number
}
const OUTPUT: Keep = { head: 0, tail: OUTPUT_CHARACTERS }
const NAME: Keep = { head: NAME_CHARACTERS, tail: 0 }

function captureRun(
  run: ToolRun,
  root: string | undefined,
  clean: (text: string, keep: Keep) => string,
): ToolRun {
  const { tool, command, ok, exitCode, output, files, isEdit } = run
  const paths = (files ?? [])
    .slice(0, MAX_FILES)
    .map(file => clean(relativePath(file, root), { head: PATH_CHARACTERS, tail: 0 }))
  return {
    tool: clean(tool, NAME),
    ...(command !== undefined && { command: clean(command, { head: COMMAND_CHARACTERS, tail: 0 }) }),
    ...(ok !== undefined && { ok }),
    ...(exitCode !== undefined && { exitCode }),
    ...(output !== undefined && { output: clean(output, OUTPUT) }),
    ...(paths.length > 0 && { files: [...new Set(paths)] }),
    ...(isEdit !== undefined && { isEdit }),
  }
}

function cleanText(
  text: string,
  { head, tail }: Keep,
  redaction: RedactOptions,
): { text: string; redacted: number; isCut: boolean } {
  const open = withoutPrivate(text).replace(LONE_SURROGATE, '\ufffd')
  const room = head + tail
  // Redacting 20 MB takes seconds: only the stored part is redacted, with a margin for what redaction removes.
  const margin = room + 4 * EDGE_CHARACTERS
  if (open.length <= 2 * margin) {
    const { text: whole, redacted } = redact(open, redaction)
    if (whole.length <= room) return { text: whole, redacted: redacted.length, isCut: false }
    return {
      text: joined(whole.slice(0, head), whole.length - room, lastOf(whole, tail)),
      redacted: redacted.length,
      isCut: true,
    }
  }
  const first = head === 0 ? undefined : redact(open.slice(0, margin), redaction)
  const last = tail === 0 ? undefined : redact(open.slice(-margin), redaction)
  const start = first === undefined ? '' : first.text.slice(0, -EDGE_CHARACTERS).slice(0, head)
  const end = last === undefined ? '' : lastOf(last.text.slice(EDGE_CHARACTERS), tail)
  return {
    text: joined(start, open.length - start.length - end.length, end),
    redacted: (first?.redacted.length ?? 0) + (last?.redacted.length ?? 0),
    isCut: true,
  }
}

function lastOf(text: string, characters: number): string {
  return characters === 0 ? '' : text.slice(-characters)
}

function joined(start: string, left: number, end: string): string {
  const mark = `[… ${left} characters left out …]`
  const whole = [start, mark, end].filter(part => part !== '').join('\n')
  return whole.replace(LONE_SURROGATE, '\ufffd')
}

/** `/home/ana/shop/src/a.ts` in the project `/home/ana/shop` is `src/a.ts`; paths outside the project stay absolute. */
export function relativePath(file: string, root: string | undefined): string {
  const path = file.replaceAll('\\', '/')
  if (root === undefined) return path.replace(/^\.\//, '')
  const base = root.replaceAll('\\', '/').replace(/\/+$/, '')
  const isSame = /^[a-z]:/i.test(base)
    ? path.slice(0, base.length + 1).toLowerCase() === `${base.toLowerCase()}/`
    : path.startsWith(`${base}/`)
  return (isSame ? path.slice(base.length + 1) : path).replace(/^\.\//, '')
}

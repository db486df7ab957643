import { parseJson } from '../../kernel/model/json-value.ts'
import type { Message } from '../../kernel/model/message.ts'
import { outputOf, type Result, runOfCall } from '../transcripts/decide/run-of-call.ts'
import type { TranscriptFormat } from '../transcripts/decide/transcript-format.ts'
import {
  isRecord,
  momentOf,
  partsOf,
  type ReaderOptions,
  recordOf,
  type Said,
  SESSION_FIELD,
  stringOf,
  type TranscriptReader,
} from '../transcripts/decide/transcript-reader.ts'
import { typedByPerson } from '../transcripts/decide/typed-by-person.ts'

const MAX_TABLE_BYTES = 4_194_304

export const geminiTranscripts: TranscriptFormat = {
  reader: geminiReader,
  needsEveryLine: true,
  isLine: ({ sessionId, projectHash }) => typeof sessionId === 'string' && typeof projectHash === 'string',
  // tmp/<name>/chats/session-<time>-<id>.jsonl; projects.json, .project_root or (older) a hash says whose they are.
  find({ root, isOurs, folder, join, foldersIn, filesIn, read, startOf, sha256, add }) {
    const home = join(folder('GEMINI_CLI_HOME', ''), '.gemini')
    const place = join(home, 'tmp')
    const table = recordOf(parseJson(read(join(home, 'projects.json'), MAX_TABLE_BYTES) ?? ''))
    const named = Object.entries(recordOf(table.projects))
    for (const name of foldersIn(place)) {
      const stated = read(join(place, name, '.project_root'), 4_096)?.trim()
      const cwds = [
        ...(stated === undefined ? [] : [stated]),
        ...named.filter(([, its]) => its === name).map(([cwd]) => cwd),
      ]
      const cwd = cwds.find(isOurs) ?? (name === sha256(root) ? root : undefined)
      if (cwd === undefined) continue
      const chats = join(place, name, 'chats')
      for (const file of filesIn(chats, /^session-.*\.jsonl?$/)) {
        const session = SESSION_FIELD.exec(startOf(join(chats, file)))?.[1]
        add(session ?? file.replace(/\.jsonl?$/, ''), join(chats, file), { cwd })
      }
    }
    return place
  },
}

const EXIT_CODE = /(?:^|\n)Exit Code: (\d{1,3})/
const FENCED = /<\/?untrusted_context>\n?/g

/**
 * Gemini CLI, `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`: an event log. A message is written again with the same id when a
 * tool was run, `{"$set": {"messages": […]}}` writes many again, and the last one counts. So what is said is known at the end; the
 * place of a message is where its id stood first, which growing does not change. The older `.json` is one object with `messages`.
 */
function geminiReader({ nowMs }: ReaderOptions): TranscriptReader {
  const about: TranscriptReader['about'] = { isSubAgent: false }
  const byId = new Map<string, { readonly line: number; readonly said: readonly Message[] }>()
  const keep = (value: Record<string, unknown>, line: number) => {
    const id = stringOf(value.id) ?? `line ${line}`
    const said = messagesOf(value, nowMs)
    const known = byId.get(id)
    const first = said.find(({ at }) => at !== undefined)?.at
    if (first !== undefined) about.startedAt ??= first
    const model = stringOf(value.model)
    if (model !== undefined) about.model ??= model
    // What a resumed session writes again has lost its tool runs: they were not for the model.
    if (known === undefined) byId.set(id, { line, said })
    else if (said.length >= known.said.length) byId.set(id, { line: known.line, said })
  }
  return {
    about,
    take(value, line) {
      if (!isRecord(value)) return []
      const set = recordOf(value.$set)
      const session = stringOf(value.sessionId) ?? stringOf(set.sessionId)
      if (session !== undefined) about.session ??= session
      if (value.kind === 'subagent') about.isSubAgent = true
      const startedAt = momentOf(value.startTime, nowMs)
      if (startedAt !== undefined) about.startedAt ??= startedAt
      for (const message of [...partsOf(set.messages), ...partsOf(value.messages)]) keep(message, line)
      if (value.type === 'user' || value.type === 'gemini') keep(value, line)
      return []
    },
    finish(): readonly Said[] {
      const isSide = about.isSubAgent === true
      return [...byId.values()].flatMap(({ line, said }) =>
        said.map(message => ({
          line,
          message:
            isSide && message.role === 'user'
              ? { ...message, role: 'agent', internal: true as const }
              : message,
        })),
      )
    },
  }
}

function messagesOf(value: Record<string, unknown>, nowMs: number): Message[] {
  const at = momentOf(value.timestamp, nowMs)
  const dated = at === undefined ? {} : { at }
  const text =
    typeof value.content === 'string'
      ? value.content
      : partsOf(value.content)
          .flatMap(part => stringOf(part.text) ?? [])
          .join('\n')
  if (value.type === 'user') {
    const said = typedByPerson(text)
    return said === undefined ? [] : [{ role: 'user', text: said, ...dated }]
  }
  if (value.type !== 'gemini') return []
  const runs = partsOf(value.toolCalls).flatMap((call): Message[] => {
    const tool = stringOf(call.name)
    if (tool === undefined || (call.status !== 'success' && call.status !== 'error')) return []
    const ranAt = momentOf(call.timestamp, nowMs) ?? at
    return [
      {
        role: 'tool',
        text: '',
        ...(ranAt !== undefined && { at: ranAt }),
        run: runOfCall({ tool, input: call.args }, resultOf(call)),
      },
    ]
  })
  return [...(text.trim() === '' ? [] : [{ role: 'agent', text, ...dated }]), ...runs]
}

function resultOf(call: Record<string, unknown>): Result {
  const response = partsOf(call.result)
    .map(part => recordOf(recordOf(part.functionResponse).response))
    .map(result => outputOf(result.output ?? result.error) ?? '')
    .join('\n')
    .replace(FENCED, '')
  const code = EXIT_CODE.exec(response)?.[1]
  const shown = typeof call.resultDisplay === 'string' ? call.resultDisplay : response
  return {
    output: shown,
    ok: call.status === 'success' && (code === undefined || code === '0'),
    ...(code !== undefined && { exitCode: Number(code) }),
  }
}

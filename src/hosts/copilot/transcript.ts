import type { Message } from '../../kernel/model/message.ts'
import { outputOf, pendingCalls, runOfCall } from '../transcripts/decide/run-of-call.ts'
import type { TranscriptFormat } from '../transcripts/decide/transcript-format.ts'
import {
  isRecord,
  lineReader,
  momentOf,
  type ReaderOptions,
  recordOf,
  type Said,
  stringOf,
  type TranscriptReader,
} from '../transcripts/decide/transcript-reader.ts'
import { typedByPerson } from '../transcripts/decide/typed-by-person.ts'

export const copilotTranscripts: TranscriptFormat = {
  reader: copilotReader,
  isLine: ({ data, type }) => isRecord(data) && typeof type === 'string' && type.includes('.'),
  find({ isOurs, folder, join, foldersIn, read, cwdOf, add }) {
    const place = join(folder('COPILOT_HOME', '.copilot'), 'session-state')
    for (const session of foldersIn(place)) {
      const file = join(place, session, 'events.jsonl')
      const about = read(join(place, session, 'workspace.yaml'), 65_536) ?? ''
      const [, stated] = /^cwd:\s*(.{1,4000})$/m.exec(about) ?? []
      const cwd = stated?.trim().replace(/^(['"])(.*)\1$/, '$2') ?? cwdOf(file)
      if (cwd !== undefined && isOurs(cwd)) add(session, file, { cwd })
    }
    return place
  },
}

const SHELL_END = /\n?<shellId: [^<>\n]{0,100}>\s*$/

/**
 * GitHub Copilot CLI, `~/.copilot/session-state/<session>/events.jsonl`: `{type, data, timestamp}`. A prompt is there as it was typed
 * (`content`) and as it was sent (`transformedContent`, with what hooks gave): the first is taken.
 */
function copilotReader({ nowMs, withSubAgents = false }: ReaderOptions): TranscriptReader {
  const calls = pendingCalls()
  return lineReader((value, line, about): readonly Said[] => {
    const data = recordOf(value.data)
    const at = momentOf(value.timestamp, nowMs)
    const one = (words: Message): readonly Said[] => [
      { message: { ...words, ...(at !== undefined && { at }) }, line },
    ]
    // The turns of a sub-agent are between those of the main agent.
    const isSide = stringOf(data.parentToolCallId) !== undefined || stringOf(value.agentId) !== undefined
    if (isSide && !withSubAgents) return []
    switch (value.type) {
      case 'session.start':
      case 'session.resume': {
        const context = recordOf(data.context)
        const cwd = stringOf(context.cwd) ?? stringOf(context.gitRoot)
        const startedAt = momentOf(data.startTime ?? value.timestamp, nowMs)
        const model = stringOf(data.selectedModel)
        about.isSubAgent = false
        if (stringOf(data.sessionId) !== undefined) about.session ??= stringOf(data.sessionId) ?? ''
        if (cwd !== undefined) about.cwd ??= cwd
        if (startedAt !== undefined) about.startedAt ??= startedAt
        if (model !== undefined) about.model ??= model
        return []
      }
      case 'user.message': {
        const text = typedByPerson(stringOf(data.content) ?? '')
        if (text === undefined) return []
        return one(isSide ? { role: 'agent', text, internal: true } : { role: 'user', text })
      }
      case 'assistant.message': {
        const text = stringOf(data.content) ?? ''
        return text.trim() === '' ? [] : one({ role: 'agent', text })
      }
      case 'tool.execution_start':
        calls.add(data.toolCallId, { tool: stringOf(data.toolName) ?? 'tool', input: data.arguments })
        return []
      case 'tool.execution_complete': {
        const call = calls.take(data.toolCallId)
        if (call === undefined) return []
        const { exitCode } = recordOf(data.shellExecution)
        const failure = recordOf(data.error)
        const output = (outputOf(data.result) ?? stringOf(failure.message) ?? '').replace(SHELL_END, '')
        const run = runOfCall(call, {
          output,
          ...(typeof data.success === 'boolean' && {
            ok: data.success && (typeof exitCode !== 'number' || exitCode === 0),
          }),
          ...(typeof exitCode === 'number' && { exitCode }),
        })
        return one({ role: 'tool', text: '', run })
      }
      default:
        return []
    }
  })
}

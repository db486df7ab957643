import type { Message } from '../../kernel/model/message.ts'
import { outputOf, runOfCall } from '../transcripts/decide/run-of-call.ts'
import type { TranscriptFormat } from '../transcripts/decide/transcript-format.ts'
import {
  isRecord,
  lineReader,
  momentOf,
  partsOf,
  type ReaderOptions,
  recordOf,
  type Said,
  stringOf,
  type TranscriptReader,
} from '../transcripts/decide/transcript-reader.ts'
import { typedByPerson } from '../transcripts/decide/typed-by-person.ts'

export const openCodeTranscripts: TranscriptFormat = {
  reader: opencodeReader,
  isLine: ({ info, parts }) => isRecord(info) && Array.isArray(parts),
  // One database for all projects. Its other tables have credentials and are never read.
  find({ isOurs, folder, join, sessionsIn, addStored }) {
    const place = join(folder('XDG_DATA_HOME', join('.local', 'share')), 'opencode', 'opencode.db')
    for (const session of sessionsIn(place)) if (isOurs(session.directory)) addStored(session, place)
    return place
  },
}

/**
 * OpenCode: a message with its parts, `{info: {role, time…}, parts: […]}`, as `opencode export` prints them and as the rows of its database
 * are put together. A part that is `synthetic` was put there by a plugin, ours among them.
 */
function opencodeReader({ nowMs, withSubAgents = false }: ReaderOptions): TranscriptReader {
  return lineReader((value, line, about): readonly Said[] => {
    const info = recordOf(value.info)
    const directory = stringOf(info.directory) ?? stringOf(recordOf(info.path).cwd)
    if (directory !== undefined) about.cwd ??= directory
    if (info.role === undefined) {
      // The head of an export.
      about.session ??= stringOf(info.id) ?? ''
      about.isSubAgent = stringOf(info.parentID) !== undefined
      return []
    }
    if (about.isSubAgent === true && !withSubAgents) return []
    const session = stringOf(info.sessionID)
    if (session !== undefined) about.session ??= session
    const model = stringOf(info.modelID) ?? stringOf(recordOf(info.model).modelID)
    if (model !== undefined) about.model ??= model
    const createdAt = momentOf(recordOf(info.time).created, nowMs)
    if (createdAt !== undefined) about.startedAt ??= createdAt
    const isUser = info.role === 'user'
    const isSide = about.isSubAgent === true
    return partsOf(value.parts).flatMap((part): Said[] => {
      if (part.synthetic === true || part.ignored === true) return []
      const at = momentOf(recordOf(part.time ?? recordOf(part.state).time).start, nowMs) ?? createdAt
      const one = (words: Message): Said[] => [
        { message: { ...words, ...(at !== undefined && { at }) }, line },
      ]
      if (part.type === 'text') {
        const text = isUser ? typedByPerson(unquoted(stringOf(part.text) ?? '')) : stringOf(part.text)
        if (text === undefined || text.trim() === '') return []
        if (!isUser) return one({ role: 'agent', text })
        return one(isSide ? { role: 'agent', text, internal: true } : { role: 'user', text })
      }
      const state = recordOf(part.state)
      if (part.type !== 'tool' || (state.status !== 'completed' && state.status !== 'error')) return []
      const { exit } = recordOf(state.metadata)
      const run = runOfCall(
        { tool: stringOf(part.tool) ?? 'tool', input: state.input },
        {
          output: outputOf(state.output) ?? stringOf(state.error),
          ok: state.status === 'completed' && (typeof exit !== 'number' || exit === 0),
          ...(typeof exit === 'number' && { exitCode: exit }),
        },
      )
      return one({ role: 'tool', text: '', run })
    })
  })
}

/** `opencode run` hands over its arguments in quotes. */
function unquoted(text: string): string {
  const inner = /^"([\s\S]*)"\s*$/.exec(text)?.[1]
  return inner === undefined ? text : inner.replaceAll('\\"', '"')
}

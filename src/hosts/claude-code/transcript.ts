import type { Message } from '../../kernel/model/message.ts'
import { outputOf, pendingCalls, type Result, runOfCall } from '../transcripts/decide/run-of-call.ts'
import type { TranscriptFormat } from '../transcripts/decide/transcript-format.ts'
import {
  lineReader,
  momentOf,
  partsOf,
  type ReaderOptions,
  recordOf,
  type Said,
  stringOf,
  type TranscriptReader,
  textsOf,
} from '../transcripts/decide/transcript-reader.ts'
import { typedByPerson } from '../transcripts/decide/typed-by-person.ts'

export const claudeCodeTranscripts: TranscriptFormat = {
  reader: claudeCodeReader,
  isLine: ({ sessionId, projectHash, type }) =>
    typeof sessionId === 'string' && typeof type === 'string' && typeof projectHash !== 'string',
  // <slug of the folder>/<session>.jsonl, and sub-agents in <session>/subagents/. Two folders may have the same slug.
  find({ isOurs, folder, join, foldersIn, filesIn, cwdOf, add }) {
    const place = join(folder('CLAUDE_CONFIG_DIR', '.claude'), 'projects')
    for (const slug of foldersIn(place)) {
      const at = join(place, slug)
      for (const name of filesIn(at, /\.jsonl$/)) {
        const session = name.slice(0, -'.jsonl'.length)
        const cwd = cwdOf(join(at, name))
        if (cwd === undefined || !isOurs(cwd)) continue
        add(session, join(at, name), { cwd })
        const below = join(at, session, 'subagents')
        for (const agent of filesIn(below, /^agent-.*\.jsonl$/))
          add(`${session}/${agent.slice(0, -'.jsonl'.length)}`, join(below, agent), { cwd, isSubAgent: true })
      }
    }
    return place
  },
}

const TEXT = new Set(['text'])
const EXIT_CODE = /^(?:Error: )?Exit code (\d{1,3})\b/

/**
 * Claude Code, `~/.claude/projects/<slug>/<session>.jsonl`. Of its many kinds of line only `user` and `assistant` are messages:
 * the others repeat requests, contexts and settings.
 *
 *   {"type":"user","message":{"content":"…" | [{"type":"text"…},{"type":"tool_result"…}]},"timestamp":…,"cwd":…,"sessionId":…}
 *   {"type":"assistant","message":{"model":…,"content":[{"type":"text"…},{"type":"tool_use"…}]}}
 */
function claudeCodeReader({ nowMs, withSubAgents = false }: ReaderOptions): TranscriptReader {
  const calls = pendingCalls()
  return lineReader((value, line, about): readonly Said[] => {
    if (about.cwd === undefined && stringOf(value.cwd) !== undefined) about.cwd = stringOf(value.cwd) ?? ''
    about.session ??= stringOf(value.sessionId) ?? ''
    const isSide = value.isSidechain === true
    if (isSide) about.isSubAgent ??= true
    if (value.type !== 'user' && value.type !== 'assistant') return []
    about.isSubAgent ??= false
    if (isSide && !withSubAgents) return []
    if (value.isMeta === true || value.isCompactSummary === true || value.isApiErrorMessage === true)
      return []
    // A copy of another session's beginning: that session has it.
    if (value.forkedFrom !== undefined) return []
    const at = momentOf(value.timestamp, nowMs)
    if (at !== undefined) about.startedAt ??= at
    const dated = at === undefined ? {} : { at }
    const message = recordOf(value.message)
    const { content } = message
    const said: Said[] = []
    const say = (words: Message) => said.push({ message: { ...words, ...dated }, line })
    if (value.type === 'assistant') {
      const model = stringOf(message.model)
      if (model === '<synthetic>') return []
      if (model !== undefined) about.model ??= model
      const text = textsOf(content, TEXT)
      if (text.trim() !== '') say({ role: 'agent', text })
      for (const part of partsOf(content))
        if (part.type === 'tool_use')
          calls.add(part.id, { tool: stringOf(part.name) ?? 'tool', input: part.input })
      return said
    }
    for (const part of partsOf(content)) {
      const call = part.type === 'tool_result' ? calls.take(part.tool_use_id) : undefined
      if (call !== undefined)
        say({ role: 'tool', text: '', run: runOfCall(call, resultOf(part, value.toolUseResult)) })
    }
    if (value.toolUseResult === undefined) {
      const text = typedByPerson(textsOf(content, TEXT))
      if (text !== undefined) say(isSide ? { role: 'agent', text, internal: true } : { role: 'user', text })
    }
    return said
  })
}

function resultOf(part: Record<string, unknown>, result: unknown): Result {
  const { stdout, stderr } = recordOf(result)
  const printed = [stdout, stderr].flatMap(text => stringOf(text) ?? []).join('\n')
  const output = printed === '' ? outputOf(part.content) : printed
  const code = EXIT_CODE.exec(outputOf(part.content) ?? '')?.[1]
  const failed = part.is_error === true
  return {
    output,
    ok: part.is_error === undefined ? undefined : !failed,
    ...(code !== undefined && failed && { exitCode: Number(code) }),
  }
}

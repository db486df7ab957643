import type { TranscriptHost } from '../../../kernel/model/transcript.ts'
import { claudeCodeReader } from '../../claude-code/transcript.ts'
import { codexReader } from '../../codex/transcript.ts'
import { copilotReader } from '../../copilot/transcript.ts'
import { geminiReader } from '../../gemini/transcript.ts'
import { opencodeReader } from '../../opencode/transcript.ts'
import { anyMessageReader } from './any-messages.ts'
import { blockMessageReader } from './block-messages.ts'
import { isRecord, type ReaderOptions, type TranscriptReader } from './transcript-reader.ts'

const READERS: Readonly<
  Record<Exclude<TranscriptHost, 'agent-transcripts'>, (options: ReaderOptions) => TranscriptReader>
> = {
  'claude-code': claudeCodeReader,
  codex: codexReader,
  gemini: geminiReader,
  opencode: opencodeReader,
  copilot: copilotReader,
  cursor: options => blockMessageReader(options, { hasResults: false }),
  cline: options => blockMessageReader(options, { hasResults: true }),
}

/** How a host writes. What a project keeps itself is in the form of whoever wrote it, which its first line that tells shows. */
export function readerOf(host: TranscriptHost, options: ReaderOptions): TranscriptReader {
  return host === 'agent-transcripts' ? guessingReader(options) : READERS[host](options)
}

/** What a line is written by; undefined: it does not tell. */
export function hostOfLine(value: unknown): Exclude<TranscriptHost, 'agent-transcripts'> | undefined {
  if (!isRecord(value)) return undefined
  const { type } = value
  if (isRecord(value.payload) && (type === 'session_meta' || type === 'response_item')) return 'codex'
  if (isRecord(value.data) && typeof type === 'string' && type.includes('.')) return 'copilot'
  if (typeof value.sessionId === 'string' && typeof value.projectHash === 'string') return 'gemini'
  if (isRecord(value.info) && Array.isArray(value.parts)) return 'opencode'
  if (typeof value.sessionId === 'string' && typeof type === 'string') return 'claude-code'
  return undefined
}

function guessingReader(options: ReaderOptions): TranscriptReader {
  let chosen: TranscriptReader | undefined
  const any = anyMessageReader(options)
  return {
    get about() {
      return chosen?.about ?? any.about
    },
    take(value, line) {
      if (chosen === undefined) {
        const host = hostOfLine(value)
        if (host !== undefined) chosen = READERS[host](options)
        else {
          const said = any.take(value, line)
          if (said.length > 0) chosen = any
          return said
        }
      }
      return chosen.take(value, line)
    },
    finish: () => chosen?.finish() ?? [],
  }
}

import { saidByPerson } from './said-by-person.ts'
import { readTranscriptMessage } from './transcript-message.ts'
import { lineReader, type ReaderOptions, type Said, type TranscriptReader } from './transcript-reader.ts'

/** Lines that are messages in some plain form: what a project keeps in `agent-transcripts/`. What is no message gives nothing. */
export function anyMessageReader({ nowMs }: ReaderOptions): TranscriptReader {
  let previousAt: string | undefined
  return lineReader((value, line, about): readonly Said[] => {
    const { message } = readTranscriptMessage(value, { nowMs, previousAt })
    if (message === undefined || value.isMeta === true) return []
    previousAt = message.at ?? previousAt
    if (message.at !== undefined) about.startedAt ??= message.at
    const role = message.role.toLowerCase()
    if (role === 'system' || role === 'developer') return []
    if (role !== 'user' && role !== 'human') return [{ message, line }]
    const text = saidByPerson(message.text)
    return text === undefined ? [] : [{ message: { ...message, text }, line }]
  })
}

import * as v from 'valibot'
import { TRANSCRIPT_HOSTS } from '../../../kernel/model/transcript.ts'

export const coldHitSchema = v.object({
  ref: v.pipe(v.string(), v.description('`cairn cold show` takes it')),
  host: v.picklist(TRANSCRIPT_HOSTS),
  session: v.pipe(v.string(), v.description('As its host calls it')),
  role: v.string(),
  at: v.exactOptional(v.pipe(v.string(), v.description('UTC ISO'))),
  file: v.pipe(
    v.string(),
    v.description('The location of the transcript; nothing of it is copied into the memory'),
  ),
  line: v.number(),
  isKept: v.exactOptional(
    v.pipe(v.boolean(), v.description('From the stored copy: the host has deleted the transcript')),
  ),
  score: v.number(),
  snippet: v.string(),
  matches: v.pipe(
    v.array(v.object({ start: v.number(), end: v.number() })),
    v.readonly(),
    v.description('Offsets into the snippet'),
  ),
})

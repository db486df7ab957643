import { createHash } from 'node:crypto'
import { CairnError } from '../model/errors.ts'

const MAX_ID_LENGTH = 4_096
const MAX_NAME_LENGTH = 80
/** Only lower case: `S1` and `s1` are two sessions, but one file on many systems. */
const PLAIN = /^[a-z0-9][a-z0-9._-]*$/
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/

/**
 * The file name of a session or an agent, without its extension. A plain id is its own name; any other becomes its plain characters and a
 * hash, with a `~` between, which no plain id contains: two ids never share a file.
 *
 * 9f3c-a1        →  9f3c-a1
 * ../../Évil     →  vil~5d1c2f…
 */
export function sessionFileName(id: string): string {
  if (id.trim() === '' || id.length > MAX_ID_LENGTH) {
    throw new CairnError({
      code: 'session_id_invalid',
      message: id.trim() === '' ? 'The id is empty.' : `The id has ${id.length} characters.`,
      hint: `An id has 1 to ${MAX_ID_LENGTH} characters.`,
    })
  }
  if (id.length <= MAX_NAME_LENGTH && PLAIN.test(id) && !id.endsWith('.') && !WINDOWS_DEVICE.test(id))
    return id
  const readable = id
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 30)
  // Not only of the text as UTF-8: every lone surrogate would become the same three bytes.
  const hash = createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex').slice(0, 24)
  return `${readable === '' || WINDOWS_DEVICE.test(readable) ? 'id' : readable}~${hash}`
}

/** Seed A stored one file per agent; its conversation and its checkpoint have this session id. */
export function seedSessionOf(agent: string): string {
  return `seed-${agent}`
}

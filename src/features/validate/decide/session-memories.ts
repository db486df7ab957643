import { inMemory, type ValidationFinding } from './finding.ts'

/** `sessions/{name}.memory.json`, as far as it was read. */
export interface SessionMemoryView {
  readonly path: string
  /** What is wrong with it; undefined: it was read. */
  readonly why?: string
  readonly line?: number
  readonly session?: string
}

/** A plain id is the name of its file; any other becomes what is plain of it, `~` and a hash (docs/format/sessions.md). */
const PLAIN = /^[a-z0-9][a-z0-9._-]{0,79}$/
const HASHED = /~[0-9a-f]{24}\.memory\.json$/
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/

export function judgeSessionMemory({ path, why, line, session }: SessionMemoryView): ValidationFinding[] {
  if (why !== undefined)
    return [
      {
        code: 'session_memory_damaged',
        severity: 'error',
        path: inMemory(path),
        ...(line !== undefined && { line }),
        message: `the file is not the memory of a session: ${why}`,
        fix: 'Mend it, or move it away: the session is then distilled again from its conversation.',
      },
    ]
  if (session === undefined || HASHED.test(path)) return []
  const isPlain = PLAIN.test(session) && !session.endsWith('.') && !DEVICE.test(session)
  if (isPlain && path === `sessions/${session}.memory.json`) return []
  return [
    {
      code: 'session_memory_misplaced',
      severity: 'warning',
      path: inMemory(path),
      message: 'the file is not called after the session in it, so nobody finds it',
      fix: isPlain
        ? `Rename it to ${session}.memory.json.`
        : 'Move it away; `cairn session close` writes it again from the conversation.',
    },
  ]
}

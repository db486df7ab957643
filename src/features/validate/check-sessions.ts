import { LAYOUT } from '../../kernel/layout.ts'
import { sessionFileName } from '../../kernel/system/session-names.ts'
import { parseSessionMemory } from '../sessions/decide/parse-session-memory.ts'
import { inMemory, type ValidationFinding } from './decide/finding.ts'
import type { JsonReading } from './decide/json-text.ts'
import { findingOf, type ValidationCheck, type ValidationRun } from './validation-run.ts'

const ENDING = '.memory.json'
/** So many of the newest are read without --deep. */
const NEWEST_MEMORIES = 200
const NEWEST_SESSIONS = 10
const DAMAGED = new Set(['conversation_damaged', 'document_damaged', 'memory_link_outside'])
const CHECKPOINTS = LAYOUT.checkpoints.path.slice(0, -1)

/** What was learned in sessions: the newest; all with --deep. */
export const checkSessions: ValidationCheck = async run => {
  const memories = run.items
    .filter(
      ({ path, kind }) => kind === 'file' && path.startsWith(LAYOUT.sessions.path) && path.endsWith(ENDING),
    )
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
  const read = run.isDeep ? memories : memories.slice(0, NEWEST_MEMORIES)
  if (read.length < memories.length)
    run.skip(
      `${memories.length - read.length} older files of .memory/sessions`,
      'only the newest are read without --deep',
    )
  for (const { path } of read) {
    const reading = run.json(path)
    if (reading !== undefined) run.add(judgeSessionMemory(path, reading))
  }
}

function judgeSessionMemory(path: string, reading: JsonReading): ValidationFinding[] {
  const parsed = reading.kind === 'damaged' ? reading : parseSessionMemory(reading.value)
  if (parsed.kind === 'damaged')
    return [
      {
        code: 'session_memory_damaged',
        severity: 'error',
        path: inMemory(path),
        ...(reading.kind === 'damaged' && { line: reading.line }),
        message: `the file is not the memory of a session: ${parsed.why}`,
        fix: 'Mend it, or move it away: the session is then distilled again from its conversation.',
      },
    ]
  const session = parsed.memory.sessionId
  const isPlain = isPlainName(session)
  // Only a file that is called after another session is misplaced: the hash in a name is not made again here.
  const isHashed = /~[0-9a-f]{24}\.memory\.json$/.test(path)
  if (isHashed || (isPlain && path === `${LAYOUT.sessions.path}${session}${ENDING}`)) return []
  return [
    {
      code: 'session_memory_misplaced',
      severity: 'warning',
      path: inMemory(path),
      message: 'the file is not called after the session in it, so it is not found',
      fix: isPlain
        ? `Rename it to ${session}${ENDING}.`
        : 'Move it away; `cairn session close` writes it again from the conversation.',
    },
  ]
}

/** Other ids are written as what is plain of them and a hash. */
function isPlainName(session: string): boolean {
  return session.trim() !== '' && session.length <= 80 && sessionFileName(session) === session
}

/** Conversations and the checkpoints of sessions: the newest; all with --deep. */
export const checkConversations: ValidationCheck = async run => {
  if (!run.has(LAYOUT.conversations.path.slice(0, -1)) && !run.has(CHECKPOINTS)) return
  const { sessions } = run.engine
  const listed = await sessions.list({ limit: run.isDeep ? Number.MAX_SAFE_INTEGER : NEWEST_SESSIONS })
  const problems = [...listed.problems]
  for (const { session, agents } of listed.sessions)
    for (const agent of agents) problems.push(...((await sessions.read({ session, agent }))?.problems ?? []))
  if (run.isDeep) problems.push(...(await sessions.listCheckpoints()).damaged)
  else reportSkipped(run, listed.total - listed.sessions.length)
  const seen = new Set<string>()
  for (const problem of problems) {
    // The check of sessions reports it.
    if (problem.path.startsWith(LAYOUT.sessions.path)) continue
    const key = `${problem.code} ${problem.path} ${problem.line}`
    if (!seen.has(key)) run.add([findingOf(problem, DAMAGED.has(problem.code) ? 'error' : 'warning')])
    seen.add(key)
  }
}

function reportSkipped(run: ValidationRun, more: number): void {
  if (more > 0) run.skip(`${more} older conversations`, 'only the newest are read without --deep')
  if (run.has(CHECKPOINTS)) run.skip(inMemory(CHECKPOINTS), 'read with --deep')
}

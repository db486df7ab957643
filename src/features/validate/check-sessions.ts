import { parseSessionMemory } from '../sessions/decide/parse-session-memory.ts'
import { judgeSessionMemory } from './decide/session-memories.ts'
import { findingOf, type ValidationCheck, type ValidationRun } from './look.ts'

const ENDING = '.memory.json'
/** So many of the newest are read without being asked. */
const NEWEST_MEMORIES = 200
const NEWEST_SESSIONS = 10
const DAMAGED = new Set(['conversation_damaged', 'document_damaged', 'memory_link_outside'])

export const sessionsCheck: ValidationCheck = {
  name: 'sessions',
  about: 'sessions/: what became of sessions (the newest; all with --deep)',
  async run(look) {
    const memories = look.items
      .filter(({ path, kind }) => kind === 'file' && path.startsWith('sessions/') && path.endsWith(ENDING))
      .sort((a, b) => b.mtimeMs - a.mtimeMs)
    const read = look.isDeep ? memories : memories.slice(0, NEWEST_MEMORIES)
    if (read.length < memories.length)
      look.skip(
        `${memories.length - read.length} older files of .memory/sessions`,
        'only the newest are read without --deep',
      )
    for (const { path } of read) {
      const reading = look.json(path)
      if (reading === undefined) continue
      if (reading.kind === 'damaged') {
        look.add(judgeSessionMemory({ path, why: reading.why, line: reading.line }))
        continue
      }
      const parsed = parseSessionMemory(reading.value)
      if (parsed.kind === 'damaged') look.add(judgeSessionMemory({ path, why: parsed.why }))
      else look.add(judgeSessionMemory({ path, session: parsed.memory.sessionId }))
    }
  },
}

export const conversationsCheck: ValidationCheck = {
  name: 'conversations',
  about: 'conversations/ and the checkpoints of sessions (the newest; all with --deep)',
  async run(look) {
    if (!look.has('conversations') && !look.has('.vault/checkpoints')) return
    const { sessions } = look.engine
    const most = look.isDeep ? Number.MAX_SAFE_INTEGER : NEWEST_SESSIONS
    const listed = await sessions.list({ limit: most })
    const problems = [...listed.problems]
    for (const { session, agents } of listed.sessions)
      for (const agent of agents)
        problems.push(...((await sessions.read({ session, agent }))?.problems ?? []))
    if (look.isDeep) problems.push(...(await sessions.listCheckpoints()).damaged)
    else tellLeftOut(look, listed.total - listed.sessions.length)
    const seen = new Set<string>()
    for (const problem of problems) {
      // Told by the check of sessions.
      if (problem.path.startsWith('sessions/')) continue
      const key = `${problem.code} ${problem.path} ${problem.line}`
      if (!seen.has(key)) look.add([findingOf(problem, DAMAGED.has(problem.code) ? 'error' : 'warning')])
      seen.add(key)
    }
  },
}

function tellLeftOut(look: ValidationRun, more: number): void {
  if (more > 0) look.skip(`${more} older conversations`, 'only the newest are read without --deep')
  if (look.has('.vault/checkpoints')) look.skip('.memory/.vault/checkpoints', 'read with --deep')
}

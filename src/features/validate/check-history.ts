import { LAYOUT } from '../../kernel/layout.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { sessionFileName } from '../../kernel/system/session-names.ts'
import { parseSessionMemory } from '../sessions/decide/parse-message.ts'
import { CHECKPOINTS } from '../state/decide/state-document.ts'
import { inMemory, type ValidationFinding } from './decide/finding.ts'
import { type JsonReading, textOf } from './decide/json-text.ts'
import { judgeBatch, judgeState } from './decide/judge-history.ts'
import { countLines, judgeJournalLines } from './decide/judge-logs.ts'
import { findingOf, MAX_LOG_BYTES, type ValidationCheck, type ValidationRun } from './validation-run.ts'

/** How much of the archive is read without --deep. */
const COUNTED_BYTES = 16 * 1_048_576
const COUNTED = ['entries.jsonl', 'events.jsonl', 'audit.jsonl']
/** How many of the newest checkpoints are read without --deep. */
const NEWEST_CHECKPOINTS = 20

export const checkEvents: ValidationCheck = async run => {
  run.add(run.events()?.findings ?? [])
}

export const checkJournal: ValidationCheck = async run => {
  const bytes = run.bytes(LAYOUT.journal.path, MAX_LOG_BYTES)
  if (bytes !== undefined) run.add(judgeJournalLines(textOf(bytes)))
}

/** The state and its checkpoints. */
export const checkState: ValidationCheck = async run => {
  if (run.has(CHECKPOINTS)) await readCheckpoints(run)
  if (!run.has(LAYOUT.state.path)) return
  const { state } = run.memory
  const reading = await state.read()
  if (reading.kind === 'damaged') run.add([findingOf(reading.problem, 'error')])
  if (reading.kind === 'newer')
    run.add([
      {
        code: 'state_newer',
        severity: 'warning',
        path: inMemory(LAYOUT.state.path),
        message: `version ${reading.version}: a newer Cairn wrote it`,
        fix: 'Update Cairn.',
      },
    ])
  if (reading.kind !== 'read') return
  run.add(
    judgeState({
      state: reading.state,
      isHandEdited: reading.isHandEdited === true,
      checkpoints: new Set((await state.checkpoints()).map(({ id }) => id)),
      events: run.events(),
      hasPruned: run.items.some(({ path }) => path.startsWith(`${LAYOUT.archive.path}prune-`)),
    }),
  )
}

async function readCheckpoints(run: ValidationRun): Promise<void> {
  const { state } = run.memory
  const all = await state.checkpoints()
  const read = run.isDeep ? all : all.slice(0, NEWEST_CHECKPOINTS)
  if (read.length < all.length)
    run.skip(`${all.length - read.length} older checkpoints`, 'only the newest are read without --deep')
  for (const { id } of read) {
    const reading = await state.readCheckpoint(id)
    if (reading?.kind === 'damaged') run.add([findingOf(reading.problem, 'error')])
  }
}

/** Every batch must be whole, with all files that its manifest names. */
export const checkArchive: ValidationCheck = async run => {
  let left = run.isDeep ? Number.POSITIVE_INFINITY : COUNTED_BYTES
  for (const [name, files] of batchesIn(run)) {
    const batch = `${LAYOUT.archive.path}${name}`
    const lines: Record<string, number> = {}
    for (const file of COUNTED) {
      const size = files.get(file)
      if (size === undefined) continue
      if (size > left) {
        run.skip(inMemory(`${batch}/${file}`), 'the lines of large batches are counted with --deep')
        continue
      }
      left -= size
      const bytes = run.bytes(`${batch}/${file}`, MAX_LOG_BYTES)
      if (bytes === undefined) continue
      lines[file] = countLines(bytes)
      if (run.isDeep && file === 'audit.jsonl') run.add(judgeJournalLines(textOf(bytes), `${batch}/${file}`))
    }
    const manifest = run.json(`${batch}/manifest.json`)
    run.add(judgeBatch({ name, manifest, files: new Set(files.keys()), lines }))
  }
  if (!run.isDeep) return
  const problems: Problem[] = []
  for await (const _entry of run.memory.archive.entries(problem => problems.push(problem)));
  run.add(problems.map(problem => findingOf(problem, 'error')))
}

/** The files of each batch with their sizes; half-written ones have a name that begins with a dot. */
function batchesIn(run: ValidationRun): Map<string, Map<string, number>> {
  const batches = new Map<string, Map<string, number>>()
  for (const { path, kind, size } of run.items) {
    if (!path.startsWith(LAYOUT.archive.path)) continue
    const [, name = '', ...inside] = path.split('/')
    if (name.startsWith('.') || (inside.length === 0 ? kind !== 'folder' : kind !== 'file')) continue
    const files = batches.get(name) ?? new Map<string, number>()
    batches.set(name, inside.length === 0 ? files : files.set(inside.join('/'), size))
  }
  return batches
}

const ENDING = '.memory.json'
/** How many of the newest files are read without --deep. */
const NEWEST_MEMORIES = 200
const NEWEST_SESSIONS = 10
const DAMAGED = new Set(['conversation_damaged', 'document_damaged', 'memory_link_outside'])
const SESSION_CHECKPOINTS = LAYOUT.checkpoints.path.slice(0, -1)

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
        fix: 'Correct it, or move it away: the session is then distilled again from its conversation.',
      },
    ]
  const session = parsed.memory.sessionId
  const isPlain = isPlainName(session)
  // Only a file with the name of another session is misplaced: the hash in a name is not checked.
  const isHashed = /~[0-9a-f]{24}\.memory\.json$/.test(path)
  if (isHashed || (isPlain && path === `${LAYOUT.sessions.path}${session}${ENDING}`)) return []
  return [
    {
      code: 'session_memory_misplaced',
      severity: 'warning',
      path: inMemory(path),
      message: 'the file does not have the name of its session, so it is not found',
      fix: isPlain
        ? `Rename it to ${session}${ENDING}.`
        : 'Move it away; `cairn session close` writes it again from the conversation.',
    },
  ]
}

/** The file name of any other id is its plain characters and a hash. */
function isPlainName(session: string): boolean {
  return session.trim() !== '' && session.length <= 80 && sessionFileName(session) === session
}

/** Conversations and the checkpoints of sessions: the newest; all with --deep. */
export const checkConversations: ValidationCheck = async run => {
  if (!run.has(LAYOUT.conversations.path.slice(0, -1)) && !run.has(SESSION_CHECKPOINTS)) return
  const { sessions } = run.memory
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
  if (run.has(SESSION_CHECKPOINTS)) run.skip(inMemory(SESSION_CHECKPOINTS), 'read with --deep')
}

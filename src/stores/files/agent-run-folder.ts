import type { AgentRunFiles, AgentRunMark } from '../../hosts/run/decide/agent-pipeline.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import type { SessionKey } from '../../kernel/model/session.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import type { Disk } from '../../kernel/system/disk.ts'
import { isProcessAlive, ownProcessId } from '../../kernel/system/live-process.ts'
import { type MemoryPaths, placeIn } from '../../kernel/system/paths.ts'
import { sessionFileName } from '../../kernel/system/session-names.ts'
import { isTemporary, replaceFile, safePaths } from './safe-path.ts'

/** How often a run renews its mark; after this much silence the process id may belong to another process. */
const SILENT_MS = 600_000
const MAX_BYTES = 8_000_000

interface Stored {
  readonly version: 1
  readonly session: string
  readonly agent: string
  readonly pid: number
  readonly startedAt: string
  readonly draft: string
}

/** `.vault/agent-runs/{agent}.{session}.json` */
export function agentRunFolder({
  paths,
  disk,
  clock,
  exclusively,
  pid = ownProcessId(),
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly clock: Clock
  readonly exclusively: <T>(work: () => T | Promise<T>) => Promise<T>
  readonly pid?: number
}): AgentRunFiles {
  const safe = safePaths(paths, disk)
  const folder = placeIn(paths.memory, LAYOUT.agentRuns)
  const fileOf = ({ agent, session }: SessionKey) =>
    safe.check(`${folder}/${sessionFileName(agent)}.${sessionFileName(session)}.json`)
  const startedAt = new Map<string, string>()

  const read = (file: string): AgentRunMark | undefined => {
    const stamp = disk.stamp(file)
    const reading = disk.readPlain(file, MAX_BYTES)
    if (stamp === undefined || typeof reading !== 'object' || reading.kind !== 'read') return undefined
    const stored = parsed(new TextDecoder().decode(reading.bytes))
    if (stored === undefined) return undefined
    const isHeard = clock.nowMs() - stamp.mtimeMs < SILENT_MS
    const { version: _, ...mark } = stored
    return { ...mark, isAlive: isHeard && isProcessAlive(stored.pid) }
  }
  const write = (key: SessionKey, draft: string): void => {
    const file = fileOf(key)
    const at = startedAt.get(file) ?? new Date(clock.nowMs()).toISOString()
    startedAt.set(file, at)
    const stored: Stored = {
      version: 1,
      session: key.session,
      agent: key.agent,
      pid,
      startedAt: at,
      draft,
    }
    replaceFile(disk, file, `${JSON.stringify(stored)}\n`, pid)
  }
  return {
    claim: (key, draft = '') =>
      exclusively(() => {
        if (read(fileOf(key))?.isAlive === true) return false
        startedAt.delete(fileOf(key))
        write(key, draft)
        return true
      }),
    keepDraft: async (key, draft) => write(key, draft),
    async release(key) {
      startedAt.delete(fileOf(key))
      disk.remove(fileOf(key))
    },
    async list() {
      if (safe.problemOf(folder) !== undefined) return []
      return (disk.listFolder(folder) ?? []).flatMap(item => {
        if (!item.isFile() || isTemporary(item.name)) return []
        const file = `${folder}/${item.name}`
        const mark = read(file)
        // A file that cannot be read would block its session for ever.
        if (mark === undefined) disk.remove(file)
        return mark ?? []
      })
    },
  }
}

function parsed(text: string): Stored | undefined {
  try {
    const value = JSON.parse(text) as Partial<Stored> | null
    const isWhole =
      value?.version === 1 &&
      typeof value.session === 'string' &&
      typeof value.agent === 'string' &&
      typeof value.pid === 'number' &&
      typeof value.startedAt === 'string' &&
      typeof value.draft === 'string'
    return isWhole ? (value as Stored) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

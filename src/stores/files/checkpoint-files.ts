import { damagedCheckpoint, parseSavedCheckpoint } from '../../features/sessions/decide/saved-checkpoint.ts'
import type { SessionFiles } from '../../features/sessions/decide/session-files.ts'
import type { NoticeCode } from '../../kernel/model/notice-codes.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { Checkpoint, SessionKey } from '../../kernel/model/session.ts'
import { seedSessionOf, sessionFileName } from '../../kernel/system/session-names.ts'
import { isTemporary, replaceFile, type SessionParts } from './safe-path.ts'

/** What a killed writer left is read when it is so old: a younger file may still be written. */
const LEFTOVER_MS = 3_600_000
const MAX_BYTES = 67_108_864

type Port = Pick<SessionFiles, 'saveCheckpoint' | 'findCheckpoint' | 'listCheckpoints' | 'removeCheckpoint'>

interface Found {
  readonly file: string
  /** The session and the agent from the file name; the content has the exact values. */
  readonly key: SessionKey
  readonly mtimeMs: number
}

/** `.vault/checkpoints/{agent}/{session}.json`, and seed A's `.vault/checkpoints/{agent}.json`. */
export function checkpointFiles({ paths, disk, clock, safe }: SessionParts): Port {
  const fileOf = ({ agent, session }: SessionKey) =>
    `${paths.checkpoints}/${sessionFileName(agent)}/${sessionFileName(session)}.json`
  const flatOf = (agent: string) => `${paths.checkpoints}/${sessionFileName(agent)}.json`

  return {
    async saveCheckpoint(checkpoint) {
      const file = safe.check(fileOf({ agent: checkpoint.agentId, session: checkpoint.sessionId }))
      replaceFile(disk, file, `${JSON.stringify(checkpoint)}\n`, clock.random(2 ** 40))
    },

    async findCheckpoint(agent, session) {
      const problems: Problem[] = []
      for (const found of session === undefined ? newestOf(agent) : named({ agent, session })) {
        safe.check(found.file)
        const reading = readOne(found)
        problems.push(...(reading?.problems ?? []))
        if (reading?.checkpoint !== undefined) return { checkpoint: reading.checkpoint, problems }
      }
      return { checkpoint: undefined, problems }
    },

    async listCheckpoints() {
      const checkpoints: { key: SessionKey; path: string; savedAt: number }[] = []
      const damaged: Problem[] = []
      for (const found of everyFile(damaged)) {
        const reading = readOne(found)
        if (reading === undefined) continue
        const path = safe.nameOf(found.file)
        if (reading.checkpoint === undefined) damaged.push(...reading.problems)
        else {
          const { agentId: agent, sessionId: session, savedAt } = reading.checkpoint
          checkpoints.push({ key: { agent, session }, path, savedAt })
        }
      }
      return { checkpoints, damaged }
    },

    async removeCheckpoint(key) {
      disk.remove(safe.check(fileOf(key)))
      if (key.session === seedSessionOf(key.agent)) disk.remove(safe.check(flatOf(key.agent)))
    },
  }

  function named(key: SessionKey): Found[] {
    const files = [fileOf(key), ...(key.session === seedSessionOf(key.agent) ? [flatOf(key.agent)] : [])]
    return files.flatMap(file => {
      const stamp = disk.stamp(file)
      return stamp === undefined ? [] : [{ file, key, mtimeMs: stamp.mtimeMs }]
    })
  }

  function newestOf(agent: string): Found[] {
    const folder = `${paths.checkpoints}/${sessionFileName(agent)}`
    const own = (disk.listFolder(folder) ?? [])
      .filter(item => item.name.endsWith('.json'))
      .flatMap((item): Found[] => {
        const file = `${folder}/${item.name}`
        const stamp = disk.stamp(file)
        if (stamp === undefined) return []
        return [{ file, key: { agent, session: item.name.slice(0, -5) }, mtimeMs: stamp.mtimeMs }]
      })
    const flat = disk.stamp(flatOf(agent))
    if (flat !== undefined) {
      const key = { agent, session: seedSessionOf(agent) }
      own.push({ file: flatOf(agent), key, mtimeMs: flat.mtimeMs })
    }
    return own.sort((a, b) => b.mtimeMs - a.mtimeMs)
  }

  function* everyFile(damaged: Problem[]): Iterable<Found> {
    for (const item of disk.listFolder(paths.checkpoints) ?? []) {
      const file = `${paths.checkpoints}/${item.name}`
      const outside = safe.problemOf(file)
      if (outside !== undefined) damaged.push(outside)
      else if (disk.isFolder(file) === true) {
        for (const inner of disk.listFolder(file) ?? [])
          yield* oneOf(
            `${file}/${inner.name}`,
            { agent: item.name, session: inner.name.slice(0, -5) },
            damaged,
          )
      } else {
        const agent = item.name.slice(0, -5)
        yield* oneOf(file, { agent, session: seedSessionOf(agent) }, damaged)
      }
    }
  }

  function* oneOf(file: string, key: SessionKey, damaged: Problem[]): Iterable<Found> {
    const outside = safe.problemOf(file)
    if (outside !== undefined) return void damaged.push(outside)
    const stamp = disk.stamp(file)
    if (stamp === undefined || disk.isFolder(file) === true) return
    if (isTemporary(file) && clock.nowMs() - stamp.mtimeMs > LEFTOVER_MS)
      damaged.push(damage(file, 'was never finished', 'checkpoint_leftover'))
    if (file.endsWith('.json')) yield { file, key, mtimeMs: stamp.mtimeMs }
  }

  /** undefined: it has gone since the folder was listed. */
  function readOne({
    file,
    key,
    mtimeMs,
  }: Found): { checkpoint: Checkpoint | undefined; problems: readonly Problem[] } | undefined {
    if ((disk.stamp(file)?.size ?? 0) > MAX_BYTES)
      return { checkpoint: undefined, problems: [damage(file, 'is too large to be one')] }
    const bytes = disk.readFile(file)
    if (bytes === undefined) return undefined
    return parseSavedCheckpoint(new TextDecoder().decode(bytes), {
      name: safe.nameOf(file),
      key,
      writtenMs: mtimeMs,
      nowMs: clock.nowMs(),
    })
  }

  function damage(file: string, what: string, code?: NoticeCode): Problem {
    return damagedCheckpoint(safe.nameOf(file), what, code)
  }
}

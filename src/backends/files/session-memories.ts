import { CairnError } from '../../model/errors.ts'
import type { SessionMemory } from '../../model/session.ts'
import type { SessionFiles } from '../../pipeline/capture/session-files.ts'
import { parseObject } from './conversation-document.ts'
import { replaceFile, type SessionParts } from './safe-path.ts'
import { fileNameOf } from './session-names.ts'

export const MEMORY_ENDING = '.memory.json'

type Port = Pick<SessionFiles, 'saveMemory' | 'findMemory' | 'memoryStamps'>

/** `sessions/{session}.memory.json` */
export function sessionMemories({
  paths,
  disk,
  clock,
  safe,
}: SessionParts): Port & { readNamed(name: string): SessionMemory | undefined } {
  const fileOf = (name: string) => `${paths.sessions}/${name}${MEMORY_ENDING}`

  /** By the name of its file, without the ending. */
  function readNamed(name: string): SessionMemory | undefined {
    const file = safe.check(fileOf(name))
    const bytes = disk.readFile(file)
    if (bytes === undefined) return undefined
    const fields = parseObject(new TextDecoder().decode(bytes))
    if (fields === undefined || typeof fields.sessionId !== 'string' || !Array.isArray(fields.findings)) {
      throw new CairnError({
        code: 'document_damaged',
        message: `.memory/${safe.nameOf(file)} is not the memory of a session.`,
        hint: 'Repair the file, or move it away: the session is then distilled again from its conversation.',
      })
    }
    return fields as unknown as SessionMemory
  }

  return {
    readNamed,
    async saveMemory(memory) {
      const file = safe.check(fileOf(fileNameOf(memory.sessionId)))
      replaceFile(disk, file, `${JSON.stringify(memory, null, 2)}\n`, clock.random(2 ** 40))
    },
    findMemory: async session => readNamed(fileNameOf(session)),
    async memoryStamps() {
      const stamps: { session: string; stamp: string }[] = []
      for (const item of disk.listFolder(paths.sessions) ?? []) {
        if (!item.name.endsWith(MEMORY_ENDING)) continue
        const file = `${paths.sessions}/${item.name}`
        const stamp = safe.problemOf(file) === undefined ? disk.stamp(file) : undefined
        if (stamp === undefined) continue
        const name = item.name.slice(0, -MEMORY_ENDING.length)
        stamps.push({ session: idOf(name), stamp: `${stamp.size}-${stamp.mtimeMs}-${stamp.inode}` })
      }
      return stamps
    },
  }

  /** A name with a `~` is made from another id, which only the file knows. */
  function idOf(name: string): string {
    if (!name.includes('~')) return name
    const bytes = disk.readFile(fileOf(name))
    const id = bytes && parseObject(new TextDecoder().decode(bytes))?.sessionId
    return typeof id === 'string' ? id : name
  }
}

import { parseObject } from '../../features/sessions/decide/closed-conversation.ts'
import { parseSessionMemory } from '../../features/sessions/decide/parse-session-memory.ts'
import type { SessionFiles } from '../../features/sessions/decide/session-files.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { SessionMemory } from '../../kernel/model/session.ts'
import { sessionFileName } from '../../kernel/system/session-names.ts'
import { replaceFile, type SessionParts } from './safe-path.ts'

export const MEMORY_ENDING = '.memory.json'
/** An id of the longest, however it is written. */
const HEAD_BYTES = 32_768

type Port = Pick<SessionFiles, 'saveMemory' | 'findMemory' | 'memoryStamps'>

/** `sessions/{session}.memory.json` */
export function sessionMemories({
  paths,
  disk,
  clock,
  safe,
}: SessionParts): Port & { readNamed(name: string): SessionMemory | undefined } {
  const idByName = new Map<string, { readonly state: string; readonly id: string }>()
  const fileOf = (name: string) => `${paths.sessions}/${name}${MEMORY_ENDING}`

  /** By the name of its file, without the ending. */
  function readNamed(name: string): SessionMemory | undefined {
    const file = safe.check(fileOf(name))
    const bytes = disk.readFile(file)
    if (bytes === undefined) return undefined
    const parsed = parseSessionMemory(parseObject(new TextDecoder().decode(bytes)))
    if (parsed.kind === 'memory') return parsed.memory
    throw new CairnError({
      code: 'document_damaged',
      message: `.memory/${safe.nameOf(file)} is not the memory of a session: ${parsed.why}.`,
      hint: 'Repair the file, or move it away: the session is then distilled again from its conversation.',
    })
  }

  return {
    readNamed,
    async saveMemory(memory) {
      const file = safe.check(fileOf(sessionFileName(memory.sessionId)))
      replaceFile(disk, file, `${JSON.stringify(memory, null, 2)}\n`, clock.random(2 ** 40))
    },
    findMemory: async session => readNamed(sessionFileName(session)),
    async memoryStamps(only) {
      const stamps: { session: string; stamp: string }[] = []
      const names =
        only === undefined
          ? [...(disk.listFolder(paths.sessions) ?? [])].flatMap(({ name }) =>
              name.endsWith(MEMORY_ENDING) ? [name.slice(0, -MEMORY_ENDING.length)] : [],
            )
          : [sessionFileName(only)]
      for (const name of names) {
        const file = fileOf(name)
        const stamp = safe.problemOf(file) === undefined ? disk.stamp(file) : undefined
        if (stamp === undefined) continue
        const state = `${stamp.size}-${stamp.mtimeMs}-${stamp.inode}`
        stamps.push({ session: idOf(name, state), stamp: state })
      }
      return stamps
    },
  }

  /** A name with a `~` is made from another id, which only the file knows: looked for once as long as the file stays as it is. */
  function idOf(name: string, state: string): string {
    if (!name.includes('~')) return name
    const known = idByName.get(name)
    if (known?.state === state) return known.id
    const id = idInHead(name) ?? idInFile(name)
    idByName.set(name, { state, id })
    return id
  }

  /** The id is at the beginning of what we write, and the name of the file proves it: then the rest is not read. */
  function idInHead(name: string): string | undefined {
    const head = disk.readRange(fileOf(name), 0, HEAD_BYTES)
    const [, quoted] = /"sessionId":\s*("(?:[^"\\]|\\.)*")/.exec(new TextDecoder().decode(head)) ?? []
    const id = quoted === undefined ? undefined : parseText(quoted)
    return id !== undefined && id.trim() !== '' && sessionFileName(id) === name ? id : undefined
  }

  function idInFile(name: string): string {
    const bytes = disk.readFile(fileOf(name))
    const id = bytes && parseObject(new TextDecoder().decode(bytes))?.sessionId
    return typeof id === 'string' ? id : name
  }
}

function parseText(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

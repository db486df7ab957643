import { editedIn } from '../features/brief/decide/edited-files.ts'
import type { BriefSources } from '../features/brief/decide/ports.ts'
import type { SessionPorts } from '../features/sessions/decide/ports.ts'
import type { Memory } from '../kernel/memory.ts'
import { CairnError } from '../kernel/model/errors.ts'
import type { Marks } from '../kernel/model/selection.ts'
import type { Disk } from '../kernel/system/disk.ts'
import type { MemoryPaths } from '../kernel/system/paths.ts'
import type { Composed } from './composed.ts'

const RECOVERED_MESSAGES = 3
/** Bytes read from the end of a conversation to find the edited files: a few turns. */
const TAIL_BYTES = 65_536
const TAIL_MESSAGES = 60
/** Such an id is its own file name: the code for other ids is not loaded. */
const PLAIN_ID = /^[a-z0-9][a-z0-9._-]{0,79}$/

/** The sources of a brief besides entries. A prompt waits for this: if the folder listing answers a question, no more code is loaded. */
export function composeSources({
  talks,
  engine: memory,
  preferences,
  marks,
}: {
  readonly talks: Talks
  readonly engine: () => Memory & SessionPorts
  readonly preferences: BriefSources['preferences']
  readonly marks: readonly BriefSources['marks'][]
}): BriefSources {
  return {
    preferences,
    editedFiles: talks.editedFiles,

    async recovery(agent, session) {
      if (!(await talks.hasCheckpoints())) return []
      const { recoverSession } = await import('../features/sessions/sessions.ts')
      const { checkpoint } = await recoverSession(memory(), agent)
      if (checkpoint === undefined || checkpoint.sessionId === session) return []
      if (await wasClosed(memory(), checkpoint.sessionId)) return []
      return checkpoint.messages.slice(-RECOVERED_MESSAGES).map(({ role, text }) => ({ role, text }))
    },

    async marks(ids, reader) {
      const joined = new Map<string, Marks>()
      for (const source of marks) {
        for (const [id, found] of await source(ids, reader)) joined.set(id, { ...joined.get(id), ...found })
      }
      return joined
    },
  }
}

/** The queries of a brief about recorded conversations. */
export interface Talks {
  /** The files that the agent edited in the last turns of this session, newest first. */
  editedFiles(session: string, agent: string): Promise<readonly string[]>
  hasCheckpoints(): Promise<boolean>
}

/** If the memory of a session is unreadable, its last messages are better than nothing. */
async function wasClosed({ sessions }: SessionPorts, session: string): Promise<boolean> {
  try {
    return (await sessions.findMemory(session)) !== undefined
  } catch (error) {
    if (error instanceof CairnError && error.code === 'document_damaged') return false
    throw error
  }
}

/** From files: one read of the end of the conversation. */
export function folderTalks({
  paths,
  disk,
  fileNameOf,
}: {
  readonly paths: MemoryPaths
  readonly disk: Disk
  readonly fileNameOf: (session: string) => Promise<string>
}): Talks {
  return {
    async editedFiles(session, agent) {
      const [folder, file] = await Promise.all(
        [agent, session].map(async id => (PLAIN_ID.test(id) ? id : fileNameOf(id))),
      )
      const read = disk.readTail(`${paths.memory}/conversations/${folder}/${file}.jsonl`, TAIL_BYTES)
      return read === undefined ? [] : editedIn(messagesIn(new TextDecoder().decode(read.tail)))
    },
    hasCheckpoints: async () => (disk.listFolder(paths.checkpoints) ?? []).length > 0,
  }
}

/** From the conversation as the store returns it. */
export async function editedInSession(
  { sessions }: Pick<Composed, 'sessions'>,
  session: string,
  agent: string,
): Promise<readonly string[]> {
  return editedIn((await sessions.readEnd({ session, agent }, TAIL_MESSAGES))?.messages ?? [])
}

/** The first line of a tail may be incomplete, and the last one may still be written: neither is needed. */
function messagesIn(tail: string): readonly object[] {
  return tail.split('\n').flatMap(line => {
    if (!line.includes('"isEdit"')) return []
    try {
      const message: unknown = JSON.parse(line)
      return typeof message === 'object' && message !== null ? [message] : []
    } catch (error) {
      if (error instanceof SyntaxError) return []
      throw error
    }
  })
}

import { parseObject } from '../../features/sessions/decide/closed-conversation.ts'
import { parseSessionMemory } from '../../features/sessions/decide/parse-session-memory.ts'
import type { SessionFiles } from '../../features/sessions/decide/session-files.ts'
import { parseSavedCheckpoint } from '../../features/state/decide/saved-checkpoint.ts'
import { LAYOUT } from '../../kernel/layout.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { Problem } from '../../kernel/model/search.ts'
import type { SessionKey, SessionMemory } from '../../kernel/model/session.ts'
import type { Clock } from '../../kernel/system/clock.ts'
import { sessionFileName } from '../../kernel/system/session-names.ts'
import type { BlobFacts, MemoryBlobs } from './memory-blobs.ts'
import { announce } from './postgres-changes.ts'
import type { Tenant } from './tenant.ts'

const CHECKPOINTS = LAYOUT.checkpoints.path
const MEMORIES = 'sessions/'
const MEMORY_ENDING = '.memory.json'

export interface SavedSessions {
  readonly port: Pick<
    SessionFiles,
    | 'saveCheckpoint'
    | 'findCheckpoint'
    | 'listCheckpoints'
    | 'removeCheckpoint'
    | 'saveMemory'
    | 'findMemory'
    | 'memoryStamps'
  >
  /** By the name of its session, as a file has it. */
  readNamed(name: string): Promise<SessionMemory | undefined>
  memoryNames(): Promise<readonly { readonly name: string; readonly writtenMs: number }[]>
}

/** What is written of a session as a whole: its last messages, and what became of it. */
export function savedSessions({
  tenant,
  blobs,
  clock,
}: {
  readonly tenant: Tenant
  readonly blobs: MemoryBlobs
  readonly clock: Clock
}): SavedSessions {
  const checkpointPath = ({ agent, session }: SessionKey) =>
    `${CHECKPOINTS}${sessionFileName(agent)}/${sessionFileName(session)}.json`
  const memoryPath = (name: string) => `${MEMORIES}${name}${MEMORY_ENDING}`

  const readCheckpoint = async ({ path, writtenMs }: BlobFacts) => {
    const text = await blobs.readText(path)
    const [agent = '', session = ''] = path.slice(CHECKPOINTS.length, -'.json'.length).split('/')
    const about = { name: path, key: { agent, session }, writtenMs, nowMs: clock.nowMs() }
    return text === undefined ? undefined : parseSavedCheckpoint(text, about)
  }
  const readNamed = async (name: string): Promise<SessionMemory | undefined> => {
    const text = await blobs.readText(memoryPath(name))
    if (text === undefined) return undefined
    const parsed = parseSessionMemory(parseObject(text))
    if (parsed.kind === 'memory') return parsed.memory
    throw new CairnError({
      code: 'document_damaged',
      message: `${memoryPath(name)} is not the memory of a session: ${parsed.why}.`,
      hint: 'A newer Cairn may have written it: update this one.',
    })
  }
  const memories = async (only?: string): Promise<readonly (BlobFacts & { name: string })[]> => {
    const found = only === undefined ? await blobs.list(MEMORIES) : [await blobs.facts(memoryPath(only))]
    return found.flatMap(facts =>
      facts?.path.endsWith(MEMORY_ENDING) === true
        ? [{ ...facts, name: facts.path.slice(MEMORIES.length, -MEMORY_ENDING.length) }]
        : [],
    )
  }

  return {
    readNamed,
    memoryNames: () => memories(),
    port: {
      async saveCheckpoint(checkpoint) {
        const path = checkpointPath({ agent: checkpoint.agentId, session: checkpoint.sessionId })
        await blobs.write(path, `${JSON.stringify(checkpoint)}\n`)
      },

      async findCheckpoint(agent, session) {
        const problems: Problem[] = []
        const folder = `${CHECKPOINTS}${sessionFileName(agent)}/`
        const one = session && (await blobs.facts(checkpointPath({ agent, session })))
        const found =
          session === undefined
            ? [...(await blobs.list(folder))].sort((a, b) => b.writtenMs - a.writtenMs)
            : [one].filter(facts => facts !== undefined && facts !== '')
        for (const facts of found) {
          const reading = await readCheckpoint(facts)
          problems.push(...(reading?.problems ?? []))
          if (reading?.checkpoint !== undefined) return { checkpoint: reading.checkpoint, problems }
        }
        return { checkpoint: undefined, problems }
      },

      async listCheckpoints() {
        const checkpoints: { key: SessionKey; path: string; savedAt: number }[] = []
        const damaged: Problem[] = []
        for (const facts of await blobs.list(CHECKPOINTS)) {
          const reading = await readCheckpoint(facts)
          if (reading?.checkpoint === undefined) damaged.push(...(reading?.problems ?? []))
          else {
            const { agentId: agent, sessionId: session, savedAt } = reading.checkpoint
            checkpoints.push({ key: { agent, session }, path: facts.path, savedAt })
          }
        }
        return { checkpoints, damaged }
      },

      removeCheckpoint: key => blobs.remove(checkpointPath(key)),

      async saveMemory(memory) {
        await tenant.transaction(async () => {
          await blobs.write(
            memoryPath(sessionFileName(memory.sessionId)),
            `${JSON.stringify(memory, null, 2)}\n`,
          )
          await announce(tenant, ['sessions', 'review'])
        })
      },

      findMemory: session => readNamed(sessionFileName(session)),

      async memoryStamps(only) {
        const stamps = []
        for (const { name, stamp } of await memories(only === undefined ? undefined : sessionFileName(only)))
          stamps.push({ session: await idOf(name), stamp })
        return stamps
      },
    },
  }

  /** A name with a `~` is made from another id, which only the memory itself knows. */
  async function idOf(name: string): Promise<string> {
    if (!name.includes('~')) return name
    const id = parseObject((await blobs.readText(memoryPath(name))) ?? '')?.sessionId
    return typeof id === 'string' ? id : name
  }
}

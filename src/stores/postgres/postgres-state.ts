import type { StateFiles } from '../../features/state/decide/ports.ts'
import {
  CHECKPOINT_ID,
  CHECKPOINTS,
  checkedId,
  checkpointFileOf,
  isWorthSaving,
  judgeCheckpoint,
  judgeState,
  newerState,
  newestFirst,
  parseCheckpoint,
  parseState,
  STATE,
  timeInId,
} from '../../features/state/decide/state-document.ts'
import { bundleHashOf } from '../../kernel/system/digest.ts'
import type { MemoryBlobs } from './memory-blobs.ts'
import { announce } from './postgres-changes.ts'
import { lockProject } from './project-row.ts'
import type { Tenant } from './tenant.ts'

const pathOf = (id: string) => `${CHECKPOINTS}/${id}.json`
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

export function postgresState(tenant: Tenant, blobs: MemoryBlobs, nowMs: () => number): StateFiles {
  const read = async () => {
    const text = await blobs.readText(STATE)
    return judgeState(text === undefined ? undefined : parseState(text), bundleHashOf)
  }
  const parsedCheckpoint = async (id: string) => {
    const text = await blobs.readText(pathOf(id))
    return text === undefined ? undefined : parseCheckpoint(text)
  }
  return {
    read,

    async update(decide) {
      await tenant.transaction(async () => {
        await lockProject(tenant)
        const reading = await read()
        const next = await decide(reading)
        if (next === undefined) return
        if (reading.kind === 'newer') throw newerState(reading.version)
        if (next.checkpoint !== undefined)
          await blobs.write(pathOf(checkedId(next.checkpoint.id)), json(next.checkpoint))
        const before = isWorthSaving(reading) ? await blobs.read(STATE) : undefined
        if (before !== undefined) await blobs.write(`${STATE}.damaged-${nowMs()}`, before)
        await blobs.write(STATE, json(next.state))
        await announce(tenant, ['state'])
      })
    },

    async checkpoints() {
      const files = []
      for (const { path, writtenMs } of await blobs.list(`${CHECKPOINTS}/`)) {
        const id = path.slice(CHECKPOINTS.length + 1, -'.json'.length)
        if (!path.endsWith('.json') || !CHECKPOINT_ID.test(id)) continue
        const parsed = timeInId(id) === undefined ? await parsedCheckpoint(id) : undefined
        const createdAt = parsed?.kind === 'read' ? parsed.value.createdAt : new Date(writtenMs).toISOString()
        files.push(checkpointFileOf(id, timeInId(id) ?? new Date(createdAt).toISOString()))
      }
      return files.sort(newestFirst)
    },

    async readCheckpoint(id) {
      if (!CHECKPOINT_ID.test(id)) return undefined
      return judgeCheckpoint(await parsedCheckpoint(id), id, bundleHashOf)
    },
  }
}

import * as v from 'valibot'
import type { HookPorts } from '../../../hosts/hooks/decide/ports.ts'
import { readHookFailures } from '../../../hosts/hooks/hook-failures.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { isOfPlace } from '../../../kernel/memory-place.ts'
import { addressOf, findUpMark } from '../../../kernel/system/up-marks.ts'

const SHOWN = 5
/** What failed longer ago says little about now. */
const LATELY_MS = 7 * 86_400_000

export const hookViewSchema = v.object({
  calls: v.pipe(
    v.array(v.object({ host: v.string(), at: v.string(), event: v.string() })),
    v.description('The last call of each host that was taken in'),
  ),
  waiting: v.pipe(v.number(), v.description('Sessions of which something waits to be taken in')),
  failures: v.pipe(
    v.array(
      v.object({
        at: v.string(),
        host: v.string(),
        event: v.string(),
        root: v.exactOptional(v.string()),
        code: v.string(),
        message: v.string(),
      }),
    ),
    v.description('Hooks of the last 7 days that failed here, newest first'),
  ),
})

export type HookView = v.InferOutput<typeof hookViewSchema>

/** Whether hooks run in this project, and which failed lately. */
export async function hookView(memory: Memory & Partial<HookPorts>): Promise<HookView> {
  const calls = Object.entries((await memory.hookSpool?.calls()) ?? {})
  const { failures } = readHookFailures(200)
  const sinceMs = memory.clock.nowMs() - LATELY_MS
  return {
    calls: calls
      .map(([host, { at, event }]) => ({ host, at, event }))
      .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)),
    waiting: (await memory.hookSpool?.waiting())?.length ?? 0,
    failures: failures
      .filter(({ root, at }) => isOfPlace(memory, root) && Date.parse(at) >= sinceMs)
      .slice(0, SHOWN),
  }
}

/** The server of `cairn up` for a project, by the mark that it left: nobody is asked. */
export const serverViewSchema = v.nullable(
  v.object({
    address: v.pipe(v.string(), v.description('Of the page; `cairn up` opens it with the token')),
    pid: v.number(),
    since: v.string(),
    version: v.string(),
  }),
)
export type ServerView = v.InferOutput<typeof serverViewSchema>

/** Without a folder: who asks a hub has it before them. */
export function serverView(root: string | undefined): ServerView {
  const mark = root === undefined ? undefined : findUpMark(root)
  if (mark === undefined) return null
  return { address: addressOf(mark), pid: mark.pid, since: mark.startedAt, version: mark.version }
}

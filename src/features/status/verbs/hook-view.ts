import * as v from 'valibot'
import type { HookPorts } from '../../../hosts/hooks/decide/ports.ts'
import { readHookFailures } from '../../../hosts/hooks/hook-failures.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { isOfPlace } from '../../../kernel/memory-place.ts'
import { addressOf, findUpMark } from '../../../kernel/system/up-marks.ts'

const SHOWN = 5
/** Older failures are not reported. */
const LATELY_MS = 7 * 86_400_000

export const hookViewSchema = v.object({
  calls: v.pipe(
    v.array(v.object({ host: v.string(), at: v.string(), event: v.string() })),
    v.description('The last processed call of each host'),
  ),
  waiting: v.pipe(v.number(), v.description('Sessions with unprocessed lines')),
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

/** Recent hook calls and failures in this project. */
export async function hookView(memory: Memory & Partial<HookPorts>): Promise<HookView> {
  const calls = Object.entries((await memory.hookQueue?.calls()) ?? {})
  const { failures } = readHookFailures(200)
  const sinceMs = memory.clock.nowMs() - LATELY_MS
  return {
    calls: calls
      .map(([host, { at, event }]) => ({ host, at, event }))
      .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)),
    waiting: (await memory.hookQueue?.waiting())?.length ?? 0,
    failures: failures
      .filter(({ root, at }) => isOfPlace(memory, root) && Date.parse(at) >= sinceMs)
      .slice(0, SHOWN),
  }
}

/** The `cairn up` server of a project, from its mark file, without contacting it. */
export const serverViewSchema = v.nullable(
  v.object({
    address: v.pipe(v.string(), v.description('Of the page; `cairn up` opens it with the token')),
    pid: v.number(),
    since: v.string(),
    version: v.string(),
  }),
)
export type ServerView = v.InferOutput<typeof serverViewSchema>

/** Without a folder there is no server: a hub's caller is already connected to it. */
export function serverView(root: string | undefined): ServerView {
  const mark = root === undefined ? undefined : findUpMark(root)
  if (mark === undefined) return null
  return { address: addressOf(mark), pid: mark.pid, since: mark.startedAt, version: mark.version }
}

import { type ComposedCheckout, checkoutOf } from '../../compose/composed.ts'
import type { MemoryCommand } from '../../hosts/hooks/decide/memory-command.ts'
import { HOSTS } from '../../hosts/hosts.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import { HOST_IDS, type HostId, isHostId } from '../../kernel/model/host.ts'
import type { MemoryPool } from './memory-pool.ts'
import { existingFolder } from './project-folder.ts'
import type { ServerMarks } from './server-marks.ts'

/**
 * A call of `brief` by a host instead of by a model, with what the host fills in:
 *
 *   { hook: 'claude-code UserPromptSubmit', prompt: '…', session: '…', cwd: '…' }
 */
interface HookCall {
  readonly host: HostId
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Every host reads this as no answer. */
const NO_ANSWER = '{}'
/** The time that the answer needs to reach the host. */
const ON_THE_WAY_MS = 50
/**
 * On its first call a host also started the hook command, which found no mark and answers. The mark is written only after that; otherwise
 * both would be silent.
 */
const MARK_AFTER_MS = 2_000

export interface HookCalls {
  /** The answer in the host's own shape; undefined: the caller is not a hook. */
  answer(tool: string, input: unknown, meta: unknown): Promise<string> | undefined
  /** Registers a client that calls tools as hooks; the server answers its prompts from now on. */
  meet(client: { readonly name: string; readonly version: string } | undefined): void
}

export function hookCalls({
  pool,
  folder,
  marks,
  isInternal = false,
}: {
  readonly pool: MemoryPool
  readonly folder: () => Promise<string>
  readonly marks: ServerMarks
  /** The host was started by Cairn, which sends the brief and stores the session itself. */
  readonly isInternal?: boolean
}): HookCalls {
  const answer = async (call: HookCall): Promise<string> => {
    if (isInternal) return NO_ANSWER
    if (!marks.has(call.host)) {
      setTimeout(() => putMark(marks, call.host), MARK_AFTER_MS).unref()
      return NO_ANSWER
    }
    const { host, event } = call
    const failed = async (error: unknown, root?: string) => {
      const { noteHookError } = await import('../../hosts/hooks/hook-failures.ts')
      noteHookError({ at: new Date().toISOString(), host, event, ...(root !== undefined && { root }) }, error)
      return NO_ANSWER
    }
    try {
      return await pool.enter(
        existingFolder(textOf(call.payload.cwd)) ?? (await folder()),
        ({ engine: memory }) =>
          serve(checkoutOf(memory, 'Hooks'), call).catch(error => failed(error, memoryFolderOf(memory).root)),
      )
    } catch (error) {
      // Without trust there is no answer, and that is not a failure: the hook command gives none either.
      if (error instanceof CairnError && UNTOLD.has(error.code)) return NO_ANSWER
      return failed(error)
    }
  }
  return {
    answer(tool, input, meta) {
      const call = tool === 'brief' ? hookCallOf(input, meta) : undefined
      return call && answer(call)
    },
    meet(client) {
      const host = client && HOST_IDS.find(id => callsToolHooks(id, client))
      if (host !== undefined) putMark(marks, host)
    },
  }
}

function callsToolHooks(host: HostId, client: { readonly name: string; readonly version: string }): boolean {
  const { toolHooks } = HOSTS[host].hooks
  return toolHooks?.client.test(client.name) === true && isAtLeast(client.version, toolHooks.since)
}

function isAtLeast(version: string, wanted: readonly number[]): boolean {
  const parts = version.split(/[.-]/, wanted.length).map(Number)
  for (const [at, part] of wanted.entries()) {
    const own = parts[at] ?? Number.NaN
    if (own !== part) return own > part
  }
  return true
}

/** Without the mark, the hook command answers, correctly but slower. */
function putMark(marks: ServerMarks, host: HostId): void {
  try {
    marks.put(host)
  } catch (error) {
    process.stderr.write(`cairn: no mark for ${host}: ${String(error).slice(0, 200)}\n`)
  }
}

const UNTOLD: ReadonlySet<string> = new Set(['not_initialised', 'not_trusted'])

function hookCallOf(input: unknown, meta: unknown): HookCall | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'hook')) return undefined
  const { hook, ...payload } = input as Readonly<Record<string, unknown>>
  const [host = '', event = ''] = String(hook).split(' ')
  if (!isHostId(host)) return undefined
  const session = textOf(payload.session) ?? codexSession(meta)
  return { host, event, payload: { ...payload, ...(session !== undefined && { session }) } }
}

/** Codex names its session in every call. */
export function codexSession(meta: unknown): string | undefined {
  const turn = (meta as Readonly<Record<string, unknown>> | undefined)?.['x-codex-turn-metadata']
  return textOf((turn as { readonly session_id?: unknown } | undefined)?.session_id)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

async function serve(memory: ComposedCheckout, call: HookCall): Promise<string> {
  const { serveHook } = await import('../../hosts/hooks/serve-hook.ts')
  const runCommand = async (command: MemoryCommand) =>
    (await import('../../hosts/hooks/verbs/memory-command.ts')).runMemoryCommand(memory, command)
  const withinMs = (await memory.config())['hooks.promptDeadlineMs'] - ON_THE_WAY_MS
  return (await serveHook(memory, call, { withinMs: Math.max(1, withinMs), runCommand })).trim() || NO_ANSWER
}

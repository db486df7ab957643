import type { Composed } from '../../compose.ts'
import { CairnError } from '../../model/errors.ts'
import { HOST_IDS, type HostId, isHostId } from '../../model/host.ts'
import type { MemoryDoor } from './memory-door.ts'
import { existingFolder } from './project-folder.ts'
import type { ServerMarks } from './server-marks.ts'

/** A call of `brief` by a host instead of by a model: `{ hook: 'claude-code UserPromptSubmit', prompt, session, cwd }`. */
interface HookCall {
  readonly host: HostId
  readonly event: string
  readonly prompt: string
  readonly session: string | undefined
  readonly cwd: string | undefined
}

/** What a host reads as no answer, whichever it is. */
const NO_ANSWER = '{}'
/**
 * A host that calls us for the first time has started the command beside it too, which found no mark and answers. Only when that is over
 * the mark is put: both would be silent otherwise.
 */
const MARK_AFTER_MS = 2_000

export interface HookCalls {
  /** The answer in the host's own shape; undefined: it is no hook that calls. */
  answer(tool: string, input: unknown): Promise<string> | undefined
  /** A client that is known to call tools as its hooks: what it asks from now on is answered here. */
  meet(client: { readonly name: string; readonly version: string } | undefined): void
}

export function hookCalls({
  door,
  folder,
  marks,
}: {
  readonly door: MemoryDoor
  readonly folder: () => Promise<string>
  readonly marks: ServerMarks
}): HookCalls {
  const answer = async (call: HookCall): Promise<string> => {
    if (!marks.has(call.host)) {
      setTimeout(() => putMark(marks, call.host), MARK_AFTER_MS).unref()
      return NO_ANSWER
    }
    try {
      return await door.enter(existingFolder(call.cwd) ?? (await folder()), ({ engine }) =>
        answerPrompt(engine, call),
      )
    } catch (error) {
      // A host must never wait or fail because of us.
      if (error instanceof CairnError) return NO_ANSWER
      throw error
    }
  }
  return {
    answer(tool, input) {
      const call = tool === 'brief' ? hookCallOf(input) : undefined
      return call && answer(call)
    },
    meet(client) {
      const host = client && HOST_IDS.find(id => CALLING_CLIENTS[id]?.(client))
      if (host !== undefined) putMark(marks, host)
    },
  }
}

/** Hosts that were seen to call a tool at a prompt, by how their clients introduce themselves, from the version that was seen. */
const CALLING_CLIENTS: Partial<
  Readonly<Record<HostId, (client: { readonly name: string; readonly version: string }) => boolean>>
> = {
  'claude-code': ({ name, version }) => name === 'claude-code' && isAtLeast(version, [2, 1, 325]),
  codex: ({ name, version }) => name.startsWith('codex') && isAtLeast(version, [0, 166, 0]),
}

function isAtLeast(version: string, wanted: readonly number[]): boolean {
  const parts = version.split(/[.-]/, wanted.length).map(Number)
  for (const [at, part] of wanted.entries()) {
    const own = parts[at] ?? Number.NaN
    if (own !== part) return own > part
  }
  return true
}

/** Without one the command beside us answers: slower, and as well. */
function putMark(marks: ServerMarks, host: HostId): void {
  try {
    marks.put(host)
  } catch (error) {
    process.stderr.write(`cairn: no mark for ${host}: ${String(error).slice(0, 200)}\n`)
  }
}

function hookCallOf(input: unknown): HookCall | undefined {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, 'hook')) return undefined
  const { hook, prompt, session, cwd } = input as Readonly<Record<string, unknown>>
  const [host = '', event = ''] = String(hook).split(' ')
  if (!isHostId(host)) return undefined
  const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  return { host, event, prompt: textOf(prompt) ?? '', session: textOf(session), cwd: textOf(cwd) }
}

async function answerPrompt(engine: Composed, { host, event, prompt, session }: HookCall): Promise<string> {
  const { promptBrief } = await import('../../brief.ts')
  const { brief } = await promptBrief(engine, {
    prompt,
    host,
    ...(session !== undefined && { session, isGiven: true }),
  })
  if (brief.text === '') return NO_ANSWER
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: brief.text } })
}

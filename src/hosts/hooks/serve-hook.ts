import type { AskPorts } from '../../features/agent-saves/decide/ports.ts'
import type { BriefPorts } from '../../features/brief/decide/ports.ts'
import type { FullSearchPorts } from '../../features/search/decide/ports.ts'
import type { SessionPorts } from '../../features/sessions/decide/ports.ts'
import type { Memory } from '../../kernel/memory.ts'
import { memoryFolderOf } from '../../kernel/memory-place.ts'
import type { HostId } from '../../kernel/model/host.ts'
import { answerHook } from './answer-hook.ts'
import { printWithQuestion } from './ask-in-hook.ts'
import { captureOf, leaveForWorker } from './capture-hook.ts'
import { contextLeft } from './context-left.ts'
import type { MemoryCommand } from './decide/memory-command.ts'
import { ownField, type PayloadFields } from './decide/payload-fields.ts'
import type { HookPorts } from './decide/ports.ts'
import { printDone } from './decide/print-answer.ts'
import { purposeOf, readPayload } from './decide/read-payload.ts'
import { isOurs } from './whose-command.ts'

interface ServeOptions {
  readonly withinMs?: number
  /** Executes a slash command and answers in a few lines. Without it the command goes to the model. */
  readonly runCommand?: (command: MemoryCommand) => Promise<string>
}

/**
 * For a hook that calls the running server instead of starting a process: the same answer, as the text that the process would print, and
 * the same line for the worker. The caller has checked that the project is trusted. Empty: nothing is injected.
 */
export async function serveHook(
  memory: Memory & FullSearchPorts & BriefPorts & SessionPorts & AskPorts & HookPorts,
  call: { readonly host: HostId; readonly event: string; readonly payload: PayloadFields },
  { withinMs, runCommand }: ServeOptions = {},
): Promise<string> {
  const { host, event: name, payload } = call
  const purpose = purposeOf(host, name)
  if (purpose === undefined) return ''
  // The fields that a host fills into the input of a tool have short names.
  const session = ownField(payload, 'session')
  const read = readPayload(
    host,
    name,
    purpose,
    session === undefined ? payload : { session_id: session, ...payload },
  )
  if (read.command !== undefined) {
    const isDone =
      runCommand !== undefined &&
      isOurs(host, read.command.name, { root: memoryFolderOf(memory).root, cwd: read.cwd })
    return isDone ? printDone(await runCommand(read.command)) : ''
  }
  const remainingContext = read.remainingContext ?? contextLeft(read)
  const event = remainingContext === undefined ? read : { ...read, remainingContext }
  const { context } = await answerHook(memory, event, withinMs === undefined ? {} : { withinMs })
  const line = await captureOf(memory, event, { mayScan: purpose !== 'prompt' })
  if (line !== undefined && (await leaveForWorker(memory, line))) {
    const { startCommand } = await import('../../kernel/system/start-command.ts')
    await startCommand(['hook', '--worker', memoryFolderOf(memory).root])
  }
  return printWithQuestion(memory, event, context)
}

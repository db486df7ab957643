import { composeEngine } from '../../compose.ts'
import { isOurs } from '../../hooking/whose-command.ts'
import { runMemoryCommand } from '../../operations/memory-command.ts'
import type { HookEvent } from '../../pipeline/hooks/hook-event.ts'
import type { MemoryCommand } from '../../pipeline/hooks/memory-command.ts'
import { printDone } from '../../pipeline/hooks/print-answer.ts'
import { readEnvironment } from '../../system/environment.ts'
import { writeStandardOutput } from '../../system/standard-input.ts'

/** A person waits for what they asked for, and sees it: longer than for a brief, and shorter than the host has patience. */
const DEADLINE_MS = 4_000
const PRINTED_WITHIN_MS = 200

/** A slash command is done and answered here, and the model hears nothing of it. Whatever goes wrong, it is left to the model. */
export async function answerTyped(
  { host, session, cwd }: HookEvent,
  command: MemoryCommand,
  { root, note }: { readonly root: string; readonly note: (code: string, message: string) => void },
): Promise<void> {
  if (!isOurs(host, command.name, { root, cwd })) return
  const { agent } = readEnvironment()
  const engine = composeEngine({
    root,
    actor: { host, ...(agent !== undefined && { agent }), ...(session !== undefined && { session }) },
  })
  const ending = setTimeout(() => {
    note('deadline', `/${command.name} was not done after ${DEADLINE_MS} ms; it was left to the model.`)
    process.exit(0)
  }, DEADLINE_MS)
  try {
    writeStandardOutput(printDone(await runMemoryCommand(engine, command)), PRINTED_WITHIN_MS)
  } finally {
    clearTimeout(ending)
    await engine.close()
  }
}

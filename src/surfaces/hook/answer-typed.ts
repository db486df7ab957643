import { composeEngine } from '../../compose/compose.ts'
import type { HookEvent } from '../../hosts/hooks/decide/hook-event.ts'
import type { MemoryCommand } from '../../hosts/hooks/decide/memory-command.ts'
import { printDone } from '../../hosts/hooks/decide/print-answer.ts'
import { runMemoryCommand } from '../../hosts/hooks/verbs/memory-command.ts'
import { isOurs } from '../../hosts/hooks/whose-command.ts'
import { readEnvironment } from '../../kernel/system/environment.ts'
import { writeStandardOutput } from '../../kernel/system/standard-input.ts'

/** The user waits for this answer and sees the wait, so it may take longer than a brief, but less than the host's timeout. */
const DEADLINE_MS = 4_000
const PRINTED_WITHIN_MS = 200

/** Runs a slash command and answers it without the model. After any failure, the command goes to the model. */
export async function answerTyped(
  { host, session, cwd }: HookEvent,
  command: MemoryCommand,
  { root, note }: { readonly root: string; readonly note: (code: string, message: string) => void },
): Promise<void> {
  if (!isOurs(host, command.name, { root, cwd })) return
  const { agent } = readEnvironment()
  const memory = composeEngine({
    root,
    actor: { host, ...(agent !== undefined && { agent }), ...(session !== undefined && { session }) },
  })
  const ending = setTimeout(() => {
    note('deadline', `/${command.name} was not done after ${DEADLINE_MS} ms; it was left to the model.`)
    process.exit(0)
  }, DEADLINE_MS)
  try {
    writeStandardOutput(printDone(await runMemoryCommand(memory, command)), PRINTED_WITHIN_MS)
  } finally {
    clearTimeout(ending)
    await memory.close()
  }
}

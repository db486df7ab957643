import { readEnvironment } from './environment.ts'

/** Starts this program again, detached: the caller does not wait for it, and it ends when its work is done. */
export async function startCommand(words: readonly string[]): Promise<void> {
  const [program, script] = process.argv
  if (program === undefined || script === undefined || readEnvironment().isTrial) return
  // Not at the top: a hook that starts nothing would load it too, for a tenth of a bare start.
  const { spawn } = await import('node:child_process')
  spawn(program, [script, ...words], { detached: true, stdio: 'ignore', windowsHide: true }).unref()
}

/** The command line that started this program, and starts it again. */
export function ownCommand(): readonly string[] {
  return process.argv.slice(0, 2)
}

import { readEnvironment } from './environment.ts'

/** Starts this program again, detached: its end is not waited for, and it does not outlive its own work. */
export async function startCommand(words: readonly string[]): Promise<void> {
  const [program, script] = process.argv
  if (program === undefined || script === undefined || readEnvironment().isTrial) return
  // Not at the top: a hook that starts nothing would load it all the same, for a tenth of a bare start.
  const { spawn } = await import('node:child_process')
  spawn(program, [script, ...words], { detached: true, stdio: 'ignore', windowsHide: true }).unref()
}

/** How this program was started: what starts it again. */
export function ownCommand(): readonly string[] {
  return process.argv.slice(0, 2)
}

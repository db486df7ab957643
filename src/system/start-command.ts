import { spawn } from 'node:child_process'

/** Starts this program again, detached: its end is not waited for, and it does not outlive its own work. */
export function startCommand(words: readonly string[]): void {
  const [program, script] = process.argv
  if (program === undefined || script === undefined) return
  spawn(program, [script, ...words], { detached: true, stdio: 'ignore', windowsHide: true }).unref()
}

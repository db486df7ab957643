import { composeEngine } from '../../compose/compose.ts'
import { resolveProject } from '../../features/projects/resolve-project.ts'
import { doDueWork } from '../../hosts/hooks/due-work.ts'
import { noteHookError } from '../../hosts/hooks/hook-failures.ts'
import { drainHookQueue } from '../../hosts/hooks/worker.ts'
import { readEnvironment } from '../../kernel/system/environment.ts'

/** `cairn hook --worker <root>`: processes the queue of the hooks, does the work that is due, and ends. No caller waits for it. */
export async function runWorker(root: string): Promise<number> {
  if (root === '' || resolveProject(root).standing !== 'trusted') return 0
  const place = { host: 'worker', event: 'drain', root }
  try {
    const { agent } = readEnvironment()
    const memory = composeEngine({
      root,
      actor: { host: 'hooks', ...(agent !== undefined && { agent }) },
    })
    const note = (event: string, error: unknown) =>
      noteHookError({ ...place, event, at: new Date().toISOString() }, error)
    try {
      await drainHookQueue(memory, { note, afterwards: hasBegun => doDueWork(memory, note, hasBegun) })
      // Records the new place of a folder that was moved.
      await memory.projects.note(root)
    } finally {
      await memory.close()
    }
  } catch (error) {
    noteHookError({ ...place, at: new Date().toISOString() }, error)
  }
  return 0
}

import type { Memory } from '../../kernel/memory.ts'
import { AUTOMATIC } from '../../kernel/model/entry.ts'
import { CairnError } from '../../kernel/model/errors.ts'
import type { TextFileChange } from '../../kernel/model/journal.ts'
import type { Problem } from '../../kernel/model/search.ts'
import { judgeProjection, projectionChange } from './decide/plan-projections.ts'
import type { StatePorts } from './decide/ports.ts'
import { projectionFolder, projectionInputs } from './projecting.ts'
import { tellState } from './told-state.ts'

export interface Refreshed {
  readonly changed: readonly string[]
  /** What was left as it is because a person changed it. */
  readonly problems: readonly Problem[]
}

/**
 * Brings projections up to the bundle, where they were written before and nobody changed them; makes none. For a recall that a person
 * runs, after it wrote: what goes wrong here is told and never makes a failure of it. The entry block does not depend on the bundle.
 */
export async function refreshProjections(memory: Memory & StatePorts): Promise<Refreshed> {
  // A hub has no files to show the state in: the repositories that are linked to it do.
  if (memory.place.kind === 'hub') return { changed: [], problems: [] }
  if (!(await memory.config())['projections.auto']) return { changed: [], problems: [] }
  const told = await tellState(memory)
  if (told.kind !== 'read') return { changed: [], problems: [] }
  const folder = await projectionFolder(memory)
  let problems: Problem[] = []
  let changes: TextFileChange[] = []
  try {
    await memory.store.write(AUTOMATIC, async () => {
      problems = []
      changes = []
      for (const input of await projectionInputs(memory, folder, told)) {
        const { state } = judgeProjection(input)
        if (state === 'edited') problems.push(leftAlone(input.path))
        const change = state === 'behind' ? projectionChange(input) : undefined
        if (change !== undefined) changes.push(change)
      }
      return changes.length === 0 ? null : { action: 'edit-files', changes }
    })
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    const { code, message, hint } = error
    return { changed: [], problems: [...problems, { code, path: folder, message, hint }] }
  }
  return { changed: changes.map(({ path }) => path), problems }
}

function leftAlone(path: string): Problem {
  return {
    code: 'file_changed',
    path,
    message: `${path} was edited by hand where Cairn writes, and is not brought up to date.`,
    hint: '`cairn projections` shows how each file stands.',
  }
}

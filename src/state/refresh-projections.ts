import type { Engine } from '../engine-parts.ts'
import { AUTOMATIC } from '../model/entry.ts'
import { CairnError } from '../model/errors.ts'
import type { FileChange } from '../model/journal.ts'
import type { Problem } from '../model/search.ts'
import { blockWrite, judgeBlock } from '../pipeline/query/plan-entry-block.ts'
import { judgeProjection, projectionChange } from '../pipeline/query/plan-projections.ts'
import { blockInputs } from './entry-blocks.ts'
import { projectionFolder, projectionInputs } from './projecting.ts'
import { tellState } from './told-state.ts'

export interface Refreshed {
  readonly changed: readonly string[]
  /** What was left as it is because a person changed it. */
  readonly problems: readonly Problem[]
}

/**
 * Brings projections and the entry block up to the bundle, where they were written before and nobody changed them; makes none. For
 * recall, after it wrote: what goes wrong here is told and never makes a failure of it.
 */
export async function refreshProjections(engine: Engine): Promise<Refreshed> {
  // A hub has no files to show the state in: the repositories that are linked to it do.
  if (engine.place.kind === 'hub') return { changed: [], problems: [] }
  if (!(await engine.config())['projections.auto']) return { changed: [], problems: [] }
  const told = await tellState(engine)
  if (told.kind !== 'read') return { changed: [], problems: [] }
  const folder = await projectionFolder(engine)
  let problems: Problem[] = []
  let changes: FileChange[] = []
  try {
    await engine.store.write(AUTOMATIC, async () => {
      problems = []
      changes = []
      const take = (path: string, state: string, made: () => FileChange | undefined) => {
        if (state === 'edited' || state === 'broken') problems.push(leftAlone(path, state))
        const change = state === 'behind' ? made() : undefined
        if (change !== undefined) changes.push(change)
      }
      for (const input of await projectionInputs(engine, folder, told))
        take(input.path, judgeProjection(input).state, () => projectionChange(input))
      for (const input of await blockInputs(engine, told))
        take(input.path, judgeBlock(input).state, () => blockWrite(input))
      return changes.length === 0 ? null : { action: 'edit-files', changes }
    })
  } catch (error) {
    if (!(error instanceof CairnError)) throw error
    const { code, message, hint } = error
    return { changed: [], problems: [...problems, { code, path: folder, message, hint }] }
  }
  return { changed: changes.map(({ path }) => path), problems }
}

function leftAlone(path: string, state: 'edited' | 'broken'): Problem {
  return {
    code: state === 'edited' ? 'file_changed' : 'entry_block_damaged',
    path,
    message:
      state === 'edited'
        ? `${path} was edited by hand where Cairn writes, and is not brought up to date.`
        : `The markers of the entry block in ${path} cannot be made out; it is left as it is.`,
    hint: '`cairn projections` and `cairn entry-block` show how each file stands.',
  }
}

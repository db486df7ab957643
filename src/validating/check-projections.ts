import { judgeProjected } from '../pipeline/validate/projected-files.ts'
import { entryBlockStatus } from '../state/entry-blocks.ts'
import { projectionStatus } from '../state/projecting.ts'
import type { Check } from './look.ts'

/** Whether contributors still find the way into the memory, and what they read there is what the state says. */
export const projectionsCheck: Check = {
  name: 'projections',
  about: 'projections and the entry block',
  async run(look) {
    const { files: all } = await projectionStatus(look.engine)
    // A folder outside the project is told where it is configured.
    const files = all.filter(({ path }) => !path.startsWith('../'))
    look.add(judgeProjected(files, (await entryBlockStatus(look.engine)).files))
  },
}

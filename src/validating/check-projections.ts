import { judgeProjected } from '../pipeline/validate/projected-files.ts'
import { entryBlockStatus } from '../state/entry-blocks.ts'
import { projectionStatus } from '../state/projecting.ts'
import type { Check } from './look.ts'

/** Whether contributors still find the way into the memory, and what they read there is what the state says. */
export const projectionsCheck: Check = {
  name: 'projections',
  about: 'projections and the entry block',
  async run(look) {
    const { files } = await projectionStatus(look.engine)
    look.add(judgeProjected(files, (await entryBlockStatus(look.engine)).files))
  },
}

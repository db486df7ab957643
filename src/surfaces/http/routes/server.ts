import * as v from 'valibot'
import { nameOfPlace, rootOf } from '../../../kernel/memory-place.ts'
import { packageFacts } from '../../../kernel/system/package-facts.ts'
import { projectHash } from '../../../kernel/system/up-marks.ts'
import { defineOperation } from '../../../verbs/operation.ts'

/** Public facts of the server: that it is Cairn, and a hash that identifies the project to those who know its folder. */
export const serverOperation = defineOperation({
  name: 'server',
  agent: 'reads',
  route: { at: 'GET /api/server', access: 'open' },
  summary: 'Who answers here, and which project it serves',
  positionals: [],
  input: v.object({}),
  output: v.object({
    app: v.literal('cairn'),
    version: v.string(),
    project: v.pipe(
      v.string(),
      v.description('A hash of the project folder; the path itself is not returned'),
    ),
  }),
  examples: [],
  async run(memory) {
    const project = projectHash(rootOf(memory) ?? nameOfPlace(memory))
    return { app: 'cairn' as const, version: packageFacts().version, project }
  },
})

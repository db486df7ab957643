import * as v from 'valibot'
import { openConflicts } from '../../../features/conflicts/resolve-conflicts.ts'
import { countProposals } from '../../../features/learning/review-queue.ts'
import { projectView } from '../../../features/projects/verbs/project-view.ts'
import { projectWords } from '../../../features/status/verbs/health-view.ts'
import { nameOfPlace, placeText } from '../../../kernel/memory-place.ts'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import { defineOperation, degradedSchema } from '../../../verbs/operation.ts'
import { cairnVersion } from './version.ts'

const MAX_TAGS = 100

const count = v.number()

export const vaultOperation = defineOperation({
  name: 'vault',
  agent: 'reads',
  route: { at: 'GET /api/vault', access: 'read' },
  summary: 'Overview of the memory: agents, categories, kinds, tags, and open work',
  positionals: [],
  input: v.object({}),
  output: v.object({
    root: v.pipe(v.string(), v.description('The folder of the project; on a hub its name')),
    name: v.pipe(v.string(), v.description('Of the project')),
    version: v.pipe(v.string(), v.description('Of Cairn')),
    standing: v.pipe(
      v.picklist(['trusted', 'untrusted', 'none']),
      v.description('Whether agents may read it; none: there is no memory yet'),
    ),
    isReadOnly: v.boolean(),
    total: v.pipe(count, v.description('Entries')),
    agents: v.pipe(
      v.array(
        v.object({
          agent: v.string(),
          total: count,
          counts: v.object(
            Object.fromEntries(CATEGORIES.map(name => [name, count])) as Record<
              (typeof CATEGORIES)[number],
              typeof count
            >,
          ),
        }),
      ),
      v.description('By name'),
    ),
    kinds: v.pipe(v.array(v.object({ kind: v.string(), count })), v.description('The most used first')),
    tags: v.pipe(v.array(v.object({ tag: v.string(), count })), v.description(`The ${MAX_TAGS} most used`)),
    projectWords: v.pipe(count, v.description('Of _project.md')),
    waiting: v.object({
      review: v.pipe(count, v.description('Candidates and suggestions that `cairn review` lists')),
      conflicts: v.pipe(count, v.description('Pairs of entries without a decision')),
      stale: v.pipe(
        count,
        v.description('Entries of which a file was found changed or gone, as far as anybody looked'),
      ),
    }),
    degraded: degradedSchema,
  }),
  examples: [],
  async run(memory, _input, context) {
    const counts = await memory.store.counts()
    const { view } = projectView(memory, context)
    const readOnly = await memory.store.readOnly()
    return {
      root: placeText(memory),
      name: nameOfPlace(memory),
      version: cairnVersion(),
      standing: view.standing,
      isReadOnly: readOnly !== undefined,
      total: counts.total,
      agents: Object.entries(counts.byAgent)
        .map(([agent, byCategory]) => ({
          agent,
          total: Object.values(byCategory).reduce((sum, each) => sum + each, 0),
          counts: { ...byCategory },
        }))
        .sort((a, b) => (a.agent < b.agent ? -1 : 1)),
      kinds: Object.entries(counts.byKind)
        .map(([kind, kindCount]) => ({ kind, count: kindCount }))
        .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1)),
      tags: [...(await memory.overview.tags(MAX_TAGS))],
      projectWords: await projectWords(memory),
      waiting: {
        review: await countProposals(memory),
        conflicts: (await openConflicts(memory)).length,
        stale: await memory.overview.staleEntries(),
      },
      degraded: memory.store.takeDegraded(),
    }
  },
})

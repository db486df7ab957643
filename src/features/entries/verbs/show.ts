import * as v from 'valibot'
import { checkoutOf } from '../../../compose/composed.ts'
import type { Memory } from '../../../kernel/memory.ts'
import type { Entry } from '../../../kernel/model/entry.ts'
import type { Degradation } from '../../../kernel/model/search.ts'
import {
  defineOperation,
  degradedSchema,
  documentSchema,
  entrySchema,
  freshnessSchema,
  marksSchema,
  text,
} from '../../../verbs/operation.ts'
import type { BriefPorts } from '../../brief/decide/ports.ts'
import { freshnessOf } from '../../freshness/anchoring.ts'
import type { DocumentPorts } from '../../search/decide/ports.ts'
import { conflictMarks } from '../../search/superseded.ts'
import { effectiveImportance, NO_ACCESS } from '../../upkeep/decide/decay.ts'
import { findShown } from './target.ts'

/** How a passage of a transcript is named. */
const COLD = 'cold:'

export const showOperation = defineOperation({
  name: 'show',
  group: 'Find',
  agent: 'reads',
  worksForUser: true,
  after: ['upkeep'],
  route: { at: 'GET /api/entries/:target', access: 'read' },
  tool: {
    name: 'get',
    title: 'Entry',
    description: 'One entry in full, by id.',
    fields: { target: '' },
    effect: 'reads',
    answer: async () => (await import('../present-to-agents.ts')).oneEntry,
  },
  summary: 'Show one entry, or one document of a workspace, in full',
  positionals: ['target'],
  input: v.object({ target: text('The id, or words that only one fits') }),
  output: v.object({
    entry: entrySchema,
    document: v.exactOptional(documentSchema),
    isCut: v.exactOptional(
      v.pipe(v.boolean(), v.description('Only the beginning of a long document is in the index')),
    ),
    marks: v.exactOptional(marksSchema),
    use: v.exactOptional(
      v.object({
        accessCount: v.pipe(v.number(), v.description('How often it was fetched before now')),
        lastAccessedAt: v.nullable(v.string()),
        importance: v.pipe(
          v.number(),
          v.description('Its importance after fading: ranking and upkeep use this'),
        ),
      }),
    ),
    backlinks: v.pipe(v.number(), v.description('How many links of other entries lead to it')),
    freshness: v.exactOptional(
      v.pipe(freshnessSchema, v.description('Of an entry that is anchored to files')),
    ),
    degraded: degradedSchema,
  }),
  examples: [
    { command: 'cairn show 1773679871839-k3f9', does: 'by id' },
    { command: 'cairn show plan:devtools/common/260208-workflow-engine', does: 'a document of a workspace' },
    { command: 'cairn show cold:codex/01a1de30-6ecf:29', does: 'a passage of a transcript, as a view' },
  ],
  async run(memory, { target }) {
    if (target.startsWith(COLD)) {
      const { coldEntry } = await import('../../cold/show-cold.ts')
      return {
        entry: await coldEntry(checkoutOf(memory, 'The transcripts of hosts'), target),
        backlinks: 0,
        degraded: degradedOf(memory),
      }
    }
    const { entry, document, isCut } = await findShown(memory, target)
    if (document !== undefined) {
      const cut = isCut === true && { isCut }
      return { entry, document, ...cut, backlinks: 0, degraded: degradedOf(memory) }
    }
    const use = await useOf(memory, entry)
    await memory.store.recordAccess([entry.id])
    const backlinks = (await memory.graph.backlinksOf(entry.id)).filter(({ by }) => by === 'entry').length
    const marks = (await conflictMarks(memory, [entry.id])).get(entry.id)
    const freshness = (await freshnessOf(memory, [entry])).get(entry.id)
    return {
      entry,
      ...(marks !== undefined && { marks }),
      use,
      backlinks,
      ...(freshness !== undefined && { freshness }),
      degraded: degradedOf(memory),
    }
  },
})

async function useOf(memory: Memory & BriefPorts, entry: Entry) {
  const accesses = (await memory.briefs.accesses([entry.id])).get(entry.id)
  const { accessCount, lastAccessMs } = accesses ?? NO_ACCESS
  const importance = effectiveImportance(entry, accesses ?? NO_ACCESS, memory.clock.nowMs())
  return {
    accessCount,
    lastAccessedAt:
      accessCount === 0 || lastAccessMs === undefined ? null : new Date(lastAccessMs).toISOString(),
    importance: Math.round(importance * 1_000) / 1_000,
  }
}

function degradedOf(memory: Memory & DocumentPorts): Degradation[] {
  return [...memory.store.takeDegraded(), ...memory.documentSearch.takeDegraded()]
}

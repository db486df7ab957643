import * as v from 'valibot'
import { injectedSecrets } from '../../../addons/rules/injected-secrets.ts'
import type { WorkspacePorts } from '../../../addons/workspaces/decide/ports.ts'
import type { Memory } from '../../../kernel/memory.ts'
import { placeText, rootOf } from '../../../kernel/memory-place.ts'
import { CATEGORIES } from '../../../kernel/model/category.ts'
import { CairnError } from '../../../kernel/model/errors.ts'
import type { Degradation, Problem } from '../../../kernel/model/search.ts'
import { defineOperation, degradedSchema, problemsSchema } from '../../../verbs/operation.ts'
import { pinsOver } from '../../entries/verbs/pin.ts'
import { taskListOperation } from '../../entries/verbs/task.ts'
import { modelView, modelViewSchema } from '../../learning/verbs/model-view.ts'
import { projectView, projectViewSchema } from '../../projects/verbs/project-view.ts'
import type { DocumentPorts, MeaningPorts } from '../../search/decide/ports.ts'
import { readProfiles } from '../../search/decide/profiles.ts'
import { assess, type SloState } from '../../search/decide/slo.ts'
import { newestSessionProblems } from '../../sessions/verbs/session-problems.ts'
import type { StatePorts } from '../../state/decide/ports.ts'
import { templateProblems } from '../../state/verbs/query.ts'
import { stateView, stateViewSchema } from '../../state/verbs/state-view.ts'
import { isUpkeepDue } from '../../upkeep/upkeep.ts'
import { compactionSchema } from '../../upkeep/verbs/compaction-schema.ts'
import {
  healthOf,
  healthSchema,
  projectTextProblems,
  projectWords,
  sourcesView,
  sourceViewSchema,
  waitingSchema,
  waitingView,
} from './health-view.ts'
import { hookView, hookViewSchema, serverView, serverViewSchema } from './hook-view.ts'
import { linkProblems, linkView, linkViewSchema } from './link-view.ts'
import { surroundingProblems } from './surroundings-view.ts'

async function profileProblems(memory: Memory): Promise<Problem[]> {
  const { profiles } = await memory.store.readDocument('config.json')
  return readProfiles(profiles).problems.map(message => ({
    code: 'config_value_invalid',
    path: 'config.json',
    message: `${message}. The profile is not used.`,
    hint: 'A profile looks like { "match": "deploy|roll out", "kinds": { "warning": 1.3 } }.',
  }))
}

/** A note for an HTTP embedder that is not allowed on this machine. */
async function embedderNotes({ semantics }: MeaningPorts): Promise<readonly Degradation[]> {
  if (!(await semantics.isRemote())) return []
  await semantics.embedder()
  return semantics.takeDegraded()
}

async function documentState({ documentSearch }: DocumentPorts) {
  await documentSearch.refresh()
  const { documents, problems } = await documentSearch.state()
  const { count, waiting } = await documentSearch.vectors.state()
  return { documents: { count: documents, vectors: count, waiting }, problems }
}

async function stateProblems(memory: StatePorts): Promise<readonly Problem[]> {
  const reading = await memory.state.read()
  return reading.kind === 'damaged' ? [reading.problem] : []
}

/** A setting from a clone may name a folder outside the project, which is reported with the other problems. */
async function countWorkspaces(
  memory: WorkspacePorts,
): Promise<{ readonly count: number; readonly problems: readonly Problem[] }> {
  try {
    const folder = await memory.workspaces()
    if (!folder.exists()) return { count: 0, problems: [] }
    const { scopes } = folder.survey({ kinds: new Set() })
    return { count: new Set(scopes.map(({ workspace }) => workspace)).size, problems: [] }
  } catch (error) {
    if (!(error instanceof CairnError) || error.code !== 'config_value_invalid') throw error
    const { code, message, hint } = error
    return { count: 0, problems: [{ code, path: 'config.json', message, hint }] }
  }
}

export const statusOperation = defineOperation({
  name: 'status',
  group: 'Maintenance',
  agent: 'reads',
  worksForUser: true,
  route: { at: 'GET /api/status', access: 'read' },
  tool: {
    name: 'status',
    title: 'Status',
    description: 'The state of the memory: counts, vectors, upkeep, state, problems.',
    fields: {},
    effect: 'reads',
    isExtra: true,
  },
  summary: 'Show the state of the memory: health, drift since the last checkpoint, waiting items',
  positionals: [],
  input: v.object({}),
  output: v.object({
    root: v.pipe(v.string(), v.description('The folder of the project; on a hub its name')),
    project: v.pipe(projectViewSchema, v.description('The project, and whether agents may read its memory')),
    exists: v.pipe(v.boolean(), v.description('False: there is no memory yet')),
    entries: v.number(),
    agents: v.array(v.object({ agent: v.string(), counts: v.record(v.picklist(CATEGORIES), v.number()) })),
    kinds: v.record(v.string(), v.number()),
    statuses: v.record(v.string(), v.number()),
    openTasks: v.number(),
    accesses: v.pipe(v.number(), v.description('How often entries were fetched in total')),
    index: v.object({
      mode: v.picklist(['disk', 'absent', 'read_only', 'newer', 'postgres']),
      bytes: v.number(),
      version: v.number(),
    }),
    metadata: v.pipe(
      v.object({ createdAt: v.nullable(v.string()), lastCompactedAt: v.nullable(v.string()) }),
      v.description('The date of the oldest entry, and of the last upkeep; null: never'),
    ),
    journal: v.object({
      bytes: v.number(),
      last: v.nullable(v.object({ id: v.string(), at: v.string(), action: v.string() })),
    }),
    vectors: v.object({
      model: v.pipe(v.nullable(v.string()), v.description('null: there are no vectors yet')),
      count: v.number(),
      waiting: v.pipe(v.number(), v.description('Entries without a vector')),
    }),
    documents: v.pipe(
      v.object({
        count: v.number(),
        vectors: v.number(),
        waiting: v.pipe(v.number(), v.description('Documents without a vector')),
      }),
      v.description('Workspace documents: plans, overviews, decisions and lessons'),
    ),
    briefs: v.object({
      given: v.number(),
      silent: v.pipe(v.number(), v.description('Empty briefs, because no entry matched')),
      tokens: v.pipe(v.number(), v.description('Injected in total')),
      last: v.pipe(
        v.nullable(v.object({ at: v.string(), tokens: v.number() })),
        v.description('The newest; null: none'),
      ),
    }),
    agentSaves: v.pipe(
      v.object({
        mode: v.picklist(['off', 'next', 'stop']),
        asked: v.number(),
        answered: v.pipe(v.number(), v.description('Asked sessions whose agent saved something')),
        tokens: v.pipe(v.number(), v.description('Tokens of the questions')),
      }),
      v.description('How often agents were asked what they learned'),
    ),
    retrieval: v.object({
      state: v.picklist(['healthy', 'degraded', 'insufficient']),
      p95Ms: v.nullable(v.number()),
      samples: v.number(),
    }),
    model: modelViewSchema,
    upkeep: v.object({
      last: v.pipe(v.nullable(compactionSchema), v.description('null: never')),
      isDue: v.boolean(),
      failure: v.pipe(
        v.nullable(v.object({ at: v.string(), code: v.string(), message: v.string() })),
        v.description('Why the last automatic run failed'),
      ),
    }),
    sessions: v.number(),
    server: v.pipe(
      serverViewSchema,
      v.description('The `cairn up` that serves this project; null: none runs'),
    ),
    link: v.pipe(linkViewSchema, v.description('The hub that this project is linked to; null: none')),
    hooks: v.pipe(hookViewSchema, v.description('Hook calls of hosts, and failures')),
    waiting: waitingSchema,
    state: v.pipe(stateViewSchema, v.description('The bundle, its lag, and the growth of the memory')),
    sources: v.pipe(v.array(sourceViewSchema), v.description('Import sources')),
    workspaces: v.pipe(v.number(), v.description('Workspaces that have a folder')),
    projectWords: v.pipe(v.number(), v.description('Of _project.md')),
    health: healthSchema,
    readOnly: v.nullable(v.object({ code: v.string(), message: v.string() })),
    problems: problemsSchema,
    degraded: degradedSchema,
  }),
  examples: [{ command: 'cairn status', does: 'counts, waiting items and problems' }],
  async run(memory, _input, context) {
    const project = projectView(memory, context)
    const counts = await memory.store.counts()
    const health = await memory.store.health()
    const vectors = await memory.semantics.vectors.state()
    const documentSearch = await documentState(memory)
    const totals = await memory.briefs.totals()
    const [lastBrief] = await memory.briefs.list(1)
    const { samplesMs, state } = await memory.briefs.latencies()
    const slo = assess(samplesMs, state as SloState | undefined)
    const log = await memory.memoryFiles.readLog()
    const oldestMs = await memory.upkeepIndex.oldestMs()
    const seen = await newestSessionProblems(memory)
    const { tasks } = await taskListOperation.run(memory, {}, {})
    const words = await projectWords(memory)
    const workspaces = await countWorkspaces(memory)
    const link = await linkView(memory)
    const parts = {
      upkeep: {
        last: log.lastCompaction ?? null,
        isDue: await isUpkeepDue(memory),
        failure: log.failure ?? null,
      },
      hooks: await hookView(memory),
      waiting: await waitingView(memory),
      state: await stateView(memory),
      sources: await sourcesView(memory),
      readOnly: health.readOnly ?? null,
      problems: [
        ...project.problems,
        ...health.problems,
        ...(await profileProblems(memory)),
        ...(await templateProblems(memory)),
        ...seen.problems,
        ...documentSearch.problems,
        ...workspaces.problems,
        ...(await stateProblems(memory)),
        ...projectTextProblems(words),
        ...(await injectedSecrets(memory)),
        ...linkProblems(link),
        ...(health.index.mode === 'absent' ? [] : await surroundingProblems(memory)),
      ],
      degraded: [
        ...health.degraded,
        ...memory.documentSearch.takeDegraded(),
        ...(await embedderNotes(memory)),
        ...pinsOver(counts.byStatus.pinned ?? 0),
      ],
    }
    return {
      root: placeText(memory),
      project: project.view,
      exists: health.index.mode !== 'absent',
      entries: counts.total,
      agents: Object.entries(counts.byAgent).map(([agent, byCategory]) => ({
        agent,
        counts: { ...byCategory },
      })),
      kinds: { ...counts.byKind },
      statuses: { ...counts.byStatus },
      openTasks: tasks.length,
      accesses: await memory.briefs.totalAccesses(),
      index: { ...health.index, mode: health.index.mode as 'disk' },
      metadata: {
        createdAt: oldestMs === undefined ? null : new Date(oldestMs).toISOString(),
        lastCompactedAt: log.lastCompaction?.timestamp ?? null,
      },
      journal: { bytes: health.journal.bytes, last: health.journal.last ?? null },
      vectors: { model: vectors.model ?? null, count: vectors.count, waiting: vectors.waiting },
      documents: documentSearch.documents,
      briefs: {
        given: totals.briefs,
        silent: totals.silent,
        tokens: totals.tokens,
        last: lastBrief === undefined ? null : { at: lastBrief.at, tokens: lastBrief.tokens },
      },
      agentSaves: { mode: (await memory.config()).agentSaves, ...(await memory.asks.counts()) },
      retrieval: { state: slo.state, p95Ms: slo.p95 ?? null, samples: samplesMs.length },
      model: await modelView(memory),
      sessions: seen.sessions,
      server: serverView(rootOf(memory)),
      workspaces: workspaces.count,
      projectWords: words,
      link,
      ...parts,
      health: healthOf(parts),
    }
  },
})

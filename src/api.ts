import { surveyFreshness } from './anchoring.ts'
import { saveEntries } from './asking/save-entries.ts'
import { backgroundVectors } from './background-vectors.ts'
import { type Composed, composeEngine, composeUserEngine } from './compose.ts'
import { entryNotFound, remember as rememberEntries } from './engine.ts'
import { memoryHot, memorySkills } from './hot-api.ts'
import { importItems } from './importing/import-items.ts'
import { reviewQueue } from './learning/review-queue.ts'
import { acceptProposals, type Review, rejectProposals } from './learning/reviewing.ts'
import { embedWaiting } from './meaning.ts'
import type { Memory, OpenMemoryOptions, OpenUserMemoryOptions } from './memory.ts'
import type { NewEntry } from './model/new-entry.ts'
import { memoryObsidian } from './obsidian-api.ts'
import { briefOperation } from './operations/brief.ts'
import { compactOperation } from './operations/compact.ts'
import { confirmOperation } from './operations/confirm.ts'
import { editOperation } from './operations/edit.ts'
import { feedbackOperation } from './operations/feedback.ts'
import { forgetOperation } from './operations/forget.ts'
import { graphOperation } from './operations/graph.ts'
import { linksOperation } from './operations/links.ts'
import { listOperation } from './operations/list.ts'
import { parseInput } from './operations/operation.ts'
import { changed, ownRecordsOf } from './operations/own-records.ts'
import { pinOperation } from './operations/pin.ts'
import { isBatchId, restoreOperation } from './operations/restore.ts'
import { searchOperation } from './operations/search.ts'
import { statusOperation } from './operations/status.ts'
import { undoOperation } from './operations/undo.ts'
import { memorySessions } from './session-api.ts'
import { agentActivity } from './sessions/agent-activity.ts'
import { refuseDocument } from './shelved-documents.ts'
import { scheduleRecall } from './state/auto-recall.ts'
import { systemClock } from './system/clock.ts'
import { restoreBatch, restoreEntry } from './upkeep/restore.ts'
import { scheduleUpkeep } from './upkeep/scheduled-upkeep.ts'
import { memoryWork } from './work-api.ts'
import { memoryWorkspaces } from './workspace-api.ts'

export type { AgentEntry, AgentSave, AgentSaved } from './asking/save-entries.ts'
export type { NewSkill } from './hot/skills.ts'
export type { LinkOptions, MemoryHot, MemorySkills } from './hot-api.ts'
export type { ImportFailure, ImportReport } from './importing/import-items.ts'
export type { ClosedSession, PickedUp } from './learning/closing.ts'
export type { Proposal, Reviewed } from './learning/reviewing.ts'
export type { RefinedSession } from './learning/session-refining.ts'
export type {
  AcrossOptions,
  AppliedReview,
  ArchiveBatch,
  BriefOptions,
  BriefResult,
  CompactionReport,
  Conflict,
  ConflictDecision,
  EntryLinks,
  EntryPatch,
  FreshnessReport,
  GraphOptions,
  Memory,
  MemoryReview,
  MemoryStatus,
  OpenMemoryOptions,
  OpenUserMemoryOptions,
  QueryAnswer,
  QueryOptions,
  QueryReport,
  QuerySource,
  RestoreReport,
  StaleReport,
  ValidationFinding,
  ValidationReport,
} from './memory.ts'
export type {
  EntityAcross,
  EntityEverywhere,
  Everywhere,
  FoundAcross,
  FoundIn,
  LookedAt,
  MetBefore,
  ProjectName,
  WhoMet,
} from './model/across.ts'
export type {
  Bundle,
  BundleCheckpoint,
  BundleItem,
  BundleSection,
  ProjectFacts,
  ProjectMap,
  ProjectState,
  ValidationCommand,
} from './model/bundle.ts'
export { CATEGORIES, type Category, KIND_HOME, type Kind } from './model/category.ts'
export type { ConflictReason, ConflictType, ResolvedConflict } from './model/conflict.ts'
export type { DocumentReference } from './model/document-reference.ts'
export type { Actor, Entry, Origin, Status } from './model/entry.ts'
export { CairnError, ERROR_CODES, type ErrorCode } from './model/errors.ts'
export type { MemoryEvent } from './model/event.ts'
export type { Anchor, FileChange, Freshness, FreshnessState } from './model/freshness.ts'
export type {
  Backlink,
  EntityRef,
  EntityType,
  EntityUse,
  Graph,
  GraphEdge,
  GraphNode,
  Link,
  LinkTarget,
  Neighbour,
  NeighbourReason,
  Relation,
  RelationName,
} from './model/graph.ts'
export type { Message, ToolRun } from './model/message.ts'
export type { NewEntry, RedactedPart } from './model/new-entry.ts'
export type { RankedCandidate, Reranker, RerankInput } from './model/reranker.ts'
export type { Degradation, EntryFilter, Hit, MatchSpan, Problem } from './model/search.ts'
export type { Checkpoint, Conversation, SessionHead, SessionOverview, SessionState } from './model/session.ts'
export type { LearningKind, PlanStatus, Scope } from './model/workspace.ts'
export type {
  LinkedVault,
  ObsidianStatus,
  UnlinkedVault,
  VaultLinkOptions,
} from './obsidian/link-vault.ts'
export type { ResolvedNote } from './obsidian/resolve-conflict.ts'
export type { SyncOptions, SyncReport, Went } from './obsidian/sync-notes.ts'
export type { ObsidianWatch, WatchOptions } from './obsidian/watch-notes.ts'
export type { MemoryObsidian } from './obsidian-api.ts'
export type { Compaction } from './operations/compaction-schema.ts'
export type { StaleKind, StaleProposalView } from './operations/review-stale.ts'
export type { MemorySessions, SessionName, SessionQuestion } from './session-api.ts'
export type { AgentActivity, CurrentWork } from './sessions/agent-activity.ts'
export type {
  AppendReport,
  ForkedSession,
  NewSession,
  Recovery,
  ResumedSession,
  RunReport,
  SkippedMessage,
  SleptSession,
  StartedSession,
} from './sessions/sessions.ts'
export type { BundleChange, Recalled, RecallOptions } from './state/recall.ts'
export type { MemoryWork, WorkClaim, WorkPlan } from './work-api.ts'
export type { MemoryWorkspaces, ScopeName } from './workspace-api.ts'

export async function openMemory({ root, ...options }: OpenMemoryOptions): Promise<Memory> {
  return memoryOver(parts => composeEngine({ root, ...parts }), options)
}

/** The memory of the person, in their own folder (`~/.cairn`, or CAIRN_HOME): its preferences are told in every project. */
export async function openUserMemory(options: OpenUserMemoryOptions = {}): Promise<Memory> {
  return memoryOver(composeUserEngine, options)
}

function memoryOver(compose: typeof composeUserEngine, options: OpenUserMemoryOptions): Memory {
  const { now, vectors, upkeep, recall: recalling, ...parts } = options
  const own = ownRecordsOf()
  const clock = { ...systemClock, ...(now && { nowMs: now }) }
  const engine: Composed = compose({ ...parts, clock, onWritten: own.note })
  const background = vectors === 'never' ? undefined : backgroundVectors(engine)
  const tidying = upkeep === 'never' ? undefined : scheduleUpkeep(engine)
  const folding = recalling === 'never' ? undefined : scheduleRecall(engine)
  const sessions = memorySessions(engine)
  /** The library names entries by id alone; guessing by words is for people at a terminal. */
  const idOf = async (id: string): Promise<string> => {
    if ((await engine.store.findEntry(id)) !== undefined) return id
    await refuseDocument(engine, id)
    throw entryNotFound(id)
  }

  return {
    async remember(entry) {
      const [result] = await rememberEntries(engine, [typeof entry === 'string' ? { content: entry } : entry])
      if (result === undefined) throw new Error('one entry in, one answer out')
      background?.wake()
      return result
    },
    async rememberAll(save) {
      const saved = await saveEntries(engine, save)
      background?.wake()
      return saved
    },
    async update(id, { tags, files, ...patch }) {
      const input = {
        target: await idOf(id),
        ...patch,
        ...(tags && { tags: [...tags] }),
        ...(files && { files: [...files] }),
      }
      const edited = changed(await editOperation.run(engine, input, {}))
      background?.wake()
      return edited
    },
    forget: async id => changed(await forgetOperation.run(engine, { target: await idOf(id) }, {})),
    pin: async id => changed(await pinOperation.run(engine, { target: await idOf(id) }, {})),
    unpin: async id => changed(await pinOperation.run(engine, { target: await idOf(id), off: true }, {})),
    async get(id) {
      const entry = await engine.store.findEntry(id)
      if (entry !== undefined) {
        await engine.store.recordAccess([id])
        tidying?.wake()
      }
      return entry
    },
    list: ({ tags, ...rest } = {}) =>
      listOperation.run(engine, { ...rest, ...(tags && { tags: [...tags] }) }, {}),
    async search(query, { tags, ...rest } = {}) {
      const found = await searchOperation.run(
        engine,
        { query, ...rest, ...(tags && { tags: [...tags] }) },
        {},
      )
      if (engine.shelf.takeNews()) background?.wake()
      return found
    },
    // What asks other projects is loaded by who asks them.
    async everywhere(query, options = {}) {
      const { everywhereOperation } = await import('./operations/everywhere.ts')
      return everywhereOperation.run(engine, parseInput(everywhereOperation, { query, ...options }), {})
    },
    async met(text, options = {}) {
      const { metOperation } = await import('./operations/met.ts')
      return metOperation.run(engine, parseInput(metOperation, { text, ...options }), {})
    },
    async entity(name, options = {}) {
      const { entityOperation } = await import('./operations/entity.ts')
      return entityOperation.run(engine, parseInput(entityOperation, { name, ...options }), {})
    },
    async links(id, options = {}) {
      const target = await idOf(id)
      const { entry: _, ...links } = await linksOperation.run(engine, { target, ...options }, {})
      return links
    },
    // The judge of pairs and its tables are loaded by who asks for them.
    async conflicts(options = {}) {
      const { conflictsOperation } = await import('./operations/conflicts.ts')
      return conflictsOperation.run(engine, options, {})
    },
    async resolveConflict(pair, decision) {
      const { conflictsResolveOperation } = await import('./operations/conflicts.ts')
      const [named, other] = typeof pair === 'string' ? [pair, undefined] : pair
      const input = { pair: named, ...(other !== undefined && { other }), ...decision }
      const { resolved, removed, record } = await conflictsResolveOperation.run(
        engine,
        parseInput(conflictsResolveOperation, input),
        {},
      )
      return { resolved, removed, record }
    },
    async graph(options = {}) {
      const { nodes, edges, totals, entity, degraded } = await graphOperation.run(engine, options, {})
      return { nodes, edges, totals, entity, degraded }
    },
    importEntries: (entries, { onProgress } = {}) =>
      importItems(engine, items(entries), { ...(onProgress && { onProgress }) }),
    brief: async options => briefOperation.run(engine, parseInput(briefOperation, options), {}),
    async query(question, { sections, sources, ...rest } = {}) {
      const { queryOperation } = await import('./operations/query.ts')
      const input = {
        ...rest,
        ...(question !== undefined && { question }),
        ...(sections && { section: [...sections] }),
        ...(sources && { source: [...sources] }),
      }
      const {
        question: _q,
        output: _o,
        template: _t,
        ...report
      } = await queryOperation.run(engine, parseInput(queryOperation, input), {})
      return report
    },
    feedback: async (id, saying) => {
      const { useful, wrong, record } = await feedbackOperation.run(
        engine,
        parseInput(feedbackOperation, { target: await idOf(id), saying }),
        {},
      )
      return { useful, wrong, record }
    },
    confirm: async id => changed(await confirmOperation.run(engine, { target: await idOf(id) }, {})),
    freshness: async () => {
      const { found, ...report } = await surveyFreshness(engine)
      return { entries: found, ...report }
    },
    embed: async (options = {}) => {
      await engine.store.refresh()
      await engine.shelf.refresh()
      const report = await embedWaiting(engine, options)
      const { askConflicts } = await import('./conflicts/find-conflicts.ts')
      if (report.waiting === 0) await askConflicts(engine, () => false)
      return report
    },
    sessions: {
      ...sessions,
      async close(session, options) {
        const closed = await sessions.close(session, options)
        folding?.wake()
        return closed
      },
      async pickUp(options) {
        const picked = await sessions.pickUp(options)
        folding?.wake()
        return picked
      },
    },
    workspaces: memoryWorkspaces(engine),
    hot: memoryHot(engine),
    skills: memorySkills(engine),
    obsidian: memoryObsidian(engine),
    work: memoryWork(engine),
    review: {
      list: ({ limit = 20, ...query } = {}) => reviewQueue(engine, { limit, ...query }),
      accept: async (id, edit) => judged(await acceptProposals(engine, [id], edit)),
      reject: async id => judged(await rejectProposals(engine, [id])),
      // What judges is loaded by who asks for it.
      async stale({ kind, agent, limit = 20, offset = 0 } = {}) {
        const { listStale } = await import('./operations/review-stale.ts')
        const { stale, total, degraded } = await listStale(engine, { kind, agent, limit, offset }, {})
        return { ...stale, total, degraded }
      },
      async apply(proposals, { archive = false, dryRun = false } = {}) {
        const { reviewApplyOperation } = await import('./operations/review-stale.ts')
        const which =
          typeof proposals === 'string'
            ? { ids: [proposals] }
            : 'all' in proposals
              ? { all: true, kind: proposals.all }
              : { ids: [...proposals] }
        const { isDryRun: _, ...done } = await reviewApplyOperation.run(
          engine,
          { ...which, archive, dryRun },
          {},
        )
        return done
      },
      async dismiss(id) {
        const { reviewDismissOperation } = await import('./operations/review-stale.ts')
        return one((await reviewDismissOperation.run(engine, { ids: [id] }, {})).dismissed)
      },
    },
    agents: agent => agentActivity(engine, agent),
    undo: record =>
      undoOperation.run(engine, record === undefined ? {} : { record }, { ownRecords: own.records }),
    async compact({ dryRun = false, onProgress } = {}) {
      const { plan, result, problems } = await compactOperation.run(
        engine,
        { dryRun },
        { ...(onProgress && { onProgress }) },
      )
      return { plan, result, problems }
    },
    async archive() {
      const { batches, problems } = await restoreOperation.run(engine, {}, {})
      return { batches, problems }
    },
    async restore(target, { dryRun = false } = {}) {
      const restore = isBatchId(target) ? restoreBatch : restoreEntry
      return restore(engine, target, { dryRun })
    },
    async recall(options = {}) {
      const { recall } = await import('./state/recall.ts')
      return recall(engine, options)
    },
    async state() {
      const reading = await engine.state.read()
      if (reading.kind === 'none') return undefined
      if (reading.kind === 'read') return reading.state
      const { stateUnusable } = await import('./state/new-checkpoint.ts')
      throw stateUnusable(reading)
    },
    checkpoints: () => engine.state.checkpoints(),
    async restoreCheckpoint(checkpoint, options = {}) {
      const { restoreCheckpoint } = await import('./state/checkpoints.ts')
      return (await restoreCheckpoint(engine, checkpoint, options)).state
    },
    status: () => statusOperation.run(engine, {}, {}),
    async validate({ deep = false, only } = {}) {
      const { findReport } = await import('./operations/validate.ts')
      return findReport(engine, { deep, ...(only !== undefined && { only: [...only] }) })
    },
    async close() {
      await folding?.stop()
      await tidying?.stop()
      await background?.stop()
      await engine.close()
    },
  }
}

function one<T>(all: readonly T[]): T {
  const [only] = all
  if (only === undefined) throw new Error('one in, one out')
  return only
}

/** Of one proposal. */
function judged({ reviewed, record }: Review) {
  return { ...one(reviewed), record }
}

async function* items(entries: Iterable<NewEntry> | AsyncIterable<NewEntry>) {
  let line = 0
  for await (const entry of entries) {
    line++
    yield { line, done: line, input: () => entry }
  }
}

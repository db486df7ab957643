import { importItems } from './addons/import/import-items.ts'
import { backgroundVectors } from './compose/background-vectors.ts'
import { composeEngine, composeUserEngine } from './compose/compose.ts'
import type { ComposedCheckout } from './compose/composed.ts'
import { saveEntries } from './features/agent-saves/save-entries.ts'
import { briefOperation } from './features/brief/verbs/brief.ts'
import { feedbackOperation } from './features/brief/verbs/feedback.ts'
import { confirmOperation } from './features/entries/verbs/confirm.ts'
import { editOperation } from './features/entries/verbs/edit.ts'
import { forgetOperation } from './features/entries/verbs/forget.ts'
import { listOperation } from './features/entries/verbs/list.ts'
import { pinOperation } from './features/entries/verbs/pin.ts'
import { undoOperation } from './features/entries/verbs/undo.ts'
import { entryNotFound, remember as rememberEntries } from './features/entries/write-entries.ts'
import { checkAllFreshness } from './features/freshness/anchoring.ts'
import { reviewQueue } from './features/learning/review-queue.ts'
import { acceptProposals, type Review, rejectProposals } from './features/learning/reviewing.ts'
import { refuseDocument } from './features/search/document-search.ts'
import { embedWaiting } from './features/search/meaning.ts'
import { graphOperation } from './features/search/verbs/graph.ts'
import { linksOperation } from './features/search/verbs/links.ts'
import { searchOperation } from './features/search/verbs/search.ts'
import { agentActivity } from './features/sessions/agent-activity.ts'
import { scheduleRecall } from './features/state/auto-recall.ts'
import { statusOperation } from './features/status/verbs/status.ts'
import { restoreBatch, restoreEntry } from './features/upkeep/restore.ts'
import { scheduleUpkeep } from './features/upkeep/scheduled-upkeep.ts'
import { compactOperation } from './features/upkeep/verbs/compact.ts'
import { isBatchId, restoreOperation } from './features/upkeep/verbs/restore.ts'
import type { NewEntry } from './kernel/model/new-entry.ts'
import { systemClock } from './kernel/system/clock.ts'
import { memoryHot, memorySkills } from './library/hot-api.ts'
import type {
  LibraryMemory as Memory,
  OpenMemoryOptions,
  OpenUserMemoryOptions,
} from './library/library-memory.ts'
import { memoryObsidian } from './library/obsidian-api.ts'
import { changed, ownRecordsOf } from './library/own-records.ts'
import { memorySessions } from './library/session-api.ts'
import { memoryWork } from './library/work-api.ts'
import { memoryWorkspaces } from './library/workspace-api.ts'
import { parseInput } from './verbs/operation.ts'

export type { ImportFailure, ImportReport } from './addons/import/import-items.ts'
export type {
  LinkedVault,
  ObsidianStatus,
  UnlinkedVault,
  VaultLinkOptions,
} from './addons/obsidian/link-vault.ts'
export type { ResolvedNote } from './addons/obsidian/resolve-conflict.ts'
export type {
  SyncOptions,
  SyncReport,
  Went,
} from './addons/obsidian/sync-notes.ts'
export type { ObsidianWatch, WatchOptions } from './addons/obsidian/watch-notes.ts'
export type { NewSkill } from './addons/skills/skills.ts'
export type { AgentEntry, AgentSave, AgentSaved } from './features/agent-saves/save-entries.ts'
export type { ClosedSession, PickedUp } from './features/learning/closing.ts'
export type { RefinedSession } from './features/learning/refining.ts'
export type { Proposal, Reviewed } from './features/learning/reviewing.ts'
export type { StaleKind, StaleProposalView } from './features/review/verbs/review-stale.ts'
export type { AgentActivity, CurrentWork } from './features/sessions/agent-activity.ts'
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
} from './features/sessions/sessions.ts'
export type { BundleChange, Recalled, RecallOptions } from './features/state/recall.ts'
export type { Compaction } from './features/upkeep/verbs/compaction-schema.ts'
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
} from './kernel/model/across.ts'
export type {
  Bundle,
  BundleCheckpoint,
  BundleItem,
  BundleSection,
  ProjectFacts,
  ProjectMap,
  ProjectState,
  ValidationCommand,
} from './kernel/model/bundle.ts'
export { CATEGORIES, type Category, KIND_HOME, type Kind } from './kernel/model/category.ts'
export type { ConflictReason, ConflictType, ResolvedConflict } from './kernel/model/conflict.ts'
export type { Actor, Entry, Origin, Status } from './kernel/model/entry.ts'
export { CairnError, ERROR_CODES, type ErrorCode } from './kernel/model/errors.ts'
export type { MemoryEvent } from './kernel/model/event.ts'
export type { Anchor, FileChange, Freshness, FreshnessState } from './kernel/model/freshness.ts'
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
} from './kernel/model/graph.ts'
export type { Message, ToolRun } from './kernel/model/message.ts'
export type { NewEntry, RedactedPart } from './kernel/model/new-entry.ts'
export type {
  Degradation,
  EntryFilter,
  Hit,
  MatchSpan,
  Problem,
  RankedCandidate,
  Reranker,
  RerankInput,
} from './kernel/model/search.ts'
export type {
  Checkpoint,
  Conversation,
  SessionHead,
  SessionOverview,
  SessionState,
} from './kernel/model/session.ts'
export type { DocumentReference, LearningKind, PlanStatus, Scope } from './kernel/model/workspace.ts'
export type { LinkOptions, MemoryHot, MemorySkills } from './library/hot-api.ts'
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
  LibraryMemory as Memory,
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
} from './library/library-memory.ts'
export type { MemoryObsidian } from './library/obsidian-api.ts'
export type { MemorySessions, SessionName, SessionQuestion } from './library/session-api.ts'
export type { MemoryWork, WorkClaim, WorkPlan } from './library/work-api.ts'
export type { MemoryWorkspaces, ScopeName } from './library/workspace-api.ts'

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
  const memory: ComposedCheckout = compose({ ...parts, clock, onWritten: own.note })
  const background = vectors === 'never' ? undefined : backgroundVectors(memory)
  const tidying = upkeep === 'never' ? undefined : scheduleUpkeep(memory)
  const folding = recalling === 'never' ? undefined : scheduleRecall(memory)
  const sessions = memorySessions(memory)
  /** The library names entries by id alone; guessing by words is for people at a terminal. */
  const idOf = async (id: string): Promise<string> => {
    if ((await memory.store.findEntry(id)) !== undefined) return id
    await refuseDocument(memory, id)
    throw entryNotFound(id)
  }

  return {
    async remember(entry) {
      const [result] = await rememberEntries(memory, [typeof entry === 'string' ? { content: entry } : entry])
      if (result === undefined) throw new Error('one entry in, one answer out')
      background?.wake()
      return result
    },
    async rememberAll(save) {
      const saved = await saveEntries(memory, save)
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
      const edited = changed(await editOperation.run(memory, input, {}))
      background?.wake()
      return edited
    },
    forget: async id => changed(await forgetOperation.run(memory, { target: await idOf(id) }, {})),
    pin: async id => changed(await pinOperation.run(memory, { target: await idOf(id) }, {})),
    unpin: async id => changed(await pinOperation.run(memory, { target: await idOf(id), off: true }, {})),
    async get(id) {
      const entry = await memory.store.findEntry(id)
      if (entry !== undefined) {
        await memory.store.recordAccess([id])
        tidying?.wake()
      }
      return entry
    },
    list: ({ tags, ...rest } = {}) =>
      listOperation.run(memory, { ...rest, ...(tags && { tags: [...tags] }) }, {}),
    async search(query, { tags, ...rest } = {}) {
      const found = await searchOperation.run(
        memory,
        { query, ...rest, ...(tags && { tags: [...tags] }) },
        {},
      )
      if (memory.documentSearch.takeUnembedded()) background?.wake()
      return found
    },
    // What asks other projects is loaded by who asks them.
    async everywhere(query, options = {}) {
      const { everywhereOperation } = await import('./addons/across/verbs/everywhere.ts')
      return everywhereOperation.run(memory, parseInput(everywhereOperation, { query, ...options }), {})
    },
    async met(text, options = {}) {
      const { metOperation } = await import('./addons/across/verbs/met.ts')
      return metOperation.run(memory, parseInput(metOperation, { text, ...options }), {})
    },
    async entity(name, options = {}) {
      const { entityOperation } = await import('./addons/across/verbs/entity.ts')
      return entityOperation.run(memory, parseInput(entityOperation, { name, ...options }), {})
    },
    async links(id, options = {}) {
      const target = await idOf(id)
      const { entry: _, ...links } = await linksOperation.run(memory, { target, ...options }, {})
      return links
    },
    // The judge of pairs and its tables are loaded by who asks for them.
    async conflicts(options = {}) {
      const { conflictsOperation } = await import('./features/conflicts/verbs/conflicts.ts')
      return conflictsOperation.run(memory, options, {})
    },
    async resolveConflict(pair, decision) {
      const { conflictsResolveOperation } = await import('./features/conflicts/verbs/conflicts.ts')
      const [named, other] = typeof pair === 'string' ? [pair, undefined] : pair
      const input = { pair: named, ...(other !== undefined && { other }), ...decision }
      const { resolved, removed, record } = await conflictsResolveOperation.run(
        memory,
        parseInput(conflictsResolveOperation, input),
        {},
      )
      return { resolved, removed, record }
    },
    async graph(options = {}) {
      const { nodes, edges, totals, entity, degraded } = await graphOperation.run(memory, options, {})
      return { nodes, edges, totals, entity, degraded }
    },
    importEntries: (entries, { onProgress } = {}) =>
      importItems(memory, items(entries), { ...(onProgress && { onProgress }) }),
    brief: async options => briefOperation.run(memory, parseInput(briefOperation, options), {}),
    async query(question, { sections, sources, ...rest } = {}) {
      const { queryOperation } = await import('./features/state/verbs/query.ts')
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
      } = await queryOperation.run(memory, parseInput(queryOperation, input), {})
      return report
    },
    feedback: async (id, saying) => {
      const { useful, wrong, record } = await feedbackOperation.run(
        memory,
        parseInput(feedbackOperation, { target: await idOf(id), saying }),
        {},
      )
      return { useful, wrong, record }
    },
    confirm: async id => changed(await confirmOperation.run(memory, { target: await idOf(id) }, {})),
    freshness: async () => {
      const { found, ...report } = await checkAllFreshness(memory)
      return { entries: found, ...report }
    },
    embed: async (options = {}) => {
      await memory.store.refresh()
      await memory.documentSearch.refresh()
      const report = await embedWaiting(memory, options)
      const { compareEntries } = await import('./features/conflicts/find-conflicts.ts')
      if (report.waiting === 0) await compareEntries(memory, () => false)
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
    workspaces: memoryWorkspaces(memory),
    hot: memoryHot(memory),
    skills: memorySkills(memory),
    obsidian: memoryObsidian(memory),
    work: memoryWork(memory),
    review: {
      list: ({ limit = 20, ...query } = {}) => reviewQueue(memory, { limit, ...query }),
      accept: async (id, edit) => judged(await acceptProposals(memory, [id], edit)),
      reject: async id => judged(await rejectProposals(memory, [id])),
      // What judges is loaded by who asks for it.
      async stale({ kind, agent, limit = 20, offset = 0 } = {}) {
        const { listStale } = await import('./features/review/verbs/review-stale.ts')
        const { stale, total, degraded } = await listStale(memory, { kind, agent, limit, offset }, {})
        return { ...stale, total, degraded }
      },
      async apply(proposals, { archive = false, dryRun = false } = {}) {
        const { reviewApplyOperation } = await import('./features/review/verbs/review-stale.ts')
        const which =
          typeof proposals === 'string'
            ? { ids: [proposals] }
            : 'all' in proposals
              ? { all: true, kind: proposals.all }
              : { ids: [...proposals] }
        const { isDryRun: _, ...done } = await reviewApplyOperation.run(
          memory,
          { ...which, archive, dryRun },
          {},
        )
        return done
      },
      async dismiss(id) {
        const { reviewDismissOperation } = await import('./features/review/verbs/review-stale.ts')
        return one((await reviewDismissOperation.run(memory, { ids: [id] }, {})).dismissed)
      },
    },
    agents: agent => agentActivity(memory, agent),
    undo: record =>
      undoOperation.run(memory, record === undefined ? {} : { record }, { ownRecords: own.records }),
    async compact({ dryRun = false, onProgress } = {}) {
      const { plan, result, problems } = await compactOperation.run(
        memory,
        { dryRun },
        { ...(onProgress && { onProgress }) },
      )
      return { plan, result, problems }
    },
    async archive() {
      const { batches, problems } = await restoreOperation.run(memory, {}, {})
      return { batches, problems }
    },
    async restore(target, { dryRun = false } = {}) {
      const restore = isBatchId(target) ? restoreBatch : restoreEntry
      return restore(memory, target, { dryRun })
    },
    async recall(options = {}) {
      const { recall } = await import('./features/state/recall.ts')
      return recall(memory, options)
    },
    async state() {
      const reading = await memory.state.read()
      if (reading.kind === 'none') return undefined
      if (reading.kind === 'read') return reading.state
      const { stateUnusable } = await import('./features/state/checkpoints.ts')
      throw stateUnusable(reading)
    },
    checkpoints: () => memory.state.checkpoints(),
    async restoreCheckpoint(checkpoint, options = {}) {
      const { restoreCheckpoint } = await import('./features/state/checkpoints.ts')
      return (await restoreCheckpoint(memory, checkpoint, options)).state
    },
    status: () => statusOperation.run(memory, {}, {}),
    async validate({ deep = false, only } = {}) {
      const { findReport } = await import('./features/validate/verbs/validate.ts')
      return findReport(memory, { deep, ...(only !== undefined && { only: [...only] }) })
    },
    async close() {
      await folding?.stop()
      await tidying?.stop()
      await background?.stop()
      await memory.close()
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

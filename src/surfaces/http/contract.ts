import type * as v from 'valibot'
import type { Operation } from '../../operations/operation.ts'
import type { EventOf, EventStream } from './event-stream.ts'
import type { RouteName } from './paths.ts'
import { type Route, route, type StreamRoute, seedRoute, seedStreamRoute, streamRoute } from './route.ts'

/**
 * What is behind every path: a verb (`route`), whose schemas say what goes in and what comes out, or events (`streamRoute`). The server
 * answers by it, the page's calls are typed by it, and the OpenAPI document is made from it.
 */
export const CONTRACT = {
  vault: route('read', async () => (await import('./routes/vault.ts')).vaultOperation),
  list: route('read', async () => (await import('./routes/list-marked.ts')).listMarkedOperation),
  remember: route('write', async () => (await import('../../operations/remember.ts')).rememberOperation),
  save: route('write', async () => (await import('../../operations/save.ts')).saveEntriesOperation),
  show: route('read', async () => (await import('../../operations/show.ts')).showOperation),
  edit: route('write', async () => (await import('../../operations/edit.ts')).editOperation),
  forget: route('write', async () => (await import('../../operations/forget.ts')).forgetOperation),
  pin: route('write', async () => (await import('../../operations/pin.ts')).pinOperation),
  confirm: route('write', async () => (await import('../../operations/confirm.ts')).confirmOperation),
  feedback: route('write', async () => (await import('../../operations/feedback.ts')).feedbackOperation),
  links: route('read', async () => (await import('../../operations/links.ts')).linksOperation),
  drift: route('read', async () => (await import('./routes/drift.ts')).driftOperation),
  search: route('read', async () => (await import('../../operations/search.ts')).searchOperation),
  graph: route('read', async () => (await import('../../operations/graph.ts')).graphOperation),
  taskList: route('read', async () => (await import('../../operations/task.ts')).taskListOperation),
  taskAdd: route('write', async () => (await import('../../operations/task.ts')).taskAddOperation),
  taskDone: route('write', async () => (await import('../../operations/task.ts')).taskDoneOperation),
  projectText: route('read', async () => (await import('./routes/project-text.ts')).projectTextOperation),
  projectTextSave: route(
    'write',
    async () => (await import('./routes/project-text.ts')).projectTextSaveOperation,
  ),
  log: route('read', async () => (await import('../../operations/log.ts')).logOperation),
  undo: route('write', async () => (await import('../../operations/undo.ts')).undoOperation),
  compact: route('local', async () => (await import('../../operations/compact.ts')).compactOperation),
  restore: route('write', async () => (await import('../../operations/restore.ts')).restoreOperation),
  archive: route('read', async () => (await import('./routes/archive.ts')).archiveOperation),
  review: route('read', async () => (await import('../../operations/review.ts')).reviewOperation),
  reviewAccept: route(
    'write',
    async () => (await import('../../operations/review.ts')).reviewAcceptOperation,
  ),
  reviewReject: route(
    'write',
    async () => (await import('../../operations/review.ts')).reviewRejectOperation,
  ),
  reviewEdit: route('write', async () => (await import('../../operations/review.ts')).reviewEditOperation),
  reviewApply: route(
    'write',
    async () => (await import('../../operations/review-stale.ts')).reviewApplyOperation,
  ),
  reviewDismiss: route(
    'write',
    async () => (await import('../../operations/review-stale.ts')).reviewDismissOperation,
  ),
  conflicts: route('read', async () => (await import('../../operations/conflicts.ts')).conflictsOperation),
  conflictsResolve: route(
    'write',
    async () => (await import('../../operations/conflicts.ts')).conflictsResolveOperation,
  ),
  fresh: route('read', async () => (await import('./routes/fresh.ts')).freshListOperation),
  freshFix: route('write', async () => (await import('./routes/fresh.ts')).freshFixOperation),
  live: streamRoute('read', async () => (await import('./routes/live.ts')).liveStream),
  briefPreview: route('read', async () => (await import('./routes/brief-preview.ts')).briefPreviewOperation),
  why: route('read', async () => (await import('../../operations/why.ts')).whyOperation),
  briefs: route('read', async () => (await import('../../operations/briefs.ts')).briefsOperation),
  sessions: route('read', async () => (await import('../../operations/sessions.ts')).sessionsOperation),
  sessionShow: route('read', async () => (await import('../../operations/sessions.ts')).sessionShowOperation),
  sessionStart: route(
    'write',
    async () => (await import('../../operations/session.ts')).sessionStartOperation,
  ),
  sessionAppend: route(
    'write',
    async () => (await import('./routes/session-append.ts')).sessionMessagesOperation,
  ),
  sessionCheckpoint: route(
    'write',
    async () => (await import('../../operations/session-state.ts')).sessionCheckpointOperation,
  ),
  sessionClose: route(
    'write',
    async () => (await import('./routes/session-close.ts')).sessionCloseRouteOperation,
  ),
  timeline: route('read', async () => (await import('./routes/timeline.ts')).timelineOperation),
  agents: route('read', async () => (await import('../../operations/agents.ts')).agentsOperation),
  agentHosts: route('read', async () => (await import('../../operations/agent.ts')).agentHostsOperation),
  agentChats: route('read', async () => (await import('../../operations/agent.ts')).agentChatsOperation),
  agentCommand: seedStreamRoute(
    'local',
    async () => (await import('./routes/agent-command.ts')).agentCommandStream,
  ),
  agentStop: route('local', async () => (await import('./routes/agent-stop.ts')).agentStopOperation),
  events: route('read', async () => (await import('../../operations/events.ts')).eventsOperation),
  work: route('read', async () => (await import('../../operations/work.ts')).workOperation),
  workTasks: route('read', async () => (await import('../../operations/work.ts')).workListOperation),
  workAdd: route('write', async () => (await import('../../operations/work-add.ts')).workTasksOperation),
  workShow: route('read', async () => (await import('../../operations/work.ts')).workShowOperation),
  workClaim: route('write', async () => (await import('../../operations/work-do.ts')).workClaimOperation),
  workBeat: route('write', async () => (await import('../../operations/work-do.ts')).workBeatOperation),
  workDone: route('write', async () => (await import('../../operations/work-do.ts')).workDoneOperation),
  workFail: route('write', async () => (await import('../../operations/work-do.ts')).workFailOperation),
  workCancel: route('write', async () => (await import('../../operations/work-do.ts')).workCancelOperation),
  workRetry: route('write', async () => (await import('../../operations/work-do.ts')).workRetryOperation),
  workWait: route('read', async () => (await import('../../operations/work.ts')).workWaitOperation),
  workPrune: route('write', async () => (await import('../../operations/work.ts')).workPruneOperation),
  server: route('open', async () => (await import('./routes/server.ts')).serverOperation),
  status: route('read', async () => (await import('../../operations/status.ts')).statusOperation),
  health: route('read', async () => (await import('./routes/health.ts')).healthOperation),
  query: route('read', async () => (await import('../../operations/query.ts')).queryOperation),
  recall: route('write', async () => (await import('../../operations/recall.ts')).recallOperation),
  checkpoints: route(
    'read',
    async () => (await import('../../operations/checkpoints.ts')).checkpointsOperation,
  ),
  checkpointShow: route(
    'read',
    async () => (await import('../../operations/checkpoints.ts')).checkpointShowOperation,
  ),
  workspaces: route('read', async () => (await import('../../operations/workspaces.ts')).workspacesOperation),
  plans: route('read', async () => (await import('../../operations/retrieve.ts')).retrievePlansOperation),
  overviews: route(
    'read',
    async () => (await import('../../operations/retrieve.ts')).retrieveOverviewOperation,
  ),
  learnings: route(
    'read',
    async () => (await import('../../operations/retrieve.ts')).retrieveLearningsOperation,
  ),
  hot: route('read', async () => (await import('../../operations/hot.ts')).hotOperation),
  hotLint: route('read', async () => (await import('../../operations/hot.ts')).hotLintOperation),
  configList: route('read', async () => (await import('../../operations/config.ts')).configListOperation),
  budget: route('write', async () => (await import('../../operations/budget.ts')).budgetOperation),
  auto: route('write', async () => (await import('../../operations/auto.ts')).autoOperation),
  preset: route('write', async () => (await import('../../operations/preset.ts')).presetOperation),
  importDiscover: route(
    'read',
    async () => (await import('../../operations/import-discover.ts')).importDiscoverOperation,
  ),
  // It reads whatever file of this machine it is told to: nothing for somebody elsewhere.
  import: route('local', async () => (await import('./routes/import.ts')).importFileOperation),
  importSync: route(
    'write',
    async () => (await import('../../operations/import-sync.ts')).importSyncOperation,
  ),
  projects: route('read', async () => (await import('../../operations/projects.ts')).projectsOperation),
  // They look into other projects than the one that is served: nothing for somebody elsewhere, nor without the token.
  everywhere: route(
    'local',
    async () => (await import('../../operations/everywhere.ts')).everywhereOperation,
  ),
  met: route('local', async () => (await import('../../operations/met.ts')).metOperation),
  entity: route('local', async () => (await import('../../operations/entity.ts')).entityOperation),
  seedConversations: seedRoute(
    'read',
    async () => (await import('./routes/seed-memory.ts')).seedConversationsOperation,
  ),
  seedSave: seedRoute('write', async () => (await import('./routes/seed-memory.ts')).seedSaveOperation),
  seedVault: seedRoute('read', async () => (await import('./routes/seed-vault.ts')).seedVaultOperation),
  seedVaultAdd: seedRoute(
    'write',
    async () => (await import('./routes/seed-vault.ts')).seedVaultAddOperation,
  ),
  seedVaultEdit: seedRoute(
    'write',
    async () => (await import('./routes/seed-vault.ts')).seedVaultEditOperation,
  ),
  seedVaultDelete: seedRoute(
    'write',
    async () => (await import('./routes/seed-vault.ts')).seedVaultDeleteOperation,
  ),
  seedSearch: seedRoute('read', async () => (await import('./routes/seed-vault.ts')).seedSearchOperation),
  seedRecover: seedRoute(
    'read',
    async () => (await import('./routes/seed-checkpoint.ts')).seedRecoverOperation,
  ),
  seedCheckpoint: seedRoute(
    'write',
    async () => (await import('./routes/seed-checkpoint.ts')).seedCheckpointOperation,
  ),
  seedCompaction: seedRoute(
    'read',
    async () => (await import('./routes/seed-upkeep.ts')).seedCompactionOperation,
  ),
  seedCompact: seedRoute('local', async () => (await import('./routes/seed-upkeep.ts')).seedCompactOperation),
  seedMigrate: seedRoute('local', async () => (await import('./routes/seed-upkeep.ts')).seedMigrateOperation),
  obsidianStatus: route(
    'read',
    async () => (await import('../../operations/obsidian.ts')).obsidianStatusOperation,
  ),
  obsidianSync: route(
    'write',
    async () => (await import('../../operations/obsidian.ts')).obsidianSyncOperation,
  ),
  syncHello: route('read', async () => (await import('./routes/sync.ts')).syncHelloOperation),
  syncPull: route('read', async () => (await import('./routes/sync.ts')).syncPullOperation),
  syncVersions: route('read', async () => (await import('./routes/sync.ts')).syncVersionsOperation),
  syncPush: route('write', async () => (await import('./routes/sync.ts')).syncPushOperation),
  syncGiveUp: route('write', async () => (await import('./routes/sync.ts')).syncGiveUpOperation),
} as const satisfies Partial<Record<RouteName, Route<unknown> | StreamRoute<unknown>>>

type Contract = typeof CONTRACT
type NamesOf<Kind extends 'answer' | 'stream'> = {
  [Name in keyof Contract]: Contract[Name] extends { readonly kind: Kind } ? Name : never
}[keyof Contract]
type BehindOf<Name extends keyof Contract> = Awaited<ReturnType<Contract[Name]['load']>>

/** What the page's client is made from. */
export type Answerable = NamesOf<'answer'>
export type Asked<Name extends Answerable> =
  BehindOf<Name> extends Operation<infer Input, infer _Output> ? v.InferInput<Input> : never
export type Answered<Name extends Answerable> =
  BehindOf<Name> extends Operation<infer _Input, infer Output> ? v.InferOutput<Output> : never

/** The routes that tell events: what they are asked with, and what is heard from them. */
export type Listenable = NamesOf<'stream'>
export type Called<Name extends Listenable> =
  BehindOf<Name> extends EventStream<infer Input, infer _Events> ? v.InferInput<Input> : never
export type Heard<Name extends Listenable> =
  BehindOf<Name> extends EventStream<infer _Input, infer Events> ? EventOf<Events> : never

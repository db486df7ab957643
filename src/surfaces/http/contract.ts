import type * as v from 'valibot'
import type { Operation } from '../../verbs/operation.ts'
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
  remember: route(
    'write',
    async () => (await import('../../features/entries/verbs/remember.ts')).rememberOperation,
  ),
  save: route(
    'write',
    async () => (await import('../../features/agent-saves/verbs/save.ts')).saveEntriesOperation,
  ),
  show: route('read', async () => (await import('../../features/entries/verbs/show.ts')).showOperation),
  edit: route('write', async () => (await import('../../features/entries/verbs/edit.ts')).editOperation),
  forget: route(
    'write',
    async () => (await import('../../features/entries/verbs/forget.ts')).forgetOperation,
  ),
  pin: route('write', async () => (await import('../../features/entries/verbs/pin.ts')).pinOperation),
  confirm: route(
    'write',
    async () => (await import('../../features/entries/verbs/confirm.ts')).confirmOperation,
  ),
  feedback: route(
    'write',
    async () => (await import('../../features/brief/verbs/feedback.ts')).feedbackOperation,
  ),
  links: route('read', async () => (await import('../../features/search/verbs/links.ts')).linksOperation),
  drift: route('read', async () => (await import('./routes/drift.ts')).driftOperation),
  search: route('read', async () => (await import('../../features/search/verbs/search.ts')).searchOperation),
  graph: route('read', async () => (await import('../../features/search/verbs/graph.ts')).graphOperation),
  taskList: route(
    'read',
    async () => (await import('../../features/entries/verbs/task.ts')).taskListOperation,
  ),
  taskAdd: route(
    'write',
    async () => (await import('../../features/entries/verbs/task.ts')).taskAddOperation,
  ),
  taskDone: route(
    'write',
    async () => (await import('../../features/entries/verbs/task.ts')).taskDoneOperation,
  ),
  projectText: route('read', async () => (await import('./routes/project-text.ts')).projectTextOperation),
  projectTextSave: route(
    'write',
    async () => (await import('./routes/project-text.ts')).projectTextSaveOperation,
  ),
  log: route('read', async () => (await import('../../features/entries/verbs/log.ts')).logOperation),
  undo: route('write', async () => (await import('../../features/entries/verbs/undo.ts')).undoOperation),
  compact: route(
    'local',
    async () => (await import('../../features/upkeep/verbs/compact.ts')).compactOperation,
  ),
  restore: route(
    'write',
    async () => (await import('../../features/upkeep/verbs/restore.ts')).restoreOperation,
  ),
  archive: route('read', async () => (await import('./routes/archive.ts')).archiveOperation),
  review: route('read', async () => (await import('../../features/review/verbs/review.ts')).reviewOperation),
  reviewAccept: route(
    'write',
    async () => (await import('../../features/review/verbs/review.ts')).reviewAcceptOperation,
  ),
  reviewReject: route(
    'write',
    async () => (await import('../../features/review/verbs/review.ts')).reviewRejectOperation,
  ),
  reviewEdit: route(
    'write',
    async () => (await import('../../features/review/verbs/review.ts')).reviewEditOperation,
  ),
  reviewApply: route(
    'write',
    async () => (await import('../../features/review/verbs/review-stale.ts')).reviewApplyOperation,
  ),
  reviewDismiss: route(
    'write',
    async () => (await import('../../features/review/verbs/review-stale.ts')).reviewDismissOperation,
  ),
  conflicts: route(
    'read',
    async () => (await import('../../features/conflicts/verbs/conflicts.ts')).conflictsOperation,
  ),
  conflictsResolve: route(
    'write',
    async () => (await import('../../features/conflicts/verbs/conflicts.ts')).conflictsResolveOperation,
  ),
  fresh: route('read', async () => (await import('./routes/fresh.ts')).freshListOperation),
  freshFix: route('write', async () => (await import('./routes/fresh.ts')).freshFixOperation),
  live: streamRoute('read', async () => (await import('./routes/live.ts')).liveStream),
  briefPreview: route('read', async () => (await import('./routes/brief-preview.ts')).briefPreviewOperation),
  why: route('read', async () => (await import('../../features/brief/verbs/why.ts')).whyOperation),
  briefs: route('read', async () => (await import('../../features/brief/verbs/briefs.ts')).briefsOperation),
  sessions: route(
    'read',
    async () => (await import('../../features/sessions/verbs/sessions.ts')).sessionsOperation,
  ),
  sessionShow: route(
    'read',
    async () => (await import('../../features/sessions/verbs/sessions.ts')).sessionShowOperation,
  ),
  sessionStart: route(
    'write',
    async () => (await import('../../features/sessions/verbs/session.ts')).sessionStartOperation,
  ),
  sessionAppend: route(
    'write',
    async () => (await import('./routes/session-append.ts')).sessionMessagesOperation,
  ),
  sessionCheckpoint: route(
    'write',
    async () => (await import('../../features/sessions/verbs/session-state.ts')).sessionCheckpointOperation,
  ),
  sessionClose: route(
    'write',
    async () => (await import('./routes/session-close.ts')).sessionCloseRouteOperation,
  ),
  timeline: route('read', async () => (await import('./routes/timeline.ts')).timelineOperation),
  agents: route(
    'read',
    async () => (await import('../../features/sessions/verbs/agents.ts')).agentsOperation,
  ),
  agentHosts: route('read', async () => (await import('../../hosts/run/verbs/agent.ts')).agentHostsOperation),
  agentChats: route('read', async () => (await import('../../hosts/run/verbs/agent.ts')).agentChatsOperation),
  agentCommand: seedStreamRoute(
    'local',
    async () => (await import('./routes/agent-command.ts')).agentCommandStream,
  ),
  agentStop: route('local', async () => (await import('./routes/agent-stop.ts')).agentStopOperation),
  events: route(
    'read',
    async () => (await import('../../features/sessions/verbs/events.ts')).eventsOperation,
  ),
  work: route('read', async () => (await import('../../addons/work/verbs/work.ts')).workOperation),
  workTasks: route('read', async () => (await import('../../addons/work/verbs/work.ts')).workListOperation),
  workAdd: route(
    'write',
    async () => (await import('../../addons/work/verbs/work-add.ts')).workTasksOperation,
  ),
  workShow: route('read', async () => (await import('../../addons/work/verbs/work.ts')).workShowOperation),
  workClaim: route(
    'write',
    async () => (await import('../../addons/work/verbs/work-do.ts')).workClaimOperation,
  ),
  workBeat: route(
    'write',
    async () => (await import('../../addons/work/verbs/work-do.ts')).workBeatOperation,
  ),
  workDone: route(
    'write',
    async () => (await import('../../addons/work/verbs/work-do.ts')).workDoneOperation,
  ),
  workFail: route(
    'write',
    async () => (await import('../../addons/work/verbs/work-do.ts')).workFailOperation,
  ),
  workCancel: route(
    'write',
    async () => (await import('../../addons/work/verbs/work-do.ts')).workCancelOperation,
  ),
  workRetry: route(
    'write',
    async () => (await import('../../addons/work/verbs/work-do.ts')).workRetryOperation,
  ),
  workWait: route('read', async () => (await import('../../addons/work/verbs/work.ts')).workWaitOperation),
  workPrune: route('write', async () => (await import('../../addons/work/verbs/work.ts')).workPruneOperation),
  server: route('open', async () => (await import('./routes/server.ts')).serverOperation),
  status: route('read', async () => (await import('../../features/status/verbs/status.ts')).statusOperation),
  health: route('read', async () => (await import('./routes/health.ts')).healthOperation),
  query: route('read', async () => (await import('../../features/state/verbs/query.ts')).queryOperation),
  recall: route('write', async () => (await import('../../features/state/verbs/recall.ts')).recallOperation),
  checkpoints: route(
    'read',
    async () => (await import('../../features/state/verbs/checkpoints.ts')).checkpointsOperation,
  ),
  checkpointShow: route(
    'read',
    async () => (await import('../../features/state/verbs/checkpoints.ts')).checkpointShowOperation,
  ),
  workspaces: route(
    'read',
    async () => (await import('../../addons/workspaces/verbs/workspaces.ts')).workspacesOperation,
  ),
  plans: route(
    'read',
    async () => (await import('../../addons/workspaces/verbs/retrieve.ts')).retrievePlansOperation,
  ),
  overviews: route(
    'read',
    async () => (await import('../../addons/workspaces/verbs/retrieve.ts')).retrieveOverviewOperation,
  ),
  learnings: route(
    'read',
    async () => (await import('../../addons/workspaces/verbs/retrieve.ts')).retrieveLearningsOperation,
  ),
  hot: route('read', async () => (await import('../../addons/rules/verbs/hot.ts')).hotOperation),
  hotLint: route('read', async () => (await import('../../addons/rules/verbs/hot.ts')).hotLintOperation),
  configList: route(
    'read',
    async () => (await import('../../features/settings/verbs/config.ts')).configListOperation,
  ),
  budget: route(
    'write',
    async () => (await import('../../features/settings/verbs/budget.ts')).budgetOperation,
  ),
  auto: route('write', async () => (await import('../../features/settings/verbs/auto.ts')).autoOperation),
  preset: route(
    'write',
    async () => (await import('../../features/settings/verbs/preset.ts')).presetOperation,
  ),
  importDiscover: route(
    'read',
    async () => (await import('../../addons/import/verbs/import-discover.ts')).importDiscoverOperation,
  ),
  // It reads whatever file of this machine it is told to: nothing for somebody elsewhere.
  import: route('local', async () => (await import('./routes/import.ts')).importFileOperation),
  importSync: route(
    'write',
    async () => (await import('../../addons/import/verbs/import-sync.ts')).importSyncOperation,
  ),
  projects: route(
    'read',
    async () => (await import('../../features/projects/verbs/projects.ts')).projectsOperation,
  ),
  // They look into other projects than the one that is served: nothing for somebody elsewhere, nor without the token.
  everywhere: route(
    'local',
    async () => (await import('../../addons/across/verbs/everywhere.ts')).everywhereOperation,
  ),
  met: route('local', async () => (await import('../../addons/across/verbs/met.ts')).metOperation),
  entity: route('local', async () => (await import('../../addons/across/verbs/entity.ts')).entityOperation),
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
    async () => (await import('../../addons/obsidian/verbs/obsidian.ts')).obsidianStatusOperation,
  ),
  obsidianSync: route(
    'write',
    async () => (await import('../../addons/obsidian/verbs/obsidian.ts')).obsidianSyncOperation,
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

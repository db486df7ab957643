import type * as v from 'valibot'
import type { HubOperation } from '../addons/hub/verbs/hub-operation.ts'
import type { ObjectSchema, Operation } from './operation.ts'

/** A verb over the database of a hub. */
async function hubCommand<Input extends ObjectSchema, Output extends v.GenericSchema>(
  operation: HubOperation<Input, Output>,
): Promise<Operation<ObjectSchema, Output>> {
  return (await import('../addons/hub/verbs/hub-operation.ts')).asCommand(operation)
}

/** Every verb, loaded when it is used: a cold `cairn search` pays for search alone. */
export const VERBS = {
  init: async () => (await import('../features/setup/verbs/init.ts')).initOperation,
  uninstall: async () => (await import('../features/setup/verbs/uninstall.ts')).uninstallOperation,
  trust: async () => (await import('../features/projects/verbs/trust.ts')).trustOperation,
  untrust: async () => (await import('../features/projects/verbs/trust.ts')).untrustOperation,
  projects: async () => (await import('../features/projects/verbs/projects.ts')).projectsOperation,
  'projects forget': async () =>
    (await import('../features/projects/verbs/projects.ts')).projectsForgetOperation,
  remember: async () => (await import('../features/entries/verbs/remember.ts')).rememberOperation,
  save: async () => (await import('../features/agent-saves/verbs/save.ts')).saveOperation,
  edit: async () => (await import('../features/entries/verbs/edit.ts')).editOperation,
  forget: async () => (await import('../features/entries/verbs/forget.ts')).forgetOperation,
  pin: async () => (await import('../features/entries/verbs/pin.ts')).pinOperation,
  'task add': async () => (await import('../features/entries/verbs/task.ts')).taskAddOperation,
  'task done': async () => (await import('../features/entries/verbs/task.ts')).taskDoneOperation,
  'task list': async () => (await import('../features/entries/verbs/task.ts')).taskListOperation,
  search: async () => (await import('../features/search/verbs/search.ts')).searchOperation,
  everywhere: async () => (await import('../addons/across/verbs/everywhere.ts')).everywhereOperation,
  met: async () => (await import('../addons/across/verbs/met.ts')).metOperation,
  entity: async () => (await import('../addons/across/verbs/entity.ts')).entityOperation,
  cold: async () => (await import('../features/cold/verbs/cold.ts')).coldOperation,
  'cold show': async () => (await import('../features/cold/verbs/cold.ts')).coldShowOperation,
  'cold remove': async () => (await import('../features/cold/verbs/cold.ts')).coldRemoveOperation,
  list: async () => (await import('../features/entries/verbs/list.ts')).listOperation,
  show: async () => (await import('../features/entries/verbs/show.ts')).showOperation,
  links: async () => (await import('../features/search/verbs/links.ts')).linksOperation,
  graph: async () => (await import('../features/search/verbs/graph.ts')).graphOperation,
  'alias add': async () => (await import('../features/entries/verbs/alias.ts')).aliasAddOperation,
  'alias list': async () => (await import('../features/entries/verbs/alias.ts')).aliasListOperation,
  'alias remove': async () => (await import('../features/entries/verbs/alias.ts')).aliasRemoveOperation,
  brief: async () => (await import('../features/brief/verbs/brief.ts')).briefOperation,
  why: async () => (await import('../features/brief/verbs/why.ts')).whyOperation,
  briefs: async () => (await import('../features/brief/verbs/briefs.ts')).briefsOperation,
  feedback: async () => (await import('../features/brief/verbs/feedback.ts')).feedbackOperation,
  confirm: async () => (await import('../features/entries/verbs/confirm.ts')).confirmOperation,
  fresh: async () => (await import('../features/freshness/verbs/fresh.ts')).freshOperation,
  workspaces: async () => (await import('../addons/workspaces/verbs/workspaces.ts')).workspacesOperation,
  'retrieve plans': async () =>
    (await import('../addons/workspaces/verbs/retrieve.ts')).retrievePlansOperation,
  'retrieve overview': async () =>
    (await import('../addons/workspaces/verbs/retrieve.ts')).retrieveOverviewOperation,
  'retrieve learnings': async () =>
    (await import('../addons/workspaces/verbs/retrieve.ts')).retrieveLearningsOperation,
  'workspace plan add': async () =>
    (await import('../addons/workspaces/verbs/workspace-write.ts')).workspacePlanAddOperation,
  'workspace plan set': async () =>
    (await import('../addons/workspaces/verbs/workspace-write.ts')).workspacePlanSetOperation,
  'workspace overview set': async () =>
    (await import('../addons/workspaces/verbs/workspace-write.ts')).workspaceOverviewSetOperation,
  'workspace learn': async () =>
    (await import('../addons/workspaces/verbs/workspace-write.ts')).workspaceLearnOperation,
  'workspace migrate': async () =>
    (await import('../addons/workspaces/verbs/workspaces.ts')).workspaceMigrateOperation,
  sessions: async () => (await import('../features/sessions/verbs/sessions.ts')).sessionsOperation,
  'session start': async () => (await import('../features/sessions/verbs/session.ts')).sessionStartOperation,
  'session append': async () =>
    (await import('../features/sessions/verbs/session.ts')).sessionAppendOperation,
  'session run': async () => (await import('../features/sessions/verbs/session.ts')).sessionRunOperation,
  'session checkpoint': async () =>
    (await import('../features/sessions/verbs/session-state.ts')).sessionCheckpointOperation,
  'session recover': async () =>
    (await import('../features/sessions/verbs/session-state.ts')).sessionRecoverOperation,
  'session sleep': async () =>
    (await import('../features/sessions/verbs/session-state.ts')).sessionSleepOperation,
  'session end': async () =>
    (await import('../features/sessions/verbs/session-state.ts')).sessionEndOperation,
  'session close': async () =>
    (await import('../features/sessions/verbs/session-close.ts')).sessionCloseOperation,
  'session pick-up': async () =>
    (await import('../features/sessions/verbs/session-close.ts')).sessionPickUpOperation,
  'session refine': async () =>
    (await import('../features/sessions/verbs/session-close.ts')).sessionRefineOperation,
  'session fork': async () =>
    (await import('../features/sessions/verbs/session-forks.ts')).sessionForkOperation,
  'session resume': async () =>
    (await import('../features/sessions/verbs/session-forks.ts')).sessionResumeOperation,
  'session show': async () => (await import('../features/sessions/verbs/sessions.ts')).sessionShowOperation,
  agents: async () => (await import('../features/sessions/verbs/agents.ts')).agentsOperation,
  'agent hosts': async () => (await import('../hosts/run/verbs/agent.ts')).agentHostsOperation,
  'agent enable': async () => (await import('../hosts/run/verbs/agent.ts')).agentEnableOperation,
  'agent disable': async () => (await import('../hosts/run/verbs/agent.ts')).agentDisableOperation,
  'agent run': async () => (await import('../hosts/run/verbs/agent.ts')).agentRunOperation,
  'agent chats': async () => (await import('../hosts/run/verbs/agent.ts')).agentChatsOperation,
  work: async () => (await import('../addons/work/verbs/work.ts')).workOperation,
  'work add': async () => (await import('../addons/work/verbs/work-add.ts')).workAddOperation,
  'work plan': async () => (await import('../addons/work/verbs/work-add.ts')).workPlanOperation,
  'work list': async () => (await import('../addons/work/verbs/work.ts')).workListOperation,
  'work show': async () => (await import('../addons/work/verbs/work.ts')).workShowOperation,
  'work claim': async () => (await import('../addons/work/verbs/work-do.ts')).workClaimOperation,
  'work beat': async () => (await import('../addons/work/verbs/work-do.ts')).workBeatOperation,
  'work done': async () => (await import('../addons/work/verbs/work-do.ts')).workDoneOperation,
  'work fail': async () => (await import('../addons/work/verbs/work-do.ts')).workFailOperation,
  'work cancel': async () => (await import('../addons/work/verbs/work-do.ts')).workCancelOperation,
  'work retry': async () => (await import('../addons/work/verbs/work-do.ts')).workRetryOperation,
  'work wait': async () => (await import('../addons/work/verbs/work.ts')).workWaitOperation,
  'work prune': async () => (await import('../addons/work/verbs/work.ts')).workPruneOperation,
  review: async () => (await import('../features/review/verbs/review.ts')).reviewOperation,
  'review accept': async () => (await import('../features/review/verbs/review.ts')).reviewAcceptOperation,
  'review reject': async () => (await import('../features/review/verbs/review.ts')).reviewRejectOperation,
  'review edit': async () => (await import('../features/review/verbs/review.ts')).reviewEditOperation,
  'review apply': async () => (await import('../features/review/verbs/review-stale.ts')).reviewApplyOperation,
  'review dismiss': async () =>
    (await import('../features/review/verbs/review-stale.ts')).reviewDismissOperation,
  conflicts: async () => (await import('../features/conflicts/verbs/conflicts.ts')).conflictsOperation,
  'conflicts resolve': async () =>
    (await import('../features/conflicts/verbs/conflicts.ts')).conflictsResolveOperation,
  recall: async () => (await import('../features/state/verbs/recall.ts')).recallOperation,
  checkpoints: async () => (await import('../features/state/verbs/checkpoints.ts')).checkpointsOperation,
  'checkpoint show': async () =>
    (await import('../features/state/verbs/checkpoints.ts')).checkpointShowOperation,
  query: async () => (await import('../features/state/verbs/query.ts')).queryOperation,
  'query templates': async () => (await import('../features/state/verbs/query.ts')).queryTemplatesOperation,
  projections: async () => (await import('../features/state/verbs/projections.ts')).projectionsOperation,
  'projections write': async () =>
    (await import('../features/state/verbs/projections.ts')).projectionsWriteOperation,
  'projections remove': async () =>
    (await import('../features/state/verbs/projections.ts')).projectionsRemoveOperation,
  'entry-block': async () => (await import('../features/state/verbs/entry-block.ts')).entryBlockOperation,
  'entry-block write': async () =>
    (await import('../features/state/verbs/entry-block.ts')).entryBlockWriteOperation,
  'entry-block remove': async () =>
    (await import('../features/state/verbs/entry-block.ts')).entryBlockRemoveOperation,
  hot: async () => (await import('../addons/rules/verbs/hot.ts')).hotOperation,
  'hot init': async () => (await import('../addons/rules/verbs/hot.ts')).hotInitOperation,
  'hot lint': async () => (await import('../addons/rules/verbs/hot.ts')).hotLintOperation,
  'hot promote': async () => (await import('../addons/rules/verbs/hot-move.ts')).hotPromoteOperation,
  'hot demote': async () => (await import('../addons/rules/verbs/hot-move.ts')).hotDemoteOperation,
  'hot link': async () => (await import('../addons/rules/verbs/hot.ts')).hotLinkOperation,
  'hot unlink': async () => (await import('../addons/rules/verbs/hot.ts')).hotUnlinkOperation,
  'skill save': async () => (await import('../addons/skills/verbs/skill.ts')).skillSaveOperation,
  'skill list': async () => (await import('../addons/skills/verbs/skill.ts')).skillListOperation,
  'skill show': async () => (await import('../addons/skills/verbs/skill.ts')).skillShowOperation,
  'skill remove': async () => (await import('../addons/skills/verbs/skill.ts')).skillRemoveOperation,
  'skill link': async () => (await import('../addons/skills/verbs/skill.ts')).skillLinkOperation,
  'skill unlink': async () => (await import('../addons/skills/verbs/skill.ts')).skillUnlinkOperation,
  log: async () => (await import('../features/entries/verbs/log.ts')).logOperation,
  events: async () => (await import('../features/sessions/verbs/events.ts')).eventsOperation,
  undo: async () => (await import('../features/entries/verbs/undo.ts')).undoOperation,
  'hub init': async () => hubCommand((await import('../addons/hub/verbs/hub-tokens.ts')).hubInitOperation),
  'hub projects': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-projects.ts')).hubProjectsOperation),
  'hub add-project': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-projects.ts')).hubAddProjectOperation),
  'hub rename': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-projects.ts')).hubRenameOperation),
  'hub archive': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-projects.ts')).hubArchiveOperation),
  'hub restore': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-projects.ts')).hubRestoreOperation),
  'hub remove': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-projects.ts')).hubRemoveOperation),
  'hub principals': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-tokens.ts')).hubPrincipalsOperation),
  'hub disable': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-tokens.ts')).hubDisableOperation),
  'hub enable': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-tokens.ts')).hubEnableOperation),
  'hub tokens': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-tokens.ts')).hubTokensOperation),
  'hub token add': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-tokens.ts')).hubTokenAddOperation),
  'hub token set': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-tokens.ts')).hubTokenSetOperation),
  'hub token revoke': async () =>
    hubCommand((await import('../addons/hub/verbs/hub-tokens.ts')).hubTokenRevokeOperation),
  'hub backup': async () => (await import('../addons/hub/verbs/hub-backup.ts')).hubBackupOperation,
  'hub backup restore': async () =>
    (await import('../addons/hub/verbs/hub-backup.ts')).hubBackupRestoreOperation,
  'hub audit': async () => hubCommand((await import('../addons/hub/verbs/hub-audit.ts')).hubAuditOperation),
  import: async () => (await import('../addons/import/verbs/import.ts')).importOperation,
  'import sync': async () => (await import('../addons/import/verbs/import-sync.ts')).importSyncOperation,
  'import discover': async () =>
    (await import('../addons/import/verbs/import-discover.ts')).importDiscoverOperation,
  'source add': async () => (await import('../addons/import/verbs/source.ts')).sourceAddOperation,
  'source list': async () => (await import('../addons/import/verbs/source.ts')).sourceListOperation,
  'source remove': async () => (await import('../addons/import/verbs/source.ts')).sourceRemoveOperation,
  'source sync': async () => (await import('../addons/import/verbs/source.ts')).sourceSyncOperation,
  'source allow': async () => (await import('../addons/import/verbs/source.ts')).sourceAllowOperation,
  link: async () => (await import('../addons/link/verbs/link.ts')).linkOperation,
  sync: async () => (await import('../addons/link/verbs/sync.ts')).syncOperation,
  unlink: async () => (await import('../addons/link/verbs/link.ts')).unlinkOperation,
  'obsidian link': async () => (await import('../addons/obsidian/verbs/obsidian.ts')).obsidianLinkOperation,
  'obsidian sync': async () => (await import('../addons/obsidian/verbs/obsidian.ts')).obsidianSyncOperation,
  'obsidian status': async () =>
    (await import('../addons/obsidian/verbs/obsidian.ts')).obsidianStatusOperation,
  'obsidian resolve': async () =>
    (await import('../addons/obsidian/verbs/obsidian.ts')).obsidianResolveOperation,
  'obsidian watch': async () => (await import('../addons/obsidian/verbs/obsidian.ts')).obsidianWatchOperation,
  'obsidian unlink': async () =>
    (await import('../addons/obsidian/verbs/obsidian.ts')).obsidianUnlinkOperation,
  migrate: async () => (await import('../addons/import/verbs/migrate.ts')).migrateOperation,
  export: async () => (await import('../features/entries/verbs/export.ts')).exportOperation,
  backup: async () => (await import('../addons/backup/verbs/backup.ts')).backupOperation,
  'backup check': async () => (await import('../addons/backup/verbs/backup.ts')).backupCheckOperation,
  'backup restore': async () => (await import('../addons/backup/verbs/backup.ts')).backupRestoreOperation,
  embed: async () => (await import('../features/search/verbs/embed.ts')).embedOperation,
  'merge-driver install': async () =>
    (await import('../features/git-merge/verbs/merge-driver.ts')).mergeDriverInstallOperation,
  'merge-driver uninstall': async () =>
    (await import('../features/git-merge/verbs/merge-driver.ts')).mergeDriverUninstallOperation,
  'merge-driver status': async () =>
    (await import('../features/git-merge/verbs/merge-driver.ts')).mergeDriverStatusOperation,
  'model status': async () => (await import('../features/learning/verbs/model.ts')).modelStatusOperation,
  'model allow': async () => (await import('../features/learning/verbs/model.ts')).modelAllowOperation,
  'model forbid': async () => (await import('../features/learning/verbs/model.ts')).modelForbidOperation,
  'model try': async () => (await import('../features/learning/verbs/model.ts')).modelTryOperation,
  'embedder status': async () =>
    (await import('../features/search/verbs/embedder.ts')).embedderStatusOperation,
  'embedder allow': async () => (await import('../features/search/verbs/embedder.ts')).embedderAllowOperation,
  'embedder forbid': async () =>
    (await import('../features/search/verbs/embedder.ts')).embedderForbidOperation,
  status: async () => (await import('../features/status/verbs/status.ts')).statusOperation,
  validate: async () => (await import('../features/validate/verbs/validate.ts')).validateOperation,
  doctor: async () => (await import('../features/doctor/verbs/doctor.ts')).doctorOperation,
  compact: async () => (await import('../features/upkeep/verbs/compact.ts')).compactOperation,
  restore: async () => (await import('../features/upkeep/verbs/restore.ts')).restoreOperation,
  budget: async () => (await import('../features/settings/verbs/budget.ts')).budgetOperation,
  auto: async () => (await import('../features/settings/verbs/auto.ts')).autoOperation,
  preset: async () => (await import('../features/settings/verbs/preset.ts')).presetOperation,
  'config list': async () => (await import('../features/settings/verbs/config.ts')).configListOperation,
  'config get': async () => (await import('../features/settings/verbs/config.ts')).configGetOperation,
  'config set': async () => (await import('../features/settings/verbs/config.ts')).configSetOperation,
  'config unset': async () => (await import('../features/settings/verbs/config.ts')).configUnsetOperation,
} as const satisfies Readonly<Record<string, () => Promise<Operation>>>

/** By name, for callers that are given the name. */
export const OPERATIONS: Readonly<Record<string, () => Promise<Operation>>> = VERBS

export type VerbName = keyof typeof VERBS

/** What a verb answers. */
export type AnswerOf<Name extends VerbName> =
  Awaited<ReturnType<(typeof VERBS)[Name]>> extends Operation<infer _Input, infer Output>
    ? v.InferOutput<Output>
    : never

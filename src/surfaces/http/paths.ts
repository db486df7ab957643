/**
 * Where every route is: one table, which the server answers by and the page asks by. It is data alone, so that the page can carry it;
 * what goes in and comes out is in contract.ts. A `:name` in a path is the field of that name.
 */
export const PATHS = {
  // Entries.
  vault: 'GET /api/vault',
  list: 'GET /api/entries',
  remember: 'POST /api/entries',
  show: 'GET /api/entries/:target',
  edit: 'PATCH /api/entries/:target',
  forget: 'DELETE /api/entries/:target',
  pin: 'POST /api/entries/:target/pin',
  confirm: 'POST /api/entries/:target/confirm',
  feedback: 'POST /api/entries/:target/feedback',
  links: 'GET /api/entries/:target/links',
  drift: 'GET /api/entries/:target/drift',
  search: 'GET /api/search',
  graph: 'GET /api/graph',
  taskList: 'GET /api/tasks',
  taskAdd: 'POST /api/tasks',
  taskDone: 'POST /api/tasks/:target/done',
  projectText: 'GET /api/project-text',
  projectTextSave: 'PUT /api/project-text',
  // What was changed.
  log: 'GET /api/log',
  undo: 'POST /api/undo',
  compact: 'POST /api/compact',
  restore: 'POST /api/restore',
  archive: 'GET /api/archive',
  // What is to be decided.
  review: 'GET /api/review',
  reviewAccept: 'POST /api/review/accept',
  reviewReject: 'POST /api/review/reject',
  reviewEdit: 'POST /api/review/edit',
  reviewApply: 'POST /api/review/apply',
  reviewDismiss: 'POST /api/review/dismiss',
  conflicts: 'GET /api/conflicts',
  conflictsResolve: 'POST /api/conflicts/resolve',
  fresh: 'GET /api/fresh',
  freshFix: 'POST /api/fresh',
  // What changes, as events.
  live: 'GET /api/live',
  // What agents are told.
  briefPreview: 'POST /api/brief',
  why: 'POST /api/why',
  briefs: 'GET /api/briefs',
  // Sessions.
  sessions: 'GET /api/sessions',
  sessionShow: 'GET /api/sessions/:session',
  sessionStart: 'POST /api/sessions',
  sessionAppend: 'POST /api/sessions/:session/messages',
  sessionCheckpoint: 'POST /api/sessions/:session/checkpoint',
  sessionClose: 'POST /api/sessions/:session/close',
  timeline: 'GET /api/timeline',
  agents: 'GET /api/agents',
  agentHosts: 'GET /api/agents/hosts',
  agentChats: 'GET /api/agents/chats',
  agentCommand: 'POST /api/agents/command',
  agentStop: 'POST /api/agents/stop',
  events: 'GET /api/events',
  // Where the project stands.
  server: 'GET /api/server',
  status: 'GET /api/status',
  health: 'GET /api/health',
  query: 'GET /api/query',
  recall: 'POST /api/recall',
  checkpoints: 'GET /api/checkpoints',
  checkpointShow: 'GET /api/checkpoints/:id',
  workspaces: 'GET /api/workspaces',
  plans: 'GET /api/plans',
  overviews: 'GET /api/overviews',
  learnings: 'GET /api/learnings',
  hot: 'GET /api/hot',
  hotLint: 'GET /api/hot/lint',
  configList: 'GET /api/config',
  // Import. Asked for `text/event-stream`, these and every other POST tell their progress.
  importDiscover: 'GET /api/import',
  import: 'POST /api/import',
  importSync: 'POST /api/import/sync',
  projects: 'GET /api/projects',
} as const

export type RouteName = keyof typeof PATHS

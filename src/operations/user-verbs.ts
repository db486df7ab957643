/** The verbs that also work on the person's own memory (`--user`). The others are about a project: its sessions, its files, its state. */
export const USER_VERBS: ReadonlySet<string> = new Set([
  ...['remember', 'edit', 'forget', 'pin', 'search', 'list', 'show', 'links', 'graph'],
  ...['alias add', 'alias list', 'alias remove', 'conflicts', 'conflicts resolve', 'feedback', 'confirm'],
  ...['review', 'review accept', 'review reject', 'review edit', 'log', 'undo'],
  ...['import', 'export', 'embed', 'status', 'validate', 'doctor', 'compact', 'restore'],
  ...['backup', 'backup check', 'backup restore'],
  ...['config list', 'config get', 'config set', 'config unset'],
])
